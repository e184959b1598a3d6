//! Counts, for each definition, which parameters its call sites pass, and how often it is read.

mod count;
mod counter;
mod ledger;
mod sum;
mod uses;
mod weights;

use compact_str::CompactString;

pub use count::canonical_literal;
pub use count::{CallReader, PassedArguments, count};
pub(crate) use counter::UsageCounter;
pub use ledger::{Ledger, has_spread};
pub(crate) use sum::{keep_decisive_values, sum};
pub use uses::Uses;
pub(crate) use uses::{count_reads, worth_of_reads};
pub use weights::{Weights, WeightsError};

use apidisc_facts::program::{CallId, ParameterSet, ReadId};

/// The greatest number of literal values that are kept for one parameter.
const MAX_VALUES: usize = 8;

/// How one definition is called and read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The number of call sites that resolve to the definition. In an index with [`Weights`], each call site counts
    /// here, for the parameters and for the argument sets as often as the weight of its origin says.
    pub total_calls: u32,
    /// The number of reads of an attribute or property. All reads in one function count as one read, and so do all
    /// reads in one file outside of functions. Each counted read is multiplied by the weight of its origin.
    pub total_reads: u32,
    /// The worth of the reads, by which strategies compare members. [`ArgumentSet::worth`] is the worth of calls.
    pub worth_of_reads: u32,
    /// The definition's rank among all callable and readable definitions by uses, from 1; ties by FQN. 0 if it is never
    /// used.
    pub rank: u32,
    /// The usage of each parameter, by position in the signature.
    pub parameters: Vec<ParameterUsage>,
    /// Every argument set that a call site passes, most frequent first; ties by the parameters in the set. The set of a
    /// call of an overloaded function also has the position of the overload that the call takes, or of the first one
    /// that may accept its arguments: the positions of overloads follow those of the parameters.
    pub argument_sets: Vec<ArgumentSet>,
    /// For each overload, the calls that certainly take it. If the types of arguments are not known, the overload may
    /// not be known either, so the sum of these calls may be less than `total_calls`.
    pub overloads: Vec<OverloadUsage>,
    /// How often calls take each member of the returned object: see
    /// [`ReturnedObject::members`](apidisc_facts::program::ReturnedObject::members). Empty if no call is known to take
    /// or leave any.
    pub taken: Vec<MemberUsage>,
    /// The number of uses in each [`Origin`](apidisc_facts::source::Origin), in the order of
    /// [`Origin::ALL`](apidisc_facts::source::Origin::ALL), whatever the weights.
    pub origins: [u32; 4],
    /// The calls that are counted, and the calls that may belong to the definition but are not counted.
    pub ledger: Ledger,
    /// The counted call sites in the order of [`crate::index::Index::calls`], each once, whatever its weight. Empty if
    /// the index was read from a file.
    pub calls: Vec<CallId>,
    /// The read sites in the order of [`crate::index::Index::reads`], each once. A function that reads the attribute
    /// several times has several sites. Empty if the index was read from a file.
    pub reads: Vec<ReadId>,
}

/// The calls that certainly take one overload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverloadUsage {
    /// The number of these calls.
    pub calls: u32,
    /// How often these calls pass each parameter, by position in the signature of the implementation; empty if there
    /// are no calls.
    pub parameters: Vec<ParameterUsage>,
}

/// How often one member of a returned object is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemberUsage {
    /// The number of call sites that take the member.
    pub count: u32,
    /// The number of call sites for which it is known whether they take the member.
    pub known: u32,
}

/// How often one parameter is passed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParameterUsage {
    /// The number of call sites that pass the parameter.
    pub count: u32,
    /// The number of call sites that may pass the parameter in a way that is not visible, such as through a spread.
    pub unknown: u32,
    /// The part of `count` that passes the parameter by position.
    pub positional: u32,
    /// Short literals that are passed and how often, most frequent first, ties by text; at most eight.
    pub values: Vec<(CompactString, u32)>,
}

impl Eq for ParameterUsage {}

impl ParameterUsage {
    /// Sorts the values: most frequent first, ties by text.
    fn sort_values(&mut self) {
        self.values.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    }

    fn keep_most_frequent_values(&mut self) {
        self.values.truncate(MAX_VALUES);
    }
}

/// A set of parameters, and how many call sites visibly pass exactly this set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentSet {
    /// The passed parameters, by position in the signature.
    pub parameters: ParameterSet,
    /// True if these call sites may pass more: through a spread, through an argument or property that binds to no
    /// parameter, or in an object literal inside another one.
    pub open: bool,
    /// The number of these call sites.
    pub calls: u32,
    /// The worth of the calls, by which strategies compare members: [`ArgumentSet::WORTH_OF_A_CALL`] times the sum,
    /// over all files, of the square root of the number of calls in the file. So ten calls in ten files are worth more
    /// than ten calls in one file.
    pub worth: u32,
}

impl ArgumentSet {
    /// The worth of a call that is the only call in its file with its argument set.
    pub const WORTH_OF_A_CALL: u32 = 16;

    /// An argument set with the worth of `calls` calls that stand in different files. If the files are unknown, this is
    /// an upper bound.
    pub fn new(parameters: ParameterSet, open: bool, calls: u32) -> Self {
        Self { parameters, open, calls, worth: calls.saturating_mul(Self::WORTH_OF_A_CALL) }
    }
}

impl Usage {
    /// Calls and reads together.
    pub fn uses(&self) -> u32 {
        self.total_calls + self.total_reads
    }

    /// Sorts the argument sets as [`Self::argument_sets`] says.
    fn sort_argument_sets(&mut self) {
        self.argument_sets.sort_unstable_by(|a, b| {
            b.calls.cmp(&a.calls).then_with(|| a.parameters.cmp(&b.parameters)).then(a.open.cmp(&b.open))
        });
    }

    /// This usage with only the `MAX_VALUES` most frequent values of each parameter.
    #[must_use]
    pub(crate) fn with_most_frequent_values(mut self) -> Self {
        let overloads = self.overloads.iter_mut().flat_map(|overload| &mut overload.parameters);
        self.parameters.iter_mut().chain(overloads).for_each(ParameterUsage::keep_most_frequent_values);
        self
    }

    /// The worth of all argument sets: see [`ArgumentSet::worth`].
    pub fn worth(&self) -> u64 {
        self.argument_sets.iter().map(|set| u64::from(set.worth)).sum()
    }

    /// The number of calls that pass the parameter at `position`, and the number of calls for which this is known:
    /// `total_calls - unknown`. Both are 0 if there is no such parameter.
    pub fn passed_and_known(&self, position: usize) -> (u32, u32) {
        let row = self.parameters.get(position);
        row.map_or((0, 0), |row| (row.count, self.total_calls.saturating_sub(row.unknown)))
    }

    /// The share of calls that pass the parameter at `position`, from 0 to 1: [`Self::passed_and_known`] as a fraction.
    /// `None` if there is no call for which this is known.
    pub fn frequency(&self, position: usize) -> Option<f64> {
        let (passed, known) = self.passed_and_known(position);
        (known > 0).then(|| f64::from(passed) / f64::from(known))
    }

    /// The number of call sites that pass both parameters.
    pub fn co_occurrence(&self, a: usize, b: usize) -> u32 {
        self.argument_sets
            .iter()
            .filter(|s| s.parameters.contains(a) && s.parameters.contains(b))
            .map(|s| s.calls)
            .sum()
    }
}

/// `part / whole` in percent, rounded half up: 57 of 200 (0.285) is 29. `None` if `whole` is 0.
///
/// The calculation uses integers, because the `f64` nearest to 0.285 is less than 0.285.
pub fn percent(part: u32, whole: u32) -> Option<u32> {
    (whole > 0).then(|| ((200 * u64::from(part) + u64::from(whole)) / (2 * u64::from(whole))) as u32)
}

/// A share as it is displayed. It is 0% or 100% only if it is exactly 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenShare {
    /// The percentage, rounded half up. It is 0 or 100 only if the share is exactly that.
    Percent(u32),
    /// More than 0, but 0% if rounded: the numerator is displayed instead.
    NearlyNone,
    /// Less than 1, but 100% if rounded: the difference to the whole is displayed instead.
    NearlyAll,
}

impl WrittenShare {
    /// The share `part / whole`; `None` if `whole` is 0.
    pub fn new(part: u32, whole: u32) -> Option<Self> {
        Some(match percent(part, whole)? {
            0 if part > 0 => Self::NearlyNone,
            100 if part < whole => Self::NearlyAll,
            percent => Self::Percent(percent),
        })
    }
}

apidisc_base::packed::packed_structs! {
    Usage {
        total_calls, total_reads, worth_of_reads, rank, parameters, argument_sets, overloads, taken, origins, ledger,
        calls, reads,
    }
    OverloadUsage { calls, parameters }
    MemberUsage { count, known }
    ParameterUsage { count, unknown, positional, values }
    ArgumentSet { parameters, open, calls, worth }
}

/// A call site for tests of the counts: in a file, of a form, with arguments.
#[cfg(test)]
fn call_site(
    file: usize,
    form: apidisc_facts::program::CallForm,
    arguments: apidisc_facts::program::ArgumentsId,
) -> apidisc_facts::program::CallSite {
    use apidisc_facts::program::{FileId, ReceiverLink, Resolution, UnresolvedReason};
    apidisc_facts::program::CallSite {
        file: FileId::new(file),
        line: 1,
        col: 0,
        caller: None,
        receiver: None,
        through: None,
        resolution: Resolution::Unresolved(UnresolvedReason::Dynamic),
        syntax: apidisc_facts::program::CallSyntax::new(form),
        receiver_link: ReceiverLink::default(),
        arguments,
    }
}

#[cfg(test)]
mod tests {
    use super::{WrittenShare, percent};

    #[test]
    fn no_share_is_rounded_to_nothing_or_everything() {
        let shares = [(0, 9), (1, 201), (1, 200), (199, 201), (200, 201), (7, 7)];
        let expected = [
            WrittenShare::Percent(0),
            WrittenShare::NearlyNone,
            WrittenShare::Percent(1),
            WrittenShare::Percent(99),
            WrittenShare::NearlyAll,
            WrittenShare::Percent(100),
        ];
        assert_eq!(shares.map(|(part, whole)| WrittenShare::new(part, whole)), expected.map(Some));
        assert_eq!(WrittenShare::new(0, 0), None);
    }

    #[test]
    fn percentages_round_half_up() {
        assert_eq!(percent(57, 200), Some(29)); // 0.285
        assert_eq!(percent(1, 3), Some(33));
        assert_eq!(percent(1, 200), Some(1)); // 0.005
        assert_eq!(percent(0, 0), None);
    }
}
