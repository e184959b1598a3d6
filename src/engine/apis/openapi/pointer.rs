//! JSON pointers (RFC 6901), as they stand in the fragments of references.

use std::borrow::Cow;

use super::value::{Entry, Value};

/// Appends a key to a pointer, with its escapes.
pub(super) fn push(pointer: &mut String, key: &str) {
    pointer.push('/');
    for c in key.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// The keys of a pointer, without their escapes.
pub(super) fn keys(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(|key| {
        if key.contains('~') { Cow::Owned(key.replace("~1", "/").replace("~0", "~")) } else { Cow::Borrowed(key) }
    })
}

/// A text without its percent escapes: `%7Bid%7D` is `{id}`. A `%` without two digits behind it stays.
pub(super) fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The value that a pointer leads to, with the line of the key that holds it. The line of the root is 1.
pub(super) fn find<'v>(root: &'v Value, pointer: &str) -> Option<(&'v Value, u32)> {
    keys(pointer).try_fold((root, 1), |(value, line), key| match value {
        Value::Object(object) => object.entry(&key).map(|Entry { value, line, .. }| (value, *line)),
        Value::List(items) => Some((items.get(key.parse::<usize>().ok()?)?, line)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{find, keys, percent_decoded, push};
    use crate::openapi::read::{Syntax, read};

    #[test]
    fn escapes_are_undone_once() {
        assert_eq!(keys("/paths/~1a~1{b}/~01").collect::<Vec<_>>(), ["paths", "/a/{b}", "~1"]);
        assert_eq!(percent_decoded("/a%7Bb%7d%20%2"), "/a{b} %2");
        assert_eq!(percent_decoded("%ff"), "%ff");
        let mut pointer = String::new();
        push(&mut pointer, "/a~b");
        assert_eq!(pointer, "/~1a~0b");
    }

    #[test]
    fn pointers_lead_through_objects_and_lists() {
        let value = read("a:\n  - b: 1\n    c/d: 2\n", Syntax::Yaml).expect("a value").value;
        let at = |pointer| find(&value, pointer).map(|(value, line)| (value.to_json(), line));
        assert_eq!(at("/a/0/c~1d"), Some(("2".to_owned(), 3)));
        assert_eq!(at("").map(|(_, line)| line), Some(1));
        assert_eq!([at("/a/1"), at("/a/x"), at("/b"), at("/a/0/b/0")], [None, None, None, None]);
    }
}
