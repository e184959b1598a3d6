//! The limits of a run.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The limits of a run. At a limit, the run ends and returns its results so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The greatest number of replies.
    pub iterations: usize,
    /// The greatest number of tokens of all prompts and replies together; `None` for no limit.
    pub tokens: Option<u64>,
    /// The greatest duration. It is checked before each call, before each reply and while a reply arrives; `None` for
    /// no limit.
    pub time: Option<Duration>,
    /// The greatest number of tokens of one prompt. The oldest results are left out of a longer one.
    pub prompt_tokens: usize,
    /// The greatest number of characters of a result in a prompt. The rest is read with
    /// [`READ_RESULT`](crate::agent::READ_RESULT).
    pub result_characters: usize,
    /// The number of calls of one tool with the same arguments at which the run ends.
    pub same_calls: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            iterations: 50,
            tokens: None,
            time: None,
            prompt_tokens: 100_000,
            result_characters: 24_000,
            same_calls: 3,
        }
    }
}
