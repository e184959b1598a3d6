//! Baseline strategies, which ignore usage. The evaluation compares the other strategies with them.

use super::{CandidateMember, Candidates, FilteringStrategy};
use crate::stub::ShownDocs;
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{DefinitionId, ParameterSet};

/// Shows members and optional arguments one by one in an order that does not depend on usage, until the budget is full.
/// To show an argument also shows its member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaselineStrategy {
    /// The order in which members and arguments are shown.
    pub order: BaselineOrder,
    /// The budget: the greatest number of tokens of the delivered bytes.
    pub max_tokens: usize,
}

/// An order of members and arguments that does not depend on usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaselineOrder {
    /// A random order with this seed, the same on every machine.
    Random(u64),
    /// By FQN, then by the argument's name.
    Alphabetical,
    /// By file and line, then as declared.
    Source,
}

/// A member with only its required parameters, or one of its optional arguments by position.
pub(super) type OrderedItem = (DefinitionId, Option<usize>);

impl BaselineOrder {
    /// The name of the order on screens and in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Random(_) => "random",
            Self::Alphabetical => "alphabetical",
            Self::Source => "source order",
        }
    }

    /// The members and optional arguments of a scope in this order.
    pub(super) fn items(self, candidates: &Candidates<'_>) -> Vec<OrderedItem> {
        let index = candidates.index();
        let mut items: Vec<OrderedItem> = Vec::new();
        for member in candidates.members() {
            let parameters = member.definition.signature.as_ref().map_or(&[][..], |s| &s.parameters);
            let optional = (0..parameters.len()).filter(|&at| !parameters[at].required);
            items.push((member.id, None));
            items.extend(optional.map(|at| (member.id, Some(at))));
        }
        let by_position = |a: &OrderedItem, b: &OrderedItem| a.cmp(b);
        let by_name = |a: &OrderedItem, b: &OrderedItem| {
            let name = |&(id, at): &OrderedItem| {
                let definition = index.definition(id);
                let parameter = |at: usize| definition.signature.as_ref().map(|s| s.parameters[at].name.as_str());
                (definition.fqn.as_str(), at.and_then(parameter))
            };
            name(a).cmp(&name(b)).then_with(|| a.cmp(b))
        };
        match self {
            // Definitions are numbered by path and line.
            Self::Source => items.shared_sort_by(by_position),
            Self::Alphabetical => items.shared_sort_by(by_name),
            Self::Random(seed) => {
                items.shared_sort_by(by_name);
                shuffle(&mut items, seed);
            }
        }
        items
    }
}

impl FilteringStrategy for BaselineStrategy {
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
        candidates.plan_in_order(self.order, self.max_tokens).members()
    }

    fn filter_arguments(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> ParameterSet {
        candidates.plan_in_order(self.order, self.max_tokens).arguments(member.id)
    }

    fn documentation(&self, _: &Candidates<'_>, _: &CandidateMember<'_>) -> ShownDocs {
        ShownDocs::default()
    }

    fn max_tokens(&self) -> Option<usize> {
        Some(self.max_tokens)
    }

    fn label(&self) -> String {
        format!("{} {}", self.order.word(), self.max_tokens)
    }
}

/// The Fisher–Yates shuffle with Vigna's `splitmix64` generator.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    for last in (1..items.len()).rev() {
        items.swap(last, (random() % (last as u64 + 1)) as usize);
    }
}

/// The largest number up to `len` for which the monotone predicate `fits` holds. It is found by exponential search,
/// then by binary search.
pub(super) fn largest_fitting(len: usize, mut fits: impl FnMut(usize) -> bool) -> usize {
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
                assert_eq!(largest_fitting(len, |n| n <= limit), limit.min(len));
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
