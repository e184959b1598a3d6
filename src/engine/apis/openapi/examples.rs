//! The examples of long components, which are chunks of their own.

use std::io::{self, Write};

use compact_str::CompactString;

use super::{
    keys::Keys,
    pointer,
    value::{Entry, Object, Value},
};

/// The greatest length of the JSON of a component whose chunk includes its examples, in characters.
const MAX_WHOLE_CHARS: usize = 8_000;

/// True for a value whose JSON is longer than [`MAX_WHOLE_CHARS`].
pub(super) fn is_long(value: &Value) -> bool {
    // A character that is escaped becomes at most six. Most values fit even if each of their characters is escaped, so
    // that no text has to be read.
    let any_may_be_escaped = |text: &str| 6 * text.len() + 2;
    let is_escaped = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    let some_are_escaped = |text: &str| {
        if text.bytes().any(is_escaped) { any_may_be_escaped(text) } else { text.len() + 2 }
    };
    room_after(value, MAX_WHOLE_CHARS, &any_may_be_escaped).is_none()
        && room_after(value, MAX_WHOLE_CHARS, &some_are_escaped).is_none()
        && serde_json::to_writer(Room(MAX_WHOLE_CHARS), value).is_err()
}

/// A lower bound of the characters that are left of `room` after the JSON of a value; `None` if the JSON may not fit.
/// `quoted` returns at least the length of a text in JSON. This takes a fraction of the time of writing the JSON.
fn room_after(value: &Value, room: usize, quoted: &impl Fn(&str) -> usize) -> Option<usize> {
    match value {
        Value::Text(text) => room.checked_sub(quoted(text)),
        Value::List(items) => {
            let room = room.checked_sub(items.len() + 2)?;
            items.iter().try_fold(room, |room, item| room_after(item, room, quoted))
        }
        Value::Object(object) => {
            let room = room.checked_sub(2 * object.entries().len() + 2)?;
            let mut entries = object.entries().iter();
            entries
                .try_fold(room, |room, entry| room_after(&entry.value, room.checked_sub(quoted(&entry.key))?, quoted))
        }
        // The longest number is a float of 64 bits.
        Value::Null | Value::Bool(_) | Value::Integer(_) | Value::Unsigned(_) | Value::Float(_) => room.checked_sub(32),
    }
}

/// A writer that accepts as many characters as the value states. Writing more is an error.
struct Room(usize);

impl Write for Room {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The bytes that begin a character of UTF-8.
        let characters = bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        self.0 = self.0.checked_sub(characters).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The examples in a value, in the order of the file, with their JSON pointers from the value.
pub(super) fn of(value: &Value, keys: Keys) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    collect(value, keys, &mut String::new(), &mut found);
    found
}

fn collect<'v>(value: &'v Value, keys: Keys, at: &mut String, found: &mut Vec<(String, &'v Value)>) {
    let len = at.len();
    for (position, item) in value.items().iter().enumerate() {
        pointer::push(at, &position.to_string());
        collect(item, Keys::Words, at, found);
        at.truncate(len);
    }
    for Entry { key, value, .. } in value.entries() {
        pointer::push(at, key);
        if is_example(key, keys) {
            found.push((at.clone(), value));
        } else if let Some(keys) = keys.below(key, matches!(value, Value::List(_))) {
            collect(value, keys, at, found);
        }
        at.truncate(len);
    }
}

/// The value without its examples.
pub(super) fn without(value: &Value, keys: Keys) -> Value {
    match value {
        Value::List(items) => Value::List(items.iter().map(|item| without(item, Keys::Words)).collect()),
        Value::Object(object) => {
            let kept = object.entries().iter().filter(|entry| !is_example(&entry.key, keys));
            let copied = |Entry { key, value, line, .. }: &Entry| {
                let below = keys.below(key, matches!(value, Value::List(_)));
                let value = below.map_or_else(|| value.clone(), |keys| without(value, keys));
                Entry::new(CompactString::clone(key), value, *line)
            };
            Value::Object(Object::new(kept.map(copied).collect(), |_, _| {}))
        }
        value => value.clone(),
    }
}

/// True for a keyword whose value is an example, or holds examples. `value` is that of an example object.
fn is_example(key: &str, keys: Keys) -> bool {
    keys == Keys::Words && matches!(key, "example" | "examples" | "value")
}

#[cfg(test)]
mod tests {
    use super::{is_long, of, without};
    use crate::openapi::{
        keys::Keys,
        read::{Syntax, read},
    };

    #[test]
    fn examples_are_taken_out_wherever_they_stand() {
        let yaml = "type: object\nexample: 1\nproperties:\n  example: {type: string, example: a}\n  b: {items: {examples: [x]}}\n";
        let value = read(yaml, Syntax::Yaml).expect("a value").value;
        let found: Vec<String> = of(&value, Keys::Words).into_iter().map(|(pointer, _)| pointer).collect();
        assert_eq!(found, ["/example", "/properties/example/example", "/properties/b/items/examples"]);
        let rest = r#"{"type":"object","properties":{"example":{"type":"string"},"b":{"items":{}}}}"#;
        assert_eq!(without(&value, Keys::Words).to_json(), rest);
    }

    #[test]
    fn characters_are_counted() {
        let text = |characters: usize| super::Value::Text("é".repeat(characters).into());
        assert_eq!([is_long(&text(7_998)), is_long(&text(7_999))], [false, true]);
    }
}
