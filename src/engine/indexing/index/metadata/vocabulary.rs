//! The words of the file for languages and modifiers, and their conversion from and to the engine's types.

use serde::{Deserialize, Serialize};

use apidisc_base::language::Language;
use apidisc_facts::program::{Modifiers, ParameterKind};

/// The word for a [`Language`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", expecting = "a language: python or typescript")]
pub(super) enum MetadataLanguage {
    #[default]
    Python,
    TypeScript,
}

impl MetadataLanguage {
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
    pub(super) fn is_python(&self) -> bool {
        *self == Self::Python
    }
}

impl From<Language> for MetadataLanguage {
    fn from(language: Language) -> Self {
        match language {
            Language::Python => Self::Python,
            Language::TypeScript => Self::TypeScript,
        }
    }
}

impl From<MetadataLanguage> for Language {
    fn from(language: MetadataLanguage) -> Self {
        match language {
            MetadataLanguage::Python => Self::Python,
            MetadataLanguage::TypeScript => Self::TypeScript,
        }
    }
}

/// The word for one of the [`Modifiers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", expecting = "a modifier")]
pub(super) enum MetadataModifier {
    Optional,
    Readonly,
    Static,
    Abstract,
    Protected,
    Constant,
    New,
    Declared,
}

impl MetadataModifier {
    /// The words for all modifiers that are set.
    pub(super) fn list(modifiers: Modifiers) -> Vec<Self> {
        let words = [
            (modifiers.is_optional, Self::Optional),
            (modifiers.is_readonly, Self::Readonly),
            (modifiers.is_static, Self::Static),
            (modifiers.is_abstract, Self::Abstract),
            (modifiers.is_protected, Self::Protected),
            (modifiers.is_constant, Self::Constant),
            (modifiers.is_new, Self::New),
            (modifiers.is_declared, Self::Declared),
        ];
        words.into_iter().filter(|&(is_set, _)| is_set).map(|(_, word)| word).collect()
    }

    /// The modifiers that `words` name.
    pub(super) fn modifiers(words: &[Self]) -> Modifiers {
        Modifiers {
            is_optional: words.contains(&Self::Optional),
            is_readonly: words.contains(&Self::Readonly),
            is_static: words.contains(&Self::Static),
            is_abstract: words.contains(&Self::Abstract),
            is_protected: words.contains(&Self::Protected),
            is_constant: words.contains(&Self::Constant),
            is_new: words.contains(&Self::New),
            is_declared: words.contains(&Self::Declared),
        }
    }
}

/// The word for a [`ParameterKind`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", expecting = "a kind of argument")]
pub(super) enum MetadataParameterKind {
    PositionalOnly,
    #[default]
    Standard,
    VarPositional,
    KeywordOnly,
    VarKeyword,
    Property,
}

impl From<ParameterKind> for MetadataParameterKind {
    fn from(kind: ParameterKind) -> Self {
        match kind {
            ParameterKind::PositionalOnly => Self::PositionalOnly,
            ParameterKind::Standard => Self::Standard,
            ParameterKind::VarPositional => Self::VarPositional,
            ParameterKind::KeywordOnly => Self::KeywordOnly,
            ParameterKind::VarKeyword => Self::VarKeyword,
            ParameterKind::Property => Self::Property,
        }
    }
}

impl From<MetadataParameterKind> for ParameterKind {
    fn from(kind: MetadataParameterKind) -> Self {
        match kind {
            MetadataParameterKind::PositionalOnly => Self::PositionalOnly,
            MetadataParameterKind::Standard => Self::Standard,
            MetadataParameterKind::VarPositional => Self::VarPositional,
            MetadataParameterKind::KeywordOnly => Self::KeywordOnly,
            MetadataParameterKind::VarKeyword => Self::VarKeyword,
            MetadataParameterKind::Property => Self::Property,
        }
    }
}
