//! The events while a question is answered, and the list of earlier conversations.

use apidisc_agents::Memory;

use super::{AnswerSource, AskStep, Conversation, PastConversation};
use crate::tui::theme::SyntaxRuns;

/// An event for the page of questions.
#[derive(Debug)]
pub enum AskNews {
    /// The model is asked for a reply.
    Prompted {
        /// The ticket of the request.
        ticket: u64,
        /// The number of the reply, from 1.
        number: usize,
        /// The tokens of the prompt.
        tokens: usize,
    },
    /// Text that continues the answer.
    Text {
        /// The ticket of the request.
        ticket: u64,
        /// The text, without characters that are not printable.
        text: String,
    },
    /// The text that has arrived is not part of the answer: another reply follows it.
    TextDiscarded {
        /// The ticket of the request.
        ticket: u64,
    },
    /// The model calls a tool.
    Called {
        /// The ticket of the request.
        ticket: u64,
        /// The call, without a result.
        step: AskStep,
    },
    /// The call has ended.
    Returned {
        /// The ticket of the request.
        ticket: u64,
        /// The tokens of the result.
        tokens: usize,
        /// The message of the tool, if it gave no result.
        error: Option<String>,
    },
    /// The run has ended.
    Answered {
        /// The ticket of the request.
        ticket: u64,
        /// The answer.
        answered: Box<Answered>,
    },
    /// The earlier conversations of the repository, the newest first, and the present time in milliseconds since 1970.
    Listed(Vec<PastConversation>, u64),
    /// An earlier conversation; `None` if the file no longer contains the conversation.
    Opened(Option<Box<Conversation>>),
}

/// The end of a run.
#[derive(Debug, Default)]
pub struct Answered {
    /// The answer; without one, the context that was found.
    pub text: String,
    /// The colours of its lines of code.
    pub colours: Vec<SyntaxRuns>,
    /// The places that it names.
    pub sources: Vec<AnswerSource>,
    /// The reason for which there is no answer.
    pub ending: Option<String>,
    /// The present time in milliseconds since 1970.
    pub time: u64,
    /// The tokens of the prompts and replies, or of the context.
    pub tokens: u64,
    /// The memory with which the model answers the next question.
    pub memory: Memory,
}
