//! `index`: writes `api_metadata.yaml`.

use std::path::PathBuf;

use super::{Input, output};
use apidisc::index::metadata::{self, MetadataOptions};

/// Indexes a source and writes the counts to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteIndex {
    /// The input.
    pub input: Input,
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
        let index = self.input.load()?;
        let options = MetadataOptions { min_usage_threshold: self.min_usage_threshold, ..MetadataOptions::default() };
        let text = metadata::write(&index, &options)?;
        output::write(self.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
        self.input.report(&index, self.verbose);
        Ok(())
    }
}
