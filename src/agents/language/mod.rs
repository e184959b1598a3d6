//! The languages between an agent and its model: how the tools are offered, and how a reply is read.
//!
//! | file | content |
//! | --- | --- |
//! | `calls_in_text` | calls of tools in the text of a reply, as models really write them |
//! | `json_values` | JSON values in text, also broken ones |

mod calls_in_text;
mod json_values;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use serde_json::Value;

use crate::{
    memory::ToolCall,
    model::Reply,
    prompt::{AnswerSchema, Message, Prompt, Role},
    registry::Registry,
};

/// The meaning of a reply: calls of tools, or an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Calls of tools, in order.
    Calls(Vec<ToolCall>),
    /// An answer: the reply asks for no call, or cannot be read as one.
    Answer(String),
}

/// How tools are offered to a model, and how its replies are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActionLanguage {
    /// The provider's own function calling.
    #[default]
    FunctionCalling,
    /// JSON in the text of replies, for models without function calling. The tools are described in the first message.
    JsonText,
}

impl ActionLanguage {
    /// The prompt with these messages and tools, for an answer in the form of `answer`.
    pub fn prompt(self, mut messages: Vec<Message>, tools: &Registry, answer: Option<&AnswerSchema>) -> Prompt {
        match self {
            Self::FunctionCalling => Prompt { messages, tools: tools.to_llm_tools(), answer: answer.cloned() },
            Self::JsonText => {
                messages.insert(0, Message::new(Role::System, described(tools, answer)));
                let messages = messages.into_iter().map(as_text).collect();
                Prompt { messages, ..Prompt::default() }
            }
        }
    }

    /// Reads a reply.
    ///
    /// Calls in the provider's form come first. Models with function calling, too, sometimes write a call as text: a
    /// reply that is nothing else than a call, in a fence or not, is one. In [`Self::JsonText`] other text may surround
    /// it.
    pub fn read(self, reply: &Reply) -> Action {
        if !reply.calls.is_empty() {
            return Action::Calls(reply.calls.clone());
        }
        let calls = match self {
            Self::FunctionCalling => calls_in_text::alone(&reply.text),
            Self::JsonText => calls_in_text::anywhere(&reply.text),
        };
        if calls.is_empty() { Action::Answer(reply.text.trim().to_owned()) } else { Action::Calls(calls) }
    }
}

/// True if a reply that begins with this text may turn out to be calls of tools; false once it can only be an answer.
pub fn may_be_calls(beginning: &str) -> bool {
    calls_in_text::may_begin(beginning.trim_start())
}

/// The JSON value of an answer: the answer itself, or the first value in it, in a fence or not. Broken JSON is mended.
pub fn json_in(text: &str) -> Option<Value> {
    let text = text.trim();
    json_values::lenient(text).or_else(|| json_values::values_within(text).into_iter().next().map(|found| found.value))
}

/// The tools as a text, the form of a call, and that of an answer.
fn described(tools: &Registry, answer: Option<&AnswerSchema>) -> String {
    let form = answer.map_or_else(
        || "text without JSON".to_owned(),
        |answer| format!("nothing but JSON that fits this schema: {}", answer.schema),
    );
    let mut text = format!(
        "To call a tool, reply with nothing but this JSON:\n\
         {{\"tool\": \"NAME\", \"args\": {{\"PARAMETER\": VALUE}}}}\n\
         To answer, reply with {form}. The tools:\n"
    );
    for tool in tools.tools() {
        let _ = write!(text, "\n{}: {}\nargs: {}\n", tool.name(), tool.description(), tool.parameters());
    }
    text
}

/// A message with its calls as text, for models that know neither calls nor messages of tools.
fn as_text(message: Message) -> Message {
    match message.role {
        Role::Tool => Message::new(Role::User, message.content),
        Role::Assistant if !message.calls.is_empty() && message.content.is_empty() => {
            let call = |call: &ToolCall| serde_json::json!({ "tool": call.tool, "args": call.arguments }).to_string();
            Message::new(Role::Assistant, message.calls.iter().map(call).collect::<Vec<_>>().join("\n"))
        }
        role => Message::new(role, message.content),
    }
}
