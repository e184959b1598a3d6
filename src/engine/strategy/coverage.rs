//! The smallest stub that expresses a share of real calls.

use super::{CandidateMember, Candidates, FilteringStrategy};
use crate::program::{DefinitionId, ParameterSet};

/// Shows the smallest stub that reaches `target`, without summaries. If the target cannot be reached, since some calls
/// pass arguments that no stub can show, it shows everything that covers a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// The share of calls, between 0 and 1.
    pub target: f64,
}

impl FilteringStrategy for Coverage {
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
        candidates.plan_reaching(self.target).members()
    }

    fn filter_arguments(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> ParameterSet {
        candidates.plan_reaching(self.target).arguments(member.id)
    }

    fn shows_summary(&self, _: &Candidates<'_>, _: &CandidateMember<'_>) -> bool {
        false
    }

    fn shows_types(&self, _: &Candidates<'_>, _: &CandidateMember<'_>) -> bool {
        false
    }
}
