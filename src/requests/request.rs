//! A request with its answer, as a line of the log.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{FORMAT, VERSION};

/// The most bytes of an answer that are kept. Answers have at most 20,000 tokens, so nearly every one is kept whole.
const MAX_ANSWER: usize = 256 << 10;
/// The most bytes of a text in the arguments that are kept.
const MAX_TEXT: usize = 1 << 10;
/// The most names of delivered symbols, and the most items of a list in the arguments.
const MAX_ITEMS: usize = 100;

/// The first line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Always `apidisc-tui requests`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The path of the repository.
    pub repository: String,
}

impl Header {
    pub(super) fn new(repository: &str) -> Self {
        Self { format: FORMAT.to_owned(), version: VERSION, repository: repository.to_owned() }
    }
}

/// A request with its answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The time of the request in milliseconds since 1970.
    pub time: u64,
    /// The handle of the session. Empty if the server has one session, that of its process.
    #[serde(default)]
    pub session: String,
    /// The name and version of the client, as the client says; empty if it says nothing.
    #[serde(default)]
    pub client: String,
    /// The name of the tool, or the URI of the resource that was read.
    pub tool: String,
    /// The arguments as the client gave them. Long texts and lists are cut.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// The number of tokens of the whole answer.
    pub tokens: usize,
    /// The time from the request to its answer in microseconds.
    pub micros: u64,
    /// The FQNs of the symbols and modules that the answer describes, at most 100.
    #[serde(default)]
    pub delivered: Vec<String>,
    /// The tokens that were not sent again, because the session had them already.
    #[serde(default)]
    pub spared: usize,
    /// True if the request failed; the answer is then the error message.
    #[serde(default)]
    pub is_error: bool,
    /// The text of the answer, or its first 256 KiB.
    pub answer: String,
    /// The number of bytes of the answer that are left out at its end.
    #[serde(default)]
    pub left_out: usize,
}

impl Request {
    /// Truncates the fields that are too long.
    pub(super) fn bound(&mut self) {
        let whole = self.answer.len();
        self.answer.truncate(self.answer.floor_char_boundary(MAX_ANSWER));
        self.left_out += whole - self.answer.len();
        self.delivered.truncate(MAX_ITEMS);
        for text in self.delivered.iter_mut().chain([&mut self.session, &mut self.client, &mut self.tool]) {
            shorten(text);
        }
    }

    /// A copy of arguments in which long texts and lists are cut.
    pub fn bounded_arguments(arguments: &Map<String, Value>) -> Map<String, Value> {
        let bounded = arguments.iter().take(MAX_ITEMS).map(|(name, value)| (beginning(name), bounded(value, 0)));
        bounded.collect()
    }
}

/// A copy of a value. No argument of a tool is a list in a list, so what lies deeper is left out.
fn bounded(value: &Value, depth: usize) -> Value {
    match value {
        Value::String(text) => Value::String(beginning(text)),
        Value::Array(items) if depth == 0 => {
            items.iter().take(MAX_ITEMS).map(|item| bounded(item, depth + 1)).collect()
        }
        Value::Array(_) | Value::Object(_) => Value::String("…".to_owned()),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn beginning(text: &str) -> String {
    let end = text.floor_char_boundary(MAX_TEXT);
    if end < text.len() { format!("{}…", &text[..end]) } else { text.to_owned() }
}

fn shorten(text: &mut String) {
    if text.len() > MAX_TEXT {
        *text = beginning(text);
    }
}
