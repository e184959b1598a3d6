//! Python to facts.
//!
//! A cursor walks the tree once; nothing is kept of it. Recursion is bounded, so that absurd nesting
//! costs its own calls and nothing else.

mod annotations;
mod calls;
mod conditions;
mod control;
mod definitions;
mod expressions;
pub mod facts;
mod flow;
mod imports;
mod kinds;
mod lower;
mod patterns;
mod statements;
mod text;

use std::cell::RefCell;

use crate::diagnostic::Problem;
use facts::FileFacts;
use kinds::Grammar;
use lower::Lowering;

/// The facts of one Python file. `source` is UTF-8 without a byte order mark.
pub fn read(source: &str) -> FileFacts {
    thread_local! {
        static PARSER: RefCell<Option<tree_sitter::Parser>> = const { RefCell::new(None) };
    }
    let grammar = Grammar::get();
    let tree = PARSER.with_borrow_mut(|slot| {
        let parser = slot.get_or_insert_with(|| {
            let mut parser = tree_sitter::Parser::new();
            // Fails for a grammar of another ABI only, and then no file has a tree.
            let _ = parser.set_language(&grammar.language);
            parser
        });
        parser.parse(source, None)
    });
    let Some(tree) = tree else {
        return FileFacts { problems: vec![(Problem::Syntax, 1)], ..FileFacts::default() };
    };
    let mut facts = Lowering::new(source, grammar).module(&tree);
    facts.shrink();
    facts
}
