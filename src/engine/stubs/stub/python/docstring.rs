//! The documentation of a definition as a docstring, with the sections of Google's style guide.

use super::identifiers::docstring_text;
use crate::stub::{doc_text::DocSyntax, renderer::Indentation};
use apidisc_indexing::index::Definition;

/// Writes the docstring of one definition.
pub(super) struct Docstring<'a> {
    pub(super) definition: &'a Definition,
    pub(super) indent: Indentation,
}

impl Docstring<'_> {
    fn line(&self, parts: &[&str]) -> String {
        format!("{}{}\n", self.indent.margin(), parts.concat())
    }
}

impl DocSyntax for Docstring<'_> {
    fn alone(&self, text: &str) -> String {
        self.line(&["\"\"\"", &docstring_text(text), "\"\"\""])
    }

    fn opening(&self, text: Option<&str>) -> String {
        self.line(&["\"\"\"", &text.map(docstring_text).unwrap_or_default()])
    }

    fn paragraph(&self, text: &str) -> String {
        self.line(&[&docstring_text(text)])
    }

    fn heading(&self) -> String {
        self.line(&["Args:"])
    }

    fn parameter(&self, position: usize, text: &str) -> Option<String> {
        let parameter = self.definition.signature.as_ref()?.parameters.get(position)?;
        Some(self.line(&["    ", &docstring_text(&parameter.name), ": ", &docstring_text(text)]))
    }

    fn returns(&self, text: &str) -> String {
        self.line(&["Returns: ", &docstring_text(text)])
    }

    fn raises(&self, errors: &[(String, String)]) -> String {
        let mut text = self.line(&["Raises:"]);
        for (name, said) in errors {
            let sign = if name.is_empty() || said.is_empty() { "" } else { ": " };
            text += &self.line(&["    ", &docstring_text(name), sign, &docstring_text(said)]);
        }
        text
    }

    fn closing(&self) -> String {
        self.line(&["\"\"\""])
    }
}
