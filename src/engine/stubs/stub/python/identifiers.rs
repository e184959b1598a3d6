//! Identifiers that may be written as code, and text that may be written in docstrings.

use crate::stub::text::is_plain_letter;

/// The reserved words of Python 3, sorted.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// True for an identifier that is valid in every version of Python 3.
///
/// Beyond ASCII only letters of a few scripts are accepted; see [`is_plain_letter`].
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(is_name_start)
        && text.chars().all(is_name_continue)
        && !is_keyword(text)
        && text != "__debug__"
        && text.len() <= 200
}

/// True for identifiers with dots between them.
pub(super) fn is_dotted_name(text: &str) -> bool {
    !text.is_empty() && text.split('.').all(is_name)
}

pub(super) fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || is_plain_letter(c)
}

pub(super) fn is_name_continue(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || is_plain_letter(c)
}

/// A text on one line, escaped for a docstring in triple double quotes.
pub(super) fn docstring_text(text: &str) -> String {
    text.replace('"', "'").replace('\\', "\\\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_for_the_search() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn names() {
        assert!(is_name("run") && is_name("_x1") && is_name("größe") && is_name("match"));
        for text in ["", "1a", "a-b", "class", "a b", "x\u{1b}", "a.b", "€", "__debug__"] {
            assert!(!is_name(text), "{text:?}");
        }
    }

    #[test]
    fn a_docstring_cannot_be_left() {
        assert_eq!(docstring_text("Says \"\"\"hi\"\"\""), "Says '''hi'''");
        assert_eq!(docstring_text("A path\\"), "A path\\\\");
    }
}
