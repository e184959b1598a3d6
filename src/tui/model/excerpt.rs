//! Pieces of the sources, as the runtime reads them.

use std::ops::Range;

use super::Runs;
use crate::engine::index::CallId;

/// Some lines of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The file.
    pub path: String,
    /// The number of the first line, from 1.
    pub first: u32,
    /// The lines.
    pub lines: Vec<String>,
    /// Their colours; empty until they are known.
    pub runs: Vec<Runs>,
    /// The lines that it is about, counted from the first one here.
    pub focus: Range<usize>,
    /// What of the first and last of them it is about, in bytes.
    pub columns: (usize, usize),
}

/// A call as it stands in the source, as far to the left as it can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Which.
    pub call: CallId,
    /// Its lines with their colours.
    pub lines: Vec<(String, Runs)>,
}
