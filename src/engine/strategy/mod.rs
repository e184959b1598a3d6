//! Which members and arguments of an API stay in a stub.
//!
//! A strategy sees candidates and their usage, no screen and no file. What it leaves out is said in the
//! stub; required parameters of what it keeps stay whatever it says.
//!
//! A strategy of one's own is two functions:
//!
//! ```
//! use apidisc::{program::{DefinitionId, ParameterSet}, strategy::{Candidates, FilteringStrategy, Member}};
//!
//! /// What has been called at all, with the arguments that were ever passed.
//! #[derive(Debug)]
//! struct Seen;
//!
//! impl FilteringStrategy for Seen {
//!     fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
//!         candidates.members().filter(|m| m.usage().total_calls > 0).map(|m| m.id).collect()
//!     }
//!     fn filter_arguments(&self, _: &Candidates<'_>, member: &Member<'_>) -> ParameterSet {
//!         let rows = &member.usage().parameters;
//!         (0..rows.len()).filter(|&position| rows[position].count > 0).collect()
//!     }
//! }
//! ```

mod candidates;
mod coverage;
mod exhaustive;
mod naive;
pub(crate) mod plan;
mod threshold;
mod token_budget;

use std::{fmt, sync::Arc};

pub use candidates::{Candidates, Member, Plan};
pub use coverage::Coverage;
pub use exhaustive::Exhaustive;
pub use naive::{Naive, Order};
pub use threshold::Threshold;
pub use token_budget::TokenBudget;

use crate::program::{DefinitionId, ParameterSet};

/// A decision on what stays.
pub trait FilteringStrategy: fmt::Debug + Send + Sync {
    /// The members that stay, in any order. A class stands for its constructor; where only some of its
    /// methods stay, its first line is shown all the same.
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId>;

    /// The parameters of a member that stay, by position in its signature.
    fn filter_arguments(&self, candidates: &Candidates<'_>, member: &Member<'_>) -> ParameterSet;

    /// True where the one-line summary of a member stays.
    fn shows_summary(&self, candidates: &Candidates<'_>, member: &Member<'_>) -> bool {
        let _ = (candidates, member);
        true
    }

    /// True where the types that a member names are written out, in languages whose stubs declare them. Where they
    /// are not, a declaration of a few tokens stands for each.
    fn shows_types(&self, candidates: &Candidates<'_>, member: &Member<'_>) -> bool {
        let _ = (candidates, member);
        self.max_tokens().is_none()
    }

    /// Tokens that the delivery must not exceed: a larger one is an error.
    fn max_tokens(&self) -> Option<usize> {
        None
    }

    /// What it is called, with its numbers, as in `token-budget 1000`.
    fn label(&self) -> String {
        format!("{self:?}")
    }
}

/// The four strategies of this crate with their numbers: what a person chooses, a profile stores and a
/// command line names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strategy {
    /// The most coverage that fits into `max_tokens` delivered tokens.
    TokenBudget {
        /// Never exceeded.
        max_tokens: usize,
    },
    /// What is passed in at least that share of calls.
    Threshold {
        /// Between 0 and 1.
        min_frequency: f64,
    },
    /// The smallest stub that expresses that share of real calls.
    Coverage {
        /// Between 0 and 1.
        target: f64,
    },
    /// Everything.
    Exhaustive,
}

impl Strategy {
    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::TokenBudget { .. } => "token-budget",
            Self::Threshold { .. } => "threshold",
            Self::Coverage { .. } => "coverage",
            Self::Exhaustive => "exhaustive",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::TokenBudget { max_tokens } => write!(f, " {max_tokens}"),
            Self::Threshold { min_frequency: share } | Self::Coverage { target: share } => write!(f, " {share}"),
            Self::Exhaustive => Ok(()),
        }
    }
}

impl Default for Strategy {
    fn default() -> Self {
        Self::TokenBudget { max_tokens: 1000 }
    }
}

impl Strategy {
    /// The strategy itself.
    pub fn filtering(self) -> Arc<dyn FilteringStrategy> {
        match self {
            Self::TokenBudget { max_tokens } => Arc::new(TokenBudget { max_tokens }),
            Self::Threshold { min_frequency } => Arc::new(Threshold { min_frequency }),
            Self::Coverage { target } => Arc::new(Coverage { target }),
            Self::Exhaustive => Arc::new(Exhaustive),
        }
    }
}

impl FilteringStrategy for Strategy {
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
        self.filtering().filter_members(candidates)
    }

    fn filter_arguments(&self, candidates: &Candidates<'_>, member: &Member<'_>) -> ParameterSet {
        self.filtering().filter_arguments(candidates, member)
    }

    fn shows_summary(&self, candidates: &Candidates<'_>, member: &Member<'_>) -> bool {
        self.filtering().shows_summary(candidates, member)
    }

    fn shows_types(&self, candidates: &Candidates<'_>, member: &Member<'_>) -> bool {
        self.filtering().shows_types(candidates, member)
    }

    fn max_tokens(&self) -> Option<usize> {
        self.filtering().max_tokens()
    }

    fn label(&self) -> String {
        self.to_string()
    }
}
