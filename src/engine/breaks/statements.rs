//! The statements of Python code as text: each with its indentation, over as many lines as it has.
//!
//! The texts come from files that parse, of which only the parts around what is used are looked at. So this is a scan
//! for strings, comments and brackets, and no parser. Text that is no Python gives statements that mean nothing; it
//! breaks nothing.

/// A statement, or the head of one that has a block: `if x:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Statement<'t> {
    /// The number of spaces and tabs before it. A form feed begins the indentation anew, as in Python.
    pub(crate) indent: usize,
    /// Its text, without the indentation and without a comment behind it.
    pub(crate) text: &'t str,
}

/// The statements of a text, in order.
pub(crate) fn statements(text: &str) -> Vec<Statement<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\x0c']).len();
        let indent = blank - rest[..blank].rfind('\x0c').map_or(0, |at| at + 1);
        let begin = at + blank;
        let (end, next) = end_of_statement(text, begin);
        let statement = text[begin..end].trim_end();
        if !statement.is_empty() {
            found.push(Statement { indent, text: statement });
        }
        at = next;
    }
    found
}

/// The end of the statement that begins at `begin`, and the begin of the next line.
fn end_of_statement(text: &str, begin: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let mut at = begin;
    let mut depth = 0_usize;
    let mut end = None;
    while at < bytes.len() {
        match bytes[at] {
            b'\n' if depth == 0 => return (end.unwrap_or(at), at + 1),
            b'\\' => at += 1,
            b'#' => {
                if depth == 0 {
                    end = Some(at);
                }
                at = end_of_line(text, at);
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' | b'\'' => {
                at = end_of_string(text, at);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    (end.unwrap_or(text.len()), text.len())
}

/// The end of the line that `at` is in.
fn end_of_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |length| at + length)
}

/// The end of the string literal whose first quote is at `begin`.
pub(crate) fn end_of_string(text: &str, begin: usize) -> usize {
    let bytes = text.as_bytes();
    let quote = bytes[begin];
    let is_long = bytes[begin..].starts_with(&[quote; 3]);
    let mut at = begin + if is_long { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' if !is_long => return at,
            byte if byte == quote && !is_long => return at + 1,
            byte if byte == quote && bytes[at..].starts_with(&[quote; 3]) => return at + 3,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The statements of the block below the head at `at`.
pub(crate) fn block<'s, 't>(statements: &'s [Statement<'t>], at: usize) -> &'s [Statement<'t>] {
    let Some(head) = statements.get(at) else { return &[] };
    let rest = &statements[at + 1..];
    let len = rest.iter().position(|statement| statement.indent <= head.indent).unwrap_or(rest.len());
    &rest[..len]
}

/// The statements of a block that are in no inner block, each with its position.
pub(crate) fn direct<'s, 't>(block: &'s [Statement<'t>]) -> impl Iterator<Item = (usize, Statement<'t>)> + 's {
    let indent = block.iter().map(|statement| statement.indent).min().unwrap_or_default();
    block.iter().copied().enumerate().filter(move |(_, statement)| statement.indent == indent)
}

/// The callee and the arguments of a statement that is a call, as in `warnings.warn("x")`.
pub(crate) fn call(text: &str) -> Option<(&str, &str)> {
    let (callee, arguments) = text.split_once('(')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    (!callee.is_empty() && callee.chars().all(is_name)).then_some((callee, arguments))
}

/// The parts of a text between separators that stand in no brackets, no string and no comment. Comments before and
/// behind a part do not belong to it.
pub(crate) fn parts(text: &str, separator: u8) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    // A part goes from `begin` to `end`, and is empty as long as they are equal.
    let (mut at, mut begin, mut end, mut depth) = (0, 0, 0, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'#' => {
                let next = end_of_line(text, at);
                if begin == end {
                    (begin, end) = (next, next);
                }
                at = next;
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => break,
            b')' | b']' | b'}' => depth -= 1,
            b'"' | b'\'' => {
                at = end_of_string(text, at);
                end = at;
                continue;
            }
            byte if byte == separator && depth == 0 => {
                found.push(text[begin..end].trim());
                at += 1;
                (begin, end) = (at, at);
                continue;
            }
            // Blanks count only between other bytes of a part. Those before it are trimmed.
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ => {}
        }
        at += 1;
        end = at;
    }
    found.push(text[begin..end].trim());
    found.retain(|part| !part.is_empty());
    found
}

/// The contents of the string literals of a text, without those in comments.
pub(crate) fn literals(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let begin = at + text.get(at..)?.find(['"', '\'', '#'])?;
            if text[begin..].starts_with('#') {
                at = end_of_line(text, begin);
            } else {
                at = end_of_string(text, begin);
                return Some(text[begin..at].trim_matches(['"', '\'']));
            }
        }
    })
}

/// The words of a text: what names consist of.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_as_long_as_its_brackets_and_strings() {
        let text = "if a:  # '\n    f(\n  1,  # )\n)\n    '''x\n# y'''\n\n    b = 'q#' \\\n + 1\nelse: c\n";
        let found: Vec<(usize, String)> =
            statements(text).iter().map(|s| (s.indent, s.text.replace('\n', "|"))).collect();
        let expected =
            [(0, "if a:"), (4, "f(|  1,  # )|)"), (4, "'''x|# y'''"), (4, "b = 'q#' \\| + 1"), (0, "else: c")];
        assert_eq!(found, expected.map(|(indent, text)| (indent, text.to_owned())));
        let all = statements(text);
        assert_eq!((block(&all, 0).len(), direct(block(&all, 0)).count()), (3, 3));
    }

    #[test]
    fn a_call_has_parts() {
        assert_eq!(call("warnings.warn('a', b)"), Some(("warnings.warn", "'a', b)")));
        assert_eq!(call("x = f(1)"), None);
        assert_eq!(parts("'a, b', c=(1, 2), d) e", b','), ["'a, b'", "c=(1, 2)", "d"]);
        assert_eq!(parts("a,  # noqa\n b,  # foo, bar\n c  # )\n", b','), ["a", "b", "c"]);
        assert_eq!(literals("f('a',  # don't\n 'b')").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(literals("f('a', \"b\\\"c\", '''d''')").collect::<Vec<_>>(), ["a", "b\\\"c", "d"]);
    }

    #[test]
    fn a_text_begins_behind_its_indentation() {
        let found = |text: &str| statements(text).iter().map(|s| (s.indent, s.text.to_owned())).collect::<Vec<_>>();
        assert_eq!(found(" \u{3000}a\n"), [(1, "\u{3000}a".to_owned())]);
        assert_eq!(found("\x0ca\n  \x0c b\n"), [(0, "a".to_owned()), (1, "b".to_owned())]);
    }

    #[test]
    fn text_that_ends_early_is_no_problem() {
        for text in ["f('", "f(\"\"\"a", "\\", "é'\\", "f(é\\é", "#", "\t"] {
            let all = statements(text);
            for statement in &all {
                assert!(parts(statement.text, b',').len() + literals(statement.text).count() <= text.len());
            }
        }
    }
}
