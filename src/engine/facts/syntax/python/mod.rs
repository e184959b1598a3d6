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
mod forwards;
mod grammar;
mod imports;
mod lower;
mod made_classes;
mod match_statements;
mod mentions;
mod patterns;
mod reads;
mod setup_script;
mod statements;
mod static_conditions;
mod strings;
mod text;
pub(super) mod tokens;
mod type_aliases;
mod type_comments;

use std::{
    borrow::Cow,
    cell::RefCell,
    ops::{ControlFlow, Range},
};

use tree_sitter::{Parser, Tree};

use crate::syntax::{
    long_runs,
    parsing::{self, Guard, ParseError, TextPosition, Watch},
    pieces::{self, Failures, Part},
    tokens::{Token, TokenKind, end_of_line},
};
use facts::FileFacts;
use grammar::grammar;
use lower::Lowering;
use tokens::tokens;

pub use setup_script::{SetupArguments, setup_arguments};

/// The facts of one Python file. `source` is UTF-8 without a byte order mark.
pub fn read(source: &str) -> FileFacts {
    read_watched(source, &mut || ControlFlow::Continue(()))
}

/// The facts of one Python file. While the parser runs, `watch` is called regularly and may stop the parser.
pub fn read_watched(source: &str, watch: &mut Watch<'_>) -> FileFacts {
    let guard = &mut Guard::new(source, watch);
    let text = without_long_runs(source);
    let pieces = pieces::of_text(&text, tokens(&text), Statements::default());
    let mut failures = Failures::default();
    let split = |text: &str| pieces::of_broken(text, tokens(text));
    let parse = |part: Part, guard: &mut Guard<'_>| {
        with_parser(|parser| parsing::parse_part(parser, &text, part, guard)).map(|tree| vec![tree])
    };
    let mut facts = lower(source, pieces::trees(&text, pieces, guard, &mut failures, split, parse));
    failures.add_to(&mut facts.problems);
    facts
}

/// The facts of a text; `None` if it is not valid syntax.
pub fn read_valid(source: &str, watch: &mut Watch<'_>) -> Option<FileFacts> {
    let tree = parse(source, watch).ok()?;
    (!tree.root_node().has_error()).then(|| lower(source, [tree]))
}

/// The facts of parts of a text, each a program of its own syntax, one below the other, and for each part whether it is
/// valid syntax. The others have no facts.
pub fn read_parts(source: &str, parts: &[Range<usize>], watch: &mut Watch<'_>) -> (FileFacts, Vec<bool>) {
    let guard = &mut Guard::new(source, watch);
    let mut start = TextPosition::of(source, 0);
    let parse = |part: &Range<usize>| {
        start = start.advanced(source, part.start);
        let code = without_long_runs(&source[part.clone()]);
        with_parser(|parser| parsing::parse_valid_part(parser, &code, start, guard))
    };
    let mut are_valid = Vec::with_capacity(parts.len());
    let valid = parts.iter().map(parse).inspect(|tree| are_valid.push(tree.is_some())).flatten();
    let facts = lower(source, valid);
    (facts, are_valid)
}

/// The syntax tree of a text.
pub fn parse(source: &str, watch: &mut Watch<'_>) -> Result<Tree, ParseError> {
    let text = without_long_runs(source);
    with_parser(|parser| parsing::parse(parser, &text, &mut Guard::new(&text, watch)))
}

/// The text that the parser gets, in which long runs of comments and literals are blank.
fn without_long_runs(source: &str) -> Cow<'_, str> {
    let has_runs = long_runs::may_have(source, |max| has_comment_lines(source, max));
    let text = if has_runs { long_runs::blank(source, tokens(source)) } else { Cow::Borrowed(source) };
    // At the end of a text, the grammar reads `match [x]:` as an annotation of the item `match[x]`; with a statement
    // after it, it does not.
    if ends_in_match_of_list(&text) { Cow::Owned(text.into_owned() + "\npass\n") } else { text }
}

/// True if more than `max` lines in a row may be comments, apart from blank lines. A line of a string is taken for one,
/// too, and so is the line before them if it ends in a comment.
fn has_comment_lines(source: &str, max: usize) -> bool {
    let text = source.as_bytes();
    let (mut count, mut end) = (0, 0);
    memchr::memchr_iter(b'#', text).any(|at| {
        if at < end {
            return false;
        }
        // A backslash at the end of a line joins two lines, so that it counts as white space.
        let is_next = text[end..at].iter().all(|byte| byte.is_ascii_whitespace() || *byte == b'\\');
        count = if is_next { count + 1 } else { 1 };
        end = end_of_line(text, at);
        count > max
    })
}

/// True if the last statement of a text, or of a block at its end, may be a `match` statement with a list as subject.
fn ends_in_match_of_list(text: &str) -> bool {
    let mut least = usize::MAX;
    for line in text.lines().rev() {
        let code = line.trim_start();
        if code.is_empty() || code.starts_with('#') {
            continue;
        }
        let indent = line.len() - code.len();
        let subject = code.strip_prefix("match").map(str::trim_start);
        if indent < least && subject.is_some_and(|subject| subject.starts_with('[')) {
            return !text.ends_with('\\');
        }
        least = least.min(indent);
        if indent == 0 {
            break;
        }
    }
    false
}

/// Where the statements of a module begin.
#[derive(Default)]
struct Statements {
    /// True if the last statement is a decorator, which belongs to the next one.
    is_decorator: bool,
}

impl pieces::Statements for Statements {
    fn begins(&mut self, text: &str, _: Option<&Token>, at: &Token) -> bool {
        let code = &text[at.range.clone()];
        let continues = matches!(code, "elif" | "else" | "except" | "finally" | "case")
            || at.kind == TokenKind::Close
            || text[..at.range.start].trim_end_matches(['\r', '\n']).ends_with('\\');
        !continues && !std::mem::replace(&mut self.is_decorator, code == "@")
    }
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

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::{Guard, Statements, has_comment_lines, pieces, read, tokens, with_parser, without_long_runs};
    use crate::syntax::parsing;
    use apidisc_base::diagnostic::Problem;

    #[test]
    fn a_large_text_is_cut_between_statements() {
        let code =
            "@d\nclass C:\n    x = '''\ny\n'''\n    if x: pass\nif a:\n    b = (\n1)\nelse:\n    c = 1 + \\\n2\n";
        let text = code.repeat(20_000);
        let pieces = pieces::of_text(&text, tokens(&text), Statements::default());
        assert!(pieces.len() > 2 && pieces.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!((pieces[0].start, pieces[pieces.len() - 1].end), (0, text.len()));
        for piece in pieces {
            assert!(piece.len() <= 512 * 1024);
            assert!(text[piece.clone()].starts_with("@d") || text[piece].starts_with("if a"));
        }
    }

    #[test]
    fn an_error_in_a_large_text_costs_its_part_alone() {
        let text = "def f(a): ...\nf(1)\n".repeat(30_000) + "x = (}\n" + &"f(1)\n".repeat(130_000);
        let facts = read(&text);
        assert!(facts.calls.len() > 150_000, "{}", facts.calls.len());
        assert!(facts.problems.iter().all(|(problem, lines)| *problem == Problem::Syntax && lines.first > 50_000));
        assert!(!facts.problems.is_empty());
    }

    /// The number of bytes that the parser gets to parse a text.
    fn scanned(text: &str) -> usize {
        let mut go_on = || ControlFlow::Continue(());
        let text = without_long_runs(text);
        let guard = &mut Guard::new(&text, &mut go_on);
        let before = guard.scanned();
        with_parser(|parser| parsing::parse(parser, &text, guard)).expect("a tree");
        before - guard.scanned()
    }

    #[test]
    fn comments_are_in_a_row_if_no_code_is_between_them() {
        for text in ["# a\n".repeat(3), "x = '#' # a\n\n  # b\r\n\\\n\t# c # d".to_owned(), "x\n#\n#\n#".to_owned()] {
            assert!(has_comment_lines(&text, 2) && !has_comment_lines(&text, 3), "{text}");
        }
        assert!(!has_comment_lines(&"x = 1 # a # b\n".repeat(9), 1));
    }

    #[test]
    fn long_runs_are_scanned_a_constant_number_of_times() {
        let rows: [(&str, &str, &str); 9] = [
            ("f(1)\n", "# a\n", ""),
            ("def g():\n    f(1)\n", "    # a\n# b\n\n", "    f(2)\n"),
            ("if a:\n if b:\n  if c:\n   f(1)\n", "\n", "f(2)\n"),
            ("x = [\n", "# a\n", "]\n"),
            ("x = \"\"\"", "# a\n", "\"\"\"\n"),
            ("x = f\"\"\"", "# {a}\n", "\"\"\"\n"),
            ("x = (", "'a'\n", ")\n"),
            ("", "\"\"\"a\"\"\"\n", ""),
            ("", "if a:\n  if b:\n    f(1)\n", ""),
        ];
        for (before, run, after) in rows {
            let bytes = |size: usize| scanned(&format!("{before}{}{after}", run.repeat(size)));
            let (once, twice) = (bytes(30_000), bytes(60_000));
            assert!(twice * 10 <= once * 23, "{run}: {once}, {twice}");
        }
    }
}
