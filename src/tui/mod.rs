//! The explorer: a functional core (`model`, `update`, `view`) inside a thin shell (`runtime`).
//!
//! ```text
//! terminal, workers ──Message──▶ update(&mut Model) ──Effect──▶ runtime ──▶ workers, files, terminal
//!                                      │
//!                                 view(&Model) ──▶ one frame, after all waiting messages
//! ```
//!
//! **Architecture invariant.** Only [`runtime`] touches the terminal, the clock, files and processes.

pub mod arrangement;
pub mod command;
pub mod config;
pub mod effect;
pub mod highlight;
pub mod input;
pub mod jobs;
pub mod keymap;
pub mod layout;

pub mod message;
pub mod model;
pub mod runtime;
pub mod session;
pub mod sources;
pub mod svg;
pub mod theme;
pub mod update;
pub mod view;
pub mod widgets;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, anyhow};
use config::{Complaint, Config};
use layout::Size;
use theme::OwnTheme;

use crate::places::Places;
use apidisc::{
    index::Index, overrides::Overrides, source::Source, strategy::Strategy, tokens::Encoding, usage::Weights,
};

/// What the explorer opens with.
#[derive(Debug)]
pub struct Options {
    /// Where the index comes from.
    pub content: Content,
    /// What stands for the source on the screen, such as the path as it was given.
    pub title: String,
    /// What names the same source on the command line: a path, `--demo`, `--index FILE`.
    pub argument: String,
    /// The strategy to begin with; where this and what follows say nothing, what is remembered holds, else the default.
    pub strategy: Option<Strategy>,
    /// The tokenizer to begin with.
    pub encoding: Option<Encoding>,
    /// How often the calls of each origin count to begin with.
    pub weights: Option<Weights>,
    /// What is pinned and banned to begin with.
    pub overrides: Option<Overrides>,
    /// Where the session is saved; `None` where it is not.
    pub session_file: Option<SessionFile>,
    /// The theme that the command line names.
    pub theme: Option<String>,
    /// What a person has written about how the explorer should be.
    pub setup: Setup,
    /// The module to open, by name.
    pub module: Option<String>,
    /// The symbol to open, by name.
    pub symbol: Option<String>,
}

/// Where the index comes from.
#[derive(Debug)]
pub enum Content {
    /// To be indexed behind the first frame.
    Source(Source),
    /// Read from a file already.
    Index(Arc<Index>),
}

/// Opens the explorer and returns when the person leaves it.
///
/// # Errors
/// Where standard input or output is no terminal, where the theme is unknown, or where the terminal fails.
pub fn run(options: Options) -> anyhow::Result<()> {
    runtime::run(options)
}

/// The explorer's screen as SVG, without a terminal: opened in a window of so many columns and rows, with these keys
/// pressed (see [`input::keys`]) once everything is indexed. Nothing outside is touched: nothing is copied, written or
/// opened. `index` makes the index of a source.
///
/// # Errors
/// Where a key or the theme is unknown, or where indexing fails.
pub fn screenshot(
    options: Options,
    (columns, rows): (u16, u16),
    keys: &str,
    index: impl FnOnce(&Source) -> anyhow::Result<Index>,
) -> anyhow::Result<String> {
    let keys = input::keys(keys).map_err(|why| anyhow!(why)).context("--keys")?;
    runtime::screenshot::take(options, Size { columns, rows }, &keys, index)
}

/// What a person has written about how the explorer should be.
#[derive(Debug, Default)]
pub struct Setup {
    /// What `config.toml` says.
    pub config: Config,
    /// Themes of one's own.
    pub own_themes: Vec<OwnTheme>,
    /// Mistakes in either.
    pub complaints: Vec<Complaint>,
}

/// The file in which the session of a repository is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFile {
    /// The file.
    pub file: PathBuf,
    /// The path of the repository.
    pub repository: String,
}

/// The session file of a folder or file; `None` where the path does not exist.
pub fn session_file(places: &Places, path: &Path) -> Option<SessionFile> {
    runtime::session_file::locate(places, path)
}

/// Reads what a person has written; the defaults hold where there is nothing.
pub fn setup(places: Option<&Places>) -> Setup {
    places.map(runtime::config::load).unwrap_or_default()
}
