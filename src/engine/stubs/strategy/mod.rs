//! Strategies: they decide which members and arguments of an API a stub shows.
//!
//! A strategy receives candidates and their usage, but no screen and no file. The stub states how much it leaves out.
//! The required parameters of a shown member are always shown.
//!
//! A custom strategy is two functions:
//!
//! ```
//! use apidisc::{program::{DefinitionId, ParameterSet}, strategy::{CandidateMember, Candidates, FilteringStrategy}};
//!
//! /// The members that are called, with the arguments that some call passes.
//! #[derive(Debug)]
//! struct Called;
//!
//! impl FilteringStrategy for Called {
//!     fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId> {
//!         candidates.members().filter(|m| m.usage().total_calls > 0).map(|m| m.id).collect()
//!     }
//!     fn filter_arguments(&self, _: &Candidates<'_>, member: &CandidateMember<'_>) -> ParameterSet {
//!         let arguments = &member.usage().parameters;
//!         (0..arguments.len()).filter(|&position| arguments[position].count > 0).collect()
//!     }
//! }
//! ```

mod baseline;
mod candidates;
mod coverage;
mod exhaustive;
pub(crate) mod plan;
mod threshold;
mod token_budget;

use std::{fmt, sync::Arc};

pub use baseline::{BaselineOrder, BaselineStrategy};
pub use candidates::{CandidateMember, Candidates, Plan};
pub use coverage::Coverage;
pub use exhaustive::Exhaustive;
pub use threshold::Threshold;
pub use token_budget::TokenBudget;

use crate::stub::{Detail, ShownDocs};
use apidisc_facts::program::{DefinitionId, ParameterSet};

/// The largest budget in tokens. Larger budgets are reduced to this one, so that sums of tokens do not overflow; no
/// stub is that large.
pub(crate) const LARGEST_BUDGET: usize = 1 << 31;

/// Decides which members and arguments a stub shows.
pub trait FilteringStrategy: fmt::Debug + Send + Sync {
    /// The members that are shown, in any order. A class in this list stands for its constructor. The first line of a
    /// class is also shown if the list has only methods of the class.
    fn filter_members(&self, candidates: &Candidates<'_>) -> Vec<DefinitionId>;

    /// The parameters of a member that are shown, by position in its signature.
    fn filter_arguments(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> ParameterSet;

    /// The documentation of a member that is shown, as far as the [`Docs`](crate::stub::Docs) of the stub allow it.
    fn documentation(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> ShownDocs {
        ShownDocs::everything(self.filter_arguments(candidates, member))
    }

    /// The level of detail of a member, if the [`Wording`](crate::stub::Wording) of the stub leaves the level to the
    /// strategy.
    fn detail(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> Detail {
        let _ = (candidates, member);
        Detail::Full
    }

    /// True if the stub writes out the types that a member names. Otherwise the stub declares each type in a few
    /// tokens, mostly by its name alone. In a language whose stubs declare no types, these are only the classes whose
    /// fields are keywords of the member, as in `**kwargs: Unpack[Options]`.
    fn shows_types(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> bool {
        let _ = (candidates, member);
        self.max_tokens().is_none()
    }

    /// The budget in tokens, which the delivery must not exceed; `None` without a budget.
    fn max_tokens(&self) -> Option<usize> {
        None
    }

    /// The name of the strategy and its budget, threshold or target, such as `token-budget 1000`.
    fn label(&self) -> String {
        format!("{self:?}")
    }
}

/// The four strategies of this crate, each with its budget, threshold or target, as users choose them, profiles store
/// them and the command line names them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strategy {
    /// The most coverage that fits into `max_tokens` delivered tokens.
    TokenBudget {
        /// The budget in tokens, which is never exceeded.
        max_tokens: usize,
    },
    /// The arguments that at least this share of calls passes.
    Threshold {
        /// Between 0 and 1.
        min_frequency: f64,
    },
    /// The smallest stub that covers this share of real uses: calls and reads.
    Coverage {
        /// Between 0 and 1.
        target: f64,
    },
    /// Every public member with every argument.
    Exhaustive,
}

impl Strategy {
    /// The default `min_frequency` of a [`Self::Threshold`].
    pub const DEFAULT_MIN_FREQUENCY: f64 = 0.2;
    /// The default `target` of a [`Self::Coverage`].
    pub const DEFAULT_TARGET: f64 = 0.95;

    /// The name of the strategy on a command line.
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
    /// The implementation of the strategy.
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

    fn filter_arguments(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> ParameterSet {
        self.filtering().filter_arguments(candidates, member)
    }

    fn documentation(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> ShownDocs {
        self.filtering().documentation(candidates, member)
    }

    fn detail(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> Detail {
        self.filtering().detail(candidates, member)
    }

    fn shows_types(&self, candidates: &Candidates<'_>, member: &CandidateMember<'_>) -> bool {
        self.filtering().shows_types(candidates, member)
    }

    fn max_tokens(&self) -> Option<usize> {
        self.filtering().max_tokens()
    }

    fn label(&self) -> String {
        self.to_string()
    }
}
