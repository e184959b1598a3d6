//! A session in numbers. Programs read the names of the fields, so these names must not change.

use serde::Serialize;

/// The summary of [`super::Session::get_context_summary`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ContextSummary {
    /// The task.
    pub temp: TempSummary,
    /// The conversation.
    pub session: SessionSummary,
    /// The user.
    pub user: UserSummary,
}

/// The summary of the task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TempSummary {
    /// The number of symbols that were fetched for the task.
    pub current_symbols_count: usize,
    /// True if the task was routed.
    pub has_routing_decision: bool,
}

/// The summary of the conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SessionSummary {
    /// The number of symbols that were fetched for earlier tasks.
    pub viewed_symbols: usize,
    /// The number of recorded queries.
    pub search_history: usize,
    /// The tokens of all answers.
    pub total_tokens: u64,
}

/// The summary of the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UserSummary {
    /// The number of repositories whose overview is kept.
    pub cached_repos: usize,
}
