//! The format of a document, by its path.

use crate::language::{Language, Origin};

/// How code is quoted in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Markdown and MDX: fences.
    Markdown,
    /// reStructuredText: directives, literal blocks, doctests.
    ReStructuredText,
    /// Docstrings of Python code: fences, directives, literal blocks, doctests.
    Docstrings,
    /// Documentation comments of TypeScript and JavaScript code (`/** … */`): fences, and the tag `@example`.
    DocComments,
}

impl Format {
    /// The format of a document, by the ending of its path; `None` for other files.
    pub(crate) fn of_document(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit('/').next()?.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "md" | "mdx" | "markdown" => Some(Self::Markdown),
            "rst" => Some(Self::ReStructuredText),
            _ => None,
        }
    }

    /// The format of the examples in a file of code.
    pub(crate) fn of_examples(language: Language) -> Self {
        match language {
            Language::Python => Self::Docstrings,
            Language::TypeScript => Self::DocComments,
        }
    }

    /// True for a document that repeats others: a translation, or the documentation of an older version, in the
    /// folders that Docusaurus and its like keep them in.
    pub(crate) fn is_repetition(path: &str) -> bool {
        let folders = path.rsplit('/').skip(1);
        folders.into_iter().any(|folder| matches!(folder, "versioned_docs" | "i18n" | "translations" | "locales"))
    }

    /// The origin of the calls in a document, or in the examples of a file of code.
    pub(crate) fn origin(path: &str, language: Language) -> Origin {
        match language.origin(path) {
            Origin::Tests => Origin::Tests,
            _ => Origin::Docs,
        }
    }
}
