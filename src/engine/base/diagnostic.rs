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

/// Lines of a file, from 1; both are in the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct LineRange {
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

impl From<u32> for LineRange {
    fn from(line: u32) -> Self {
        Self { first: line, last: line }
    }
}

impl LineRange {
    /// Ranges of one file in words: `line 3`, `lines 3 to 7`, `lines 3 to 7, 12`.
    pub fn in_words(ranges: &[Self]) -> String {
        let one = |range: &Self| match range {
            Self { first, last } if first == last => first.to_string(),
            Self { first, last } => format!("{first} to {last}"),
        };
        let words: Vec<String> = ranges.iter().map(one).collect();
        let is_one = matches!(ranges, [Self { first, last }] if first == last);
        format!("{} {}", if is_one { "line" } else { "lines" }, words.join(", "))
    }
}

/// Why a file is not in the index, or only in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Problem {
    /// A source is missing, has no files left, or has modules that another source defines.
    Source,
    /// The operating system refused to open or read the file.
    Unreadable,
    /// Bytes of the file are not of its encoding; it is read with replacement characters.
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
    /// A document or docstring has examples that are not valid code; they are left out, the others are indexed.
    Example,
    /// A notebook or configuration file does not have the format that its name promises.
    Malformed,
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { path, message, .. } = self;
        if path.is_empty() { f.write_str(message) } else { write!(f, "{path}: {message}") }
    }
}

impl Problem {
    /// Every kind of problem, the worst first.
    pub const ALL: [Self; 12] = [
        Self::Source,
        Self::Unreadable,
        Self::Encoding,
        Self::TooLarge,
        Self::Minified,
        Self::NotCode,
        Self::TooSlow,
        Self::TooDeep,
        Self::TooComplex,
        Self::Syntax,
        Self::Example,
        Self::Malformed,
    ];

    /// The words that follow the number of files with this problem: `unreadable` in `3 unreadable`.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Source => "of a whole source",
            Self::Unreadable => "unreadable",
            Self::Encoding => "not UTF-8",
            Self::TooLarge => "too large",
            Self::Minified => "minified",
            Self::NotCode => "not code",
            Self::TooSlow => "too slow to parse",
            Self::TooDeep => "nested too deep",
            Self::TooComplex => "too complex in part",
            Self::Syntax => "with syntax errors",
            Self::Example => "with broken examples",
            Self::Malformed => "malformed",
        }
    }
}

/// How many files, or parts of files, are not in the index because they exceed a limit of the indexer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, expecting = "the keys of limits")]
pub struct LimitCounts {
    /// The diagnostics with [`Problem::TooLarge`].
    #[serde(skip_serializing_if = "is_zero")]
    pub too_large: u32,
    /// The diagnostics with [`Problem::Minified`].
    #[serde(skip_serializing_if = "is_zero")]
    pub minified: u32,
    /// The diagnostics with [`Problem::TooSlow`].
    #[serde(skip_serializing_if = "is_zero")]
    pub too_slow: u32,
    /// The diagnostics with [`Problem::TooDeep`].
    #[serde(skip_serializing_if = "is_zero")]
    pub too_deep: u32,
    /// The diagnostics with [`Problem::TooComplex`].
    #[serde(skip_serializing_if = "is_zero")]
    pub too_complex: u32,
}

impl std::ops::AddAssign for LimitCounts {
    fn add_assign(&mut self, other: Self) {
        let Self { too_large, minified, too_slow, too_deep, too_complex } = other;
        self.too_large += too_large;
        self.minified += minified;
        self.too_slow += too_slow;
        self.too_deep += too_deep;
        self.too_complex += too_complex;
    }
}

impl LimitCounts {
    /// Counts the diagnostics that name a limit.
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        let mut counts = Self::default();
        for diagnostic in diagnostics {
            match diagnostic.problem {
                Problem::TooLarge => counts.too_large += 1,
                Problem::Minified => counts.minified += 1,
                Problem::TooSlow => counts.too_slow += 1,
                Problem::TooDeep => counts.too_deep += 1,
                Problem::TooComplex => counts.too_complex += 1,
                Problem::Source
                | Problem::Unreadable
                | Problem::Encoding
                | Problem::NotCode
                | Problem::Syntax
                | Problem::Example
                | Problem::Malformed => {}
            }
        }
        counts
    }

    /// The limits that were exceeded, each with its count.
    pub fn exceeded(&self) -> impl Iterator<Item = (Problem, u32)> {
        let counts = [
            (Problem::TooLarge, self.too_large),
            (Problem::Minified, self.minified),
            (Problem::TooSlow, self.too_slow),
            (Problem::TooDeep, self.too_deep),
            (Problem::TooComplex, self.too_complex),
        ];
        counts.into_iter().filter(|(_, count)| *count > 0)
    }

    /// True if no limit was exceeded.
    pub fn is_empty(&self) -> bool {
        self.exceeded().next().is_none()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

crate::packed::packed_structs! {
    Diagnostic { path, problem, message }
}

crate::packed::packed_enums! {
    Problem {
        Source, Unreadable, Encoding, TooLarge, Minified, NotCode, TooSlow, TooDeep, TooComplex, Syntax, Example,
        Malformed,
    }
}
