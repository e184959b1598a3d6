//! Calls of tools in the text of a reply, as models really write them.

use serde_json::{Map, Value};

use super::json_values::{lenient, values_within};
use crate::memory::ToolCall;

/// The keys under which models write the name of a tool.
const NAMES: [&str; 5] = ["tool", "name", "tool_name", "action", "function"];
/// The keys under which models write the arguments.
const ARGUMENTS: [&str; 7] = ["args", "arguments", "parameters", "input", "tool_input", "action_input", "kwargs"];
/// Other keys of a call. An object with any further key is data.
const OTHERS: [&str; 6] = ["id", "type", "index", "thought", "thoughts", "reasoning"];
/// The tags around a call in the templates of several local models.
const TAGS: [(&str, &str); 3] =
    [("<tool_call>", "</tool_call>"), ("<function_call>", "</function_call>"), ("[TOOL_CALLS]", "\n")];
/// The greatest length of a reply in which calls are looked for, in bytes. A longer reply is an answer.
const MAX_LENGTH: usize = 1 << 20;

/// The calls of a text that consists of calls alone: as JSON, in a fence, or in tags. Empty for anything else.
pub(super) fn alone(text: &str) -> Vec<ToolCall> {
    let text = text.trim();
    if text.len() > MAX_LENGTH {
        return Vec::new();
    }
    let tagged = tagged_calls(text);
    if !tagged.is_empty() {
        return tagged;
    }
    let inside = inside_fence(text).unwrap_or(text);
    if !inside.starts_with(['{', '[']) {
        return Vec::new();
    }
    if let Some(calls) = lenient(inside).and_then(|value| calls_of(&value)) {
        return calls;
    }
    // Several objects, one after the other, with nothing but blanks and commas between them.
    let values = values_within(inside);
    let mut between = inside.to_owned();
    for found in &values {
        between = between.replacen(found.text, "", 1);
    }
    let is_nothing = between.chars().all(|c| c.is_whitespace() || c == ',' || c == ';');
    let calls = || values.iter().map(|found| calls_of(&found.value)).collect::<Option<Vec<_>>>();
    is_nothing.then(calls).flatten().map_or_else(Vec::new, |calls| calls.concat())
}

/// True if a text that begins like this may consist of calls alone.
pub(super) fn may_begin(beginning: &str) -> bool {
    if let Some(fenced) = beginning.strip_prefix("```") {
        let content = fenced.split_once('\n').map_or("", |(_, content)| content.trim_start());
        return content.is_empty() || content.starts_with(['{', '[']);
    }
    let is_tag = |(opening, _): &(&str, &str)| opening.starts_with(beginning) || beginning.starts_with(opening);
    beginning.starts_with(['{', '[']) || "```".starts_with(beginning) || TAGS.iter().any(is_tag)
}

/// The calls in a text, whatever is around them.
pub(super) fn anywhere(text: &str) -> Vec<ToolCall> {
    let calls = alone(text);
    if !calls.is_empty() || text.len() > MAX_LENGTH {
        return calls;
    }
    values_within(text).iter().filter_map(|found| calls_of(&found.value)).flatten().collect()
}

/// The calls within tags.
fn tagged_calls(text: &str) -> Vec<ToolCall> {
    let mut calls = Vec::new();
    for (opening, closing) in TAGS {
        let mut rest = text;
        while let Some(start) = rest.find(opening) {
            let after = &rest[start + opening.len()..];
            let end = after.find(closing).unwrap_or(after.len());
            calls.extend(lenient(after[..end].trim()).and_then(|value| calls_of(&value)).into_iter().flatten());
            rest = &after[end..];
        }
    }
    calls
}

/// The content of a text that is one fenced block.
fn inside_fence(text: &str) -> Option<&str> {
    let after = text.strip_prefix("```")?;
    let (_, content) = after.split_once('\n')?;
    let content = content.trim_end().strip_suffix("```").unwrap_or(content);
    (!content.contains("```")).then(|| content.trim())
}

/// The calls that a JSON value contains: one call, a list of calls, or the message form of a provider. `None` if the
/// value is data.
fn calls_of(value: &Value) -> Option<Vec<ToolCall>> {
    match value {
        Value::Array(items) if !items.is_empty() => {
            items.iter().map(calls_of).collect::<Option<Vec<_>>>().map(|calls| calls.concat())
        }
        Value::Object(object) => match object.get("tool_calls") {
            Some(calls) => calls_of(calls),
            None => call_of(object).map(|call| vec![call]),
        },
        _ => None,
    }
}

fn call_of(object: &Map<String, Value>) -> Option<ToolCall> {
    let id = object.get("id").and_then(Value::as_str).unwrap_or_default();
    if let Some(Value::Object(function)) = object.get("function") {
        return call_of(function).map(|call| ToolCall { id: id.to_owned(), ..call });
    }
    let is_known = |key: &str| NAMES.contains(&key) || ARGUMENTS.contains(&key) || OTHERS.contains(&key);
    if !object.keys().all(|key| is_known(key)) {
        return None;
    }
    let name_key = NAMES.iter().find(|key| object.get(**key).is_some_and(Value::is_string))?;
    let arguments = ARGUMENTS.iter().find_map(|key| object.get(*key));
    // A name alone may be anything; only `tool` says that it is one.
    if arguments.is_none() && *name_key != "tool" {
        return None;
    }
    let arguments = match arguments {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(Value::String(text)) => lenient(text).filter(Value::is_object)?,
        Some(arguments @ Value::Object(_)) => arguments.clone(),
        Some(_) => return None,
    };
    let name = object[*name_key].as_str()?.trim();
    (!name.is_empty()).then(|| ToolCall { id: id.to_owned(), ..ToolCall::new(name, arguments) })
}
