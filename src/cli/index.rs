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
    /// The file to write. If `None`, the output file of the list of sources, else standard output.
    pub output: Option<PathBuf>,
    /// Definitions with fewer calls are left out of the file. If `None`, it is the number in a list of sources, else 2.
    pub min_usage_threshold: Option<u32>,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

impl WriteIndex {
    /// Indexes, writes, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        let config = self.input.config()?;
        let index = self.input.load(self.cache.as_ref())?;
        let mut options = MetadataOptions::default();
        let configured = config.as_ref().map(|config| config.min_usage_threshold);
        options.min_usage_threshold = self.min_usage_threshold.or(configured).unwrap_or(options.min_usage_threshold);
        let output = self.output.clone().or_else(|| config.map(|config| config.output()));
        let text = metadata::write(&index, &options)?;
        output::write(output.as_deref(), |out| out.write_all(text.as_bytes()))?;
        self.input.report(&index, self.verbose)
    }
}
