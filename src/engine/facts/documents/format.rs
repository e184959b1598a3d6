//! The format of a document, by its path.

use super::translations::language_of_tag;
use apidisc_base::language::{Language, Origin};

/// The notation for quoted code in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Markdown and MDX: fences.
    Markdown,
    /// reStructuredText: directives, literal blocks, doctests.
    ReStructuredText,
    /// Python code: fences, directives, literal blocks and doctests, on the lines of docstrings and of all other
    /// strings, since other strings may be documentation too.
    Docstrings,
    /// TypeScript and JavaScript code: fences, and the tag `@example` of documentation comments (`/** … */`).
    DocComments,
}

impl Format {
    /// The format of a document, by the extension of its path; `None` for other files.
    pub fn of_document(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit('/').next()?.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "md" | "mdx" | "markdown" => Some(Self::Markdown),
            "rst" => Some(Self::ReStructuredText),
            _ => None,
        }
    }

    /// The format of the examples in a file of code.
    pub fn of_examples(language: Language) -> Self {
        match language {
            Language::Python => Self::Docstrings,
            Language::TypeScript => Self::DocComments,
        }
    }

    /// True for a document that by its path alone is a copy of another document: a translation, or the documentation of
    /// an older version. Docusaurus and similar tools keep such copies in folders of their own; a translation has the
    /// tag of a common language as a folder (`docs/zh-CN/a.md`) or after its name (`README_ZH.md`).
    /// `Translations` finds translations that are recognized by the original document beside
    /// them.
    pub fn is_repetition(path: &str) -> bool {
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let is_translated_page =
            stem.split_once(['_', '-', '.']).is_some_and(|(name, code)| name == "README" && is_translation(code));
        let is_folder = |folder: &str| {
            matches!(folder, "versioned_docs" | "i18n" | "translations" | "locales") || is_translation(folder)
        };
        is_translated_page || folders.split('/').any(is_folder)
    }

    /// The origin of the calls in a document, or in the examples of a file of code.
    pub fn origin(path: &str, language: Language) -> Origin {
        match language.origin(path) {
            Origin::Tests => Origin::Tests,
            _ => Origin::Docs,
        }
    }
}

/// Languages other than English into which documentation is often translated (ISO 639-1), and `cn`, which is written
/// for Chinese.
const TRANSLATIONS: [&str; 18] =
    ["ar", "bn", "cs", "de", "es", "fa", "fr", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "uk", "vi", "zh", "cn"];

/// True for the tag of a language in [`TRANSLATIONS`]: `zh`, `ZH`, `pt-BR`, `zh_Hans`.
fn is_translation(tag: &str) -> bool {
    language_of_tag(tag).is_some_and(|language| TRANSLATIONS.iter().any(|known| known.eq_ignore_ascii_case(language)))
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn translations_and_older_versions_repeat_a_document() {
        for path in ["README_ZH.md", "a/README.pt-BR.md", "docs/zh/a.md", "docs/ja-JP/a.mdx", "x/versioned_docs/1/a.md"]
        {
            assert!(Format::is_repetition(path), "{path}");
        }
        for path in ["README.md", "docs/a.md", "docs/en/a.md", "README-next.md", "docs/de.md", "docs/zhou/a.md"] {
            assert!(!Format::is_repetition(path), "{path}");
        }
    }
}
