//! Tokens of a text that is read without a grammar, in any language. They are coarser than those of the grammar, and
//! tell code from comments and strings.

use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Comment,
    /// A string without inserted expressions, a number, or a word that stands for a value: `None`, `true`.
    Literal,
    /// A name or keyword.
    Word,
    /// An opening bracket, or the beginning of an expression that a template inserts.
    Open,
    /// A closing bracket, or the end of an expression that a template inserts.
    Close,
    Comma,
    Colon,
    /// An arithmetic operator or a dot: literals that it joins are a literal.
    Operator,
    /// Anything else.
    Other,
}

/// A token with its place in the text. White space belongs to no token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) range: Range<usize>,
}

/// The kind of a token that is one byte in each language.
pub(super) fn kind_of_mark(byte: u8) -> TokenKind {
    match byte {
        b'(' | b'[' | b'{' => TokenKind::Open,
        b')' | b']' | b'}' => TokenKind::Close,
        b',' => TokenKind::Comma,
        b':' => TokenKind::Colon,
        b'+' | b'-' | b'*' | b'/' | b'%' | b'.' => TokenKind::Operator,
        _ => TokenKind::Other,
    }
}

/// The end of the line that contains `at`: the position of its line feed, or the end of the text.
pub(super) fn end_of_line(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end)
}
