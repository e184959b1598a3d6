//! The most coverage that fits into a number of tokens.

use super::{CandidateMember, Candidates, FilteringStrategy};
use crate::stub::{Detail, ShownDocs};
use apidisc_facts::program::{DefinitionId, ParameterSet};

/// Shows the members and arguments that cover the most real calls within `max_tokens`. The rest of the budget is filled
/// with documentation and less used parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenBudget {
    /// Tokens of the delivered bytes, never exceeded.
    pub max_tokens: usize,
}

impl FilteringStrategy for TokenBudget {
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
        candidates.plan_within(self.max_tokens).members()
    }

    fn filter_arguments(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> ParameterSet {
        candidates.plan_within(self.max_tokens).arguments(member.id)
    }

    fn documentation(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> ShownDocs {
        candidates.plan_within(self.max_tokens).documentation(member.id)
    }

    fn detail(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> Detail {
        candidates.plan_within(self.max_tokens).detail(member.id)
    }

    fn max_tokens(&self) -> Option<usize> {
        Some(self.max_tokens)
    }
}
