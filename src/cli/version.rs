//! `--version`: the version of the program, and how it was built.

use super::{NAME, output};

/// The version of the program.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The target that the program was built for.
pub(super) const TARGET: &str = env!("APIDISC_TARGET");
/// The profile of the build.
const PROFILE: &str = env!("APIDISC_PROFILE");
/// The commit of the sources; empty if the build does not know it.
const COMMIT: &str = env!("APIDISC_BUILT_FROM");

/// Prints the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintVersion {
    /// Print also how the program was built.
    pub verbose: bool,
}

impl PrintVersion {
    /// Prints a line, or with `verbose` a line for each thing.
    pub fn run(self) -> anyhow::Result<()> {
        let version = format!("{NAME} {VERSION}\n");
        let text = if self.verbose { version + &built() } else { version };
        output::write(None, |out| out.write_all(text.as_bytes()))
    }
}

/// How the program was built: a line each.
fn built() -> String {
    let features = if cfg!(feature = "models") { "models" } else { "none" };
    let commit = commit();
    format!("commit    {commit}\ntarget    {TARGET}\nprofile   {PROFILE}\nfeatures  {features}\n")
}

/// The commit of the sources, or why it is not known.
fn commit() -> &'static str {
    match (COMMIT, PROFILE) {
        ("", "debug") => "not recorded in a development build",
        ("", _) => "not known: built from sources without git",
        (commit, _) => commit,
    }
}
