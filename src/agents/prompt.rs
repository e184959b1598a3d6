//! A prompt: everything that a model receives for one reply.

use apidisc::tokens::Tokenizer;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::memory::ToolCall;

/// The sender of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The program.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
}

/// One message to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The sender.
    pub role: Role,
    /// The text.
    pub content: String,
    /// The calls that a model asked for with this message; of a tool, the call that the message answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
}

impl Message {
    /// A message without calls.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into(), calls: Vec::new() }
    }
}

/// Everything that a model receives for one reply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// The messages in order.
    pub messages: Vec<Message>,
    /// The tools in the function-calling form; empty if the messages describe them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Value>,
}

impl Prompt {
    /// The number of tokens of the texts, of the calls and of the tools. The few tokens that providers add for each message
    /// are not counted.
    pub fn tokens(&self, tokenizer: &Tokenizer) -> usize {
        let of_value = |value: &Value| tokenizer.count(&value.to_string());
        let of_message = |message: &Message| {
            let calls = message.calls.iter().map(|call| tokenizer.count(&call.tool) + of_value(&call.arguments));
            tokenizer.count(&message.content) + calls.sum::<usize>()
        };
        self.messages.iter().map(of_message).sum::<usize>() + self.tools.iter().map(of_value).sum::<usize>()
    }
}
