//! Ways to prune that look at no call: what the others are compared with.

use super::{Candidates, FilteringStrategy, Member};
use crate::program::{DefinitionId, ParameterSet};

/// Takes members and optional arguments one by one in an order that knows nothing of usage, until the budget is
/// full. An argument brings its member along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Naive {
    /// In which order.
    pub order: Order,
    /// Never exceeded.
    pub max_tokens: usize,
}

/// An order of members and arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As a seed has it; the same on every machine.
    Random(u64),
    /// By FQN, then by the argument's name.
    Alphabetical,
    /// By file and line, then as declared.
    Source,
}

/// A member in its required form, or one of its optional arguments.
pub(super) type Unit = (DefinitionId, Option<usize>);

impl Order {
    /// The word for it on screens and in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Random(_) => "random",
            Self::Alphabetical => "alphabetical",
            Self::Source => "source order",
        }
    }

    /// Everything of a scope in this order.
    pub(super) fn units(self, candidates: &Candidates<'_>) -> Vec<Unit> {
        let index = candidates.index();
        let mut units: Vec<Unit> = Vec::new();
        for member in candidates.members() {
            let parameters = member.definition.signature.as_ref().map_or(&[][..], |s| &s.parameters);
            let optional = (0..parameters.len()).filter(|&at| !parameters[at].required);
            units.push((member.id, None));
            units.extend(optional.map(|at| (member.id, Some(at))));
        }
        let by_place = |a: &Unit, b: &Unit| a.cmp(b);
        let by_name = |a: &Unit, b: &Unit| {
            let name = |&(id, at): &Unit| {
                let definition = index.definition(id);
                let parameter = |at: usize| definition.signature.as_ref().map(|s| s.parameters[at].name.as_str());
                (definition.fqn.as_str(), at.and_then(parameter))
            };
            name(a).cmp(&name(b)).then_with(|| a.cmp(b))
        };
        match self {
            // Definitions are numbered by path and line.
            Self::Source => units.sort_by(by_place),
            Self::Alphabetical => units.sort_by(by_name),
            Self::Random(seed) => {
                units.sort_by(by_name);
                shuffle(&mut units, seed);
            }
        }
        units
    }
}

impl FilteringStrategy for Naive {
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
        candidates.plan_in_order(self.order, self.max_tokens).members()
    }

    fn filter_arguments(&self, candidates: &Candidates<'_>, member: &Member<'_>) -> ParameterSet {
        candidates.plan_in_order(self.order, self.max_tokens).arguments(member.id)
    }

    fn shows_summary(&self, _: &Candidates<'_>, _: &Member<'_>) -> bool {
        false
    }

    fn max_tokens(&self) -> Option<usize> {
        Some(self.max_tokens)
    }

    fn label(&self) -> String {
        format!("{} {}", self.order.word(), self.max_tokens)
    }
}

/// Fisher and Yates's shuffle by Vigna's `splitmix64`.
fn shuffle<T>(rows: &mut [T], seed: u64) {
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    for last in (1..rows.len()).rev() {
        rows.swap(last, (random() % (last as u64 + 1)) as usize);
    }
}

/// The most that fits of what grows with a number: `fits` is asked of more and more, then between.
pub(super) fn most(len: usize, mut fits: impl FnMut(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, 1);
    while high <= len && fits(high) {
        (low, high) = (high, high * 2);
    }
    high = high.min(len + 1);
    while low + 1 < high {
        let middle = usize::midpoint(low, high);
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_that_fits_is_found() {
        for len in 0..40 {
            for limit in 0..45 {
                assert_eq!(most(len, |n| n <= limit), limit.min(len));
            }
        }
    }

    #[test]
    fn a_shuffle_keeps_everything_and_is_the_same_for_a_seed() {
        let shuffled = |seed| {
            let mut rows: Vec<u32> = (0..100).collect();
            shuffle(&mut rows, seed);
            rows
        };
        let mut sorted = shuffled(1);
        assert!(sorted == shuffled(1) && sorted != shuffled(2));
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
