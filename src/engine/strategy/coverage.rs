//! The smallest stub that expresses a share of real calls.

use super::{Candidates, FilteringStrategy, Member};
use crate::program::{DefinitionId, ParameterSet};

/// Shows as few tokens as reach `target`, without summaries. Where that share cannot be reached, since some
/// calls pass what no stub can show, everything that covers a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// The share of calls, between 0 and 1.
    pub target: f64,
}

impl FilteringStrategy for Coverage {
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
        candidates.plan_reaching(self.target).members()
    }

    fn filter_arguments(&self, candidates: &Candidates<'_>, member: &Member<'_>) -> ParameterSet {
        candidates.plan_reaching(self.target).arguments(member.id)
    }

    fn shows_summary(&self, _: &Candidates<'_>, _: &Member<'_>) -> bool {
        false
    }

    fn shows_types(&self, _: &Candidates<'_>, _: &Member<'_>) -> bool {
        false
    }
}
