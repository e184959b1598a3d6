//! The phase of the fill that says what callers pass for parameters.

use super::GreedyFill;
use std::cmp::Reverse;

use crate::stub::{priced_tree::ParameterValues, selection::NodeForm};
use apidisc_base::sort::SharedSort as _;

/// The share of a budget that is spent on what callers pass, as a divisor.
const SHARE_OF_VALUES: usize = 5;
/// The same share where an intent names something.
const SHARE_FOR_AN_INTENT: usize = 3;

impl GreedyFill<'_> {
    /// Says of the parameters of definitions that are always shown what callers pass: first of those that an intent
    /// names, then of the most passed ones. For an intent, values that the program defines come before free text.
    pub(super) fn add_values(&mut self) {
        self.start_phase();
        let has_intent = self.tree.overrides.has_intent();
        let mut left = self.budget / if has_intent { SHARE_FOR_AN_INTENT } else { SHARE_OF_VALUES };
        for node in self.shown_nodes().into_iter().filter(|&node| self.tree.nodes[node].is_forced) {
            for position in self.positions_with_values(node) {
                let Some(form) = self.selection.get(node) else { continue };
                let mut docs = form.docs.clone();
                docs.values.insert(position);
                let larger = NodeForm::new(&self.tree.priced(node), form.parameters.clone(), form.detail, docs);
                let (before, after) = (form.tokens(self.tree, node), larger.tokens(self.tree, node));
                let tokens = after.saturating_sub(before);
                if tokens <= left && self.reserve_tokens(before, after, []) {
                    left -= tokens;
                    self.show(vec![(node, larger)]);
                }
            }
        }
    }

    /// The shown parameters of a node, and the position of its result, of which there is something to say, in the order
    /// in which it is said.
    fn positions_with_values(&self, node: usize) -> Vec<usize> {
        let (Some(form), Some((id, definition))) = (self.selection.get(node), self.tree.definition(node)) else {
            return Vec::new();
        };
        if form.is_listed {
            return Vec::new();
        }
        let priced = self.tree.priced(node);
        let overrides = self.tree.overrides.of(id);
        let has_intent = self.tree.overrides.has_intent();
        let is_needed = |position: usize| {
            let signature = definition.signature.as_ref().filter(|it| has_intent && position < it.parameters.len());
            signature.is_some_and(|signature| signature.is_always_required(position))
        };
        let is_asked = |position: usize, values: &ParameterValues| {
            let is_named = overrides.is_some_and(|named| named.asked.contains(position));
            values.is_asked || is_named || is_needed(position)
        };
        // Every call has a result.
        let of_result = definition.usage.total_calls;
        let passed = |position: usize| definition.usage.parameters.get(position).map_or(of_result, |usage| usage.count);
        let is_free_text = |values: &ParameterValues| has_intent && values.is_free_text;
        let mut positions: Vec<(bool, bool, Reverse<u32>, usize)> = priced
            .values()
            .iter()
            .filter(|(position, _)| form.parameters.contains(*position) || *position >= priced.parameter_count())
            .map(|(position, values)| {
                (is_free_text(values), !is_asked(position, values), Reverse(passed(position)), position)
            })
            .collect();
        positions.shared_sort_by_key(|key| *key);
        positions.into_iter().map(|(.., position)| position).collect()
    }
}
