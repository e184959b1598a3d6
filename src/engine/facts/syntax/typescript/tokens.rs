//! The tokens of TypeScript and JavaScript, read without a tree. Texts between the tags of JSX are read as code.

use memchr::memmem;

use crate::syntax::tokens::{Token, TokenKind, end_of_line, kind_of_mark};

/// The tokens of a text, in order. A string that is not closed ends with its line, a template or block comment with the
/// text.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = Token> {
    let text = text.as_bytes();
    let mut at = 0;
    // The last token of code, or `=>`.
    let mut last = 0..0;
    // For each enclosing template: the number of open braces in its current substitution.
    let mut braces: Vec<usize> = Vec::new();
    std::iter::from_fn(move || {
        at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let start = at;
        let kind = match *text.get(at)? {
            b'/' if text[at..].starts_with(b"//") => {
                at = end_of_line(text, at);
                TokenKind::Comment
            }
            b'/' if text[at..].starts_with(b"/*") => {
                at = memmem::find(&text[at + 2..], b"*/").map_or(text.len(), |end| at + end + 4);
                TokenKind::Comment
            }
            b'/' if last.is_empty() || begins_operand(&text[last.clone()]) => {
                at = end_of_literal(text, at);
                TokenKind::Literal
            }
            b'"' | b'\'' => {
                at = end_of_literal(text, at);
                TokenKind::Literal
            }
            b'`' => {
                let is_open;
                (at, is_open) = end_of_template_text(text, at + 1);
                if is_open {
                    braces.push(0);
                    TokenKind::Open
                } else {
                    TokenKind::Literal
                }
            }
            b'}' if braces.last() == Some(&0) => {
                let is_open;
                (at, is_open) = end_of_template_text(text, at + 1);
                if is_open {
                    TokenKind::Other
                } else {
                    braces.pop();
                    TokenKind::Close
                }
            }
            byte if is_in_name(byte) => {
                at += text[at..].iter().take_while(|byte| is_in_name(**byte)).count();
                match &text[start..at] {
                    b"true" | b"false" | b"null" | b"undefined" => TokenKind::Literal,
                    _ if byte.is_ascii_digit() => TokenKind::Literal,
                    _ => TokenKind::Word,
                }
            }
            byte => {
                at += 1;
                if let Some(open) = braces.last_mut() {
                    *open = match byte {
                        b'{' => *open + 1,
                        b'}' => *open - 1,
                        _ => *open,
                    };
                }
                kind_of_mark(byte)
            }
        };
        if kind != TokenKind::Comment {
            let is_arrow = text[start] == b'>' && text[..start].ends_with(b"=");
            last = if is_arrow { start - 1..at } else { start..at };
        }
        Some(Token { kind, range: start..at })
    })
}

/// True for a byte of an identifier, also of one with letters beyond ASCII.
pub(super) fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

/// Whether an operand follows the code `last`, so that `/` begins a regular expression.
fn begins_operand(last: &[u8]) -> bool {
    last.ends_with(b"=>")
        || last.last().is_some_and(|byte| b"(,=:[!&|?{};+-*%~^".contains(byte))
        || matches!(last, b"return" | b"typeof" | b"case" | b"of" | b"in" | b"await" | b"yield")
}

/// The end of the string or regular expression that begins at `start`. Both end with their line at the latest.
fn end_of_literal(text: &[u8], start: usize) -> usize {
    let quote = text[start];
    let mut is_in_class = false;
    let mut at = start + 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'\n' => return at,
            b'[' if quote == b'/' => is_in_class = true,
            b']' => is_in_class = false,
            byte if byte == quote && !is_in_class => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The end of the text of a template from `at` on, and whether a substitution follows: the end is behind the `${` of
/// the substitution, or behind the backtick.
fn end_of_template_text(text: &[u8], mut at: usize) -> (usize, bool) {
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'`' => return (at + 1, false),
            b'$' if text.get(at + 1) == Some(&b'{') => return (at + 2, true),
            _ => {}
        }
        at += 1;
    }
    (text.len(), false)
}
