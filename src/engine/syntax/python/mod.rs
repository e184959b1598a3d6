//! Lowers Python files to facts.
//!
//! A cursor walks the syntax tree once, and no part of the tree is kept. Recursion is bounded, so that deeply nested
//! code loses only its own calls.

mod annotations;
mod bindings;
mod calls;
mod comprehensions;
mod conditions;
mod control;
mod definitions;
mod expressions;
pub mod facts;
mod flow;
mod grammar;
mod imports;
mod lower;
mod patterns;
mod reads;
mod statements;
mod strings;
mod text;

use std::cell::RefCell;

use crate::{diagnostic::Problem, syntax::tree};
use facts::FileFacts;
use grammar::Grammar;
use lower::Lowering;

/// The facts of one Python file. `source` is UTF-8 without a byte order mark.
pub fn read(source: &str) -> FileFacts {
    thread_local! {
        static PARSER: RefCell<Option<tree_sitter::Parser>> = const { RefCell::new(None) };
    }
    let grammar = Grammar::get();
    let tree = PARSER.with_borrow_mut(|slot| tree::parser(slot, &grammar.language).parse(source, None));
    let Some(tree) = tree else {
        return FileFacts { problems: vec![(Problem::Syntax, 1)], ..FileFacts::default() };
    };
    let mut facts = Lowering::new(source, grammar).lower_module(&tree);
    facts.shrink();
    facts
}
