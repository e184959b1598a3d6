//! Lowering of TypeScript and JavaScript: from the concrete syntax tree of a file to its facts.
//!
//! A cursor walks the tree once, and the tree is dropped afterwards. Names are resolved after the walk, since a name
//! may be used before its declaration (hoisting). The recursion depth is limited: code that is nested deeper is left
//! out of the facts, and the rest of the file is lowered.

mod added_members;
mod arguments;
mod assignments;
mod branches;
mod calls;
mod classes;
mod code_positions;
mod comment_types;
mod compiled_exports;
mod conditions;
mod consequences;
mod context;
mod control;
mod declarations;
mod documented_shapes;
mod documented_types;
mod elisions;
mod expected_errors;
mod expressions;
pub mod facts;
mod first_statements;
mod functions;
mod grammar;
mod grammar_gaps;
mod growing_arrays;
mod joined_branches;
mod jsx;
mod jsx_gaps;
mod keyword_names;
mod lower;
mod mentions;
mod modules;
mod name_resolution;
mod narrowing;
mod objects;
mod operators;
mod parameters;
mod parts;
mod patterns;
mod prototypes;
mod reads;
mod resume;
mod signatures;
mod statements;
mod strings;
#[cfg(test)]
mod tests;
mod text;
pub(crate) mod tokens;
mod type_gaps;
mod type_operators;
mod types;
mod walk;

use std::{
    borrow::Cow,
    cell::RefCell,
    ops::{ControlFlow, Range},
};

use tree_sitter::{Parser, Tree};

use crate::syntax::{
    parsing::{self, Guard, ParseError, TextPosition, Watch},
    pieces::{self, Failures, Part},
    tokens::{Token, TokenKind},
};
use comment_types::CommentTypes;
use facts::FileFacts;
use grammar::grammar;
use lower::Lowering;
use tokens::tokens;

/// The dialect of a file, which determines the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `.ts`, `.mts`, `.cts` and their `.d.ts` forms.
    TypeScript,
    /// `.tsx`.
    Tsx,
    /// `.js`, `.jsx`, `.mjs`, `.cjs`: parsed as TSX, which is a superset except for rare legacy syntax.
    JavaScript,
}

impl Dialect {
    /// The dialect of a file, by the ending of its path.
    pub fn of_path(path: &str) -> Self {
        Self::of_code(path).unwrap_or(Self::JavaScript)
    }

    /// The dialect of a file of code; `None` for any other file.
    pub(crate) fn of_code(path: &str) -> Option<Self> {
        Some(match path.rsplit_once('.')?.1 {
            "tsx" => Self::Tsx,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "js" | "jsx" | "mjs" | "cjs" => Self::JavaScript,
            _ => return None,
        })
    }
}

/// The facts of one file. `source` must not begin with a byte order mark. `is_declaration` is true for declaration
/// files (`.d.ts`).
pub fn read(source: &str, dialect: Dialect, is_declaration: bool) -> FileFacts {
    read_watched(source, dialect, is_declaration, &mut || ControlFlow::Continue(()))
}

/// The facts of one file, as [`read`] returns them. `watch` is called while a file is parsed that takes long, and may
/// stop the parser.
pub fn read_watched(source: &str, dialect: Dialect, is_declaration: bool, watch: &mut Watch<'_>) -> FileFacts {
    let guard = &mut Guard::new(source, watch);
    let text = grammar_gaps::masked(source, dialect);
    let pieces = pieces::of_text(&text, tokens(&text), Statements::default());
    let mut failures = Failures::default();
    let split = |text: &str| pieces::of_broken(text, tokens(text));
    let parse = |part: Part, guard: &mut Guard<'_>| {
        with_parser(dialect, |parser| {
            let (tree, patched) = grammar_gaps::parse(parser, Cow::Borrowed(&text), part, dialect, guard)?;
            let is_whole = part.1.byte - part.0.byte == text.len();
            let trees = if is_whole { resume::parse_pieces(parser, &patched, &tree, guard) } else { None };
            Ok(trees.unwrap_or_else(|| vec![tree]))
        })
    };
    let trees = pieces::trees(&text, pieces, guard, &mut failures, split, parse);
    let mut facts = lower(source, trees, dialect, is_declaration);
    failures.add_to(&mut facts.problems);
    facts
}

/// The facts of a text that is no declaration file; `None` if it is not valid syntax.
pub fn read_valid(source: &str, dialect: Dialect, watch: &mut Watch<'_>) -> Option<FileFacts> {
    let tree = parse(source, dialect, watch).ok()?;
    (!tree.root_node().has_error()).then(|| lower(source, [tree], dialect, false))
}

/// The facts of parts of a text, each a program of its own syntax, and for each part whether it is valid syntax. The
/// others have no facts.
///
/// Each part contains the next one as a block contains an inner block: a part may use the names that the parts before
/// it declare, and may declare them again. `first` is the dialect that is tried first, TypeScript or TSX.
pub fn read_nested_parts(
    source: &str,
    parts: &[Range<usize>],
    first: Dialect,
    watch: &mut Watch<'_>,
) -> (FileFacts, Vec<bool>) {
    let (dialect, trees) = parts::parse(source, parts, first, &mut Guard::new(source, watch));
    let are_valid = trees.iter().map(Option::is_some).collect();
    let trees: Vec<Tree> = trees.into_iter().flatten().collect();
    let mut facts = Lowering::new(source, grammar(dialect), dialect, false).lower_nested(&trees);
    facts.shrink();
    (facts, are_valid)
}

/// The syntax tree of a text.
pub fn parse(source: &str, dialect: Dialect, watch: &mut Watch<'_>) -> Result<Tree, ParseError> {
    let text = grammar_gaps::masked(source, dialect);
    let guard = &mut Guard::new(source, watch);
    let whole = (TextPosition::of(&text, 0), TextPosition::of(&text, text.len()));
    with_parser(dialect, |parser| grammar_gaps::parse(parser, text, whole, dialect, guard).map(|(tree, _)| tree))
}

/// The syntax tree of a part of a text, with positions in the whole text; `None` if it is not valid syntax by itself.
fn parse_part(source: &str, part: Range<usize>, dialect: Dialect) -> Option<Tree> {
    let watch = &mut || ControlFlow::Continue(());
    let guard = &mut Guard::new(&source[part.clone()], watch);
    let tree = with_parser(dialect, |parser| resume::parse_range(parser, source, part, guard))?;
    (!tree.root_node().has_error()).then_some(tree)
}

/// Where the statements of a module begin.
#[derive(Default)]
struct Statements {
    /// True if the last statement begins with a decorator.
    is_decorated: bool,
}

impl pieces::Statements for Statements {
    fn begins(&mut self, text: &str, before: Option<&Token>, at: &Token) -> bool {
        let code = &text[at.range.clone()];
        let is_ended = before.is_none_or(|before| text[before.range.clone()].ends_with([';', '}']));
        let is_word = at.kind == TokenKind::Word && !resume::continues(code);
        let begins = is_ended && (is_word || code == "@") || is_word && resume::declares(code);
        begins && !std::mem::replace(&mut self.is_decorated, code == "@")
    }
}

/// Runs `f` with the parser of this thread for a dialect.
fn with_parser<T>(dialect: Dialect, f: impl FnOnce(&mut Parser) -> T) -> T {
    thread_local! {
        static PARSERS: RefCell<[Option<Parser>; 2]> = const { RefCell::new([None, None]) };
    }
    let language = &grammar(dialect).language;
    PARSERS.with_borrow_mut(|slots| {
        let slot = &mut slots[usize::from(dialect != Dialect::TypeScript)];
        f(parsing::parser(slot, language))
    })
}

fn lower(source: &str, trees: impl IntoIterator<Item = Tree>, dialect: Dialect, is_declaration: bool) -> FileFacts {
    let watch = &mut || ControlFlow::Continue(());
    let guard = &mut Guard::new(source, watch);
    let comments = match dialect {
        Dialect::JavaScript => with_parser(dialect, |parser| CommentTypes::read(parser, source, guard)),
        Dialect::TypeScript | Dialect::Tsx => None,
    };
    let mut lowering = Lowering::new(source, grammar(dialect), dialect, is_declaration);
    lowering.comment_types = comments.as_ref().map(CommentTypes::typed_tags).unwrap_or_default();
    lowering.facts.has_comment_types = comments.is_some();
    let mut facts = lowering.lower_file(trees);
    facts.shrink();
    facts
}
