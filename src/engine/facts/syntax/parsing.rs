//! Parsing of texts and of parts of texts, within limits of time and memory.
//!
//! No limit is a time, so that a text has the same facts on each machine. The parser reports its steps, but neither a
//! scan of one token, which may read the text to its end, nor a recovery from an error, which may look at all of its
//! stack, is a step. The bytes that the scanners get are counted as the parser asks for them. Recovery makes nodes,
//! whose allocations are counted where the allocator calls [`count_allocation`].

use std::{cell::Cell, ops::ControlFlow};

use tree_sitter::{ParseOptions, ParseState, Parser, Point, Tree};

use apidisc_base::diagnostic::Problem;

/// The number of steps that the parser may take for any text. A step is 100 operations of the parser.
const MIN_STEPS: usize = 5_000;
/// The number of steps that the parser may take for each 100 bytes of a text. Measured: code takes at most 3 steps,
/// text of another format 6.
const STEPS_PER_100_BYTES: usize = 12;
/// The size in bytes above which a text is large: the parser then keeps to the limits below, since its memory grows
/// with the nesting and with the number of alternative parses, by hundreds of bytes for each byte of the text.
pub(super) const LARGE_BYTES: usize = 1024 * 1024;
/// The number of steps that the parser may be ahead of its position in a large text.
const LARGE_SLACK: usize = 5_000;
/// The number of steps that the parser may take for each 1,000 bytes of a large text, up to its position. Generated
/// code takes about 8, tables of calls 17.
const LARGE_STEPS_PER_1000_BYTES: usize = 25;
/// The greatest nesting of brackets in a large text. Brackets in strings and comments count, too.
const MAX_LARGE_NESTING: usize = 50_000;
/// The number of steps between two calls of the [`Watch`].
const STEPS_PER_CALL: usize = 500;
/// The number of bytes that the parser gets at once.
const CHUNK: usize = 4096;
/// The number of bytes that the parser may get for any text, and for each byte of a text. Measured: code takes 3.
const MIN_SCANNED: usize = 16 * 1024 * 1024;
const SCANNED_PER_BYTE: usize = 8;
/// The number of allocations that the parser may make for any text, and for each byte of a text. Measured: valid code
/// takes at most 1 for each byte, most broken code 5. A million take half a second.
const MIN_ALLOCATIONS: usize = 1_000_000;
const ALLOCATIONS_PER_BYTE: usize = 2;

/// Why a file has no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// The parser was stopped.
    TooSlow,
    /// A large text nests too deeply.
    TooDeep,
    /// The text has a syntax error, and the work of recovering from errors is used up.
    Invalid,
    /// The grammar does not fit the parser.
    NoTree,
}

impl ParseError {
    /// The problem that is recorded for the file.
    pub(super) fn problem(self) -> Problem {
        match self {
            Self::TooSlow => Problem::TooSlow,
            Self::TooDeep => Problem::TooDeep,
            Self::Invalid | Self::NoTree => Problem::Syntax,
        }
    }
}

/// A function that is called regularly while a file is parsed, and may stop the parser.
pub type Watch<'w> = dyn FnMut() -> ControlFlow<()> + 'w;

/// The limits of the work for one file, and the function that may stop it.
pub(super) struct Guard<'w> {
    watch: &'w mut Watch<'w>,
    /// The bytes that the parser may still get.
    scanned: usize,
    /// The allocations that the parser may still make.
    allocations: usize,
    /// True after the watch has stopped the parser.
    is_cancelled: bool,
}

impl<'w> Guard<'w> {
    /// The limits for a file with this text.
    pub(super) fn new(text: &str, watch: &'w mut Watch<'_>) -> Self {
        let mut guard = Self { watch, scanned: 0, allocations: 0, is_cancelled: false };
        guard.renew(text);
        guard
    }

    /// True if the watch has stopped the parser.
    pub(super) fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    /// The bytes that the parser may still get.
    #[cfg(test)]
    pub(super) fn scanned(&self) -> usize {
        self.scanned
    }

    /// Allows the work once more, for another way to parse the file.
    pub(super) fn renew(&mut self, text: &str) {
        self.scanned = MIN_SCANNED + SCANNED_PER_BYTE * text.len();
        self.allocations = MIN_ALLOCATIONS + ALLOCATIONS_PER_BYTE * text.len();
    }
}

thread_local! {
    /// The number of allocations on this thread.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// Counts an allocation of the parser on this thread. An allocator that is handed to the parser calls this function, so
/// that the parser can be stopped when it takes too much work to recover from errors.
pub fn count_allocation() {
    ALLOCATIONS.set(ALLOCATIONS.get().wrapping_add(1));
}

/// Parses a text. The parser is stopped if it takes more work than a text of that size may take, or if the watch of
/// `guard` stops it.
pub(super) fn parse(parser: &mut Parser, text: &str, guard: &mut Guard<'_>) -> Result<Tree, ParseError> {
    if text.len() > LARGE_BYTES && is_nested_too_deeply(text) {
        return Err(ParseError::TooDeep);
    }
    parse_within(max_steps(text.len()), AtError::Recover, parser, 0, text, guard)
}

/// Parses a part of a text. The positions of the tree are those of the whole text.
pub(super) fn parse_part(
    parser: &mut Parser,
    text: &str,
    (start, end): (TextPosition, TextPosition),
    guard: &mut Guard<'_>,
) -> Result<Tree, ParseError> {
    let part = &text[start.byte..end.byte];
    if part.len() > LARGE_BYTES && is_nested_too_deeply(part) {
        return Err(ParseError::TooDeep);
    }
    let at_error = if guard.allocations > 0 { AtError::Recover } else { AtError::Stop };
    if part.len() == text.len() {
        return parse_within(max_steps(part.len()), at_error, parser, 0, text, guard);
    }
    within_range(parser, start, end, |parser| {
        parse_within(max_steps(part.len()), at_error, parser, start.byte, part, guard)
    })
}

/// Parses a part of a text; `None` if the part has a syntax error. The positions of the tree are those of the whole
/// text, in which the part begins at `start`. The parser stops soon after the first error, because recovery from errors
/// takes longer than the rest.
pub(super) fn parse_valid_part(
    parser: &mut Parser,
    part: &str,
    start: TextPosition,
    guard: &mut Guard<'_>,
) -> Option<Tree> {
    let end = u32::MAX as usize;
    let end = TextPosition { byte: end, point: Point { row: end, column: end } };
    let tree = within_range(parser, start, end, |parser| {
        parse_within(max_steps(part.len()), AtError::Stop, parser, start.byte, part, guard)
    });
    tree.ok().filter(|tree| !tree.root_node().has_error())
}

/// Runs `parse` with a parser that reads only a range of its text.
fn within_range<T>(
    parser: &mut Parser,
    start: TextPosition,
    end: TextPosition,
    parse: impl FnOnce(&mut Parser) -> Result<T, ParseError>,
) -> Result<T, ParseError> {
    let included = tree_sitter::Range {
        start_byte: start.byte,
        end_byte: end.byte,
        start_point: start.point,
        end_point: end.point,
    };
    parser.set_included_ranges(&[included]).map_err(|_| ParseError::NoTree)?;
    let result = parse(parser);
    // No ranges mean the whole text.
    let _ = parser.set_included_ranges(&[]);
    result
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

fn max_steps(bytes: usize) -> usize {
    MIN_STEPS + bytes / 100 * STEPS_PER_100_BYTES
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
    guard: &mut Guard<'_>,
) -> Result<Tree, ParseError> {
    let bytes = text.as_bytes();
    let is_large = text.len() > LARGE_BYTES;
    let (is_stopped, scanned) = (Cell::new(guard.is_cancelled), Cell::new(guard.scanned));
    let (mut steps, mut is_invalid, counted) = (0, false, ALLOCATIONS.get());
    let mut step = |state: &ParseState| {
        steps += 1;
        let done = state.current_byte_offset().saturating_sub(start);
        let allocated = ALLOCATIONS.get().wrapping_sub(counted);
        guard.is_cancelled |= steps % STEPS_PER_CALL == 0 && (guard.watch)().is_break();
        let allowed = LARGE_SLACK + done / 1000 * LARGE_STEPS_PER_1000_BYTES;
        is_invalid = state.has_error() && at_error == AtError::Stop;
        let stops = guard.is_cancelled
            || is_invalid
            || at_error == AtError::Recover && allocated > guard.allocations
            || steps > max_steps
            || (is_large && steps > allowed);
        is_stopped.set(is_stopped.get() || stops);
        if is_stopped.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut step);
    let mut chunk = |at: usize, _| {
        let rest = at.checked_sub(start).and_then(|at| bytes.get(at..)).unwrap_or_default();
        let chunk = &rest[..rest.len().min(CHUNK)];
        let left = scanned.get().checked_sub(chunk.len());
        scanned.set(left.unwrap_or_default());
        is_stopped.set(is_stopped.get() || left.is_none());
        // Without more text the parser soon ends.
        if is_stopped.get() { &[][..] } else { chunk }
    };
    let tree = parser.parse_with_options(&mut chunk, None, Some(options));
    guard.scanned = scanned.get();
    guard.allocations = guard.allocations.saturating_sub(ALLOCATIONS.get().wrapping_sub(counted));
    if is_stopped.get() {
        // Otherwise the parser would continue with this text at the next call.
        parser.reset();
        return Err(if is_invalid { ParseError::Invalid } else { ParseError::TooSlow });
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

    /// Parses with the limits of a text of its own.
    fn parsed(parser: &mut Parser, text: &str) -> Result<Tree, ParseError> {
        parse(parser, text, &mut Guard::new(text, &mut || ControlFlow::Continue(())))
    }

    #[test]
    fn the_parser_stops_at_the_limit_and_then_parses_another_text() {
        let mut slot = None;
        let parser = parser(&mut slot, &tree_sitter_python::LANGUAGE.into());
        let text = "f(".repeat(10_000);
        let mut go_on = || ControlFlow::Continue(());
        let guard = &mut Guard::new(&text, &mut go_on);
        assert_eq!(parse_within(100, AtError::Recover, parser, 0, &text, guard).err(), Some(ParseError::TooSlow));
        assert!(
            parse_within(100, AtError::Recover, parser, 0, "f(1)\n", guard)
                .is_ok_and(|tree| !tree.root_node().has_error())
        );
        assert!(parse_within(1_000, AtError::Recover, parser, 0, &text, guard).is_ok());
        let mut calls = 0;
        let mut stop = || {
            calls += 1;
            if calls == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let text = "f(".repeat(100_000);
        let guard = &mut Guard::new(&text, &mut stop);
        assert_eq!(parse(parser, &text, guard).err(), Some(ParseError::TooSlow));
        assert!(guard.is_cancelled() && parse(parser, "f(1)\n", guard).is_err());
        assert_eq!(calls, 2);
    }

    #[test]
    fn a_large_text_that_would_take_much_memory_is_not_parsed() {
        let mut slot = None;
        let parser = parser(&mut slot, &tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into());
        for (text, error) in [("f(", ParseError::TooDeep), ("a<a<a<a<a<a<a<\n", ParseError::TooSlow)] {
            let large = text.repeat(LARGE_BYTES / text.len() + 2);
            assert_eq!(parsed(parser, &large).err(), Some(error), "{text}");
        }
        let code = "/** A model, as the server of the generated client sends it. */\nexport interface Model { name: string }\n";
        let large = code.repeat(LARGE_BYTES / code.len() + 2);
        assert!(parsed(parser, &large).is_ok());
    }

    #[test]
    fn a_text_that_is_hard_to_parse_is_within_the_limit() {
        let mut slot = None;
        let parser = parser(&mut slot, &tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into());
        for text in ["(", "a<", "'\" `\n", "<T,>(x)=>", "<a b=\"c\">It's {x}</a>\n"] {
            let tree = parsed(parser, &text.repeat(60_000 / text.len()));
            assert!(tree.is_ok(), "{text}");
        }
    }
}
