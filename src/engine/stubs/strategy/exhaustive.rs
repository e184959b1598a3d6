//! The strategy that shows everything public.

use super::{CandidateMember, Candidates, FilteringStrategy};
use apidisc_facts::program::{DefinitionId, ParameterSet};

/// Shows every member with every argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhaustive;

impl FilteringStrategy for Exhaustive {
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
        candidates.members().map(|member| member.id).collect()
    }

    fn filter_arguments(&self, _: &Candidates<'_>, member: &CandidateMember<'_>) -> ParameterSet {
        ParameterSet::full(member.positions())
    }
}
