//! The phase of the fill that says more of what an intent names: what callers pass for parameters, types, the
//! documentation of the named parameters, and what a result offers. A reader with an intent writes this call next, so
//! the phase comes before further members.

use std::cmp::Reverse;

use super::{super::documentation::DocPart, GreedyFill};
use crate::stub::{Detail, Docs, node_text::TypeReference, selection::NodeForm};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::ParameterSet;

/// The share of a budget that is spent on the names of parameters that no call needs, as a divisor.
const SHARE_OF_NAMES: usize = 4;

impl GreedyFill<'_> {
    /// Describes the definitions that an intent names, and the requested definition.
    pub(super) fn describe_asked(&mut self) {
        self.name_parameters();
        if self.options.docs != Docs::None {
            self.add_values();
        }
        self.start_phase();
        let nodes = self.asked_nodes();
        for &node in &nodes {
            self.add_asked_docs(node);
        }
        if let Some(&best) = nodes.first() {
            self.lengthen(best, Detail::Lean);
            self.add_types_of(best);
            for part in [DocPart::Summary, DocPart::Call] {
                if self.doc_additions(best).iter().any(|addition| addition.part == part) {
                    self.add_docs(best, part);
                }
            }
        }
    }

    /// Names the other parameters of these definitions and of the requested class, those that most calls pass first,
    /// as far as a share of the budget goes: a name says most of what a parameter is for.
    fn name_parameters(&mut self) {
        self.start_phase();
        let mut left = self.budget / SHARE_OF_NAMES;
        let mut nodes = self.asked_nodes();
        let requested = self.tree.requested().filter(|node| !nodes.contains(node));
        nodes.extend(requested);
        for node in nodes {
            let Some((_, definition)) = self.tree.definition(node) else { continue };
            let count = definition.signature.as_ref().map_or(0, |signature| signature.parameters.len());
            let passed = |position: usize| definition.usage.parameters.get(position).map_or(0, |usage| usage.count);
            let mut positions: Vec<usize> = (0..count).collect();
            positions.shared_sort_by_key(|&position| Reverse(passed(position)));
            for position in positions {
                let priced = self.tree.priced(node);
                let Some(form) = self.selection.get(node).filter(|_| priced.is_showable(position)) else { continue };
                let parameters = priced.complete(&form.parameters.iter().chain([position]).collect());
                let larger = NodeForm::new(&priced, parameters, form.detail, form.docs.clone());
                let (before, after) = (form.tokens(self.tree, node), larger.tokens(self.tree, node));
                let tokens = after.saturating_sub(before);
                if larger.parameters != form.parameters
                    && tokens <= left
                    && self.reserve_tokens(before, after, &larger.references)
                {
                    left -= tokens;
                    self.show(vec![(node, larger)]);
                }
            }
        }
    }

    /// The shown definitions that an intent names, the best ones first.
    fn asked_nodes(&self) -> Vec<usize> {
        let mut nodes = self.shown_nodes();
        nodes.retain(|&node| self.tree.is_asked(node));
        nodes.shared_sort_by_key(|&node| self.tree.asked(node).map_or(0, |asked| asked.rank));
        nodes
    }

    /// Writes a shown node in a greater detail, if it fits.
    fn lengthen(&mut self, node: usize, detail: Detail) {
        let Some(form) = self.selection.get(node).filter(|form| form.detail < detail) else { return };
        let longer = NodeForm::new(&self.tree.priced(node), form.parameters.clone(), detail, form.docs.clone());
        let before = self.selection.tokens_alone(self.tree, node).unwrap_or_else(|| form.tokens(self.tree, node));
        let after = longer.tokens(self.tree, node) + self.tokens_of_frame(node);
        if self.reserve_tokens(before, after, &longer.references) {
            self.show(vec![(node, longer)]);
        }
    }

    /// Adds the documentation of the parameters that an intent names.
    fn add_asked_docs(&mut self, node: usize) {
        let Some(asked) = self.tree.asked(node) else { return };
        for addition in self.doc_additions(node) {
            if matches!(addition.part, DocPart::Parameter(position) if asked.asked.contains(position)) {
                self.add_docs(node, addition.part);
            }
        }
    }

    /// Writes out the type of the result of a function, then the types of the parameters that an intent names.
    fn add_types_of(&mut self, node: usize) {
        let Some(form) = self.selection.get(node).filter(|_| self.tree.declares_types()) else { return };
        let (priced, detail) = (self.tree.priced(node), form.detail);
        let asked = self.tree.asked(node).map(|overrides| &overrides.asked);
        let of_parameters = asked.map(|asked| priced.body_references(asked, detail)).unwrap_or_default();
        let of_result = priced.body_references(&ParameterSet::new(), detail);
        for TypeReference { ty, .. } in of_result.into_iter().chain(of_parameters) {
            let declared = self.tree.expandable_type(ty);
            if let Some(declared) = declared.filter(|&declared| !self.selection.shows_within(self.tree, declared)) {
                self.add_type_in_part(declared, ty);
            }
        }
    }
}
