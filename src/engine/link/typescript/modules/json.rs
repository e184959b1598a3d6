//! Configuration files in JSON with comments and trailing commas (JSONC), whose errors are reported as diagnostics.

use compact_str::CompactString;
pub(super) use jsonc_parser::ast::{Object as JsonObject, Value as JsonValue};
use jsonc_parser::{ParseOptions, common::Ranged, parse_to_ast};

use apidisc_base::diagnostic::{Diagnostic, Problem};

/// A parsed configuration file.
pub(super) struct JsonDocument<'a> {
    pub(super) path: &'a str,
    pub(super) root: JsonObject<'a>,
    /// The byte offset of each line's end.
    line_ends: Vec<usize>,
}

impl<'a> JsonDocument<'a> {
    /// Parses a file. `None` if it is not a JSON object; this is reported unless the file is empty, since TypeScript
    /// accepts an empty file as a configuration without settings.
    pub(super) fn read(path: &'a str, text: &'a str, problems: &mut Vec<Diagnostic>) -> Option<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if let Some(line) = too_deep(text) {
            problems.push(problem(path, line, "nested too deeply: none of its settings are used"));
            return None;
        }
        let root = match parse_to_ast(text, &jsonc_parser::CollectOptions::default(), &ParseOptions::default()) {
            Ok(parsed) => parsed.value?,
            Err(error) => {
                let description = error.kind().to_string();
                let message =
                    format!("no valid JSON ({}): none of its settings are used", with_lower_case_start(&description));
                problems.push(problem(path, error.line_display(), &message));
                return None;
            }
        };
        let JsonValue::Object(root) = root else {
            problems.push(problem(path, 1, "no JSON object: it is left out"));
            return None;
        };
        let line_ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect();
        Some(Self { path, root, line_ends })
    }

    /// The line of a node, counted from 1.
    pub(super) fn line(&self, node: &impl Ranged) -> usize {
        self.line_ends.partition_point(|&end| end < node.start()) + 1
    }

    /// A diagnostic for a node of this file.
    pub(super) fn problem(&self, node: &impl Ranged, message: &str) -> Diagnostic {
        problem(self.path, self.line(node), message)
    }
}

/// The line, counted from 1, at which brackets are nested too deeply for the recursive parser. Brackets in strings and
/// comments are counted too; this rarely matters, because they are mostly balanced.
fn too_deep(text: &str) -> Option<usize> {
    const MAX_DEPTH: usize = 128;
    let (mut depth, mut line) = (0_usize, 1);
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'\n' => line += 1,
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some(line);
        }
    }
    None
}

/// A diagnostic for a line of a file.
pub(super) fn problem(path: &str, line: usize, message: &str) -> Diagnostic {
    Diagnostic {
        path: CompactString::from(path),
        problem: Problem::Malformed,
        message: format!("line {line}: {message}"),
    }
}

/// The value of a property. If the name occurs twice, the last one counts.
pub(super) fn get<'o, 'a>(object: &'o JsonObject<'a>, name: &str) -> Option<&'o JsonValue<'a>> {
    object.properties.iter().rev().find(|property| property.name.as_str() == name).map(|property| &property.value)
}

/// The value of a property that is a string.
pub(super) fn text<'o>(object: &'o JsonObject, name: &str) -> Option<&'o str> {
    get(object, name)?.as_string_lit().map(|text| &*text.value)
}

/// Quotes text from a file for a message. Long text is shortened, and control characters are escaped.
pub(super) fn quoted(text: &str) -> String {
    const MAX_LENGTH: usize = 60;
    if text.chars().nth(MAX_LENGTH).is_none() {
        return format!("{text:?}");
    }
    format!("{:?}…", text.chars().take(MAX_LENGTH).collect::<String>())
}

fn with_lower_case_start(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_lowercase().chain(rest).filter(|c| !c.is_control()).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let mut problems = Vec::new();
        let document = JsonDocument::read("a.json", text, &mut problems);
        match document {
            Some(document) => Ok(super::text(&document.root, "a").unwrap_or_default().to_owned()),
            None => Err(problems.pop().map(|p| p.message).unwrap_or_default()),
        }
    }

    #[test]
    fn comments_and_trailing_commas_are_accepted() {
        let text = "\u{feff}// first\n{ /* b */ \"a\": \"http://x /* y */\", \"l\": [1, 2,], }\n";
        assert_eq!(read(text), Ok("http://x /* y */".to_owned()));
        assert_eq!(read("{\"a\": \"1\", \"a\": \"2\"}"), Ok("2".to_owned()));
    }

    #[test]
    fn errors_are_reported_with_their_line() {
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
    fn quoted_texts_are_short_and_without_control_characters() {
        assert_eq!(quoted("a\u{1b}[31m\"b"), "\"a\\u{1b}[31m\\\"b\"");
        assert!(quoted(&"x".repeat(1000)).chars().count() < 70);
    }
}
