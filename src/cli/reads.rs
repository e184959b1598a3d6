//! `reads`: every resolved read of an attribute as JSON Lines, for comparison with other tools.

use std::path::PathBuf;

use super::{Input, calls::CallSiteRow, output, terminal_text::write_json};
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
        output::write(self.output.as_deref(), |out| {
            reads.iter().try_for_each(|read| {
                write_json(out, &CallSiteRow::of_read(&index, read))?;
                out.write_all(b"\n")
            })
        })?;
        self.input.report(&index, self.verbose)
    }
}
