//! Reading on after a syntax error: the parts of a text whose tree has swallowed declarations.
//!
//! After an unclosed bracket the parser takes the rest of a file for one error. A declaration at the beginning of a
//! line begins anew: the text is cut there, and each piece is parsed by itself, so that an error costs its own piece.

use std::ops::Range;

use rustc_hash::FxHashSet;
use tree_sitter::{Parser, Point, Tree};

use crate::syntax::{
    parsing::{self, Guard, TextPosition},
    tree,
};

/// The greatest size in bytes of a text that is parsed in pieces.
const MAX_BYTES: usize = 512 * 1024;
/// The greatest number of pieces of a text.
const MAX_PIECES: usize = 4_000;
/// The greatest number of pieces that together may be one statement.
const MAX_JOINED: usize = 4;

/// The words that begin a declaration.
const DECLARATIONS: [&str; 16] = [
    "abstract",
    "async",
    "class",
    "const",
    "declare",
    "enum",
    "export",
    "function",
    "import",
    "interface",
    "let",
    "module",
    "namespace",
    "type",
    "using",
    "var",
];
/// The words that continue the statement before.
const CONTINUATIONS: [&str; 8] = ["as", "case", "catch", "default", "else", "finally", "satisfies", "while"];

/// True for a word that begins a declaration.
pub(super) fn declares(word: &str) -> bool {
    DECLARATIONS.contains(&word)
}

/// True for a word that continues the statement before.
pub(super) fn continues(word: &str) -> bool {
    CONTINUATIONS.contains(&word)
}

/// The trees of the pieces of a text, in source order. `None` if the tree of the whole text has swallowed nothing, or
/// if the pieces do not show more.
pub(super) fn parse_pieces(parser: &mut Parser, text: &str, tree: &Tree, guard: &mut Guard<'_>) -> Option<Vec<Tree>> {
    if text.len() > MAX_BYTES || !tree.root_node().has_error() {
        return None;
    }
    let starts = statement_starts(text);
    if starts.len() > MAX_PIECES {
        return None;
    }
    let top_level = tops(tree);
    let seen = starts.iter().filter(|start| top_level.contains(&start.code)).count();
    if seen == starts.len() {
        return None;
    }
    let mut trees = Vec::new();
    let mut recovered = 0;
    let mut at = 0;
    // Comments and other lines before the first statement belong to its piece.
    let mut from = TextPosition::of(text, 0);
    let text_end = TextPosition::of(text, text.len());
    while at < starts.len() {
        let end = |piece: usize| starts.get(piece + 1).map_or(text_end, |next| next.piece);
        let mut joined = at;
        let mut first = None;
        let whole = loop {
            let piece = parse_between(parser, text, from, end(joined), guard)?;
            if !piece.root_node().has_error() {
                break Some(piece);
            }
            first.get_or_insert(piece);
            joined += 1;
            if joined >= starts.len() || joined - at >= MAX_JOINED {
                break None;
            }
        };
        let (piece, next) = match (whole, first) {
            (Some(piece), _) => (piece, joined + 1),
            (None, Some(piece)) => (piece, at + 1),
            (None, None) => return None,
        };
        let top_level = tops(&piece);
        recovered += starts[at..next].iter().filter(|start| top_level.contains(&start.code)).count();
        trees.push(piece);
        at = next;
        from = starts.get(at).map_or(text_end, |next| next.piece);
    }
    (recovered > seen).then_some(trees)
}

/// The tree of a part of a text. Its positions are those of the whole text.
pub(super) fn parse_range(parser: &mut Parser, text: &str, range: Range<usize>, guard: &mut Guard<'_>) -> Option<Tree> {
    parse_between(parser, text, TextPosition::of(text, range.start), TextPosition::of(text, range.end), guard)
}

fn parse_between(
    parser: &mut Parser,
    text: &str,
    start: TextPosition,
    end: TextPosition,
    guard: &mut Guard<'_>,
) -> Option<Tree> {
    parsing::parse_part(parser, text, (start, end), guard).ok()
}

/// The positions at which the statements of a tree begin.
fn tops(tree: &Tree) -> FxHashSet<usize> {
    let mut cursor = tree.walk();
    let mut all = FxHashSet::default();
    tree::for_each_child(&mut cursor, |cursor| {
        let kind = cursor.node().kind();
        if kind.ends_with("declaration") || kind.ends_with("statement") || kind == "function_signature" {
            all.insert(cursor.node().start_byte());
        }
    });
    all
}

/// The beginning of a statement at the beginning of a line.
struct StatementStart {
    /// The position of the first word of the statement.
    code: usize,
    /// The beginning of the first comment or decorator before the statement, else of the statement. It is the beginning
    /// of a line.
    piece: TextPosition,
}

/// The lines that begin a statement: those that begin with a word that begins declarations, and those that begin with a
/// name after a line that ends a statement.
fn statement_starts(text: &str) -> Vec<StatementStart> {
    let mut starts: Vec<StatementStart> = Vec::new();
    let (mut at, mut lead, mut is_ended) = (0, None, true);
    for (row, line) in text.split_inclusive('\n').enumerate() {
        let place = TextPosition { byte: at, point: Point { row, column: 0 } };
        let trimmed = line.trim();
        let is_comment = trimmed.starts_with("//") || trimmed.starts_with("/*") || trimmed.starts_with('*');
        if trimmed.is_empty() || is_comment || line.starts_with('@') {
            if !trimmed.is_empty() {
                lead.get_or_insert(place);
            }
        } else {
            let word = &line[..line.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(line.len())];
            let begins = DECLARATIONS.contains(&word) || is_ended && !word.is_empty() && !CONTINUATIONS.contains(&word);
            if begins {
                starts.push(StatementStart { code: at, piece: lead.unwrap_or(place) });
            }
            lead = None;
            is_ended = trimmed.ends_with([';', '}']);
        }
        at += line.len();
    }
    starts
}
