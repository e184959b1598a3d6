//! Which members and arguments of an API stay in a stub.

/// A decision on what stays. (Signature to be settled together with its four implementations.)
pub trait FilteringStrategy: std::fmt::Debug + Send + Sync {}

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

impl Default for Strategy {
    fn default() -> Self {
        Self::TokenBudget { max_tokens: 1000 }
    }
}
