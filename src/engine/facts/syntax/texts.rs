//! The texts of strings that may be paths, URLs or names in a request. Linking reads them to find the calls of HTTP
//! APIs and the routes of servers.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

/// The maximum length of a kept text in bytes, without the expressions in it. A longer text is not kept.
const MAX_TEXT: usize = 200;
/// The maximum number of pieces of a kept text. A text with more pieces is not kept.
const MAX_PIECES: usize = 24;

/// The text of a string expression. `E` is the id of an expression in the facts of a language.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptText<E> {
    /// The string.
    pub expr: E,
    /// The parts of the string in order.
    pub pieces: Box<[TextPiece<E>]>,
}

/// A part of a string.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum TextPiece<E> {
    /// Text as written.
    Literal(CompactString),
    /// An expression whose value is inserted: `{x}` of an f-string (PEP 498), `${x}` of a template.
    Value(E),
}

/// The pieces of a string, if its text is among `texts`, which are ordered by expression.
pub(super) fn pieces_of<E: Ord + Copy>(texts: &[KeptText<E>], expr: E) -> Option<&[TextPiece<E>]> {
    let row = texts.binary_search_by_key(&expr, |text| text.expr).ok()?;
    Some(&texts[row].pieces)
}

/// The pieces of a string while its parts are read.
pub(super) struct TextPieces<E> {
    pieces: Vec<TextPiece<E>>,
    length: usize,
    is_raw: bool,
    in_query: bool,
    is_kept: bool,
}

impl<E> TextPieces<E> {
    pub(super) fn new() -> Self {
        Self { pieces: Vec::new(), length: 0, is_raw: false, in_query: false, is_kept: true }
    }

    /// The pieces of a raw string, whose backslashes are no escapes: the pattern of a path (`r"^pets/(?P<id>\d+)$"`).
    pub(super) fn raw() -> Self {
        Self { is_raw: true, ..Self::new() }
    }

    /// Adds text as written. Text with white space before a query, control characters or escapes is no path, so that
    /// the string is not kept.
    pub(super) fn add_text(&mut self, text: &str) {
        self.length += text.len();
        self.is_kept &= self.length <= MAX_TEXT;
        for c in text.bytes().take(MAX_TEXT) {
            self.in_query |= c == b'?';
            self.is_kept &= match c {
                b'\\' => self.is_raw,
                b' ' => self.in_query,
                c => c.is_ascii_graphic(),
            };
        }
        if self.is_kept {
            self.pieces.push(TextPiece::Literal(text.into()));
        }
    }

    /// Adds an inserted expression.
    pub(super) fn add_value(&mut self, value: E) {
        if self.is_kept {
            self.pieces.push(TextPiece::Value(value));
        }
    }

    /// Marks the string as not kept.
    pub(super) fn reject(&mut self) {
        self.is_kept = false;
    }

    /// The pieces, if the string may be a path, or the name of a header or parameter: it is empty, it inserts
    /// expressions, it contains a slash or a hyphen, or it begins a pattern (`^`) or a query (`?`, `&`).
    pub(super) fn kept(self) -> Option<Box<[TextPiece<E>]>> {
        let is_path = |piece: &TextPiece<E>| match piece {
            TextPiece::Literal(text) => text.contains(['/', '-']) || text.starts_with(['^', '?', '&']),
            TextPiece::Value(_) => true,
        };
        let is_kept = self.is_kept
            && self.pieces.len() <= MAX_PIECES
            && (self.pieces.is_empty() || self.pieces.iter().any(is_path));
        is_kept.then(|| self.pieces.into())
    }
}
