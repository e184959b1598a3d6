//! Parsing and lowering: from the text of one file to its facts, which are its definitions, bindings, imports and
//! calls. Each language has a folder with facts of its own; the other files are shared by all languages.
//!
//! **Architecture invariant.** The facts of a file depend on the bytes of that file alone, never on its path or on
//! other files, so that files can be lowered in parallel and facts can be cached by content.

mod grammar;
mod kept_texts;
mod long_runs;
mod mentions;
mod names;
mod parsing;
mod pieces;
pub mod python;
mod text;
pub mod texts;
pub(crate) mod tokens;
mod tree;
pub mod typescript;

use std::ops::ControlFlow;

use tree_sitter::Tree;

use apidisc_base::{
    diagnostic::{LineRange, Problem},
    language::Language,
};

pub use parsing::{Watch, count_allocation};

/// The greatest number of parameters of a function that are read. It bounds the work for each call of the function.
pub const MAX_PARAMETERS: usize = 4096;

/// The greatest number of members of a declaration that are read. Positions of members take two bytes.
pub const MAX_MEMBERS: usize = u16::MAX as usize;

/// Adds a problem of a file with its line, from 1. Only the first problem of each kind is kept.
fn record_problem(problems: &mut Vec<(Problem, LineRange)>, problem: Problem, line: u32) {
    if !problems.iter().any(|(known, _)| *known == problem) {
        problems.push((problem, line.into()));
    }
}

/// A text that identifies the grammars from which facts are made: the version and the ABI version of each, and its
/// numbers of node kinds and parser states.
pub fn grammars() -> String {
    let grammars = [
        tree_sitter_python::LANGUAGE,
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        tree_sitter_typescript::LANGUAGE_TSX,
    ];
    let describe = |grammar| {
        let language = tree_sitter::Language::new(grammar);
        let version =
            language.metadata().map(|version| (version.major_version, version.minor_version, version.patch_version));
        format!(
            "{version:?} {} {} {}\n",
            language.abi_version(),
            language.node_kind_count(),
            language.parse_state_count()
        )
    };
    grammars.into_iter().map(describe).collect()
}

/// The syntax tree of a piece of code. The extension of `path` decides the dialect; code of a document is parsed as
/// TypeScript, and as TSX if that gives syntax errors. `None` if the parser exceeds its limits.
pub fn tree_of(code: &str, path: &str, language: Language) -> Option<Tree> {
    let watch = &mut || ControlFlow::Continue(());
    match language {
        Language::Python => python::parse(code, watch).ok(),
        Language::TypeScript => {
            let dialect = typescript::Dialect::of_code(path);
            let tree = typescript::parse(code, dialect.unwrap_or(typescript::Dialect::TypeScript), watch).ok()?;
            if dialect.is_some() || !tree.root_node().has_error() {
                return Some(tree);
            }
            typescript::parse(code, typescript::Dialect::Tsx, watch).ok()
        }
    }
}
