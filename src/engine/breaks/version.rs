//! A program together with one version of its packages.

use apidisc_indexing::{index::Index, indexer::Libraries};

/// A program together with one version of its packages.
pub struct Version<'v> {
    /// The index of the program and the packages.
    pub index: &'v Index,
    /// What was found of the packages.
    pub libraries: &'v Libraries,
    /// Reads a file by its path in the index.
    pub read: &'v dyn Fn(&str) -> Option<String>,
}
