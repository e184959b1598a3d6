//! Ways to show one definition that are worth their tokens.
//!
//! A set of parameters is worth considering only as a union of argument sets: a parameter that completes no
//! call adds nothing. Of few parameters every union is looked at, of many those that [`search`] finds.

use std::{borrow::Cow, cmp::Reverse};

use super::search;
use crate::{
    program::ParameterSet,
    stub::{needs::Need, part::Part, priced_tree::PricedTree, selection::Shown},
    usage::{ArgumentSet, Usage},
};

/// One way to show a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) parameters: ParameterSet,
    pub(crate) tokens: usize,
    /// Calls that can be written from it.
    pub(crate) gain: u32,
    /// The types that it names: what they cost is not in `tokens`, since others may name them too.
    pub(crate) needs: Box<[Need]>,
}

impl Choice {
    pub(crate) fn shown(&self) -> Shown {
        Shown::priced(self.parameters.clone(), self.tokens, self.needs.clone())
    }
}

/// Up to that many optional parameters every union of argument sets is looked at.
const EXACT: usize = 12;
/// Ways to show one definition, at most.
pub(crate) const MOST: usize = 250;

/// Every way to show the definition at `node` that no other one beats, cheapest first: each costs more and
/// covers more than the one before. The first is the required form, or a larger one that costs less.
pub(crate) fn choices(tree: &PricedTree, node: usize) -> Vec<Choice> {
    let part = tree.part_once(node);
    let required = part.complete(&ParameterSet::new());
    let usage = tree.definition(node).map(|(_, definition)| &definition.usage);
    let bundles = usage.map_or_else(Bundles::default, |usage| Bundles::new(&part, usage, &required));
    let states = if bundles.positions.len() <= EXACT { bundles.unions() } else { search::states(&bundles) };
    let choice = |parameters: ParameterSet, gain: u32| Choice {
        tokens: part.price(&parameters, false),
        gain,
        needs: Box::default(),
        parameters,
    };
    let mut choices: Vec<Choice> = states
        .into_iter()
        .map(|state| {
            let mut parameters = required.clone();
            bundles.positions(state).for_each(|position| parameters.insert(position));
            choice(parameters, bundles.gain(state))
        })
        .collect();
    // Showing the last unused parameter may cost less than saying that it is hidden.
    let all = part.complete(&ParameterSet::full(part.parameters()));
    if choices.iter().all(|choice| choice.parameters != all) {
        choices.push(choice(all, bundles.gain(Mask::MAX)));
    }
    choices.sort_by(|a, b| (a.tokens, b.gain, &a.parameters).cmp(&(b.tokens, a.gain, &b.parameters)));
    let mut kept: Vec<Choice> = Vec::new();
    for choice in choices {
        if kept.last().is_none_or(|last| choice.gain > last.gain) {
            kept.push(choice);
        }
    }
    while kept.len() > MOST {
        let last = kept.len() - 1;
        let mut position = 0;
        kept.retain(|_| {
            position += 1;
            position % 2 == 1 || position == last + 1
        });
    }
    for choice in &mut kept {
        choice.needs = part.needs(&choice.parameters);
    }
    kept.shrink_to_fit();
    kept
}

/// What calls need beyond the required parameters: a bit a parameter.
pub(super) type Mask = u128;

/// The argument sets of a definition, equal needs added up, most calls first.
#[derive(Default)]
pub(super) struct Bundles {
    /// The parameters that any of them needs; a mask's bits stand for these.
    pub(super) positions: Vec<usize>,
    /// What is needed, and by how many calls.
    pub(super) rows: Vec<(Mask, u32)>,
    /// Tokens of each parameter's line.
    pub(super) lines: Vec<usize>,
}

impl Bundles {
    fn new(part: &Part<'_>, usage: &Usage, required: &ParameterSet) -> Self {
        let mut bundles = Self::default();
        let mut sets: Vec<(ParameterSet, u32)> = Vec::new();
        for set in known_sets(usage).iter().filter(|set| !set.open) {
            let whole = part.complete(&set.parameters);
            if set.parameters.is_subset(&whole) {
                sets.push((whole.difference(required), set.calls));
            }
        }
        let mut needed = ParameterSet::new();
        for (adds, _) in &sets {
            needed.extend_with(adds);
        }
        // No signature that people call needs more.
        bundles.positions = needed.iter().take(Mask::BITS as usize).collect();
        bundles.lines = bundles.positions.iter().map(|&position| part.line_price(position)).collect();
        let is_counted = |adds: &ParameterSet| adds.iter().all(|position| bundles.positions.contains(&position));
        let mut rows: Vec<(Mask, u32)> = sets
            .iter()
            .filter(|(adds, _)| is_counted(adds))
            .map(|(adds, calls)| (bundles.mask(adds), *calls))
            .collect();
        rows.sort_unstable();
        rows.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        rows.sort_unstable_by_key(|&(mask, calls)| (Reverse(calls), mask));
        bundles.rows = rows;
        bundles
    }

    fn mask(&self, set: &ParameterSet) -> Mask {
        let bits = self.positions.iter().enumerate().filter(|(_, position)| set.contains(**position));
        bits.fold(0, |mask, (bit, _)| mask | 1 << bit)
    }

    fn positions(&self, mask: Mask) -> impl Iterator<Item = usize> + '_ {
        self.positions.iter().enumerate().filter(move |(bit, _)| mask >> bit & 1 == 1).map(|(_, &position)| position)
    }

    /// Calls that need nothing else.
    pub(super) fn gain(&self, state: Mask) -> u32 {
        self.rows.iter().filter(|(needs, _)| needs & !state == 0).map(|(_, calls)| calls).sum()
    }

    /// Every union of the bundles, the empty one included.
    fn unions(&self) -> Vec<Mask> {
        let mut is_union = vec![false; 1 << self.positions.len()];
        is_union[0] = true;
        let mut found = vec![0];
        for &(needs, _) in &self.rows {
            for i in 0..found.len() {
                let union = found[i] | needs;
                if !std::mem::replace(&mut is_union[union as usize], true) {
                    found.push(union);
                }
            }
        }
        found
    }
}

/// The argument sets that steer the choice; see [`assumed_sets`].
fn known_sets(usage: &Usage) -> Cow<'_, [ArgumentSet]> {
    if usage.argument_sets.is_empty() && usage.total_calls > 0 {
        Cow::Owned(assumed_sets(usage))
    } else {
        Cow::Borrowed(&usage.argument_sets)
    }
}

/// Calls that can be written with these parameters visible, as far as sets are known or assumed.
pub(crate) fn gain(usage: &Usage, visible: &ParameterSet) -> u32 {
    let sets = known_sets(usage);
    sets.iter().filter(|set| !set.open && set.parameters.is_subset(visible)).map(|set| set.calls).sum()
}

/// Where only frequencies are known, as in a bare `api_metadata.yaml`: the sets that follow when a call that
/// passes a rarer argument passes the more frequent ones too. They steer the choice and are never reported.
fn assumed_sets(usage: &Usage) -> Vec<ArgumentSet> {
    let mut order: Vec<usize> = (0..usage.parameters.len()).collect();
    order.sort_by_key(|&i| (Reverse(usage.parameters[i].count), i));
    let mut sets = Vec::new();
    let mut parameters = ParameterSet::new();
    let mut calls = usage.total_calls;
    for position in order {
        let count = usage.parameters[position].count.min(calls);
        if calls > count {
            sets.push(ArgumentSet { parameters: parameters.clone(), open: false, calls: calls - count });
        }
        parameters.insert(position);
        calls = count;
    }
    if calls > 0 {
        sets.push(ArgumentSet { parameters, open: false, calls });
    }
    sets
}
