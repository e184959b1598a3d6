//! The strategy that shows each argument that at least a given share of the calls passes.

use super::{CandidateMember, Candidates, FilteringStrategy};
use apidisc_facts::program::{DefinitionId, ParameterSet};

/// Shows the members that are called or read, each with the arguments that at least the share `min_frequency` of its
/// calls passes, and the overloads that at least this share of its calls takes. If no member is used, all members are
/// shown.
///
/// At a share of 0, all members and arguments are shown. Above 0, an argument of unknown frequency is hidden.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// The share, between 0 and 1.
    pub min_frequency: f64,
}

impl Threshold {
    fn is_reached(self, member: &CandidateMember<'_>, position: usize) -> bool {
        let usage = member.usage();
        let (count, known) = if let Some(argument) = usage.parameters.get(position) {
            (argument.count, usage.total_calls.saturating_sub(argument.unknown))
        } else {
            let overload = position.checked_sub(usage.parameters.len()).and_then(|at| usage.overloads.get(at));
            (overload.map_or(0, |overload| overload.calls), usage.total_calls)
        };
        // The tolerance absorbs rounding errors: as `f64`, `0.07 * 100.0` is slightly more than 7.
        known > 0 && f64::from(count) + 1e-9 >= self.min_frequency * f64::from(known)
    }
}

impl FilteringStrategy for Threshold {
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
        let is_used = |member: &CandidateMember<'_>| member.usage().uses() > 0;
        let keeps_all = self.min_frequency <= 0.0 || !candidates.members().any(|member| is_used(&member));
        candidates.members().filter(|member| keeps_all || is_used(member)).map(|member| member.id).collect()
    }

    fn filter_arguments(&self, _: &Candidates<'_>, member: &CandidateMember<'_>) -> ParameterSet {
        (0..member.positions()).filter(|&i| self.min_frequency <= 0.0 || self.is_reached(member, i)).collect()
    }
}
