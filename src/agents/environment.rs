//! The environment of an agent: it runs tools, and records the outcome of each call.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tool::Tool;

/// The form of a time stamp: `2026-11-23T12:00:00+0000`.
const TIMESTAMP: &str = "%Y-%m-%dT%H:%M:%S+0000";

/// The outcome of a call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// True if the tool gave a result.
    pub tool_executed: bool,
    /// The result; `None` after an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// The message of the tool; `None` after a result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The time of the call in UTC: `2026-11-23T12:00:00+0000`.
    pub timestamp: String,
}

/// Runs tools.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    now: fn() -> DateTime<Utc>,
}

impl Default for Environment {
    fn default() -> Self {
        Self { now: Utc::now }
    }
}

impl Environment {
    /// An environment with this clock.
    pub fn with_clock(now: fn() -> DateTime<Utc>) -> Self {
        Self { now }
    }

    /// Calls a tool.
    pub fn execute(self, tool: &Tool, arguments: Value) -> Outcome {
        self.outcome(tool.call(arguments))
    }

    /// The outcome of a call with this result.
    pub(crate) fn outcome(self, result: Result<Value, String>) -> Outcome {
        let timestamp = (self.now)().format(TIMESTAMP).to_string();
        let (result, error) = match result {
            Ok(value) => (Some(value), None),
            Err(message) => (None, Some(message)),
        };
        Outcome { tool_executed: result.is_some(), result, error, timestamp }
    }
}
