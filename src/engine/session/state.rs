//! The state of one session.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

use super::{Storage, StorageError};
use crate::{
    answers::{Delivered, Held},
    route::RoutingDecision,
};

/// The state of one session: `temp:` of the current task, the conversation, and what the storage shares.
pub struct Session {
    temp: BTreeMap<String, Value>,
    storage: Box<dyn Storage>,
    held: Held,
}

/// The summary of [`Session::get_context_summary`].
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
    /// The number of searches.
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

impl Session {
    /// A session over a storage.
    pub fn new(storage: Box<dyn Storage>) -> Self {
        Self { temp: BTreeMap::new(), storage, held: Held::new() }
    }

    /// The value of a key with its prefix: `temp:`, none, `user:` or `app:`.
    pub fn get(&self, key: &str) -> Result<Option<Value>, StorageError> {
        match self.temp.get(key) {
            Some(value) => Ok(Some(value.clone())),
            None => self.storage.get(key),
        }
    }

    /// Sets the value of a key with its prefix.
    pub fn set(&mut self, key: &str, value: Value) -> Result<(), StorageError> {
        let _ = (key, value);
        todo!()
    }

    /// Begins a task.
    pub fn start_invocation(&mut self) {
        todo!()
    }

    /// Ends a task: its symbols become viewed, and `temp:` is cleared.
    pub fn end_invocation(&mut self) -> Result<(), StorageError> {
        todo!()
    }

    /// False if the current task has fetched the symbol.
    pub fn should_fetch_symbol(&self, hash: &str) -> bool {
        let _ = hash;
        todo!()
    }

    /// Records the cost of an answer, and the symbols and queries in its arguments.
    pub fn record_fetch(&mut self, tool: &str, arguments: &Value, tokens: usize) -> Result<(), StorageError> {
        let _ = (tool, arguments, tokens);
        todo!()
    }

    /// Records the symbols that an answer has delivered.
    pub fn record_delivered(&mut self, delivered: &[Delivered]) {
        let _ = delivered;
        todo!()
    }

    /// The symbols that the session holds, for [`crate::answers::Context::held`].
    pub fn held(&self) -> &Held {
        &self.held
    }

    /// One line in place of an answer that the session holds already and that has not changed; `None` if it is new. It
    /// is recorded as held then. For whole answers, such as stubs and overviews.
    pub fn spare_answer(&mut self, tool: &str, arguments: &Value, text: &str) -> Option<String> {
        let _ = (tool, arguments, text);
        todo!()
    }

    /// Keeps the decision of the current task.
    pub fn record_routing_decision(&mut self, decision: &RoutingDecision) {
        let _ = decision;
        todo!()
    }

    /// The decision of the current task.
    pub fn get_routing_decision(&self) -> Option<&Value> {
        self.temp.get("temp:routing_decision")
    }

    /// The tokens of all answers, by tool.
    pub fn get_session_token_usage(&self) -> BTreeMap<String, u64> {
        todo!()
    }

    /// The tokens of all answers.
    pub fn get_total_tokens_used(&self) -> u64 {
        todo!()
    }

    /// What the session has, in numbers.
    pub fn get_context_summary(&self) -> Result<ContextSummary, StorageError> {
        todo!()
    }
}
