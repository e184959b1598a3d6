//! What went wrong without stopping the work: collected beside values, shown by a face.

use compact_str::CompactString;

/// One thing that could not be read or was left out, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// The file or folder it is about, from the source's root; empty for the source itself.
    pub path: CompactString,
    /// The kind, for counting in the ledger.
    pub problem: Problem,
    /// One line for people; never holds control characters.
    pub message: String,
}

/// Why a file is missing from the index, or only partly in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Problem {
    /// The operating system refused to open or read it.
    Unreadable,
    /// Not UTF-8; read with replacement characters.
    Encoding,
    /// Larger than the size limit, or one very long line: not parsed.
    TooLarge,
    /// Written by a minifier or bundler: not parsed.
    Minified,
    /// Nested deeper than the limit: what lies deeper is not read.
    TooDeep,
    /// Parts of it are no valid syntax; the rest is indexed.
    Syntax,
    /// A notebook or configuration file that is not what its name says.
    Malformed,
}

impl Problem {
    /// Every kind, the worst first.
    pub const ALL: [Self; 7] = [
        Self::Unreadable,
        Self::Encoding,
        Self::TooLarge,
        Self::Minified,
        Self::TooDeep,
        Self::Syntax,
        Self::Malformed,
    ];

    /// What is said of a number of such files.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Encoding => "not UTF-8",
            Self::TooLarge => "too large",
            Self::Minified => "minified",
            Self::TooDeep => "nested too deep",
            Self::Syntax => "with syntax errors",
            Self::Malformed => "malformed",
        }
    }
}
