//! The strategy that shows the smallest stub that covers a given share of the uses.

use super::{CandidateMember, Candidates, FilteringStrategy};
use crate::stub::ShownDocs;
use apidisc_facts::program::{DefinitionId, ParameterSet};

/// Shows the smallest stub that covers the share `target` of the uses, without documentation. If no stub covers this
/// share, because some calls pass arguments that no stub can show, the strategy shows the smallest stub with the
/// highest coverage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// The share of uses, between 0 and 1.
    pub target: f64,
}

impl FilteringStrategy for Coverage {
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
        candidates.plan_reaching(self.target).members()
    }

    fn filter_arguments(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> ParameterSet {
        candidates.plan_reaching(self.target).arguments(member.id)
    }

    fn documentation(&self, _: &Candidates<'_>, _: &CandidateMember<'_>) -> ShownDocs {
        ShownDocs::default()
    }

    fn shows_types(&self, _: &Candidates<'_>, _: &CandidateMember<'_>) -> bool {
        false
    }
}
