//! Calls that come in pieces, as OpenAI's protocol streams them.
//!
//! The first piece of a call has its id and the name of its tool, later ones only arguments and the number of the call.
//! The server chooses that number. The client library allocates a list of that length, so a hostile server could
//! exhaust the memory. Therefore the program joins the pieces itself, and allocates only for the calls that have
//! arrived.

use genai::chat::ToolCall;
use serde_json::Value;

/// The greatest number of calls of a reply.
const MAX_CALLS: usize = 128;

/// The calls of a reply, as far as they have come.
#[derive(Debug, Default)]
pub(super) struct CallsInPieces {
    calls: Vec<ToolCall>,
}

impl CallsInPieces {
    /// Adds a piece. Gives the length of the arguments of its call in bytes; `None` if the reply has too many calls.
    pub(super) fn add(&mut self, piece: &ToolCall) -> Option<usize> {
        let begins = !piece.fn_name.is_empty() && self.calls.iter().all(|call| call.call_id != piece.call_id);
        if begins || self.calls.is_empty() {
            if self.calls.len() == MAX_CALLS {
                return None;
            }
            self.calls.push(piece.clone());
            return Some(text(&piece.fn_arguments).len());
        }
        let last = self.calls.len() - 1;
        let by_id = self.calls.iter().position(|call| call.call_id == piece.call_id);
        // The library names a piece without an id by its number.
        let by_number = || piece.call_id.strip_prefix("call_")?.parse().ok().filter(|number| *number < last);
        let call = &mut self.calls[by_id.or_else(by_number).unwrap_or(last)];
        let arguments = [text(&call.fn_arguments), text(&piece.fn_arguments)].concat();
        let length = arguments.len();
        call.fn_arguments = Value::String(arguments);
        Some(length)
    }

    /// The calls, in the order in which they began.
    pub(super) fn into_calls(self) -> Vec<ToolCall> {
        self.calls
    }
}

fn text(arguments: &Value) -> &str {
    arguments.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(call_id: &str, fn_name: &str, arguments: &str) -> ToolCall {
        let fn_arguments = Value::String(arguments.to_owned());
        ToolCall { call_id: call_id.to_owned(), fn_name: fn_name.to_owned(), fn_arguments, thought_signatures: None }
    }

    fn put_together(pieces: &[(&str, &str, &str)]) -> Vec<(String, String)> {
        let mut calls = CallsInPieces::default();
        for (id, name, arguments) in pieces {
            assert!(calls.add(&piece(id, name, arguments)).is_some());
        }
        calls.into_calls().into_iter().map(|call| (call.fn_name, text(&call.fn_arguments).to_owned())).collect()
    }

    fn calls(calls: &[(&str, &str)]) -> Vec<(String, String)> {
        calls.iter().map(|&(name, arguments)| (name.to_owned(), arguments.to_owned())).collect()
    }

    #[test]
    fn pieces_find_their_calls_by_id_or_number() {
        let mixed = [
            ("a", "read", ""),
            ("b", "list", "{"),
            ("call_0", "", "{\"x\""),
            ("call_1", "", "}"),
            ("call_0", "", ":1}"),
        ];
        assert_eq!(put_together(&mixed), calls(&[("read", "{\"x\":1}"), ("list", "{}")]));
        // Some servers repeat the name and the id.
        let repeated = [("a", "read", "{"), ("a", "read", "}"), ("c", "read", "{}")];
        assert_eq!(put_together(&repeated), calls(&[("read", "{}"), ("read", "{}")]));
    }

    #[test]
    fn a_number_makes_no_room() {
        let far = [("a", "read", "{"), ("call_4294967295", "", "}")];
        assert_eq!(put_together(&far), calls(&[("read", "{}")]));
        let mut all = CallsInPieces::default();
        let added = (0..1_000).filter(|at| all.add(&piece(&format!("id{at}"), "read", "{}")).is_some());
        assert_eq!((added.count(), all.into_calls().len()), (MAX_CALLS, MAX_CALLS));
    }
}
