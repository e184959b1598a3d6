//! `index`: writes `api_metadata.yaml`.

use std::path::PathBuf;

use super::{Input, output};
use crate::cache::Cache;
use apidisc::index::metadata::{self, MetadataOptions};

/// Indexes a source and writes the counts to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteIndex {
    /// The input.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
    /// Definitions with fewer calls are left out of the file.
    pub min_usage_threshold: u32,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

impl WriteIndex {
    /// Indexes, writes, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        let index = self.input.load(self.cache.as_ref())?;
        let options = MetadataOptions { min_usage_threshold: self.min_usage_threshold, ..MetadataOptions::default() };
        let text = metadata::write(&index, &options)?;
        output::write(self.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
        self.input.report(&index, self.verbose);
        Ok(())
    }
}
