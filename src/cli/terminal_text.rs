//! Text that is safe to print on a terminal.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use serde::Serialize;
use serde_json::ser::Formatter;

/// Text on one line with control characters escaped, since file names and code may contain escape sequences.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => safe.push(' '),
            c if c.is_control() => safe.extend(c.escape_unicode()),
            c => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

/// Writes a value as JSON on one line. Control characters that JSON allows unescaped are escaped too, since file names
/// may contain them.
pub(super) fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(out, InertJson))?;
    Ok(())
}

struct InertJson;

impl Formatter for InertJson {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        for piece in fragment.split_inclusive(char::is_control) {
            match piece.chars().next_back().filter(|c| c.is_control()) {
                Some(c) => write!(out, "{}\\u{:04x}", &piece[..piece.len() - c.len_utf8()], u32::from(c))?,
                None => out.write_all(piece.as_bytes())?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{escaped, write_json};

    #[test]
    fn json_contains_no_control_character() {
        let mut out = Vec::new();
        write_json(&mut out, &"a\u{1b}b\u{9b}c\u{7f}é").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), r#""a\u001bb\u009bc\u007fé""#);
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escaped("plain ✓"), "plain ✓");
        assert_eq!(escaped("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(escaped("two\nlines\u{9b}"), "two lines\\u{9b}");
    }
}
