//! Text that is safe to print on a terminal: unprintable characters are escaped, and lines are short.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use serde::Serialize;

use apidisc::unprintable::{escaped_json, escaped_line};

/// The greatest length of a line for people, in characters.
const MAX_LINE: usize = 300;
/// The number of characters that are kept at the end of a line that is too long, since a message ends with its remedy.
const KEPT_END: usize = 120;

/// A line for people: escaped, and cut in the middle if it has more than [`MAX_LINE`] characters.
pub(super) fn line(text: &str) -> Cow<'_, str> {
    // A text of many megabytes is cut before it is escaped. An escape has at most 10 characters.
    let text = if text.len() > 64 * MAX_LINE { Cow::Owned(shortened(text, 4 * MAX_LINE)) } else { Cow::Borrowed(text) };
    let escaped = match text {
        Cow::Borrowed(text) => escaped_line(text),
        Cow::Owned(text) => Cow::Owned(escaped_line(&text).into_owned()),
    };
    if escaped.len() <= MAX_LINE || escaped.chars().count() <= MAX_LINE {
        return escaped;
    }
    Cow::Owned(shortened(&escaped, MAX_LINE))
}

/// The beginning and the end of a text, together `length` characters with ` ... ` between them. `text` is longer.
fn shortened(text: &str, length: usize) -> String {
    const GAP: &str = " ... ";
    let kept_start = length - KEPT_END - GAP.len();
    let start = text.char_indices().nth(kept_start).map_or(text.len(), |(at, _)| at);
    let end = text.char_indices().rev().nth(KEPT_END - 1).map_or(0, |(at, _)| at);
    format!("{}{GAP}{}", &text[..start], &text[end.max(start)..])
}

/// Writes a value as JSON on one line. Unprintable characters that JSON allows unescaped are escaped too, since file
/// names and code may contain them.
pub(super) fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    out.write_all(escaped_json(serde_json::to_string(value)?).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINE, line, write_json};

    #[test]
    fn json_contains_no_control_character() {
        let mut out = Vec::new();
        write_json(&mut out, &"a\u{1b}b\u{9b}c\u{7f}é\u{202e}\u{e0041}").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), r#""a\u001bb\u009bc\u007fé\u202e\udb40\udc41""#);
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(line("plain ✓"), "plain ✓");
        assert_eq!(line("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(line("two\nlines\u{9b}"), "two lines\\u{9b}");
    }

    #[test]
    fn long_lines_are_cut_in_the_middle() {
        for text in ["x".repeat(301), "é\u{1b}".repeat(90), "\u{202e}".repeat(1_000_000)] {
            let text = format!("{text}; mend it");
            let line = line(&text);
            assert_eq!(line.chars().count(), MAX_LINE);
            assert!(line.contains(" ... ") && line.ends_with("; mend it"), "{line}");
        }
        assert_eq!(line(&"x".repeat(300)), "x".repeat(300));
    }
}
