//! `config`: prints the configuration in force, or the paths of its files.

use std::path::Path;

use anyhow::Context as _;

use super::{note, output};
use crate::places::Places;
use apidisc::unprintable::escaped_line;

/// The content to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowConfig {
    /// The configuration in force, in the form of a configuration file.
    Print,
    /// The paths of the files.
    Paths,
}

impl ShowConfig {
    /// Prints the complaints, then the configuration in force or the paths. `text` is the configuration in force, and
    /// `complaints` are the mistakes in the files.
    pub fn run(self, places: Option<&Places>, text: &str, complaints: &[String]) -> anyhow::Result<()> {
        for complaint in complaints {
            note(complaint);
        }
        match self {
            Self::Print => output::write(None, |out| out.write_all(text.as_bytes())),
            Self::Paths => {
                let places = places
                    .context("there is no home folder to keep a configuration in; set HOME to an absolute path")?;
                output::write(None, |out| out.write_all(paths(places).as_bytes()))
            }
        }
    }
}

fn paths(places: &Places) -> String {
    let line = |(name, path): (&str, &Path)| {
        let absence = if path.exists() { "" } else { "  (not there)" };
        format!("{name:<8}{}{absence}\n", escaped_line(&path.display().to_string()))
    };
    let rows: [(&str, &Path); 4] =
        [("config", &places.config), ("themes", &places.themes), ("state", &places.state), ("cache", &places.cache)];
    rows.into_iter().map(line).collect()
}
