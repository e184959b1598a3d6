//! The tokens of Python, read without a tree.

use crate::syntax::tokens::{Token, TokenKind, end_of_line, kind_of_mark};

/// The tokens of a text, in order. A string that is not closed ends with its line, or with the text if it has three
/// quotes.
pub(in crate::syntax) fn tokens(text: &str) -> impl Iterator<Item = Token> {
    let text = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        // A backslash joins two lines.
        at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b'\\').count();
        let start = at;
        let kind = match *text.get(at)? {
            b'#' => {
                at = end_of_line(text, at);
                TokenKind::Comment
            }
            b'"' | b'\'' => {
                at = end_of_string(text, at);
                TokenKind::Literal
            }
            byte if is_in_word(byte) => {
                at += text[at..].iter().take_while(|byte| is_in_word(**byte)).count();
                let word = &text[start..at];
                if matches!(text.get(at), Some(b'"' | b'\'')) && is_string_prefix(word) {
                    at = end_of_string(text, at);
                    // A formatted string inserts expressions.
                    if word.iter().any(|byte| b"fFtT".contains(byte)) { TokenKind::Other } else { TokenKind::Literal }
                } else if byte.is_ascii_digit() || matches!(word, b"None" | b"True" | b"False") {
                    TokenKind::Literal
                } else {
                    TokenKind::Word
                }
            }
            byte => {
                at += 1;
                kind_of_mark(byte)
            }
        };
        Some(Token { kind, range: start..at })
    })
}

/// True for a byte of a name or number, also of a name with letters beyond ASCII.
fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn is_string_prefix(word: &[u8]) -> bool {
    word.len() <= 2 && word.iter().all(|byte| b"rRbBuUfFtT".contains(byte))
}

/// The end of the string whose quote is at `start`. A backslash keeps the character after it from ending the string, in
/// raw strings, too.
fn end_of_string(text: &[u8], start: usize) -> usize {
    let quote = text[start];
    let is_long = text[start..].starts_with(&[quote; 3]);
    let mut at = start + if is_long { 3 } else { 1 };
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'\n' if !is_long => return at,
            byte if byte == quote && !is_long => return at + 1,
            byte if byte == quote && text[at..].starts_with(&[quote; 3]) => return at + 3,
            _ => {}
        }
        at += 1;
    }
    text.len()
}
