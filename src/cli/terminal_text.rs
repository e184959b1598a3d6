//! Text that a terminal shows and does not obey.

use std::borrow::Cow;

/// `text` on one line, control characters written out: file names and code may hold escape sequences.
pub(super) fn inert(text: &str) -> Cow<'_, str> {
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

#[cfg(test)]
mod tests {
    use super::inert;

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(inert("plain ✓"), "plain ✓");
        assert_eq!(inert("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(inert("two\nlines\u{9b}"), "two lines\\u{9b}");
    }
}
