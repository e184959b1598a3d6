//! Decodes messages of clients. A request that does not decode is answered by an error with its id, also if the id is
//! all that can be read of it.

use rmcp::{
    ErrorData,
    model::{ClientJsonRpcMessage, ErrorCode},
};
use serde::Serialize;
use serde_json::{Value, error::Category, value::RawValue};

/// The longest name or id that is kept of a message, in bytes.
const MAX_TOKEN: usize = 256;
/// The byte order mark of UTF-8, with which a message may begin (RFC 8259, section 8.1).
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Decodes one message.
///
/// # Errors
/// The answer to a text that is no message; `None` if nobody waits for one.
pub(super) fn decode(text: &[u8]) -> Result<ClientJsonRpcMessage, Option<String>> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    serde_json::from_slice(text).map_err(|error| {
        let mut envelope = Envelope::default();
        envelope.read(text);
        envelope.refusal(match error.classify() {
            Category::Data => ErrorData::invalid_request("the message has no form of the protocol", None),
            _ => ErrorData::new(ErrorCode::PARSE_ERROR, format!("the message cannot be read as JSON: {error}"), None),
        })
    })
}

/// The envelope of a message: its id and its kind. It is read in pieces of any size, from any text: only brackets and
/// the ends of strings are looked at. Of several members with one name the last counts.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Envelope {
    /// The number of open brackets.
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    /// The text since the last sign between members or between a name and its value.
    token: Vec<u8>,
    /// The member of the message whose value is being read.
    member: Option<Member>,
    /// The id, as it is written.
    id: Option<Vec<u8>>,
    has_method: bool,
    /// True for the answer to a request of this server.
    has_outcome: bool,
    /// True if the text is more than white space.
    has_text: bool,
}

/// A member of a message that tells what the message is.
#[derive(Clone, Copy, Debug)]
enum Member {
    Id,
    Method,
    Outcome,
}

impl Envelope {
    /// Reads the next piece of the message.
    pub(super) fn read(&mut self, text: &[u8]) {
        for &byte in text {
            if self.is_in_string {
                self.keep(byte);
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.is_in_string = false,
                    _ => {}
                }
                continue;
            }
            self.has_text |= !byte.is_ascii_whitespace();
            match byte {
                b'{' | b'[' => {
                    self.depth += 1;
                    self.token.clear();
                }
                b'}' | b']' => {
                    self.end_member();
                    self.depth = self.depth.saturating_sub(1);
                }
                b',' => self.end_member(),
                b':' if self.depth == 1 => {
                    self.member = match self.token.trim_ascii() {
                        br#""id""# => Some(Member::Id),
                        br#""method""# => Some(Member::Method),
                        br#""result""# | br#""error""# => Some(Member::Outcome),
                        _ => None,
                    };
                    self.token.clear();
                }
                _ => {
                    self.is_in_string = byte == b'"';
                    self.keep(byte);
                }
            }
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() < MAX_TOKEN {
            self.token.push(byte);
        }
    }

    fn end_member(&mut self) {
        if self.depth != 1 {
            return;
        }
        match self.member.take() {
            Some(Member::Id) => self.id = Some(std::mem::take(&mut self.token)),
            Some(Member::Method) => self.has_method = true,
            Some(Member::Outcome) => self.has_outcome = true,
            None => {}
        }
        self.token.clear();
    }

    /// The answer to a message of this envelope that is longer than `limit` bytes; `None` if nobody waits for one.
    pub(super) fn too_long(self, limit: usize) -> Option<String> {
        self.refusal(ErrorData::invalid_request(format!("the message has more than {limit} bytes"), None))
    }

    /// An error as the answer to the message. `None` for a notification, for an answer, and for white space: none of
    /// them is answered. The error has no id if the id cannot be read.
    fn refusal(mut self, error: ErrorData) -> Option<String> {
        #[derive(Serialize)]
        struct Refusal<'a> {
            jsonrpc: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            id: Option<&'a RawValue>,
            error: ErrorData,
        }
        // The last member of a text that is cut off.
        self.end_member();
        let is_notification = self.has_method && self.id.is_none();
        let is_answer = self.has_outcome && !self.has_method;
        if is_notification || is_answer || !self.has_text {
            return None;
        }
        // One that has reached the limit may be cut.
        let id = self.id.as_deref().filter(|id| id.len() < MAX_TOKEN);
        let id = id.filter(|id| matches!(serde_json::from_slice(id), Ok(Value::String(_) | Value::Number(_))));
        let id = id.and_then(|id| serde_json::from_slice(id).ok());
        serde_json::to_string(&Refusal { jsonrpc: "2.0", id, error }).ok()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(text: &[u8]) -> Option<(Value, i64)> {
        let answer = decode(text).expect_err("the text is no message")?;
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        Some((answer["id"].clone(), answer["error"]["code"].as_i64().expect("a code")))
    }

    #[test]
    fn a_request_that_does_not_decode_is_answered_with_its_id() {
        let request = |id: &str, rest: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call"{rest}}}"#);
        for (text, id, code) in [
            (request("3", r#","params":{"name":"\ud800"}"#), json!(3), -32700),
            (request(r#""a\u00e9\"b""#, r#","params":{"n":1e999}"#), json!("aé\"b"), -32700),
            (
                request("99999999999999999999", r#","method":"ping""#),
                json!(99_999_999_999_999_999_999_u128 as f64),
                -32600,
            ),
            (request(" 4 ", r#","id": 5 "#), json!(5), -32600),
            (request("6", &format!(r#","params":{}{}"#, "[".repeat(200), "]".repeat(200))), json!(6), -32700),
            (r#"{"params":{"id":1,"x":"\ud800"},"method":"ping","jsonrpc":"2.0","id":7"#.to_owned(), json!(7), -32700),
            (request("{}", ""), Value::Null, -32600),
            (request("1e999", ""), Value::Null, -32700),
            (request(r#""\ud800""#, ""), Value::Null, -32700),
            (request(&"9".repeat(1000), ""), Value::Null, -32700),
            ("nonsense".to_owned(), Value::Null, -32700),
            ("[]".to_owned(), Value::Null, -32600),
        ] {
            assert_eq!(refused(text.as_bytes()), Some((id, code)), "{text}");
        }
        assert_eq!(refused(b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"\xff\"}"), Some((json!(8), -32700)));
    }

    #[test]
    fn a_notification_or_an_answer_that_does_not_decode_is_not_answered() {
        for text in [
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"\ud800"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"a":1e999}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":"\ud800"}"#,
            "  ",
        ] {
            assert_eq!(refused(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_envelope_of_a_message_is_read_in_pieces() {
        let text = r#"{"params":{"text":"}],\\\"id\":1"},"jsonrpc":"2.0","method":"ping","id":"last"}"#;
        for size in 1..text.len() {
            let mut envelope = Envelope::default();
            text.as_bytes().chunks(size).for_each(|piece| envelope.read(piece));
            assert!(envelope.too_long(10).is_some_and(|answer| answer.contains(r#""id":"last""#)));
        }
    }
}
