//! Names that may be printed as code, and text that may be printed in comments and docstrings.

use super::expression::is_unprintable;

const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// The longest summary, in characters: one line.
const SUMMARY: usize = 120;

pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// True for what can name a parameter or a definition in any version of Python.
///
/// Of the letters beyond ASCII those scripts are taken whose letters have never been in doubt.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(is_name_start)
        && text.chars().all(is_name_continue)
        && !is_keyword(text)
        && text != "__debug__"
        && text.len() <= 200
}

/// True for names with dots between them.
pub(crate) fn is_dotted_name(text: &str) -> bool {
    !text.is_empty() && text.split('.').all(is_name)
}

pub(super) fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || is_plain_letter(c)
}

pub(super) fn is_name_continue(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || is_plain_letter(c)
}

fn is_plain_letter(c: char) -> bool {
    matches!(c,
        '\u{c0}'..='\u{24f}' | '\u{386}'..='\u{3ff}' | '\u{400}'..='\u{52f}' | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
        && c.is_alphabetic()
}

/// Text that cannot leave a comment: one line, no control characters, nothing that turns text around.
pub(crate) fn inert(text: &str) -> String {
    let mut inert = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || c.is_whitespace() || matches!(c, '\u{2028}' | '\u{2029}') {
            if !inert.ends_with(' ') {
                inert.push(' ');
            }
        } else if !is_unprintable(c) {
            inert.push(c);
        }
    }
    inert.trim().to_owned()
}

/// The summary as the inside of a docstring: its first sentence, cut to a line.
pub(super) fn docstring(summary: &str) -> Option<String> {
    let text = inert(summary).replace('"', "'").replace('\\', "\\\\");
    let end = text
        .match_indices(". ")
        .map(|(at, _)| at + 1)
        .find(|&at| !text[..at].ends_with("e.g.") && !text[..at].ends_with("i.e."));
    let sentence = &text[..end.unwrap_or(text.len())];
    let cut = match sentence.char_indices().nth(SUMMARY) {
        None => sentence.to_owned(),
        Some((at, _)) => {
            let words = sentence[..at].rsplit_once(' ').map_or(&sentence[..at], |(words, _)| words);
            // An escaped backslash must not be cut in two.
            format!("{}...", words.trim_end_matches('\\'))
        }
    };
    (!cut.is_empty()).then_some(cut)
}

/// `1204` as `1,204`.
pub(crate) fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 call`, `2 calls`.
pub(crate) fn counted(number: u32, word: &str) -> String {
    format!("{} {word}{}", grouped(number), if number == 1 { "" } else { "s" })
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
        assert_eq!(docstring("Says \"\"\"hi\"\"\""), Some("Says '''hi'''".into()));
        assert_eq!(docstring("A path\\"), Some("A path\\\\".into()));
        assert_eq!(docstring("One. Two."), Some("One.".into()));
        assert_eq!(docstring("Red\u{1b}[31m\nnext\u{202e}"), Some("Red [31m next".into()));
        assert_eq!(docstring(" \u{0} "), None);
        assert!(docstring(&"word ".repeat(60)).is_some_and(|text| text.ends_with("word...") && text.len() < 130));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(["0", "999", "1,000", "1,234,567"].map(str::to_owned), [0, 999, 1000, 1_234_567].map(grouped));
        assert_eq!((counted(1, "call"), counted(1204, "call")), ("1 call".into(), "1,204 calls".into()));
    }
}
