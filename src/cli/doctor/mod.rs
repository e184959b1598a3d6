//! `doctor`: says what works on this machine, and what to do about the rest.
//!
//! | file | content |
//! | --- | --- |
//! | `check` | a check: its name, status, description and remedy |
//! | `terminal` | the terminal, its colours, the clipboard |
//! | `files` | git, the configuration, the cache and the state |
//! | `sources` | the folder of code, its environment, the models |

mod check;
mod files;
mod sources;
mod terminal;

use std::path::PathBuf;

use anyhow::bail;
use serde::Serialize;

use self::check::{Check, Status};
use super::{
    ModelOptions, NAME, output,
    terminal_text::write_json,
    version::{TARGET, VERSION},
};
use crate::places::Places;

/// Says what works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doctor {
    /// The folder of code whose environment is looked for.
    pub folder: PathBuf,
    /// Print one object instead of lines.
    pub json: bool,
}

/// The user's configuration, as the explorer reads it.
#[derive(Clone, Debug)]
pub struct Configured {
    /// The folders of configuration, state and cache; `None` without a home folder.
    pub places: Option<Places>,
    /// The mistakes in the configuration, its themes and its model of word vectors.
    pub complaints: Vec<String>,
    /// The number of colours that the explorer uses, in words.
    pub colours: String,
    /// The columns and rows below which the explorer shows nothing.
    pub smallest_window: (u16, u16),
    /// The configuration names a model of word vectors.
    pub has_own_words: bool,
    /// The model that answers questions.
    pub model: ModelOptions,
}

/// What `--format json` prints.
#[derive(Serialize)]
struct Report<'a> {
    version: &'static str,
    target: &'static str,
    checks: &'a [Check],
}

impl Doctor {
    /// Prints the checks.
    ///
    /// # Errors
    /// If a check fails, or if the output cannot be written.
    pub fn run(&self, configured: &Configured) -> anyhow::Result<()> {
        let checks = self.checks(configured);
        if self.json {
            let report = Report { version: VERSION, target: TARGET, checks: &checks };
            output::write(None, |out| {
                write_json(out, &report)?;
                out.write_all(b"\n")
            })?;
        } else {
            let lines: String = checks.iter().map(Check::lines).collect();
            output::write(None, |out| out.write_all(format!("{NAME} {VERSION}, {TARGET}\n\n{lines}").as_bytes()))?;
        }
        match checks.iter().filter(|check| check.status == Status::Fails).count() {
            0 => Ok(()),
            1 => bail!("one check fails; its lines say what to do"),
            count => bail!("{count} checks fail; their lines say what to do"),
        }
    }

    fn checks(&self, configured: &Configured) -> Vec<Check> {
        let Configured { places, complaints, colours, smallest_window, has_own_words, model } = configured;
        vec![
            terminal::terminal(*smallest_window),
            terminal::colours(colours),
            terminal::clipboard(),
            files::git(),
            files::configuration(places.as_ref(), complaints),
            files::cache(),
            files::state(places.as_ref()),
            sources::folder(&self.folder),
            sources::python(&self.folder),
            sources::node(&self.folder),
            sources::words(*has_own_words),
            sources::model(model),
        ]
    }
}
