//! The memory of an agent: the requests, replies and results so far, in order.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A call of a tool, as a model asks for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The identifier that the provider gave the call; empty if it gave none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The name of the tool.
    pub tool: String,
    /// The arguments, an object.
    #[serde(rename = "args", default)]
    pub arguments: Value,
    /// Opaque texts that the provider sent with the call, and expects back with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<String>,
}

impl ToolCall {
    /// A call without an identifier.
    pub fn new(tool: &str, arguments: Value) -> Self {
        Self { id: String::new(), tool: tool.to_owned(), arguments, signatures: Vec::new() }
    }
}

/// A request, a reply, a result or a message of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum MemoryEntry {
    /// A request of the user.
    User {
        /// The request.
        content: String,
    },
    /// A reply of the model.
    Assistant {
        /// The text of the reply.
        content: String,
        /// The calls that it asks for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
    },
    /// The result of a call.
    Environment {
        /// The call.
        call: ToolCall,
        /// The result as a text for the model.
        content: String,
    },
    /// A message of the program.
    System {
        /// The message.
        content: String,
    },
}

impl MemoryEntry {
    /// The text of the entry.
    pub fn content(&self) -> &str {
        match self {
            Self::User { content }
            | Self::Assistant { content, .. }
            | Self::Environment { content, .. }
            | Self::System { content } => content,
        }
    }
}

/// The requests, replies and results so far, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Memory {
    entries: Vec<MemoryEntry>,
}

impl Memory {
    /// A memory without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry at the end.
    pub fn add(&mut self, entry: MemoryEntry) {
        self.entries.push(entry);
    }

    /// The first `limit` entries in order: all of them for `None`, none for 0.
    pub fn entries(&self, limit: Option<usize>) -> &[MemoryEntry] {
        &self.entries[..limit.unwrap_or(usize::MAX).min(self.entries.len())]
    }

    /// A copy without the messages of the program.
    #[must_use]
    pub fn copy_without_system(&self) -> Self {
        let is_kept = |entry: &&MemoryEntry| !matches!(entry, MemoryEntry::System { .. });
        Self { entries: self.entries.iter().filter(is_kept).cloned().collect() }
    }
}
