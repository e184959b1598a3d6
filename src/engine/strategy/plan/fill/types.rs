//! The phase of the fill that writes out types which shown definitions name.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::GreedyFill;
use crate::stub::{node_text::TypeReference, selection::NodeForm};

impl GreedyFill<'_> {
    /// Writes out types that the selection names. The types whose users have the most uses come first, those that only
    /// other such types name come last. A type that does not fit in full is written with half of its members, then with a
    /// quarter, and so on.
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
            let members: Vec<usize> = self.tree.children(Some(node)).collect();
            let mut count = members.len();
            while !self.add_type(node, ty, &members[..count]) && count > 1 {
                count /= 2;
            }
        }
    }

    /// Writes out the classes whose fields are the keywords of shown functions, those of the most used functions first.
    fn add_keyword_classes(&mut self) {
        for node in self.shown_nodes() {
            let class = self.tree.keyword_class(node);
            let Some(class) = class.filter(|&class| !self.selection.shows_within(self.tree, class)) else { continue };
            if self.is_done() {
                return;
            }
            let forms = self.full_forms(class..self.tree.nodes[class].end);
            let members = self.tree.children(Some(class)).count();
            let tokens = self.tokens_in_full(&forms, class, members);
            // The line above the types, and the blank line before it.
            let heading = self.tree.tokenizer.count_line(&self.tree.types_heading()) + 1;
            if self.reserve_tokens(0, tokens + heading, []) {
                self.show(forms);
            }
        }
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
