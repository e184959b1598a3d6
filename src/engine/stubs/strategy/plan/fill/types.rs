//! The phase of the fill that writes out types which shown definitions name.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::GreedyFill;
use crate::stub::{Detail, ShownDocs, node_text::TypeReference, selection::NodeForm};
use apidisc_base::sort::SharedSort as _;

impl GreedyFill<'_> {
    /// Writes out types that the selection names. The types whose users have the most uses come first, those that only
    /// other such types name come last. A type that does not fit in full is written with half of its members, then with
    /// a quarter, and so on.
    pub(super) fn add_types(&mut self) {
        self.start_phase();
        if !self.tree.declares_types() {
            self.add_keyword_classes();
            return;
        }
        let mut types: FxHashMap<u32, u32> = FxHashMap::default();
        for (node, form) in self.selection.iter() {
            let users = if self.tree.nodes[node].is_named_type { 0 } else { self.uses(node) };
            for reference in self.references_of(node, form) {
                *types.entry(reference.ty).or_default() += users;
            }
        }
        let mut types: Vec<(Reverse<u32>, usize, u32)> = types
            .into_iter()
            .filter_map(|(ty, calls)| Some((Reverse(calls), self.tree.expandable_type(ty)?, ty)))
            .filter(|&(_, node, _)| !self.selection.shows_within(self.tree, node))
            .collect();
        types.sort_unstable();
        for (_, node, ty) in types {
            if self.is_done() {
                return;
            }
            self.add_type_in_part(node, ty);
        }
    }

    /// Writes out a type in full, or with half of its members, a quarter, and so on, as fits.
    pub(super) fn add_type_in_part(&mut self, node: usize, ty: u32) {
        let members: Vec<usize> = self.tree.children(Some(node)).collect();
        let mut count = members.len();
        while !self.add_type(node, ty, &members[..count]) && count > 1 {
            count /= 2;
        }
    }

    /// Writes out the classes whose fields are the keywords of shown functions, those of the most used functions first.
    /// Of a class that does not fit in full, the required fields and the most passed ones are written.
    fn add_keyword_classes(&mut self) {
        for node in self.shown_nodes() {
            let class = self.tree.keyword_class(node);
            let Some(class) = class.filter(|&class| !self.selection.shows_within(self.tree, class)) else { continue };
            if self.is_done() {
                return;
            }
            let fields = self.ranked_fields(class);
            let forms = |count: usize| self.forms_of_fields(class, &fields[..count]);
            let members = self.tree.children(Some(class)).count();
            // The line above the types, and the blank line before it.
            let heading = self.tree.tokenizer.count_line(&self.tree.types_heading()) + 1;
            let tokens = |count: usize| self.tokens_in_full(&forms(count), class, members) + heading;
            let counts: Vec<usize> = (1..=fields.len()).collect();
            let fits = |count: &usize| self.used + tokens(*count) <= self.budget;
            let count = counts.partition_point(fits).max(1).min(fields.len());
            let (forms, tokens) = (forms(count), tokens(count));
            if self.reserve_tokens(0, tokens, []) {
                self.show(forms);
            }
        }
    }

    /// The positions of the fields of a class in its constructor: the required ones, then those that calls of the shown
    /// functions pass most as keywords; ties in the order of the class.
    fn ranked_fields(&self, class: usize) -> Vec<usize> {
        let definitions = self.selection.iter().filter(|&(node, _)| self.tree.keyword_class(node) == Some(class));
        let mut passed: FxHashMap<&str, u32> = FxHashMap::default();
        for (_, function) in definitions.filter_map(|(node, _)| self.tree.definition(node)) {
            let parameters = function.signature.iter().flat_map(|signature| &signature.parameters);
            for (parameter, usage) in parameters.zip(&function.usage.parameters) {
                if parameter.object.is_some() {
                    *passed.entry(&parameter.name).or_default() += usage.count;
                }
            }
        }
        let constructor = self.tree.definition(class).and_then(|(_, definition)| definition.signature.as_deref());
        let fields = constructor.map_or(&[][..], |constructor| &constructor.parameters);
        let mut ranked: Vec<usize> = (0..fields.len()).collect();
        ranked.shared_sort_by_key(|&at| {
            (!fields[at].required, Reverse(passed.get(fields[at].name.as_str()).copied().unwrap_or_default()))
        });
        ranked
    }

    /// The forms of a class and its members that show some parameters of the constructor.
    fn forms_of_fields(&self, class: usize, fields: &[usize]) -> Vec<(usize, NodeForm)> {
        let priced = self.tree.priced(class);
        let parameters = priced.complete(&fields.iter().copied().collect());
        let form = NodeForm::new(&priced, parameters, Detail::Full, ShownDocs::default());
        let members = self.full_forms(class + 1..self.tree.nodes[class].end);
        [vec![(class, form)], members].concat()
    }

    /// The full forms of some nodes.
    fn full_forms(&self, nodes: impl Iterator<Item = usize>) -> Vec<(usize, NodeForm)> {
        nodes.map(|node| (node, NodeForm::full(&self.tree.priced(node)))).collect()
    }

    /// The tokens of a type at `node` with these forms, of which `members` are members of the type.
    fn tokens_in_full(&self, forms: &[(usize, NodeForm)], node: usize, members: usize) -> usize {
        let framed = forms.iter().filter(|(inner, _)| self.tree.has_frame(*inner));
        let frames = framed.map(|(inner, _)| {
            let shown = if *inner == node { members } else { self.tree.children(Some(*inner)).count() };
            self.tree.frame_price(*inner) + self.tree.hidden_price(*inner, shown, true, self.selection.detail())
        });
        frames.sum::<usize>() + forms.iter().map(|(inner, form)| form.tokens(self.tree, *inner)).sum::<usize>()
    }

    /// Writes out a type with these members, if it fits.
    fn add_type(&mut self, node: usize, ty: u32, members: &[usize]) -> bool {
        let inner = members.iter().flat_map(|&member| member..self.tree.nodes[member].end);
        let forms = self.full_forms(std::iter::once(node).chain(inner));
        let after = self.tokens_in_full(&forms, node, members.len());
        let before = self.tree.type_price(TypeReference { ty, type_arguments: 0, is_base: false });
        let references: Vec<TypeReference> = forms
            .iter()
            .flat_map(|(inner, form)| self.references_of(*inner, form))
            .filter(|reference| reference.ty != ty)
            .collect();
        let new = self.types.price_of_writing(self.tree, self.new_types(&references));
        let fits = self.reserve_with(before, after, new);
        if fits {
            self.show(forms);
        }
        fits
    }
}
