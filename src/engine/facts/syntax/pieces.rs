//! Cuts a text into pieces between statements, so that a parser needs little memory for a large text, and an error
//! costs no more than its own piece.

use std::{collections::VecDeque, ops::Range};

use tree_sitter::Tree;

use super::{
    parsing::{Guard, LARGE_BYTES, ParseError, TextPosition},
    tokens::{Token, TokenKind},
};
use apidisc_base::diagnostic::{LineRange, Problem};
use apidisc_base::sort::SharedSort as _;

/// The size in bytes up to which the statements of a large text are one piece.
const LARGE_PIECE: usize = 512 * 1024;
/// The size in bytes up to which the statements of a broken text are one piece.
const BROKEN_PIECE: usize = 1024;
/// The size in bytes from which a broken text is cut before any token.
const MAX_BROKEN_PIECE: usize = 4 * BROKEN_PIECE;

/// Where statements of a language begin.
pub(super) trait Statements {
    /// Whether a statement begins at the token `at`, the first one of its line and in no brackets. `before` is the
    /// token of code before it.
    fn begins(&mut self, text: &str, before: Option<&Token>, at: &Token) -> bool;
}

/// The pieces of a text: one, or those of a large text, each of [`LARGE_PIECE`] or of one statement.
pub(super) fn of_text(text: &str, tokens: impl Iterator<Item = Token>, mut rule: impl Statements) -> Vec<Range<usize>> {
    let mut pieces = Pieces::default();
    if text.len() <= LARGE_BYTES {
        return pieces.finish(text.len());
    }
    let mut depth = 0_usize;
    let mut before = None;
    for token in tokens.filter(|token| token.kind != TokenKind::Comment) {
        let begins_line = token.range.start == 0 || text.as_bytes()[token.range.start - 1] == b'\n';
        if begins_line && depth == 0 && rule.begins(text, before.as_ref(), &token) {
            pieces.may_end(token.range.start, LARGE_PIECE);
        }
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = Some(token);
    }
    pieces.finish(text.len())
}

/// The pieces of a text with errors, which begin at lines that are not indented.
pub(super) fn of_broken(text: &str, tokens: impl Iterator<Item = Token>) -> Vec<Range<usize>> {
    let mut pieces = Pieces::default();
    for Token { range: Range { start, .. }, kind } in tokens {
        let begins_line = start == 0 || text.as_bytes()[start - 1] == b'\n';
        if begins_line && !matches!(kind, TokenKind::Close | TokenKind::Comment)
            || start - pieces.start() > MAX_BROKEN_PIECE
        {
            pieces.may_end(start, BROKEN_PIECE);
        }
    }
    pieces.finish(text.len())
}

#[derive(Default)]
struct Pieces {
    /// The ends of the pieces so far.
    ends: Vec<usize>,
    /// The last position at which the piece may end that is read.
    last: usize,
}

impl Pieces {
    /// The beginning of the piece that is read.
    fn start(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    /// The piece that is read may end at `at`. It ends before its size exceeds `size`, if it can.
    fn may_end(&mut self, at: usize, size: usize) {
        let start = self.start();
        if at - start > size {
            let end = if self.last > start { self.last } else { at };
            if end > start {
                self.ends.push(end);
            }
        }
        self.last = at;
    }

    fn finish(mut self, end: usize) -> Vec<Range<usize>> {
        self.ends.push(end);
        let mut start = 0;
        self.ends.into_iter().map(|end| std::mem::replace(&mut start, end)..end).collect()
    }
}

/// The parts of a text that have no tree.
#[derive(Default)]
pub(super) struct Failures(Vec<(Problem, LineRange)>);

impl Failures {
    /// The greatest number of parts that are listed.
    const MAX: usize = 20;

    fn add(&mut self, problem: Problem, lines: LineRange) {
        let is_full = self.0.len() >= Self::MAX;
        match self.0.last_mut() {
            Some((last, before)) if is_full || *last == problem && before.last + 1 >= lines.first => {
                before.last = lines.last;
            }
            _ => self.0.push((problem, lines)),
        }
    }

    /// Adds the failures to the problems of the facts, in the order of lines.
    pub(super) fn add_to(self, problems: &mut Vec<(Problem, LineRange)>) {
        if !self.0.is_empty() {
            problems.extend(self.0);
            problems.shared_sort_by_key(|(_, lines)| lines.first);
        }
    }
}

/// A part of a text, from its first position to its end.
pub(super) type Part = (TextPosition, TextPosition);

/// The trees of the pieces of a text, in order, each parsed when it is asked for. `split` cuts a piece that takes too
/// much work into smaller ones. A piece without a tree is listed in `failures`.
pub(super) fn trees<'a, 'w>(
    text: &'a str,
    pieces: Vec<Range<usize>>,
    guard: &'a mut Guard<'w>,
    failures: &'a mut Failures,
    split: impl Fn(&str) -> Vec<Range<usize>> + 'a,
    mut parse: impl FnMut(Part, &mut Guard<'w>) -> Result<Vec<Tree>, ParseError> + 'a,
) -> impl Iterator<Item = Tree> + 'a {
    let mut left: VecDeque<(Range<usize>, bool)> = pieces.into_iter().map(|piece| (piece, true)).collect();
    let mut is_renewed = false;
    let mut start = TextPosition::of(text, 0);
    let next = move || {
        let (piece, may_be_split) = left.pop_front()?;
        let end = start.advanced(text, piece.end);
        let trees = parse((start, end), guard);
        if let Err(ParseError::TooSlow | ParseError::Invalid) = trees
            && may_be_split
            && !guard.is_cancelled()
        {
            if !std::mem::replace(&mut is_renewed, true) {
                guard.renew(text);
            }
            let at = piece.start;
            for smaller in split(&text[piece]).into_iter().rev() {
                left.push_front((at + smaller.start..at + smaller.end, false));
            }
            return Some(Vec::new());
        }
        if let Err(error) = trees {
            let (first, last) = (start.point.row as u32 + 1, end.point.row as u32 + 1);
            let last = if end.point.column == 0 { last - 1 } else { last };
            failures.add(error.problem(), LineRange { first, last: last.max(first) });
        }
        start = end;
        Some(trees.unwrap_or_default())
    };
    std::iter::from_fn(next).flatten()
}
