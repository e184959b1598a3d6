//! `--check`: tests whether the stub of a profile still meets its budget and coverage.

use std::{path::PathBuf, sync::Arc};

use anyhow::anyhow;

use super::{ExportedPackage, Input, output, request, terminal_text};
use crate::cache::Cache;

/// Prints the state of a profile's stub; fails if the stub exceeds its budget or falls below its coverage.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The input.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The profile's name or file.
    pub profile: String,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

impl Check {
    /// Indexes, checks, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        let profile = request::profile(&self.input, &self.profile)?;
        let mut request = profile.request.clone();
        let index = match ExportedPackage::of_profile(&request) {
            None => self.input.load(self.cache.as_ref())?,
            Some(package) => {
                let cache = self.cache.as_ref();
                let loaded = self.input.load_with_packages(cache, &package.environment, self.verbose)?;
                package.narrow(&mut request, loaded, cache)?
            }
        };
        let index = Arc::new(index);
        let verdict = profile.check(&index, &request.deliver(&index));
        self.input.report(&index, self.verbose)?;
        let line = verdict.map_err(|why| anyhow!("profile {}: {why}", self.profile))?;
        output::write(self.output.as_deref(), |out| {
            writeln!(out, "{}", terminal_text::line(&format!("profile {}: {line}", self.profile)))
        })
    }
}
