//! The phase of the fill that says what callers pass for parameters.

use super::GreedyFill;
use std::cmp::Reverse;

use crate::stub::{priced_tree::ParameterValues, selection::NodeForm};
use apidisc_base::sort::SharedSort as _;

/// The share of a budget that is spent on what callers pass.
const SHARE_OF_VALUES: f64 = 0.2;
/// The same share where an intent names something.
const SHARE_FOR_AN_INTENT: f64 = 0.6;
/// The part of it that what an intent does not name may use.
const SHARE_OF_OTHERS: f64 = 0.3;
/// The least relevance of values that an intent names: one word.
const LEAST_RELEVANCE: f32 = 1.0;
/// The length of a text in bytes that may use the whole share: the members of an enum cost little.
const SHORT_TEXT: usize = 45;
/// The length of a text in bytes above which shorter ones come first: several cost as much as the text.
const LONG_TEXT: usize = 80;

impl GreedyFill<'_> {
    /// Says of the parameters of definitions that are always shown what callers pass: first of those that an intent
    /// names, then of the most passed ones. For an intent, values that the program defines come before free text.
    pub(super) fn add_values(&mut self) {
        self.start_phase();
        let has_intent = self.tree.overrides.has_intent();
        let share = |share: f64| (self.budget as f64 * share) as usize;
        let mut left = share(if has_intent { SHARE_FOR_AN_INTENT } else { SHARE_OF_VALUES });
        let kept = if has_intent { left - share(SHARE_OF_OTHERS) } else { 0 };
        for node in self.shown_nodes().into_iter().filter(|&node| self.tree.nodes[node].is_forced) {
            for (position, is_free) in self.positions_with_values(node) {
                let available = if is_free { left } else { left.saturating_sub(kept) };
                let tokens = self.add_values_of(node, position, false, available);
                left -= tokens.or_else(|| self.add_values_of(node, position, true, available)).unwrap_or_default();
            }
        }
    }

    /// Says of a parameter what callers pass, or the first of these values if they are to be cut. Returns the tokens,
    /// `None` if they are not `available`.
    fn add_values_of(&mut self, node: usize, position: usize, is_cut: bool, available: usize) -> Option<usize> {
        let form = self.selection.get(node)?;
        let priced = self.tree.priced(node);
        let mut docs = form.docs.clone();
        docs.values.insert(position);
        if is_cut {
            priced.values().iter().find(|(at, values)| *at == position && values.can_be_cut())?;
            docs.cut_values.insert(position);
        }
        let larger = NodeForm::new(&priced, form.parameters.clone(), form.detail, docs);
        let (before, after) = (form.tokens(self.tree, node), larger.tokens(self.tree, node));
        let tokens = after.saturating_sub(before);
        if tokens > available || !self.reserve_tokens(before, after, []) {
            return None;
        }
        self.show(vec![(node, larger)]);
        Some(tokens)
    }

    /// The shown parameters of a node, and the position of its result, of which there is something to say, in the order
    /// in which it is said. The flag is true for what may use the whole share: what an intent names, what each call
    /// needs, and short texts.
    fn positions_with_values(&self, node: usize) -> Vec<(usize, bool)> {
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
        let is_named = |position: usize, values: &ParameterValues| {
            // Words in the members of what a callback receives say nothing of whether the call passes the callback.
            let is_callback = values.is_given && position < priced.parameter_count();
            values.is_asked && !is_callback || overrides.is_some_and(|named| named.asked.contains(position))
        };
        // Every call has a result.
        let of_result = definition.usage.total_calls;
        let passed = |position: usize| definition.usage.parameters.get(position).map_or(of_result, |usage| usage.count);
        let is_free_text = |values: &ParameterValues| has_intent && values.is_free_text;
        let positions = priced
            .values()
            .iter()
            .filter(|(position, _)| form.parameters.contains(*position) || *position >= priced.parameter_count())
            .map(|(position, values)| {
                let is_long = has_intent && values.len() > LONG_TEXT;
                let (is_named, is_needed) = (is_named(position, values), is_needed(position));
                let is_named = is_named || !values.is_given && values.relevance >= LEAST_RELEVANCE;
                let order = [is_free_text(values), !is_named && !is_needed, !is_named, !is_needed];
                let relevance = Reverse(values.relevance as u32);
                let is_free = is_named || is_needed || values.len() <= SHORT_TEXT;
                ((order, is_long, relevance, Reverse(passed(position)), position), is_free)
            });
        let mut positions: Vec<_> = positions.collect();
        positions.shared_sort_by_key(|(key, _)| *key);
        positions.into_iter().map(|((.., position), is_free)| (position, is_free)).collect()
    }
}
