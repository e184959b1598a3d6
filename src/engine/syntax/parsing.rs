//! Parsing of texts and of parts of texts, within limits of time and memory.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Point, Tree};

use crate::diagnostic::Problem;

/// The number of steps that the parser may take for any text. A step is 100 operations of the parser.
const MIN_STEPS: usize = 5_000;
/// The number of steps that the parser may take for each 100 bytes of a text. Measured: code takes at most 3 steps,
/// text of another format 6.
const STEPS_PER_100_BYTES: usize = 12;
/// The size in bytes above which a text is large: the parser then keeps to the limits below, since its memory grows
/// with the nesting and with the number of alternative parses, by hundreds of bytes for each byte of the text.
const LARGE_BYTES: usize = 1024 * 1024;
/// The number of steps that the parser may be ahead of its position in a large text.
const LARGE_SLACK: usize = 5_000;
/// The number of steps that the parser may take for each 1,000 bytes of a large text, up to its position. Generated
/// code takes about 8.
const LARGE_STEPS_PER_1000_BYTES: usize = 12;
/// The greatest nesting of brackets in a large text. Brackets in strings and comments count, too.
const MAX_LARGE_NESTING: usize = 50_000;
/// The number of steps between two calls of the [`Watch`].
const STEPS_PER_CALL: usize = 500;

/// Why a file has no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParseError {
    /// The parser was stopped.
    TooSlow,
    /// A large text nests too deeply.
    TooDeep,
    /// The grammar does not fit the parser.
    NoTree,
}

impl ParseError {
    /// The problem that is recorded for the file.
    pub(super) fn problem(self) -> Problem {
        match self {
            Self::TooSlow => Problem::TooSlow,
            Self::TooDeep => Problem::TooDeep,
            Self::NoTree => Problem::Syntax,
        }
    }
}

/// A function that is called regularly while a file is parsed, and may stop the parser.
pub type Watch<'w> = dyn FnMut() -> ControlFlow<()> + 'w;

/// Parses a text. The parser is stopped if it takes more steps than a text of that size may take, or if `watch`
/// returns `Break`.
pub(super) fn parse(parser: &mut Parser, text: &str, watch: &mut Watch<'_>) -> Result<Tree, ParseError> {
    if text.len() > LARGE_BYTES && is_nested_too_deeply(text) {
        return Err(ParseError::TooDeep);
    }
    parse_within(max_steps(text), AtError::Recover, parser, 0, text, watch)
}

/// Parses a part of a text; `None` if the part has a syntax error. The positions of the tree are those of the whole text,
/// in which the part begins at `start`. The parser stops soon after the first error, because recovery from errors takes
/// longer than the rest.
pub(super) fn parse_valid_part(
    parser: &mut Parser,
    part: &str,
    start: TextPosition,
    watch: &mut Watch<'_>,
) -> Option<Tree> {
    let end = u32::MAX as usize;
    let included = tree_sitter::Range {
        start_byte: start.byte,
        end_byte: end,
        start_point: start.point,
        end_point: Point { row: end, column: end },
    };
    parser.set_included_ranges(&[included]).ok()?;
    let tree = parse_within(max_steps(part), AtError::Stop, parser, start.byte, part, watch);
    // No ranges mean the whole text.
    let _ = parser.set_included_ranges(&[]);
    tree.ok().filter(|tree| !tree.root_node().has_error())
}

/// A position in a text.
#[derive(Clone, Copy)]
pub(super) struct TextPosition {
    pub(super) byte: usize,
    /// The line and the column in bytes, both from 0.
    pub(super) point: Point,
}

impl TextPosition {
    /// The position of a byte. Counts the lines before it.
    pub(super) fn of(text: &str, byte: usize) -> Self {
        let start = Self { byte: 0, point: Point { row: 0, column: 0 } };
        start.advanced(text, byte)
    }

    /// The position of a byte that is not before this position. Counts the lines between them.
    pub(super) fn advanced(self, text: &str, byte: usize) -> Self {
        let between = &text.as_bytes()[self.byte..byte];
        let point = match memchr::memrchr(b'\n', between) {
            Some(end) => Point {
                row: self.point.row + memchr::memchr_iter(b'\n', between).count(),
                column: between.len() - end - 1,
            },
            None => Point { row: self.point.row, column: self.point.column + between.len() },
        };
        Self { byte, point }
    }
}

fn max_steps(text: &str) -> usize {
    MIN_STEPS + text.len() / 100 * STEPS_PER_100_BYTES
}

/// The reaction of the parser to a syntax error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AtError {
    /// The tree has an error node, and the nodes after it.
    Recover,
    /// There is no tree.
    Stop,
}

/// Parses a text whose first byte has the position `start` for the parser.
fn parse_within(
    max_steps: usize,
    at_error: AtError,
    parser: &mut Parser,
    start: usize,
    text: &str,
    watch: &mut Watch<'_>,
) -> Result<Tree, ParseError> {
    let bytes = text.as_bytes();
    let (mut steps, mut is_stopped) = (0, false);
    let is_large = text.len() > LARGE_BYTES;
    let mut step = |state: &ParseState| {
        steps += 1;
        let done = state.current_byte_offset().saturating_sub(start);
        let allowed = LARGE_SLACK + done / 1000 * LARGE_STEPS_PER_1000_BYTES;
        is_stopped = (at_error == AtError::Stop && state.has_error())
            || steps > max_steps
            || (is_large && steps > allowed)
            || (steps % STEPS_PER_CALL == 0 && watch().is_break());
        if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut step);
    let mut rest = |at: usize, _| at.checked_sub(start).and_then(|at| bytes.get(at..)).unwrap_or_default();
    let tree = parser.parse_with_options(&mut rest, None, Some(options));
    if is_stopped {
        // Otherwise the parser would continue with this text at the next call.
        parser.reset();
        return Err(ParseError::TooSlow);
    }
    tree.ok_or(ParseError::NoTree)
}

/// True if the brackets of a text nest too deeply for a large text.
fn is_nested_too_deeply(text: &str) -> bool {
    let mut depth = 0_usize;
    text.bytes().any(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > MAX_LARGE_NESTING
    })
}

/// The parser in `slot`, created for `language` on first use.
pub(super) fn parser<'p>(slot: &'p mut Option<Parser>, language: &tree_sitter::Language) -> &'p mut Parser {
    slot.get_or_insert_with(|| {
        let mut parser = Parser::new();
        // This fails only for a grammar of an incompatible ABI version. The parser then returns no tree for any file.
        let _ = parser.set_language(language);
        parser
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parser_stops_at_the_limit_and_then_parses_another_text() {
        let mut slot = None;
        let parser = parser(&mut slot, &tree_sitter_python::LANGUAGE.into());
        let text = "f(".repeat(10_000);
        let mut go_on = || ControlFlow::Continue(());
        assert_eq!(parse_within(100, AtError::Recover, parser, 0, &text, &mut go_on).err(), Some(ParseError::TooSlow));
        assert!(
            parse_within(100, AtError::Recover, parser, 0, "f(1)\n", &mut go_on)
                .is_ok_and(|tree| !tree.root_node().has_error())
        );
        assert!(parse_within(1_000, AtError::Recover, parser, 0, &text, &mut go_on).is_ok());
        let mut calls = 0;
        let mut stop = || {
            calls += 1;
            if calls == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        assert_eq!(parse(parser, &"f(".repeat(100_000), &mut stop).err(), Some(ParseError::TooSlow));
        assert_eq!(calls, 2);
    }

    #[test]
    fn a_large_text_that_would_take_much_memory_is_not_parsed() {
        let mut slot = None;
        let parser = parser(&mut slot, &tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into());
        for (text, error) in [("f(", ParseError::TooDeep), ("a<a<a<a<a<a<a<\n", ParseError::TooSlow)] {
            let large = text.repeat(LARGE_BYTES / text.len() + 2);
            assert_eq!(parse(parser, &large, &mut || ControlFlow::Continue(())).err(), Some(error), "{text}");
        }
        let code = "/** A model, as the server of the generated client sends it. */\nexport interface Model { name: string }\n";
        let large = code.repeat(LARGE_BYTES / code.len() + 2);
        assert!(parse(parser, &large, &mut || ControlFlow::Continue(())).is_ok());
    }

    #[test]
    fn a_text_that_is_hard_to_parse_is_within_the_limit() {
        let mut slot = None;
        let parser = parser(&mut slot, &tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into());
        for text in ["(", "a<", "'\" `\n", "<T,>(x)=>", "<a b=\"c\">It's {x}</a>\n"] {
            let tree = parse(parser, &text.repeat(60_000 / text.len()), &mut || ControlFlow::Continue(()));
            assert!(tree.is_ok(), "{text}");
        }
    }
}
