//! The optional parameters that each group of calls needs together.

use std::cmp::Reverse;

use super::{
    gain::{Gain, Objective},
    items::known_sets,
};
use crate::stub::priced_tree::PricedNode;
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::ParameterSet;
use apidisc_indexing::usage::Usage;

/// A set of optional parameters, one bit each: see [`ArgumentBundles::positions`].
pub(super) type ParameterMask = u128;

/// The argument sets of a definition without their required parameters. Sets of calls with unknown arguments and sets
/// that a stub cannot show are left out. Equal sets are merged.
#[derive(Default)]
pub(super) struct ArgumentBundles {
    /// The parameters in any of the sets, by position in the signature. The bits of a mask are indices into this list.
    pub(super) positions: Vec<usize>,
    /// Each set with the gain of covering it, the greatest gain first.
    pub(super) sets: Vec<(ParameterMask, Gain)>,
    /// The number of tokens of each parameter's line, by bit.
    pub(super) line_tokens: Vec<usize>,
}

impl ArgumentBundles {
    pub(super) fn new(priced: &PricedNode<'_>, usage: &Usage, required: &ParameterSet, objective: Objective) -> Self {
        let mut bundles = Self::default();
        let mut sets: Vec<(ParameterSet, Gain)> = Vec::new();
        for set in known_sets(usage).iter().filter(|set| !set.open) {
            let whole = priced.complete(&set.parameters);
            if set.parameters.is_subset(&whole) {
                sets.push((whole.difference(required), objective.gain(set)));
            }
        }
        let mut passed = ParameterSet::new();
        for (optional, _) in &sets {
            passed.extend_with(optional);
        }
        // A mask has 128 bits. Further parameters are ignored, with the argument sets that contain them.
        bundles.positions = passed.iter().take(ParameterMask::BITS as usize).collect();
        bundles.line_tokens = bundles.positions.iter().map(|&position| priced.line_price(position)).collect();
        let has_bits = |optional: &ParameterSet| optional.iter().all(|position| bundles.positions.contains(&position));
        let mut masks: Vec<(ParameterMask, Gain)> = sets
            .iter()
            .filter(|(optional, _)| has_bits(optional))
            .map(|(optional, gain)| (bundles.mask(optional), *gain))
            .collect();
        masks.sort_unstable();
        masks.dedup_by(|next, merged| {
            let is_equal = next.0 == merged.0;
            merged.1 += if is_equal { next.1 } else { Gain::default() };
            is_equal
        });
        masks.shared_sort_by_key(|&(mask, gain)| (Reverse(gain), mask));
        bundles.sets = masks;
        bundles
    }

    /// The mask of a parameter set.
    fn mask(&self, set: &ParameterSet) -> ParameterMask {
        let bits = self.positions.iter().enumerate().filter(|(_, position)| set.contains(**position));
        bits.fold(0, |mask, (bit, _)| mask | 1 << bit)
    }

    /// The positions of the parameters in a mask.
    pub(super) fn positions(&self, mask: ParameterMask) -> impl Iterator<Item = usize> + '_ {
        self.positions.iter().enumerate().filter(move |(bit, _)| mask >> bit & 1 == 1).map(|(_, &position)| position)
    }

    /// The gain of covering the calls that pass no optional parameter outside of `mask`.
    pub(super) fn gain(&self, mask: ParameterMask) -> Gain {
        self.sets.iter().filter(|(set, _)| set & !mask == 0).map(|&(_, gain)| gain).sum()
    }

    /// Every union of the sets, the empty one included.
    pub(super) fn unions(&self) -> Vec<ParameterMask> {
        let mut is_union = vec![false; 1 << self.positions.len()];
        is_union[0] = true;
        let mut found = vec![0];
        for &(set, _) in &self.sets {
            for i in 0..found.len() {
                let union = found[i] | set;
                if !std::mem::replace(&mut is_union[union as usize], true) {
                    found.push(union);
                }
            }
        }
        found
    }
}
