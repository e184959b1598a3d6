//! The documentation of a definition as a documentation comment (TSDoc).

use super::identifiers::is_word;
use crate::stub::doc_text::DocSyntax;
use apidisc_facts::program::{Parameter, ParameterKind, Signature};

/// Writes the documentation comment of one definition.
pub(super) struct DocComment<'a> {
    pub(super) signature: Option<&'a Signature>,
    /// The name under which a destructured parameter is written.
    pub(super) destructured_name: &'a str,
    pub(super) margin: String,
}

/// A text without the end of a comment, and without the sign of a tag at its start.
pub(super) fn comment_text(text: &str) -> String {
    text.trim_start_matches(['@', ' ']).replace("*/", "* /")
}

impl DocComment<'_> {
    fn tag(&self, words: &[&str]) -> String {
        let words: Vec<&str> = words.iter().copied().filter(|word| !word.is_empty()).collect();
        format!("{} * {}\n", self.margin, words.join(" "))
    }

    /// The name of a parameter, or the names of a property and its objects with dots between them.
    fn path(&self, parameters: &[Parameter], position: usize) -> Option<String> {
        let parameter = parameters.get(position)?;
        let name = match parameter.name.as_str() {
            "{}" => self.destructured_name,
            name => Some(name).filter(|name| is_word(name))?,
        };
        match parameter.object.map(usize::from).filter(|&object| object < position) {
            Some(object) => Some(format!("{}.{name}", self.path(parameters, object)?)),
            None if parameter.kind == ParameterKind::Property => None,
            None => Some(name.to_owned()),
        }
    }
}

impl DocSyntax for DocComment<'_> {
    fn alone(&self, text: &str) -> String {
        format!("{}/** {} */\n", self.margin, comment_text(text))
    }

    fn opening(&self, text: Option<&str>) -> String {
        let text = text.map(|text| format!(" {}", comment_text(text))).unwrap_or_default();
        format!("{}/**{text}\n", self.margin)
    }

    fn paragraph(&self, text: &str) -> String {
        self.tag(&[&comment_text(text)])
    }

    fn heading(&self) -> String {
        String::new()
    }

    fn parameter(&self, position: usize, text: &str) -> Option<String> {
        let path = self.path(&self.signature?.parameters, position)?;
        Some(self.tag(&["@param", &path, &comment_text(text)]))
    }

    fn returns(&self, text: &str) -> String {
        self.tag(&["@returns", &comment_text(text)])
    }

    fn raises(&self, errors: &[(String, String)]) -> String {
        let error = |(name, said): &(String, String)| {
            let name = comment_text(name).replace(['{', '}'], "");
            let name = if name.is_empty() { name } else { format!("{{{name}}}") };
            self.tag(&["@throws", &name, &comment_text(said)])
        };
        errors.iter().map(error).collect()
    }

    fn closing(&self) -> String {
        format!("{} */\n", self.margin)
    }
}
