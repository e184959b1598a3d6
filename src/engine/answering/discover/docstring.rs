//! The whole docstring or documentation comment of a definition, of which the index has the summary only.
//!
//! The index does not keep whole docstrings, and parsing each file again would take as long as indexing. So the text is
//! found by its lines: below the header of a Python definition, above a TypeScript one. The found text is used only if
//! it contains the summary, which the parser has read: then it is the docstring of this definition.

use apidisc_base::language::Language;
use apidisc_facts::{program::DefinitionKind, source::SourceLines};
use apidisc_indexing::index::Definition;

/// The greatest number of lines between the name of a definition and its docstring, and of lines of a docstring.
const MAX_LINES: usize = 200;
/// The number of letters and digits at the beginning of the summary that a docstring must contain.
const COMPARED: usize = 24;

/// The docstring of a definition in the lines of its file, without the marks of the language. `None` if the definition
/// has no documentation.
pub(super) fn docstring(lines: &SourceLines, definition: &Definition) -> Option<String> {
    let summary = definition.summary.as_deref()?;
    let at = lines.of_file_line(definition.place.line, 0);
    if at >= lines.line_count() {
        return None;
    }
    let text = match definition.language {
        Language::Python if definition.kind == DefinitionKind::Attribute => return None,
        Language::Python => {
            let length = (definition.place.end_line.saturating_sub(definition.place.line) as usize + 1).min(MAX_LINES);
            let body: Vec<&str> = (at..(at + length).min(lines.line_count())).map(|at| lines.line(at)).collect();
            below(&body)?
        }
        Language::TypeScript => above((0..at).rev().map(|at| lines.line(at)).take(MAX_LINES))?,
    };
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let beginning: String = letters(summary).chars().take(COMPARED).collect();
    letters(&text).contains(&beginning).then_some(text)
}

/// The text of the first string of three quotes that follows a line ending in `:`.
fn below(body: &[&str]) -> Option<String> {
    let mut is_header_over = false;
    for (offset, line) in body.iter().enumerate() {
        let trimmed = line.trim();
        let literal = trimmed.trim_start_matches(['r', 'R', 'u', 'U']);
        let quotes = ["\"\"\"", "'''"].into_iter().find(|quotes| literal.starts_with(quotes));
        match quotes {
            Some(quotes) if is_header_over => {
                let mut text = String::new();
                let first = &literal[quotes.len()..];
                for line in std::iter::once(first).chain(body[offset + 1..].iter().map(|line| line.trim())) {
                    if let Some((last, _)) = line.split_once(quotes) {
                        text.push_str(last);
                        break;
                    }
                    text.push_str(line);
                    text.push('\n');
                }
                return Some(text);
            }
            _ if trimmed.is_empty() || trimmed.starts_with('#') => {}
            _ => is_header_over = trimmed.split(" #").next().is_some_and(|code| code.trim_end().ends_with(':')),
        }
    }
    None
}

/// The text of the comment `/** … */` that ends above a definition, whose lines are given from the last one up.
/// Decorators may stand between.
fn above<'t>(lines: impl Iterator<Item = &'t str>) -> Option<String> {
    let is_between = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('@');
    let mut lines = lines.skip_while(is_between).map(str::trim).peekable();
    if !lines.peek()?.ends_with("*/") {
        return None;
    }
    let mut comment = Vec::new();
    for (at, line) in lines.enumerate() {
        if at > 0 && line.ends_with("*/") {
            return None;
        }
        let begins = line.starts_with("/**");
        comment.push(line.trim_start_matches("/**").trim_end_matches("*/").trim_start_matches('*').trim());
        if begins {
            comment.reverse();
            return Some(comment.join("\n"));
        }
    }
    None
}

/// The first sentence of a docstring, or its first paragraph if that has one sentence.
pub(super) fn first_sentence(text: &str) -> &str {
    let text = text.trim_start();
    &text[..text.len() - without_first_sentence(text).len()]
}

/// A docstring without its first sentence, or without its first paragraph if that has one sentence.
pub(super) fn without_first_sentence(text: &str) -> &str {
    let text = text.trim_start();
    let end_of_paragraph = text.find("\n\n").unwrap_or(text.len());
    let end_of_sentence = text.find(". ").into_iter().chain(text.find(".\n")).min().map(|end| end + 1);
    &text[end_of_sentence.unwrap_or(end_of_paragraph).min(end_of_paragraph)..]
}

#[cfg(test)]
mod tests {
    use super::{above, below, without_first_sentence};

    fn lines(text: &str) -> Vec<&str> {
        text.lines().collect()
    }

    #[test]
    fn a_docstring_of_python_stands_below_the_header() {
        let text = "def f(\n    a: str = \"x\",\n) -> None:  # short\n    r\"\"\"Does a.\n\n    And b.\n    \"\"\"\n    return \"\"\"no\"\"\"\n";
        assert_eq!(below(&lines(text)).as_deref(), Some("Does a.\n\nAnd b.\n"));
        assert_eq!(below(&lines("def f():\n    x = 1\n    \"\"\"no\"\"\"\n")), None);
        assert_eq!(below(&lines("def f():\n    '''One.'''\n")).as_deref(), Some("One."));
        assert_eq!(below(&lines("def f():\n    \"\"\"Open")).as_deref(), Some("Open\n"));
        assert_eq!(below(&lines("def f(): ...")), None);
    }

    #[test]
    fn a_comment_of_typescript_stands_above_the_name() {
        let text = "/**\n * Does a.\n *\n * @param x - b\n */\n@Decorated()\nexport function f(x) {}\n";
        assert_eq!(above(lines(text)[..6].iter().rev().copied()).as_deref(), Some("\nDoes a.\n\n@param x - b\n"));
        assert_eq!(above(["const a = 1", "/** One. */"].into_iter()), None);
        assert_eq!(above(std::iter::empty()), None);
    }

    #[test]
    fn the_first_sentence_is_left_out() {
        assert_eq!(without_first_sentence("Does a. And b."), " And b.");
        assert_eq!(without_first_sentence("Does a\n\nMore."), "\n\nMore.");
        assert_eq!(without_first_sentence("Does a"), "");
    }
}
