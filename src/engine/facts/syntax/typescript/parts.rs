//! The parts of a text that are programs of their own, such as the blocks of code in a document.

use std::ops::Range;

use tree_sitter::Tree;

use super::{Dialect, elisions, grammar_gaps, with_parser};
use crate::syntax::parsing::{self, Guard, TextPosition};

/// A part of a text.
struct Part<'s> {
    code: &'s str,
    start: TextPosition,
}

/// The trees of the parts of a text, with positions in the whole text, and the dialect of all of them. A part of wrong
/// syntax has no tree. The dialect is that whose grammar accepts more parts, and `first` if both accept as many.
/// Another dialect than `first` is tried because documents also write JSX in blocks of `js`.
pub(super) fn parse(
    source: &str,
    parts: &[Range<usize>],
    first: Dialect,
    guard: &mut Guard<'_>,
) -> (Dialect, Vec<Option<Tree>>) {
    let mut start = TextPosition::of(source, 0);
    let located = |part: &Range<usize>| {
        start = start.advanced(source, part.start);
        Part { code: &source[part.clone()], start }
    };
    let parts: Vec<Part<'_>> = parts.iter().map(located).collect();
    let mut dialect = first;
    let mut trees: Vec<Option<Tree>> = parts.iter().map(|part| accepted(part, first, guard)).collect();
    if trees.iter().any(Option::is_none) {
        let other = if first == Dialect::Tsx { Dialect::TypeScript } else { Dialect::Tsx };
        if let Some(others) = more_accepted(&parts, &trees, other, guard) {
            (dialect, trees) = (other, others);
        }
    }
    for (tree, part) in trees.iter_mut().zip(&parts).filter(|(tree, _)| tree.is_none()) {
        *tree = with_parser(dialect, |parser| {
            let patched = grammar_gaps::patched(parser, part.code, dialect, guard)?;
            parsing::parse_valid_part(parser, &patched, part.start, guard)
        });
        if tree.is_none()
            && let Some(code) = elisions::replaced(part.code)
        {
            *tree = accepted(&Part { code: &code, start: part.start }, dialect, guard);
        }
    }
    (dialect, trees)
}

/// The tree of a part that the grammar of a dialect accepts, at most with replacements that need no tree.
fn accepted(part: &Part<'_>, dialect: Dialect, guard: &mut Guard<'_>) -> Option<Tree> {
    let code = grammar_gaps::masked(part.code, dialect);
    with_parser(dialect, |parser| parsing::parse_valid_part(parser, &code, part.start, guard))
}

/// The trees of the parts in another dialect than that of `trees`; `None` if its grammar does not accept more parts.
fn more_accepted(
    parts: &[Part<'_>],
    trees: &[Option<Tree>],
    dialect: Dialect,
    guard: &mut Guard<'_>,
) -> Option<Vec<Option<Tree>>> {
    let rejected = parts.iter().zip(trees);
    let mut others: Vec<Option<Tree>> =
        rejected.map(|(part, tree)| if tree.is_none() { accepted(part, dialect, guard) } else { None }).collect();
    let mut gained = others.iter().flatten().count();
    for ((part, _), other) in parts.iter().zip(trees).zip(&mut others).filter(|((_, tree), _)| tree.is_some()) {
        if gained == 0 {
            return None;
        }
        *other = accepted(part, dialect, guard);
        gained -= usize::from(other.is_none());
    }
    (gained > 0).then_some(others)
}
