//! The errors of the functions. Their messages name the values, names or paths that exist instead.

use apidisc_indexing::index::LookupError;
use apidisc_stubs::delivery::RequestError;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// A number is outside of its limits.
    #[error("{name} is {given}; it may be {least} to {most}")]
    OutOfRange {
        /// The name of the field.
        name: &'static str,
        /// The number as it was given.
        given: i64,
        /// The least number.
        least: i64,
        /// The greatest number.
        most: i64,
    },
    /// A list has too few or too many entries.
    #[error("{name} has {given} entries; it may have 1 to {most}")]
    WrongCount {
        /// The name of the field.
        name: &'static str,
        /// The number of entries.
        given: usize,
        /// The greatest number.
        most: usize,
    },
    /// A field is missing, or is given together with a field that excludes it.
    #[error("{0}")]
    WrongFields(&'static str),
    /// A word is unknown.
    #[error("{name} `{given}` is unknown; known are {}", .known.join(", "))]
    UnknownWord {
        /// The name of the field.
        name: &'static str,
        /// The word as it was given.
        given: String,
        /// The known words.
        known: Vec<&'static str>,
    },
    /// A name is unknown or ambiguous.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// No symbol has this hash or name.
    #[error("no symbol is called `{name}`{}", nearest_in_words(.nearest))]
    UnknownSymbol {
        /// The name or hash as it was given.
        name: String,
        /// The nearest names, best first.
        nearest: Vec<String>,
    },
    /// The path leads out of the repository.
    #[error("`{0}` leads out of the repository; paths begin at its root")]
    Outside(String),
    /// No file of the index has this path, or several end in it.
    #[error("{problem}: `{path}`{}", nearest_in_words(.nearest))]
    File {
        /// `no indexed file has this path`, or `several files have this path at their end`.
        problem: &'static str,
        /// The path as it was given.
        path: String,
        /// The nearest paths.
        nearest: Vec<String>,
    },
    /// The file holds secrets by its name, and nobody has allowed it.
    #[error("`{0}` is not shown: a file of this name holds secrets; the user can allow it with --allow-file {0}")]
    Secret(String),
    /// The file was indexed, but cannot be read now.
    #[error("`{0}` cannot be read any more; the index is older than the sources, or has none")]
    Gone(String),
    /// The file has fewer lines.
    #[error("`{path}` ends at line {lines}; there is no line {line}")]
    BeyondTheEnd {
        /// The path of the file.
        path: String,
        /// The line that was asked for.
        line: u32,
        /// The number of lines of the file.
        lines: u32,
    },
    /// Every answer is larger than the budget.
    #[error("the answer needs {smallest} tokens at least; max_tokens is {max_tokens}")]
    BudgetTooSmall {
        /// The smallest budget that works, in tokens.
        smallest: usize,
        /// The budget that was given, in tokens.
        max_tokens: usize,
    },
    /// The stub cannot be delivered.
    #[error(transparent)]
    Stub(#[from] RequestError),
}

fn nearest_in_words(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; the nearest: {}", nearest.join(", ")) }
}
