//! What pages of documentation say of single symbols: many libraries describe their API in pages, not in docstrings.
//!
//! A page of reStructuredText describes an object in the body of a directive, such as `.. class:: Timeout(total)`; the
//! members of a class are nested in it. A section of any page describes the symbol whose name is its heading.

use apidisc_base::language::QualifiedName;

/// The directives of Sphinx that describe an object of Python, without the prefix `py:`.
const DIRECTIVES: [&str; 13] = [
    "class",
    "exception",
    "function",
    "method",
    "attribute",
    "property",
    "data",
    "decorator",
    "decoratormethod",
    "classmethod",
    "staticmethod",
    "coroutinefunction",
    "coroutinemethod",
];
/// The directives whose bodies are code.
const CODE: [&str; 6] = ["code-block", "code", "sourcecode", "doctest", "testcode", "literalinclude"];
/// The longest description of an object, in bytes.
const LONGEST: usize = 1_500;
/// The greatest number of objects of one page.
const MAX_OBJECTS: usize = 2_000;
/// The longest name, in bytes.
const LONGEST_NAME: usize = 200;

/// An object that a page describes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DescribedObject {
    /// The name as the page has it, behind those of the classes around it.
    pub(super) name: String,
    pub(super) text: String,
}

/// The objects that the directives of a page of reStructuredText describe.
pub(super) fn described_objects(page: &str) -> Vec<DescribedObject> {
    let mut found: Vec<DescribedObject> = Vec::new();
    // The directives around the line at hand: their indentations, and the positions of their objects.
    let mut around: Vec<(usize, usize)> = Vec::new();
    // The indentation above which lines are code.
    let mut code: Option<usize> = None;
    for line in page.lines() {
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            continue;
        }
        let indentation = line.len() - trimmed.len();
        if code.is_some_and(|code| indentation > code) {
            continue;
        }
        code = None;
        while around.last().is_some_and(|(outer, _)| *outer >= indentation) {
            around.pop();
        }
        let directive = trimmed.strip_prefix(".. ").and_then(|rest| rest.split_once("::"));
        if let Some((directive, signature)) = directive {
            let directive = directive.trim().trim_start_matches("py:");
            if CODE.contains(&directive) {
                code = Some(indentation);
            } else if DIRECTIVES.contains(&directive)
                && let Some(name) = name_of(signature)
                && found.len() < MAX_OBJECTS
            {
                let class = around.last().map(|(_, at)| found[*at].name.as_str());
                let class = class.filter(|class| class.len() <= LONGEST_NAME && !name.contains('.'));
                let name = class.map_or_else(|| name.to_owned(), |class| format!("{class}.{name}"));
                around.push((indentation, found.len()));
                found.push(DescribedObject { name, text: String::new() });
            }
            continue;
        }
        if let Some((_, at)) = around.last() {
            let text = &mut found[*at].text;
            if text.len() + trimmed.len() < LONGEST {
                text.extend([trimmed, "\n"]);
            }
        }
        if trimmed.trim_end().ends_with("::") {
            code = Some(indentation);
        }
    }
    found.retain(|object| !object.text.is_empty());
    found
}

/// The name that is a heading, such as `client.get()`; `None` for a heading in words.
pub(super) fn name_of(heading: &str) -> Option<&str> {
    let before = heading.split('(').next().unwrap_or(heading).trim();
    let name = before.rsplit(' ').next().unwrap_or(before);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$') || QualifiedName::SEPARATORS.contains(&c);
    let is_name = !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_part);
    // `async`, `class` and the like may stand before the name of a signature.
    let words = ["async", "await", "class", "const", "function", "new", "static", "type", "interface", "@"];
    let are_marks = before[..before.len() - name.len()].split_whitespace().all(|word| words.contains(&word));
    (is_name && are_marks).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{described_objects, name_of};

    #[test]
    fn directives_describe_objects_with_their_members() {
        let page = "Client\n======\n\n.. class:: Timeout(*, total=None)\n\n   How long to wait.\n\n   .. attribute:: total\n\n      \
                    The whole time::\n\n         code\n\n      More.\n\n   Of the class again.\n\n.. py:function:: get(url)\n   \
                    :async:\n\n   Asks.\n\n   .. code-block:: python\n\n      get(x)\n\nOutside.\n";
        let found: Vec<(String, String)> =
            described_objects(page).into_iter().map(|object| (object.name, object.text)).collect();
        let expected = [
            ("Timeout", "How long to wait.\nOf the class again.\n"),
            ("Timeout.total", "The whole time::\nMore.\n"),
            ("get", ":async:\nAsks.\n"),
        ];
        assert_eq!(found, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
    }

    #[test]
    fn a_heading_may_be_a_name() {
        assert_eq!(name_of("client.get(url, *, data)"), Some("client.get"));
        assert_eq!(name_of("async fetch()"), Some("fetch"));
        assert_eq!(name_of("setHandler"), Some("setHandler"));
        assert_eq!(name_of("How to get"), None);
        assert_eq!(name_of(""), None);
    }

    #[test]
    fn any_text_has_objects() {
        for text in ["", "..", ".. class::", ".. class:: \n x", ".. method:: ()\n  x", "::\n::", ".. class:: é\n  ü"]
        {
            described_objects(text);
        }
    }
}
