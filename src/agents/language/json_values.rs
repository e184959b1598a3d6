//! JSON values in text, also broken ones: with comments, single quotes, trailing commas, line breaks in strings, or
//! without their end.

use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::Value;

/// The greatest number of opening brackets at which a value is looked for: each of them costs a pass over the text.
const MAX_ATTEMPTS: usize = 64;
/// The greatest nesting. Deeper text is no value.
const MAX_NESTING: usize = 64;

/// A value in a text.
#[derive(Debug)]
pub(super) struct JsonInText<'t> {
    /// The part of the text, with its brackets.
    pub(super) text: &'t str,
    /// Its value.
    pub(super) value: Value,
}

/// The value of a text that begins with a bracket. Brackets and strings that the end of the text cuts are closed.
/// `None` if it is not JSON, or if more text follows.
pub(super) fn lenient(text: &str) -> Option<Value> {
    let text = text.trim();
    let found = first_value(text)?;
    (found.text.len() == text.len()).then_some(found.value)
}

/// The values in brackets of a text, outside of each other.
pub(super) fn values_within(text: &str) -> Vec<JsonInText<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    for _ in 0..MAX_ATTEMPTS {
        let Some(start) = rest.find(['{', '[']) else { break };
        rest = &rest[start..];
        // Text in brackets that is not JSON may contain JSON.
        let value = first_value(rest);
        rest = &rest[value.as_ref().map_or(1, |value| value.text.len())..];
        found.extend(value);
    }
    found
}

/// The value at the beginning of a text.
fn first_value(text: &str) -> Option<JsonInText<'_>> {
    let (end, whole) = completed(text)?;
    let value = serde_json::from_str(&whole).ok();
    let value = value.or_else(|| parse_to_serde_value(&whole, &ParseOptions::default()).ok())?;
    Some(JsonInText { text: &text[..end], value })
}

/// The part of a text from its bracket to the closing bracket: the length in bytes, and the text with escapes for line
/// breaks in strings. A missing closing bracket is added. `None` if there is no bracket, or if the nesting is too deep.
fn completed(text: &str) -> Option<(usize, String)> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let mut whole = String::new();
    let mut closing = Vec::new();
    let (mut quote, mut is_escaped) = (None, false);
    for (offset, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), '\n') if !is_escaped => whole.push_str("\\n"),
            (Some(_), '\t') if !is_escaped => whole.push_str("\\t"),
            (Some(_), '\r') => {}
            _ => whole.push(c),
        }
        match (quote, c) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(opening), _) => quote = Some(opening).filter(|&opening| opening != c),
            (None, '"') => quote = Some(c),
            // Elsewhere it is the apostrophe of a word.
            (None, '\'') if text[..offset].trim_end().ends_with(['{', '[', ',', ':']) => quote = Some(c),
            (None, '{') => closing.push('}'),
            (None, '[') => closing.push(']'),
            (None, '}' | ']') => {
                closing.pop();
                if closing.is_empty() {
                    return Some((offset + c.len_utf8(), whole));
                }
            }
            (None, _) => {}
        }
        if closing.len() > MAX_NESTING {
            return None;
        }
    }
    whole.extend(quote);
    whole.extend(closing.iter().rev());
    Some((text.len(), whole))
}
