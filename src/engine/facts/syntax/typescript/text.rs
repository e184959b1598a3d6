//! Source text that facts keep: annotations, defaults, values and comments, on one line and of limited length.

use std::borrow::Cow;

use compact_str::CompactString;

use crate::syntax::text::{MAX_LITERAL, paragraph};
pub(super) use crate::syntax::text::{is_constant_name, literal};

/// The greatest length in bytes of a default or value that is kept. A longer one would cost too many tokens.
const MAX_DEFAULT: usize = 60;
/// The greatest length in bytes of an annotation that is kept.
const MAX_ANNOTATION: usize = 400;

/// An annotation, constraint, base or decorator on one line; empty if it is longer than [`MAX_ANNOTATION`].
pub(super) fn annotation(text: &str) -> CompactString {
    let line = if text.len() > 4 * MAX_ANNOTATION { CompactString::default() } else { one_line(text) };
    if line.len() > MAX_ANNOTATION { CompactString::default() } else { line }
}

/// A default on one line; `...` if it is longer than [`MAX_DEFAULT`].
pub(super) fn default(text: &str) -> CompactString {
    let line = short(text);
    if line.is_empty() { CompactString::const_new("...") } else { line }
}

/// A value on one line; empty if it is longer than [`MAX_DEFAULT`].
pub(super) fn short(text: &str) -> CompactString {
    let line = if text.len() <= 2 * MAX_DEFAULT { one_line(text) } else { CompactString::default() };
    if line.len() > MAX_DEFAULT { CompactString::default() } else { line }
}

/// True for a quoted string without escapes, a number, `true`, `false`, `null` or `undefined`.
pub(super) fn is_literal(text: &str) -> bool {
    match text.as_bytes() {
        [quote @ (b'"' | b'\''), .., last] => {
            quote == last && !text[1..text.len() - 1].contains(['"', '\'', '\\', '\n'])
        }
        [b'0'..=b'9', ..] => is_number(text),
        [b'-' | b'+', b'0'..=b'9', ..] => is_number(&text[1..]),
        _ => matches!(text, "true" | "false" | "null" | "undefined"),
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'_')
}

/// The value of a string literal, if it is short and has no escapes.
pub(super) fn plain_string(text: &str) -> Option<&str> {
    let inner = unquoted(text);
    (inner.len() <= 2 * MAX_LITERAL && !inner.contains('\\') && !inner.contains(char::is_control)).then_some(inner)
}

/// The text without the quotes around it, if it has any.
pub(super) fn unquoted(text: &str) -> &str {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    match quote {
        Some(quote) => text[1..].strip_suffix(quote).unwrap_or(&text[1..]),
        None => text,
    }
}

/// The value of a string literal, or the text of any other name. A value with control characters stays as it is
/// written.
pub(super) fn name_value(text: &str) -> Cow<'_, str> {
    let inner = unquoted(text);
    if !inner.contains('\\') || inner.len() == text.len() {
        return Cow::Borrowed(inner);
    }
    match unescaped(inner) {
        Some(value) if !value.contains(char::is_control) => Cow::Owned(value),
        _ => Cow::Borrowed(inner),
    }
}

/// A text with its escapes replaced by the characters that they stand for. `None` if an escape is not valid.
fn unescaped(text: &str) -> Option<String> {
    let mut value = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            value.push(c);
            continue;
        }
        match chars.next()? {
            'x' => value.push(code_point(chars.by_ref().take(2))?),
            'u' if chars.as_str().starts_with('{') => {
                value.push(code_point(chars.by_ref().skip(1).take_while(|c| *c != '}'))?);
            }
            'u' => value.push(code_point(chars.by_ref().take(4))?),
            // The escapes of control characters, and line continuations.
            'b' | 'f' | 'n' | 'r' | 't' | 'v' | '0'..='9' | '\n' | '\r' => return None,
            other => value.push(other),
        }
    }
    Some(value)
}

/// The character with a code in hexadecimal digits.
fn code_point(digits: impl Iterator<Item = char>) -> Option<char> {
    char::from_u32(u32::from_str_radix(&digits.collect::<String>(), 16).ok()?)
}

/// The module `m` of `import("m")`.
pub(super) fn imported_module(text: &str) -> Option<&str> {
    let module = text.strip_prefix("import(")?.strip_suffix(')')?.trim();
    let inner = unquoted(module);
    (inner.len() + 2 == module.len() && !inner.contains(['"', '\'', '\n'])).then_some(inner)
}

/// The text on one line, without comments and with white space folded. Where lines are joined, trailing commas and a
/// leading `|` or `&` are dropped. Empty if control characters remain, such as the line breaks of template strings.
fn one_line(text: &str) -> CompactString {
    if is_one_line(text) {
        return CompactString::new(text);
    }
    let is_simple = !text.contains(['\n', '\t', '\r']) && !text.contains("//") && !text.contains("/*");
    if is_simple && !text.contains("  ") {
        return if text.contains(char::is_control) { CompactString::default() } else { CompactString::new(text) };
    }
    let mut line = CompactString::default();
    let mut rest = text;
    let mut gap = false;
    while let Some(c) = rest.chars().next() {
        let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        let length = match c {
            _ if in_word(&rest.as_bytes()[0]) => rest.bytes().take_while(in_word).count(),
            '"' | '\'' | '`' => string_end(rest, c),
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                gap = true;
                continue;
            }
            '/' if rest.starts_with("/*") => {
                rest = rest[2..].find("*/").map_or("", |end| &rest[end + 4..]);
                gap = true;
                continue;
            }
            _ => c.len_utf8(),
        };
        if c.is_whitespace() {
            gap = true;
        } else {
            if gap {
                let after_opening = line.ends_with(['(', '[', '<']);
                let before_closing = matches!(c, ')' | ']' | ',' | ';' | '.') || (c == '>' && !line.ends_with('='));
                if (before_closing && c != ',' || c == '}') && line.ends_with(',') {
                    line.pop();
                }
                if !line.is_empty() && !after_opening && !before_closing {
                    line.push(' ');
                }
                gap = false;
            }
            line.push_str(&rest[..length]);
        }
        rest = &rest[length..];
    }
    let line = CompactString::new(line.trim_start_matches(['|', '&']).trim_start());
    if line.contains(char::is_control) { CompactString::default() } else { line }
}

/// True for a text of printable ASCII characters without comments and without spaces that follow each other.
fn is_one_line(text: &str) -> bool {
    let mut before = 0;
    text.bytes().all(|c| {
        let is_joined = matches!((before, c), (b' ', b' ') | (b'/', b'/' | b'*'));
        before = c;
        matches!(c, b' '..=b'~') && !is_joined
    })
}

/// The length in bytes of the string literal that `text` begins with.
fn string_end(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The first paragraph of a JSDoc comment (`/** … */`) on one line; tags such as `@param` end it. Of a comment that
/// begins with a tag, the paragraph of `@summary`, else of `@description`.
pub(super) fn summary(comment: &str) -> Option<CompactString> {
    let body = comment.strip_prefix("/**")?;
    let body = body.strip_suffix("*/").unwrap_or(body);
    let content = |line: &'_ str| -> usize {
        // A comment may be opened twice.
        let text = line.trim_start();
        let text = text.strip_prefix("/**").unwrap_or(text).trim_start_matches('*').trim_start();
        line.len() - text.len()
    };
    let lines: Vec<&str> = body.lines().map(|line| line[content(line)..].trim_end()).collect();
    let paragraph_of = |first: &'_ str, rest: &[&str]| {
        let rest = rest.iter().copied().take_while(|line| !line.is_empty() && !line.starts_with('@'));
        paragraph(std::iter::once(first).chain(rest))
    };
    let first = lines.iter().position(|line| !line.is_empty())?;
    if !lines[first].starts_with('@') {
        return paragraph_of(lines[first], &lines[first + 1..]);
    }
    ["@summary", "@description", "@desc"].into_iter().find_map(|tag| {
        let text = |line: &&'_ str| line.strip_prefix(tag).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        let at = lines.iter().position(text)?;
        paragraph_of(&lines[at][tag.len()..], &lines[at + 1..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_annotation_is_folded_to_one_line_without_comments() {
        assert_eq!(annotation("Map<\n  string,\n  number,\n>"), "Map<string, number>");
        assert_eq!(annotation("\n  | A // one\n  | B /* two */"), "A | B");
        assert_eq!(annotation("{\n  a: string;\n  b: 'x  y';\n}"), "{ a: string; b: 'x  y'; }");
        assert_eq!(annotation("(\n  a: A,\n) => void"), "(a: A) => void");
        assert_eq!(annotation("A | B"), "A | B");
    }

    #[test]
    fn a_long_default_becomes_an_ellipsis() {
        assert_eq!(default("[1, 2]"), "[1, 2]");
        assert_eq!(default(&"x".repeat(100)), "...");
    }

    #[test]
    fn a_summary_is_the_first_paragraph_of_the_comment() {
        assert_eq!(summary("/**\n * Runs the\n * agent.\n *\n * More.\n */").as_deref(), Some("Runs the agent."));
        assert_eq!(summary("/** One \u{1b}[31mred. */").as_deref(), Some("One [31mred."));
        assert_eq!(summary("/** @internal */"), None);
        assert_eq!(summary("/**\n  /**\n   * Opened twice.\n   */").as_deref(), Some("Opened twice."));
    }

    #[test]
    fn a_summary_or_description_may_have_a_tag() {
        let text =
            "/**\n * @name format\n * @summary Format\n * the date.\n *\n * @description\n * Return the date.\n */";
        assert_eq!(summary(text).as_deref(), Some("Format the date."));
        assert_eq!(summary(&text.replace("@summary", "@see")).as_deref(), Some("Return the date."));
        assert_eq!(summary("/** @summaryOf x */"), None);
    }

    #[test]
    fn literals_are_distinguished_from_other_expressions() {
        assert!(["'a'", "1", "-1.5", "0xff", "true", "undefined"].into_iter().all(is_literal));
        assert!(["'a' + 'b'", "1 + 2", "x", "`a`"].into_iter().all(|text| !is_literal(text)));
    }
}
