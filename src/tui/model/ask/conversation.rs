//! A conversation, as shown on the screen and kept in the file: questions with their answers.

use apidisc::unprintable::escaped_text;
use apidisc_agents::{Memory, MemoryEntry};
use serde::{Deserialize, Serialize};

use crate::tui::theme::SyntaxRuns;

/// Questions and answers, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversation {
    /// The time of the first answer in milliseconds since 1970, which names the conversation; 0 before it.
    pub started: u64,
    /// The questions.
    pub turns: Vec<Turn>,
}

/// A question with its answer. No text of it has a character that is not printable, except for line breaks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The question as the user typed it.
    pub question: String,
    /// The name of the module or symbol that was selected; empty for the whole repository.
    pub about: String,
    /// The calls of tools, in order.
    pub steps: Vec<AskStep>,
    /// The answer, or the part of it that has arrived, in Markdown.
    pub answer: String,
    /// The places that the answer comes from.
    pub sources: Vec<AnswerSource>,
    /// The way in which the answer was found, or the reason for which there is no answer.
    pub note: String,
    /// The colours of the lines of code in the answer, in order; empty until they are known.
    #[serde(skip)]
    pub colours: Vec<SyntaxRuns>,
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskStep {
    /// The name of the tool.
    pub tool: String,
    /// The arguments on one line.
    pub question: String,
    /// The tokens of the result; `None` until the result arrives.
    pub tokens: Option<usize>,
    /// The message of the tool, if it gave no result.
    pub error: Option<String>,
}

/// A place that an answer comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerSource {
    /// `path:line` or `path:first-last`
    pub place: String,
    /// The title of the place: the name of a definition, or the heading of a section. Empty if the index does not know.
    pub name: String,
    /// False if the model names the place but has not read it.
    pub was_read: bool,
}

/// The beginning of a conversation that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastConversation {
    /// [`Conversation::started`]
    pub started: u64,
    /// The first question.
    pub question: String,
    /// The number of questions.
    pub turns: usize,
}

impl Conversation {
    /// The memory with which a model continues a saved conversation: the questions and their answers.
    pub fn memory(&self) -> Memory {
        let mut memory = Memory::new();
        for turn in self.turns.iter().filter(|turn| !turn.answer.is_empty()) {
            memory.add(MemoryEntry::User { content: turn.question.clone() });
            memory.add(MemoryEntry::Assistant { content: turn.answer.clone(), calls: Vec::new() });
        }
        memory
    }

    /// The entry of the conversation in the list of earlier conversations; `None` without a question.
    pub fn past(&self) -> Option<PastConversation> {
        let question = self.turns.first()?.question.clone();
        Some(PastConversation { started: self.started, question, turns: self.turns.len() })
    }
}

/// A text of an answer as the page shows it: unprintable characters are escaped, and tabs are four spaces.
pub(in crate::tui) fn shown_text(text: &str) -> String {
    escaped_text(text).replace('\t', "    ")
}
