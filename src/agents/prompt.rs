//! A prompt: everything that a model receives for one reply.

use apidisc::tokens::Tokenizer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{memory::ToolCall, tool::described_schema};

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

/// The form of an answer: JSON that fits a schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerSchema {
    /// The name of the form: letters, digits, `_` and `-`.
    pub name: String,
    /// The JSON Schema. Providers demand an object at its root.
    pub schema: Value,
}

impl AnswerSchema {
    /// The schema of a type.
    pub fn of<T: JsonSchema>(name: &str) -> Self {
        Self { name: name.to_owned(), schema: described_schema::<T>().1 }
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
    /// The form of an answer; `None` for text, and if the messages describe the form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AnswerSchema>,
}

impl Prompt {
    /// The number of tokens of the texts, of the calls, of the tools and of the form of an answer. The few tokens that
    /// providers add for each message are not counted.
    pub fn tokens(&self, tokenizer: &Tokenizer) -> usize {
        let of_value = |value: &Value| tokenizer.count(&value.to_string());
        let of_message = |message: &Message| {
            let calls = message.calls.iter().map(|call| tokenizer.count(&call.tool) + of_value(&call.arguments));
            tokenizer.count(&message.content) + calls.sum::<usize>()
        };
        let answer = self.answer.as_ref().map_or(0, |answer| of_value(&answer.schema));
        self.messages.iter().map(of_message).sum::<usize>() + self.tools.iter().map(of_value).sum::<usize>() + answer
    }
}
