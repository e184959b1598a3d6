//! Source text that facts keep: annotations, defaults, bases, docstrings. The text is short, on one line, and free of
//! control characters.

use compact_str::CompactString;

use crate::syntax::text::paragraph;
pub(super) use crate::syntax::text::{is_constant_name, literal};
use apidisc_base::nesting;

/// The maximum length of a default or value and of `Annotated[T, …]`, in bytes. A longer default or value is replaced
/// by `...`, and a longer `Annotated[T, …]` by `T`.
const MAX_DEFAULT: usize = 60;
/// The maximum length of an annotation, in bytes. A longer one is not kept.
const MAX_ANNOTATION: usize = 400;

/// An annotation, base or decorator on one line; empty if it is longer than [`MAX_ANNOTATION`] or its lines cannot be
/// joined. Of a long `Annotated[T, …]` (PEP 593) only `T` is kept, because the metadata is not a type.
pub(super) fn annotation(text: &str) -> CompactString {
    let Some(_level) = nesting::descend() else { return CompactString::default() };
    let short = if text.len() > MAX_ANNOTATION { CompactString::default() } else { one_line(text) };
    if short.is_empty() || short.len() > MAX_DEFAULT {
        return annotated_type(text).map_or(short, annotation);
    }
    short
}

/// The text of `T` in `Annotated[T, …]`.
fn annotated_type(text: &str) -> Option<&str> {
    let (head, rest) = text.split_once('[')?;
    if head.rsplit('.').next()?.trim() != "Annotated" {
        return None;
    }
    let mut depth = 0;
    let mut quote = None;
    for (at, c) in rest.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '(' | '{') => depth += 1,
            (None, ',' | ']') if depth == 0 => return Some(rest[..at].trim()),
            (None, ']' | ')' | '}') => depth -= 1,
            (None, '#') => return None,
            _ => {}
        }
    }
    None
}

/// The default of a parameter or the value of a field on one line; `...` if it is long or its lines cannot be joined.
pub(super) fn default(text: &str) -> CompactString {
    let line = if text.len() <= 4 * MAX_DEFAULT { one_line(text) } else { CompactString::default() };
    if line.is_empty() || line.len() > MAX_DEFAULT { CompactString::const_new("...") } else { line }
}

/// Joins the lines of an expression. Returns an empty text if joining might change the meaning, because there are
/// comments, backslashes or multi-line strings, or if the line contains control characters.
fn one_line(text: &str) -> CompactString {
    if !text.contains('\n') {
        return if text.contains(char::is_control) { CompactString::default() } else { CompactString::new(text) };
    }
    if text.contains('#') || text.contains("\"\"\"") || text.contains("'''") || text.contains('\\') {
        return CompactString::default();
    }
    let mut line = CompactString::default();
    for part in text.lines().map(str::trim).filter(|p| !p.is_empty()) {
        let opens = line.ends_with(['(', '[', '{']);
        let closes = part.starts_with([')', ']', '}', ',', '.']);
        if closes && line.ends_with(',') && !part.starts_with(')') {
            line.pop();
        }
        if !line.is_empty() && !opens && !closes {
            line.push(' ');
        }
        line.push_str(part);
    }
    if line.contains(char::is_control) { CompactString::default() } else { line }
}

/// The first paragraph of a docstring on one line. `literal` is the source text of the string. An admonition before the
/// paragraph, such as `!!! abstract "Usage"` or `.. versionadded:: 2.0`, is skipped.
pub(super) fn summary(literal: &str) -> Option<CompactString> {
    let body = content(literal)?;
    let mut lines = body.lines().map(str::trim).skip_while(|line| line.is_empty()).peekable();
    while lines.peek().is_some_and(|line| is_admonition(line)) {
        lines.by_ref().find(|line| line.is_empty());
        while lines.next_if(|line| line.is_empty()).is_some() {}
    }
    paragraph(lines.take_while(|line| !line.is_empty()))
}

/// The text between the quotes of a string literal; `None` for a literal with expressions and for bytes.
pub(super) fn content(literal: &str) -> Option<&str> {
    let quote = literal.find(['"', '\''])?;
    let prefix = literal[..quote].to_ascii_lowercase();
    if prefix.contains('f') || prefix.contains('b') {
        return None;
    }
    let body = &literal[quote..];
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    quotes.iter().find_map(|q| body.strip_prefix(q).map(|rest| rest.strip_suffix(q).unwrap_or(rest)))
}

/// True for the first line of a `MkDocs` admonition or a Sphinx directive.
fn is_admonition(line: &str) -> bool {
    let is_directive = || line.strip_prefix(".. ").is_some_and(|rest| rest.contains("::"));
    line.starts_with("!!! ") || line.starts_with("??? ") || is_directive()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_lines_of_an_annotation() {
        assert_eq!(annotation("Union[\n    str,\n    int,\n]"), "Union[str, int]");
        assert_eq!(annotation("dict[str, int]"), "dict[str, int]");
        assert_eq!(annotation("Union[\n    str, # why\n    int]"), "");
    }

    #[test]
    fn a_long_annotated_type_is_shortened_to_its_type() {
        assert_eq!(annotation("Annotated[int, Gt(0)]"), "Annotated[int, Gt(0)]");
        let long = "Annotated[\n    Union[str, \"A[B]\"],\n    Doc(\n        \"\"\"\n        The # name.\n        \"\"\"\n    ),\n]";
        assert_eq!(annotation(long), "Union[str, \"A[B]\"]");
        assert_eq!(annotation("t.Annotated[\n    x,\n    # why\n]"), "x");
    }

    #[test]
    fn long_defaults_become_an_ellipsis() {
        assert_eq!(default("(1, 2)"), "(1, 2)");
        assert_eq!(default(&"x".repeat(100)), "...");
    }

    #[test]
    fn an_admonition_is_not_a_summary() {
        let text = "\"\"\"!!! abstract \"Usage\"\n    [Fields](fields.md)\n\n\n    Makes a field.\n\"\"\"";
        assert_eq!(summary(text).as_deref(), Some("Makes a field."));
        assert_eq!(summary("\"\"\".. deprecated:: 2.0\"\"\""), None);
    }

    #[test]
    fn a_summary_is_the_first_paragraph() {
        assert_eq!(summary("\"\"\"\n  Runs the\n  agent.\n\n  More.\"\"\"").as_deref(), Some("Runs the agent."));
        assert_eq!(summary("r'One \u{1b}[31mred.'").as_deref(), Some("One [31mred."));
        assert_eq!(summary("\"\""), None);
    }
}
