//! The part of a repository that a call site belongs to.

/// The part of a repository that a file, and every call site in it, belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Origin {
    /// The library's own code.
    #[default]
    Src,
    /// Tests.
    Tests,
    /// Examples, samples, notebooks, tutorials.
    Examples,
    /// Documentation.
    Docs,
}

impl Origin {
    /// Every origin, in the order of display.
    pub const ALL: [Self; 4] = [Self::Src, Self::Tests, Self::Examples, Self::Docs];

    /// The name of this origin on screens and in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Src => "src",
            Self::Tests => "tests",
            Self::Examples => "examples",
            Self::Docs => "docs",
        }
    }
}

crate::packed::packed_enums! {
    Origin { Src, Tests, Examples, Docs }
}
