//! The interface of models.

use std::{collections::VecDeque, ops::ControlFlow, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{memory::ToolCall, prompt::Prompt};

/// A language model, local or remote.
///
/// A call blocks until the reply is complete, so a caller that must stay responsive runs the agent on a thread of its
/// own. The model itself repeats a request after a temporary failure.
pub trait Model {
    /// The reply to a prompt. Each piece of its text is passed to `on_piece` as soon as it arrives. When `on_piece`
    /// breaks off, the reply is the text that has arrived until then.
    ///
    /// # Errors
    /// If there is no reply.
    fn reply(&mut self, prompt: &Prompt, on_piece: OnPiece<'_>) -> Result<Reply, ModelError>;
}

/// Receives the pieces of a reply, and may break the reply off.
pub type OnPiece<'a> = &'a mut dyn FnMut(ReplyPiece<'_>) -> ControlFlow<()>;

/// A piece of a reply while the reply arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyPiece<'a> {
    /// Text that continues the text before it.
    Text(&'a str),
    /// The request is repeated, and the text that has arrived is discarded.
    Restart,
    /// Nothing has arrived. A model that waits passes this often, so that its caller can break off.
    Waiting,
}

/// The reply of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// The calls that the provider states as such, beside the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// The tokens of the prompt and of the reply, if the provider states them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<TokenUse>,
}

impl Reply {
    /// A reply of text alone.
    pub fn text(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }
}

/// The tokens that requests have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUse {
    /// The tokens of the prompts.
    pub prompt: u64,
    /// The tokens of the replies.
    pub reply: u64,
}

impl TokenUse {
    /// The tokens of prompts and replies.
    pub fn total(self) -> u64 {
        self.prompt + self.reply
    }
}

/// The reason for which a model gave no reply. No message contains a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The provider rejects the key, or received none.
    #[error("{0}")]
    Unauthorized(String),
    /// The provider accepts no more requests for now; the time to wait, if the provider states it.
    #[error("the provider accepts no more requests{}", after(*.0))]
    RateLimited(Option<Duration>),
    /// The model takes no tools. An agent then describes them in its messages.
    #[error("the model has no function calling: {0}")]
    NoFunctionCalling(String),
    /// No reply arrived within this time.
    #[error("no reply within {} seconds", .0.as_secs())]
    TimedOut(Duration),
    /// Any other failure, as a message of one line.
    #[error("{0}")]
    Failed(String),
}

/// ` before 20 seconds have passed`
fn after(wait: Option<Duration>) -> String {
    wait.map_or_else(String::new, |wait| format!(" before {} seconds have passed", wait.as_secs()))
}

/// A model that gives prepared replies in order: for tests, and for playing a run again.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    replies: VecDeque<Reply>,
}

impl Prepared {
    /// A model that gives these replies.
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self { replies: replies.into_iter().collect() }
    }
}

impl Model for Prepared {
    fn reply(&mut self, _: &Prompt, on_piece: OnPiece<'_>) -> Result<Reply, ModelError> {
        let none_left = || ModelError::Failed("there is no further prepared reply".to_owned());
        let reply = self.replies.pop_front().ok_or_else(none_left)?;
        let _ = on_piece(ReplyPiece::Text(&reply.text));
        Ok(reply)
    }
}
