//! Calls to counts: per definition, which parameters its call sites really pass.

mod count;
mod ledger;
mod weights;

use compact_str::CompactString;

pub(crate) use count::count;
pub use count::one_spelling;
pub use ledger::Ledger;
pub use weights::{Weights, WeightsError};

use crate::program::{CallId, ParameterSet};

/// How one definition is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Call sites that resolve to it.
    pub total_calls: u32,
    /// Its place among all callable definitions by `total_calls`, from 1; ties by FQN. 0: never called.
    pub rank: u32,
    /// A row a parameter of the signature, in the signature's order.
    pub parameters: Vec<ParameterUsage>,
    /// Every argument set with its count, most frequent first, ties by the set.
    pub argument_sets: Vec<ArgumentSet>,
    /// Call sites by [`Origin`], in the order of [`Origin::ALL`].
    pub origins: [u32; 4],
    /// The honest part.
    pub ledger: Ledger,
    /// Its call sites, by path, line and column. Empty where the index was read from a file.
    pub calls: Vec<CallId>,
}

/// How often one parameter is passed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParameterUsage {
    /// Call sites that pass it.
    pub count: u32,
    /// Call sites that may pass it unseen, through a spread.
    pub unknown: u32,
    /// Of `count`, those that pass it by position.
    pub positional: u32,
    /// Short literals that were passed, most frequent first, ties by text; at most eight.
    pub values: Vec<(CompactString, u32)>,
}

impl Eq for ParameterUsage {}

/// Call sites that pass the same parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentSet {
    /// The parameters passed, by position in the signature.
    pub parameters: ParameterSet,
    /// True where a spread or an unbound argument may pass more than is seen.
    pub open: bool,
    /// How many call sites pass exactly this.
    pub calls: u32,
}

impl Usage {
    /// `passed / (total_calls - unknown)` of the parameter at `position`, between 0 and 1; `None` where no
    /// call site tells.
    pub fn frequency(&self, position: usize) -> Option<f64> {
        let row = self.parameters.get(position)?;
        let known = self.total_calls.saturating_sub(row.unknown);
        (known > 0).then(|| f64::from(row.count) / f64::from(known))
    }

    /// Call sites that pass both parameters.
    pub fn together(&self, a: usize, b: usize) -> u32 {
        self.argument_sets
            .iter()
            .filter(|s| s.parameters.contains(a) && s.parameters.contains(b))
            .map(|s| s.calls)
            .sum()
    }

    /// The parameter that is most often passed together with `position`, and in how many calls; ties by
    /// position. Required companions count like any other.
    pub fn companion(&self, position: usize) -> Option<(usize, u32)> {
        (0..self.parameters.len())
            .filter(|&other| other != position)
            .map(|other| (other, self.together(position, other)))
            .filter(|&(_, calls)| calls > 0)
            .max_by_key(|&(other, calls)| (calls, std::cmp::Reverse(other)))
    }
}

/// A share as a whole percentage, rounded half up: 0.285 is 29.
///
/// Works on counts, since the nearest double of 0.285 lies below it.
pub fn percent(part: u32, whole: u32) -> Option<u32> {
    (whole > 0).then(|| ((200 * u64::from(part) + u64::from(whole)) / (2 * u64::from(whole))) as u32)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn percentages_round_half_up() {
        assert_eq!(percent(57, 200), Some(29)); // 0.285
        assert_eq!(percent(1, 3), Some(33));
        assert_eq!(percent(1, 200), Some(1)); // 0.005
        assert_eq!(percent(0, 0), None);
    }
}
