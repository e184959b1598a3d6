//! Lowers Python files to facts.
//!
//! A cursor walks the syntax tree once, and no part of the tree is kept. Recursion is bounded, so that deeply nested
//! code loses only its own calls.

mod annotations;
mod bindings;
mod calls;
mod captures;
mod case_patterns;
mod comprehensions;
mod conditions;
mod control;
mod definitions;
mod documentation;
mod exits;
mod expected_errors;
mod expressions;
pub mod facts;
mod flow;
mod grammar;
mod imports;
mod lower;
mod match_statements;
mod patterns;
mod reads;
mod statements;
mod static_conditions;
mod strings;
mod text;
mod type_comments;

use std::{
    cell::RefCell,
    ops::{ControlFlow, Range},
};

use tree_sitter::{Parser, Tree};

use crate::syntax::parsing::{self, ParseError, TextPosition, Watch};
use facts::FileFacts;
use grammar::grammar;
use lower::Lowering;

/// The facts of one Python file. `source` is UTF-8 without a byte order mark.
pub fn read(source: &str) -> FileFacts {
    read_watched(source, &mut || ControlFlow::Continue(()))
}

/// The facts of one Python file. While the parser runs, `watch` is called regularly and may stop the parser.
pub fn read_watched(source: &str, watch: &mut Watch<'_>) -> FileFacts {
    match parse(source, watch) {
        Ok(tree) => lower(source, [tree]),
        Err(error) => FileFacts { problems: vec![(error.problem(), 1.into())], ..FileFacts::default() },
    }
}

/// The facts of a text; `None` if it is not valid syntax.
pub(crate) fn read_valid(source: &str, watch: &mut Watch<'_>) -> Option<FileFacts> {
    let tree = parse(source, watch).ok()?;
    (!tree.root_node().has_error()).then(|| lower(source, [tree]))
}

/// The facts of parts of a text, each a program of its own syntax, one below the other, and for each part whether it is
/// valid syntax. The others have no facts.
pub(crate) fn read_parts(source: &str, parts: &[Range<usize>], watch: &mut Watch<'_>) -> (FileFacts, Vec<bool>) {
    let mut start = TextPosition::of(source, 0);
    let parse = |part: &Range<usize>| {
        start = start.advanced(source, part.start);
        with_parser(|parser| parsing::parse_valid_part(parser, &source[part.clone()], start, watch))
    };
    let mut are_valid = Vec::with_capacity(parts.len());
    let valid = parts.iter().map(parse).inspect(|tree| are_valid.push(tree.is_some())).flatten();
    let facts = lower(source, valid);
    (facts, are_valid)
}

/// The syntax tree of a text.
pub(super) fn parse(source: &str, watch: &mut Watch<'_>) -> Result<Tree, ParseError> {
    with_parser(|parser| parsing::parse(parser, source, watch))
}

/// Runs `f` with the parser of this thread.
fn with_parser<T>(f: impl FnOnce(&mut Parser) -> T) -> T {
    thread_local! {
        static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
    }
    let language = &grammar().language;
    PARSER.with_borrow_mut(|slot| f(parsing::parser(slot, language)))
}

fn lower(source: &str, trees: impl IntoIterator<Item = Tree>) -> FileFacts {
    let mut facts = Lowering::new(source, grammar()).lower_module(trees);
    facts.shrink();
    facts
}
