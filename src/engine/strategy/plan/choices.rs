//! Ways to show one definition that are worth their tokens.
//!
//! A set of parameters is worth considering only as a union of argument sets: a parameter that completes no
//! call adds nothing. Few parameters: every union is looked at. Many: several greedy chains and swaps.

use std::borrow::Cow;

use crate::engine::{
    stub::{
        selection::Shown,
        sheet::{Body, Sheet},
    },
    usage::{ArgumentSet, ParameterSet, Usage},
};

/// One way to show a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) parameters: ParameterSet,
    pub(crate) tokens: usize,
    /// Calls that can be written from it.
    pub(crate) gain: u32,
}

impl Choice {
    pub(crate) fn shown(&self) -> Shown {
        Shown { parameters: self.parameters.clone(), summary: false, tokens: self.tokens }
    }
}

/// Up to that many optional parameters every union of argument sets is looked at.
const EXACT: usize = 12;
/// A chain looks at that many argument sets a step.
const BREADTH: usize = 96;
/// From every state of a chain that many other steps are looked at.
const ASIDE: usize = 24;
/// Ways to show one definition, at most.
pub(crate) const MOST: usize = 250;

/// Every way to show the definition at `node` that no other one beats, cheapest first: each costs more and
/// covers more than the one before. The first is the required form.
pub(crate) fn choices(sheet: &Sheet, node: usize) -> Vec<Choice> {
    let required = sheet.complete(node, &ParameterSet::new());
    let bundles = bundles(sheet, node, &required);
    let mut useful = ParameterSet::new();
    bundles.iter().for_each(|bundle| useful.extend_with(&bundle.adds));
    let useful: Vec<usize> = useful.iter().collect();

    let states = if useful.len() <= EXACT { unions(&bundles, &useful) } else { chains(&bundles, &useful) };
    let mut choices: Vec<Choice> = states
        .into_iter()
        .map(|state| {
            let mut parameters = required.clone();
            parameters.extend_with(&state);
            let gain = covered(&bundles, &state);
            Choice { tokens: sheet.price(node, &parameters, false), gain, parameters }
        })
        .collect();
    // The required form stays the first, even where a larger one is cheaper.
    let first = choices.iter().position(|choice| choice.parameters == required).map(|at| choices.swap_remove(at));
    choices.sort_by(|a, b| (a.tokens, b.gain, &a.parameters).cmp(&(b.tokens, a.gain, &b.parameters)));
    let mut kept: Vec<Choice> = first.into_iter().collect();
    for choice in choices {
        if kept.last().is_none_or(|last| choice.gain > last.gain) {
            kept.push(choice);
        }
    }
    while kept.len() > MOST {
        let mut position = 0;
        let last = kept.len() - 1;
        kept.retain(|_| {
            position += 1;
            position % 2 == 1 || position == last + 1
        });
    }
    kept
}

/// Calls that need the same parameters beyond the required ones.
struct Bundle {
    adds: ParameterSet,
    calls: u32,
}

fn bundles(sheet: &Sheet, node: usize, required: &ParameterSet) -> Vec<Bundle> {
    let Some((_, definition)) = sheet.definition(node) else { return Vec::new() };
    let mut bundles: Vec<Bundle> = Vec::new();
    for set in known_sets(&definition.usage).iter().filter(|set| !set.open) {
        let whole = sheet.complete(node, &set.parameters);
        let is_writable = match &sheet.pieces(node).body {
            Body::Callable(_) => set.parameters.is_subset(&whole),
            _ => set.parameters.is_empty(),
        };
        if is_writable {
            bundles.push(Bundle { adds: whole.difference(required), calls: set.calls });
        }
    }
    bundles.sort_by(|a, b| a.adds.cmp(&b.adds));
    bundles.dedup_by(|next, kept| {
        let same = next.adds == kept.adds;
        kept.calls += if same { next.calls } else { 0 };
        same
    });
    bundles.sort_by(|a, b| (b.calls, &a.adds).cmp(&(a.calls, &b.adds)));
    bundles
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
    order.sort_by_key(|&i| (std::cmp::Reverse(usage.parameters[i].count), i));
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

fn covered(bundles: &[Bundle], state: &ParameterSet) -> u32 {
    bundles.iter().filter(|bundle| bundle.adds.is_subset(state)).map(|bundle| bundle.calls).sum()
}

/// Every union of the bundles, the empty one included.
fn unions(bundles: &[Bundle], useful: &[usize]) -> Vec<ParameterSet> {
    let mask = |set: &ParameterSet| {
        useful
            .iter()
            .enumerate()
            .filter(|(_, position)| set.contains(**position))
            .fold(0_usize, |m, (bit, _)| m | 1 << bit)
    };
    let mut is_union = vec![false; 1 << useful.len()];
    is_union[0] = true;
    let mut found = vec![0];
    for bundle in bundles {
        let adds = mask(&bundle.adds);
        for i in 0..found.len() {
            let union = found[i] | adds;
            if !std::mem::replace(&mut is_union[union], true) {
                found.push(union);
            }
        }
    }
    let positions =
        |mask: usize| useful.iter().enumerate().filter(move |(bit, _)| mask >> bit & 1 == 1).map(|(_, &p)| p);
    found.into_iter().map(|mask| positions(mask).collect()).collect()
}

/// Unions along several chains: by calls gained a parameter, by calls gained, by frequency, by taking away
/// what is missed least; then what swaps of one parameter make of them.
fn chains(bundles: &[Bundle], useful: &[usize]) -> Vec<ParameterSet> {
    let mut states = vec![ParameterSet::new()];
    for per_parameter in [true, false] {
        let mut state = ParameterSet::new();
        while let Some(next) = best_step(bundles, &state, per_parameter) {
            // Budgets between this state and the next one take what fits instead of the best step.
            for bundle in bundles.iter().take(ASIDE) {
                let mut aside = state.clone();
                aside.extend_with(&bundle.adds);
                states.push(aside);
            }
            state.extend_with(&next);
            states.push(state.clone());
        }
    }
    let count = |position: usize| -> u32 {
        bundles.iter().filter(|bundle| bundle.adds.contains(position)).map(|bundle| bundle.calls).sum()
    };
    let mut by_count = useful.to_vec();
    by_count.sort_by_key(|&position| (std::cmp::Reverse(count(position)), position));
    let mut state = ParameterSet::new();
    for position in by_count {
        state.insert(position);
        states.push(state.clone());
    }
    loop {
        let missed = |position: usize| -> u32 {
            let needs = |b: &&Bundle| b.adds.contains(position) && b.adds.is_subset(&state);
            bundles.iter().filter(needs).map(|bundle| bundle.calls).sum()
        };
        let Some(least) = state.iter().min_by_key(|&position| (missed(position), std::cmp::Reverse(position))) else {
            break;
        };
        state.remove(least);
        states.push(state.clone());
    }
    states.sort();
    states.dedup();
    let swapped: Vec<ParameterSet> = states.iter().filter_map(|state| best_swap(bundles, useful, state)).collect();
    states.extend(swapped);
    // What completes no call is taken out again.
    for state in &mut states {
        let mut union = ParameterSet::new();
        bundles.iter().filter(|b| b.adds.is_subset(state)).for_each(|b| union.extend_with(&b.adds));
        *state = union;
    }
    states.sort();
    states.dedup();
    states
}

/// The bundle that is best added next.
fn best_step(bundles: &[Bundle], state: &ParameterSet, per_parameter: bool) -> Option<ParameterSet> {
    let before = covered(bundles, state);
    let missing = bundles.iter().filter(|bundle| !bundle.adds.is_subset(state)).take(BREADTH);
    let rated = missing.map(|bundle| {
        let mut next = state.clone();
        next.extend_with(&bundle.adds);
        let added = if per_parameter { next.len() - state.len() } else { 1 };
        (u64::from(covered(bundles, &next) - before), added as u64, &bundle.adds)
    });
    let best = rated.max_by(|(gain_a, added_a, a), (gain_b, added_b, b)| {
        (gain_a * added_b).cmp(&(gain_b * added_a)).then(b.cmp(a))
    });
    best.map(|(_, _, adds)| adds.clone())
}

/// The exchange of one parameter for another that covers most, where one covers more than none does.
fn best_swap(bundles: &[Bundle], useful: &[usize], state: &ParameterSet) -> Option<ParameterSet> {
    let mut best = (covered(bundles, state), None);
    for out in state.iter() {
        let mut without = state.clone();
        without.remove(out);
        for &position in useful.iter().filter(|&&position| !state.contains(position)).take(BREADTH / 4) {
            let mut swapped = without.clone();
            swapped.insert(position);
            let covered = covered(bundles, &swapped);
            if covered > best.0 {
                best = (covered, Some(swapped));
            }
        }
    }
    best.1
}
