//! `completions`: prints a shell's completions.

use clap_complete::Shell;

use super::{NAME, args, output};

/// Prints a shell's completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completions {
    /// The shell.
    pub shell: Shell,
}

impl Completions {
    /// Generates and prints the script.
    pub fn run(self) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut args::definition(), NAME, &mut script);
        output::write(None, |out| out.write_all(&script))
    }
}
