//! The languages that are indexed.

pub mod names;

/// A source language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// `.py`, `.pyi` and the code cells of `.ipynb`.
    #[default]
    Python,
    /// TypeScript and JavaScript.
    TypeScript,
}

impl Language {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "Python",
            Self::TypeScript => "TypeScript",
        }
    }

    /// The word for it after the fence of a code block.
    pub fn fence(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::TypeScript => "typescript",
        }
    }

    /// How files of it end, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Python => "py",
            Self::TypeScript => "ts",
        }
    }
}
