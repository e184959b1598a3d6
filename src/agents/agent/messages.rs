//! The memory of an agent as messages for a model.

use crate::{
    memory::{Memory, MemoryEntry},
    prompt::{Message, Role},
};

/// The text that takes the place of a result for which the prompt has no room.
const LEFT_OUT: &str = "(left out, since the conversation is long; call the tool again if you need the result)";

/// The number of results in a memory.
pub(super) fn results(memory: &Memory) -> usize {
    memory.entries(None).iter().filter(|entry| matches!(entry, MemoryEntry::Environment { .. })).count()
}

/// The messages of a memory, without the text of the first `left_out` results.
pub(super) fn of(memory: &Memory, left_out: usize) -> Vec<Message> {
    let mut result = 0;
    let message = |entry: &MemoryEntry| match entry {
        MemoryEntry::User { content } => Message::new(Role::User, content),
        MemoryEntry::System { content } => Message::new(Role::System, content),
        MemoryEntry::Assistant { content, calls } => {
            Message { role: Role::Assistant, content: content.clone(), calls: calls.clone() }
        }
        MemoryEntry::Environment { call, content } => {
            result += 1;
            let content = if result <= left_out { LEFT_OUT } else { content };
            Message { role: Role::Tool, content: as_data(&call.tool, content), calls: vec![call.clone()] }
        }
    };
    memory.entries(None).iter().map(message).collect()
}

/// A result between tags. A closing tag in the result is escaped, so that the result cannot end the block.
fn as_data(tool: &str, content: &str) -> String {
    let name: String = tool.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).take(64).collect();
    format!("<tool_result tool=\"{name}\">\n{}\n</tool_result>", content.replace("</tool_result", "<\\/tool_result"))
}
