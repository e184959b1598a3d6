//! A local search for the Pareto front of unions of argument sets, for definitions with too many unions to enumerate.
//!
//! The first front comes from greedy chains: two grow from the empty set, one shrinks from the full set. Then every new
//! union on the front is extended by each argument set and reduced by each parameter. This is repeated until the front
//! no longer improves, at most `MAX_ROUNDS` times.

use rustc_hash::FxHashSet;

use super::{
    argument_bundles::{ArgumentBundles, ParameterMask},
    gain::Gain,
};

/// The largest number of times that the front is improved.
const MAX_ROUNDS: usize = 4;
/// The largest number of argument sets by which a union is extended. The sets with the most calls are used.
const MAX_BRANCHING: usize = 128;

/// A union of argument sets with its price and gain.
#[derive(Clone, Copy)]
struct SearchState {
    mask: ParameterMask,
    tokens: usize,
    gain: Gain,
}

/// The masks on the front, the empty one included.
pub(super) fn undominated_masks(bundles: &ArgumentBundles) -> Vec<ParameterMask> {
    let mut seen: FxHashSet<ParameterMask> = FxHashSet::default();
    let mut front = Vec::new();
    let mut candidates = vec![0];
    grow(bundles, &mut candidates, |gain, tokens| gain.value() / tokens as f64);
    grow(bundles, &mut candidates, |gain, _| gain.value());
    shrink(bundles, &mut candidates);
    for _ in 0..=MAX_ROUNDS {
        let new_masks = candidates.iter().map(|&mask| union_within(bundles, mask)).filter(|&mask| seen.insert(mask));
        let states: Vec<SearchState> = new_masks.map(|mask| state(bundles, mask)).collect();
        let added: FxHashSet<ParameterMask> = states.iter().map(|state| state.mask).collect();
        front.extend(states);
        front = undominated(front);
        candidates.clear();
        for &SearchState { mask, .. } in front.iter().filter(|state| added.contains(&state.mask)) {
            candidates.extend(bundles.sets.iter().take(MAX_BRANCHING).map(|(set, _)| mask | set));
            candidates.extend((0..bundles.positions.len()).map(|bit| mask & !(1 << bit)));
        }
        if candidates.is_empty() {
            break;
        }
    }
    let mut masks: Vec<ParameterMask> = front.into_iter().map(|state| state.mask).collect();
    masks.push(0);
    masks.sort_unstable();
    masks.dedup();
    masks
}

fn state(bundles: &ArgumentBundles, mask: ParameterMask) -> SearchState {
    SearchState { mask, tokens: tokens(bundles, mask), gain: bundles.gain(mask) }
}

fn tokens(bundles: &ArgumentBundles, mask: ParameterMask) -> usize {
    bundles.line_tokens.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).map(|(_, tokens)| tokens).sum()
}

/// The union of the argument sets that are subsets of a mask. Parameters of the mask that are in none of these sets are
/// left out, because they complete no call.
fn union_within(bundles: &ArgumentBundles, mask: ParameterMask) -> ParameterMask {
    bundles.sets.iter().map(|&(set, _)| set).filter(|set| set & !mask == 0).fold(0, |union, set| union | set)
}

/// The states that no other state dominates, cheapest first. A state dominates another one if it costs at most as much
/// and gains at least as much.
fn undominated(mut states: Vec<SearchState>) -> Vec<SearchState> {
    states.sort_unstable_by_key(|state| (state.tokens, std::cmp::Reverse(state.gain), state.mask));
    let mut most = None;
    states.retain(|state| {
        most.replace(most.map_or(state.gain, |most: Gain| most.max(state.gain))).is_none_or(|most| state.gain > most)
    });
    states
}

/// A greedy chain from the empty set: adds the argument set with the highest rating until none is left.
fn grow(bundles: &ArgumentBundles, masks: &mut Vec<ParameterMask>, rating: impl Fn(Gain, usize) -> f64) {
    let mut mask = union_within(bundles, 0);
    loop {
        let (gain, price) = (bundles.gain(mask), tokens(bundles, mask));
        let missing = bundles.sets.iter().map(|&(set, _)| set).filter(|set| set & !mask != 0).take(MAX_BRANCHING);
        let rated = missing.map(|set| {
            let next = mask | set;
            (rating(bundles.gain(next) - gain, (tokens(bundles, next) - price).max(1)), next)
        });
        let Some((_, next)) = rated.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))) else { break };
        mask = next;
        masks.push(mask);
    }
}

/// A greedy chain from the full set: removes the parameter that loses the fewest calls per token, until none is left.
fn shrink(bundles: &ArgumentBundles, masks: &mut Vec<ParameterMask>) {
    let mut mask = bundles.sets.iter().fold(0, |union, &(set, _)| union | set);
    while mask != 0 {
        masks.push(mask);
        let loss = |bit: usize| {
            let lost = bundles.sets.iter().filter(|(set, _)| set >> bit & 1 == 1 && set & !mask == 0);
            lost.map(|&(_, gain)| gain).sum::<Gain>().value() / bundles.line_tokens[bit].max(1) as f64
        };
        let bits = (0..bundles.positions.len()).filter(|bit| mask >> bit & 1 == 1);
        let Some(cheapest) = bits.min_by(|&a, &b| loss(a).total_cmp(&loss(b)).then(b.cmp(&a))) else { break };
        mask &= !(1 << cheapest);
    }
}
