//! `reads`: every resolved read of an attribute as JSON Lines, for comparison with other tools.

use std::path::PathBuf;

use super::{Input, calls::CallSiteRow, json_row::JsonRow, output};
use crate::cache::Cache;
use apidisc::program::ReadSite;

/// Prints the reads of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintReads {
    /// The input.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

impl PrintReads {
    /// Indexes, prints, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        let index = self.input.load(self.cache.as_ref())?;
        // The examples in a file are a part of their own in the index.
        let mut reads: Vec<&ReadSite> = index.reads.iter().collect();
        reads.sort_by_key(|read| (&index.file(read.file).path, read.line, read.col));
        let mut json = JsonRow::default();
        output::write(self.output.as_deref(), |out| {
            reads.iter().try_for_each(|read| CallSiteRow::of_read(&index, read).write(&mut json, out))
        })?;
        self.input.report(&index, self.verbose)
    }
}
