//! `--check`: whether a profile still holds.

use std::{path::PathBuf, sync::Arc};

use anyhow::anyhow;

use super::{Input, choice, output};

/// Prints what is true of a profile's stub now; fails where it breaks its budget or loses its coverage.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What is indexed.
    pub input: Input,
    /// The profile's name, or its file.
    pub profile: String,
    /// The file to write; standard output where there is none.
    pub output: Option<PathBuf>,
    /// Name every file that could not be read in full.
    pub verbose: bool,
}

impl Check {
    /// Does it.
    pub fn run(&self) -> anyhow::Result<()> {
        let profile = choice::profile(&self.input, &self.profile)?;
        let index = Arc::new(self.input.load()?);
        let verdict = profile.check(&index, &profile.request.deliver(&index));
        self.input.report(&index, self.verbose);
        let line = verdict.map_err(|why| anyhow!("profile {}: {why}", self.profile))?;
        output::write(self.output.as_deref(), |out| writeln!(out, "profile {}: {line}", self.profile))
    }
}
