//! TypeScript and JavaScript to facts.
//!
//! A cursor walks the tree once; nothing is kept of it. What names mean is told when the walk is over, for a
//! name may stand above its declaration. Recursion is bounded, so that absurd nesting costs its own calls and
//! nothing else.

mod assignments;
mod calls;
mod classes;
mod conditions;
mod control;
mod declarations;
mod expressions;
pub mod facts;
mod finish;
mod frame;
mod functions;
mod jsx;
mod kinds;
mod known;
mod lower;
mod modules;
mod objects;
mod operators;
mod patterns;
mod repair;
mod signatures;
mod statements;
#[cfg(test)]
mod tests;
mod text;
mod types;

use std::cell::RefCell;

use crate::diagnostic::Problem;
use facts::FileFacts;
use kinds::Grammar;
use lower::Lowering;

/// Which grammar reads a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `.ts`, `.mts`, `.cts` and their `.d.ts` forms.
    TypeScript,
    /// `.tsx`.
    Tsx,
    /// `.js`, `.jsx`, `.mjs`, `.cjs`: read as TSX, which is a superset but for a few old habits.
    JavaScript,
}

/// The facts of one file. `source` is UTF-8 without a byte order mark.
pub fn read(source: &str, dialect: Dialect, is_declaration: bool) -> FileFacts {
    thread_local! {
        static PARSERS: RefCell<[Option<tree_sitter::Parser>; 2]> = const { RefCell::new([None, None]) };
    }
    let grammar = Grammar::of(dialect);
    let tree = PARSERS.with_borrow_mut(|slots| {
        let slot = &mut slots[usize::from(dialect != Dialect::TypeScript)];
        let parser = slot.get_or_insert_with(|| {
            let mut parser = tree_sitter::Parser::new();
            // Fails for a grammar of another ABI only, and then no file has a tree.
            let _ = parser.set_language(&grammar.language);
            parser
        });
        repair::parse(parser, source, dialect)
    });
    let Some(tree) = tree else {
        return FileFacts { problems: vec![(Problem::Syntax, 1)], is_declaration, ..FileFacts::default() };
    };
    let mut facts = Lowering::new(source, grammar, dialect, is_declaration).file(&tree);
    facts.shrink();
    facts
}
