//! The content of docstrings and documentation comments: their text is parsed into descriptions of parameters, results
//! and errors, and into what is deprecated and by what it is replaced.
//!
//! | module | content |
//! | --- | --- |
//! | `docstring` | docstrings of Python in the styles of Google, NumPy, Sphinx and Epytext, and with lists of Markdown |
//! | `comment` | documentation comments of TypeScript and JavaScript: JSDoc and TSDoc |
//! | `items` | the lists of described names in docstrings |
//! | `details` | the prose after the first paragraph |
//! | `words` | texts on one line, without control characters and markup, cut at a length |
//! | `markup` | inline markup as plain text |
//!
//! A text is hostile: what is kept of it is printable, short and small in number, whatever the text is.

mod comment;
mod details;
mod docstring;
mod items;
mod markup;
apidisc_base::packed::packed_structs! {
    Documentation { details, parameters, returns, raises, deprecated, default, example }
    Description { name, text }
}

#[cfg(test)]
mod tests;
mod words;

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

pub(crate) use comment::parse as parse_comment;
pub use docstring::{dedented, parse as parse_docstring};
pub(crate) use words::{joined, line};

/// The number of bytes of a text that are read; what follows is cut off.
const MAX_TEXT: usize = 64 * 1024;
/// The greatest number of described parameters, and of described errors.
const MAX_ITEMS: usize = 128;

/// The documentation of a definition beside its summary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Documentation {
    /// The text between the first paragraph, which is the summary, and the first section or tag: a paragraph or an item
    /// of a list on each line, at most 2,000 bytes. Code is left out.
    pub details: Option<CompactString>,
    /// Parameters, properties and attributes that are described, in the order of the text. The name of a property has
    /// that of its object before it: `options.timeout`.
    pub parameters: Vec<Description>,
    /// The description of the value that a call returns or yields.
    pub returns: Option<CompactString>,
    /// The errors that a call raises, by type.
    pub raises: Vec<Description>,
    /// Why the definition is deprecated and what to use instead; empty if the documentation gives no reason. `None` if
    /// it is not deprecated.
    pub deprecated: Option<CompactString>,
    /// The default of a property, as a comment states it.
    pub default: Option<CompactString>,
    /// The first example, at most 600 bytes, with line breaks.
    pub example: Option<CompactString>,
}

/// A name and the text that describes it, on one line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The name of a parameter without stars, or of a type.
    pub name: CompactString,
    /// The text, at most 304 bytes; it may be empty.
    pub text: CompactString,
}

impl Documentation {
    /// True if nothing is documented.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The text that describes a parameter, by its name without stars.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|parameter| parameter.name == name)?;
        Some(found.text.as_str()).filter(|text| !text.is_empty())
    }

    /// The text that describes a property of an object of any name: `timeout` of `options.timeout`.
    pub fn property_of_any(&self, property: &str) -> Option<&str> {
        let is_it = |name: &str| name.split_once('.').is_some_and(|(_, rest)| rest == property);
        let found = self.parameters.iter().find(|parameter| is_it(&parameter.name))?;
        Some(found.text.as_str()).filter(|text| !text.is_empty())
    }

    /// Adds the description of a parameter that is not described yet.
    pub fn describe(&mut self, name: &str, text: CompactString) {
        let name = words::name(name);
        let is_known = self.parameters.iter().any(|parameter| parameter.name == name);
        if !text.is_empty() && !name.is_empty() && !is_known && self.parameters.len() < MAX_ITEMS {
            self.parameters.push(Description { name, text });
        }
    }

    /// Adds the documentation of the same definition in another text. Where both texts describe a thing, the
    /// description of this one stays.
    pub fn add(&mut self, other: Self) {
        for Description { name, text } in other.parameters {
            self.describe(&name, text);
        }
        self.details = self.details.take().or(other.details);
        self.returns = self.returns.take().or(other.returns);
        self.deprecated = self.deprecated.take().or(other.deprecated);
        self.default = self.default.take().or(other.default);
        self.example = self.example.take().or(other.example);
        if self.raises.is_empty() {
            self.raises = other.raises;
        }
    }

    fn boxed(self) -> Option<Box<Self>> {
        (!self.is_empty()).then(|| Box::new(self))
    }
}

/// The first bytes of a text, up to [`MAX_TEXT`].
fn bounded(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT)]
}

/// [`Documentation`] as an object of JSON or YAML, without what is empty.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the keys of a documentation")]
pub struct DocumentationObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<CompactString>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parameters: Vec<Description>,
    #[serde(skip_serializing_if = "Option::is_none")]
    returns: Option<CompactString>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    raises: Vec<Description>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deprecated: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<CompactString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<CompactString>,
}

impl From<&Documentation> for DocumentationObject {
    fn from(from: &Documentation) -> Self {
        let Documentation { details, parameters, returns, raises, deprecated, default, example } = from.clone();
        Self { details, parameters, returns, raises, deprecated, default, example }
    }
}

impl From<&DocumentationObject> for Documentation {
    fn from(from: &DocumentationObject) -> Self {
        let DocumentationObject { details, parameters, returns, raises, deprecated, default, example } = from.clone();
        Self { details, parameters, returns, raises, deprecated, default, example }
    }
}
