//! Unions of argument sets that are worth their tokens, where there are too many to look at all.
//!
//! Greedy chains from both ends give a front of states that cover most for their tokens; then every state of
//! the front is grown by every argument set and shrunk by every parameter, as long as the front gets better.

use rustc_hash::FxHashSet;

use super::choices::{Bundles, Mask};

/// The front is improved that many times.
const ROUNDS: usize = 4;
/// It is grown by that many argument sets, those with the most calls.
const BREADTH: usize = 128;

/// A state with its figures.
#[derive(Clone, Copy)]
struct State {
    mask: Mask,
    tokens: usize,
    gain: u32,
}

/// States on the front, the empty one included.
pub(super) fn states(bundles: &Bundles) -> Vec<Mask> {
    let mut seen: FxHashSet<Mask> = FxHashSet::default();
    let mut front = Vec::new();
    let mut fresh = vec![0];
    grow(bundles, &mut fresh, |gain, tokens| f64::from(gain) / tokens as f64);
    grow(bundles, &mut fresh, |gain, _| f64::from(gain));
    shrink(bundles, &mut fresh);
    for _ in 0..=ROUNDS {
        let states = fresh.iter().map(|&mask| union_within(bundles, mask)).filter(|&mask| seen.insert(mask));
        let states: Vec<State> = states.map(|mask| state(bundles, mask)).collect();
        let added: FxHashSet<Mask> = states.iter().map(|state| state.mask).collect();
        front.extend(states);
        front = undominated(front);
        fresh.clear();
        for &State { mask, .. } in front.iter().filter(|state| added.contains(&state.mask)) {
            fresh.extend(bundles.rows.iter().take(BREADTH).map(|(needs, _)| mask | needs));
            fresh.extend((0..bundles.positions.len()).map(|bit| mask & !(1 << bit)));
        }
        if fresh.is_empty() {
            break;
        }
    }
    let mut masks: Vec<Mask> = front.into_iter().map(|state| state.mask).collect();
    masks.push(0);
    masks.sort_unstable();
    masks.dedup();
    masks
}

fn state(bundles: &Bundles, mask: Mask) -> State {
    State { mask, tokens: tokens(bundles, mask), gain: bundles.gain(mask) }
}

fn tokens(bundles: &Bundles, mask: Mask) -> usize {
    bundles.lines.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).map(|(_, tokens)| tokens).sum()
}

/// What completes no call is taken out.
fn union_within(bundles: &Bundles, mask: Mask) -> Mask {
    bundles
        .rows
        .iter()
        .map(|&(needs, _)| needs)
        .filter(|needs| needs & !mask == 0)
        .fold(0, |union, needs| union | needs)
}

/// States that cost more than every one that covers as much, cheapest first.
fn undominated(mut states: Vec<State>) -> Vec<State> {
    states.sort_unstable_by_key(|state| (state.tokens, std::cmp::Reverse(state.gain), state.mask));
    let mut most = None;
    states.retain(|state| {
        most.replace(most.map_or(state.gain, |most: u32| most.max(state.gain))).is_none_or(|most| state.gain > most)
    });
    states
}

/// Adds the argument set that rates best, again and again.
fn grow(bundles: &Bundles, states: &mut Vec<Mask>, rating: impl Fn(u32, usize) -> f64) {
    let mut mask = union_within(bundles, 0);
    loop {
        let (gain, paid) = (bundles.gain(mask), tokens(bundles, mask));
        let missing = bundles.rows.iter().map(|&(needs, _)| needs).filter(|needs| needs & !mask != 0).take(BREADTH);
        let rated = missing.map(|needs| {
            let next = mask | needs;
            (rating(bundles.gain(next) - gain, (tokens(bundles, next) - paid).max(1)), next)
        });
        let Some((_, next)) = rated.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))) else { break };
        mask = next;
        states.push(mask);
    }
}

/// From everything, takes away the parameter that is missed least for its tokens, again and again.
fn shrink(bundles: &Bundles, states: &mut Vec<Mask>) {
    let mut mask = bundles.rows.iter().fold(0, |union, &(needs, _)| union | needs);
    while mask != 0 {
        states.push(mask);
        let missed = |bit: usize| {
            let needing = bundles.rows.iter().filter(|(needs, _)| needs >> bit & 1 == 1 && needs & !mask == 0);
            f64::from(needing.map(|(_, calls)| calls).sum::<u32>()) / bundles.lines[bit].max(1) as f64
        };
        let bits = (0..bundles.positions.len()).filter(|bit| mask >> bit & 1 == 1);
        let Some(least) = bits.min_by(|&a, &b| missed(a).total_cmp(&missed(b)).then(b.cmp(&a))) else { break };
        mask &= !(1 << least);
    }
}
