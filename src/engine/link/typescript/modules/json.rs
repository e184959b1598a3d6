//! JSON as people write it into configuration: with comments, trailing commas and, now and then, mistakes.

use compact_str::CompactString;
pub(super) use jsonc_parser::ast::{Object, Value};
use jsonc_parser::{ParseOptions, common::Ranged, parse_to_ast};

use crate::diagnostic::{Diagnostic, Problem};

/// A file that is being read, and where its problems go.
pub(super) struct Document<'a> {
    pub(super) path: &'a str,
    pub(super) root: Object<'a>,
    /// Where its lines end.
    line_ends: Vec<usize>,
}

impl<'a> Document<'a> {
    /// None where it is no JSON object. An empty file has no settings, as TypeScript sees it.
    pub(super) fn read(path: &'a str, text: &'a str, problems: &mut Vec<Diagnostic>) -> Option<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if let Some(line) = too_deep(text) {
            problems.push(problem(path, line, "nested too deeply: none of its settings are used"));
            return None;
        }
        let root = match parse_to_ast(text, &jsonc_parser::CollectOptions::default(), &ParseOptions::default()) {
            Ok(parsed) => parsed.value?,
            Err(error) => {
                let what = error.kind().to_string();
                let message = format!("no valid JSON ({}): none of its settings are used", lowered(&what));
                problems.push(problem(path, error.line_display(), &message));
                return None;
            }
        };
        let Value::Object(root) = root else {
            problems.push(problem(path, 1, "no JSON object: it is left out"));
            return None;
        };
        let line_ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect();
        Some(Self { path, root, line_ends })
    }

    /// The line that something stands in, from 1.
    pub(super) fn line(&self, node: &impl Ranged) -> usize {
        self.line_ends.partition_point(|&end| end < node.start()) + 1
    }

    /// Something is wrong at a place of this file.
    pub(super) fn problem(&self, node: &impl Ranged, message: &str) -> Diagnostic {
        problem(self.path, self.line(node), message)
    }
}

/// The line where brackets are opened deeper than in any configuration. Brackets in texts and comments count too:
/// hardly any are left open.
fn too_deep(text: &str) -> Option<usize> {
    const DEEPEST: usize = 128;
    let (mut depth, mut line) = (0_usize, 1);
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'\n' => line += 1,
            _ => {}
        }
        if depth > DEEPEST {
            return Some(line);
        }
    }
    None
}

/// Something is wrong in a line of a file.
pub(super) fn problem(path: &str, line: usize, message: &str) -> Diagnostic {
    Diagnostic {
        path: CompactString::from(path),
        problem: Problem::Malformed,
        message: format!("line {line}: {message}"),
    }
}

/// The value of a property; of two with one name, the last.
pub(super) fn get<'o, 'a>(object: &'o Object<'a>, name: &str) -> Option<&'o Value<'a>> {
    object.properties.iter().rev().find(|property| property.name.as_str() == name).map(|property| &property.value)
}

/// A property that is a text.
pub(super) fn text<'o>(object: &'o Object, name: &str) -> Option<&'o str> {
    get(object, name)?.as_string_lit().map(|text| &*text.value)
}

/// A text out of a file, fit for a message: short, in quotes, without control characters.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().nth(LONGEST).is_none() {
        return format!("{text:?}");
    }
    format!("{:?}…", text.chars().take(LONGEST).collect::<String>())
}

fn lowered(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_lowercase().chain(rest).filter(|c| !c.is_control()).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let mut problems = Vec::new();
        let document = Document::read("a.json", text, &mut problems);
        match document {
            Some(document) => Ok(super::text(&document.root, "a").unwrap_or_default().to_owned()),
            None => Err(problems.pop().map(|p| p.message).unwrap_or_default()),
        }
    }

    #[test]
    fn comments_and_trailing_commas_are_taken() {
        let text = "\u{feff}// first\n{ /* b */ \"a\": \"http://x /* y */\", \"l\": [1, 2,], }\n";
        assert_eq!(read(text), Ok("http://x /* y */".to_owned()));
        assert_eq!(read("{\"a\": \"1\", \"a\": \"2\"}"), Ok("2".to_owned()));
    }

    #[test]
    fn what_cannot_be_read_is_said_with_its_line() {
        let cases = [
            ("{\n  \"a\": \n}", "line 3: no valid JSON (unexpected close brace): none of its settings are used"),
            ("{\n  \"a\": \"b", "line 2: no valid JSON (unterminated string literal): none of its settings are used"),
            ("[]", "line 1: no JSON object: it is left out"),
            ("", ""),
        ];
        for (text, message) in cases {
            assert_eq!(read(text), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        let message = "line 2: nested too deeply: none of its settings are used".to_owned();
        assert_eq!(read(&format!("{{\n{}", "\"a\":{".repeat(1_000_000))), Err(message));
        assert_eq!(read(&format!("{{\"b\": {}{}, \"a\": \"1\"}}", "[".repeat(100), "]".repeat(100))), Ok("1".into()));
    }

    #[test]
    fn texts_in_messages_are_short_and_clean() {
        assert_eq!(quoted("a\u{1b}[31m\"b"), "\"a\\u{1b}[31m\\\"b\"");
        assert!(quoted(&"x".repeat(1000)).chars().count() < 70);
    }
}
