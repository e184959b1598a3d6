//! Selects the language of a stub. This is the only file outside of the languages' folders that names the languages.

use super::{python::Python, renderer::StubLanguage, typescript::TypeScript};
use apidisc_base::language::Language;

/// The implementation of stubs in a language.
pub(super) fn stub_language(language: Language) -> &'static dyn StubLanguage {
    match language {
        Language::Python => &Python,
        Language::TypeScript => &TypeScript,
    }
}
