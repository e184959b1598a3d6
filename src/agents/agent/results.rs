//! Results that are longer than a prompt may hold: the prompt has the beginning, and a tool reads the rest.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    environment::Outcome,
    memory::{Memory, MemoryEntry, ToolCall},
    tool::Tool,
};

/// The name of the tool that reads the rest of a cut result. An agent offers the tool once it has cut a result.
pub const READ_RESULT: &str = "read_result";

/// Reads on in a result that was cut.
#[derive(Debug, Deserialize, JsonSchema)]
struct ReadResult {
    /// The number of the result.
    result: usize,
    /// The number of characters to pass over.
    offset: usize,
}

/// The results of a run that were cut, by number from 1.
#[derive(Debug, Default)]
pub(super) struct CutResults {
    texts: Vec<String>,
}

impl CutResults {
    /// The text of an outcome for a model, cut after `length` characters.
    pub(super) fn text(&mut self, outcome: &Outcome, length: usize) -> String {
        let text = match (&outcome.result, &outcome.error) {
            (Some(Value::String(text)), _) => text.clone(),
            (Some(value), _) => value.to_string(),
            (None, Some(message)) => format!("Error: {message}"),
            (None, None) => String::new(),
        };
        if text.chars().count() <= length {
            return text;
        }
        self.texts.push(text);
        self.part(self.texts.len(), 0, length).unwrap_or_default()
    }

    /// The result of a call of [`READ_RESULT`].
    pub(super) fn read(&self, call: &ToolCall, length: usize) -> Result<Value, String> {
        let ReadResult { result, offset } =
            serde_json::from_value(call.arguments.clone()).map_err(|error| error.to_string())?;
        self.part(result, offset, length).map(Value::String).ok_or_else(|| match self.texts.len() {
            0 => "no result of this run was cut".to_owned(),
            count => format!("the cut results have the numbers 1 to {count}"),
        })
    }

    fn part(&self, number: usize, offset: usize, length: usize) -> Option<String> {
        let text = self.texts.get(number.checked_sub(1)?)?;
        let total = text.chars().count();
        let part: String = text.chars().skip(offset).take(length).collect();
        let end = (offset + part.chars().count()).min(total);
        Some(match end {
            _ if part.is_empty() => format!("(the result ends after {total} characters)"),
            end if end < total => format!("{part}\n{}", cut_note(end, total, number)),
            _ => part,
        })
    }
}

/// The line below a cut result: it names the call that reads the rest.
fn cut_note(end: usize, total: usize, number: usize) -> String {
    format!("({CUT} {end} of {total} characters; for more call {READ_RESULT} with result {number} and offset {end})")
}

/// The beginning of the line below a cut result.
const CUT: &str = "cut after";

/// The tool that reads the rest of a cut result. The run answers its calls, since the run holds the results.
pub(super) fn tool() -> Tool {
    Tool::new(READ_RESULT, |_: ReadResult| Err::<Value, _>("no result of this run was cut"))
}

/// True if a result in the memory was cut.
pub(super) fn is_any_cut(memory: &Memory) -> bool {
    let is_cut = |entry: &MemoryEntry| match entry {
        MemoryEntry::Environment { content, .. } => {
            content.lines().next_back().is_some_and(|line| line.starts_with('(') && line[1..].starts_with(CUT))
        }
        _ => false,
    };
    memory.entries(None).iter().any(is_cut)
}
