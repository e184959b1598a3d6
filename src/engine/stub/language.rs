//! The languages that stubs are written in: the one file outside of their folders that names them.

use super::{python::Python, renderer::StubLanguage, typescript::TypeScript};
use crate::language::Language;

/// How stubs are written in a language.
pub(super) fn stub_language(language: Language) -> &'static dyn StubLanguage {
    match language {
        Language::Python => &Python,
        Language::TypeScript => &TypeScript,
    }
}
