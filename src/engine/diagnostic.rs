//! Problems that do not stop the indexing. They are collected beside the result, for a user interface to show.

use compact_str::CompactString;

/// The reason why a file or folder is not in the index, or only in part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// The file or folder, as a path from the root of the source; empty for the source itself.
    pub path: CompactString,
    /// The kind of problem, by which the ledger counts files.
    pub problem: Problem,
    /// One line of text for the user, without control characters.
    pub message: String,
}

/// Why a file is not in the index, or only in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Problem {
    /// The operating system refused to open or read the file.
    Unreadable,
    /// The file is not UTF-8; it is read with replacement characters.
    Encoding,
    /// The file is larger than the limit or has a very long line; it is not parsed.
    TooLarge,
    /// The file was written by a minifier or bundler; it is not parsed.
    Minified,
    /// The content is not code in spite of the file's name, such as a film or a translation table; it is not parsed.
    NotCode,
    /// The parser took much longer than for code of that size; the file is not read.
    TooSlow,
    /// The code is nested deeper than the limit; the deeper code is not read.
    TooDeep,
    /// The code is more complex than the limits of linking; the rest of it is indexed.
    TooComplex,
    /// The file has syntax errors; the rest of it is indexed.
    Syntax,
    /// A notebook or configuration file does not have the format that its name promises.
    Malformed,
}

impl Problem {
    /// Every kind of problem, the worst first.
    pub const ALL: [Self; 10] = [
        Self::Unreadable,
        Self::Encoding,
        Self::TooLarge,
        Self::Minified,
        Self::NotCode,
        Self::TooSlow,
        Self::TooDeep,
        Self::TooComplex,
        Self::Syntax,
        Self::Malformed,
    ];

    /// The words that follow the number of files with this problem: `unreadable` in `3 unreadable`.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Encoding => "not UTF-8",
            Self::TooLarge => "too large",
            Self::Minified => "minified",
            Self::NotCode => "not code",
            Self::TooSlow => "too slow to parse",
            Self::TooDeep => "nested too deep",
            Self::TooComplex => "too complex in part",
            Self::Syntax => "with syntax errors",
            Self::Malformed => "malformed",
        }
    }
}
