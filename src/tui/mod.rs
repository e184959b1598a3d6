//! The explorer: a functional core (`model`, `update`, `view`) inside a thin shell (`runtime`).
//!
//! ```text
//! terminal, workers ──Message──▶ update(&mut Model) ──Effect──▶ runtime ──▶ workers, files, terminal
//!                                      │
//!                                 view(&Model) ──▶ one frame, after all waiting messages
//! ```
//!
//! **Architecture invariant.** Only [`runtime`] touches the terminal, the clock, files and processes.
//!
//! **Architecture invariant.** The modules are ordered: a module uses only modules above it in this table.
//!
//! | module | purpose | mainly uses |
//! | --- | --- | --- |
//! | [`widgets`] | cells, text and numbers on the screen | |
//! | [`svg`] | a screen as an SVG image | widgets |
//! | [`input`] | keys and mouse events as plain data | |
//! | [`command`] | the table of commands | input |
//! | [`keymap`] | the bindings of keys to commands | command, input |
//! | [`geometry`] | sizes, panes, and areas that depend on the window alone | widgets |
//! | [`arrangement`] | how the panes share the screen | geometry |
//! | [`complaint`] | mistakes in the user's files | widgets |
//! | [`theme`] | styles by role, and themes from files | complaint |
//! | [`config`] | `config.toml` | keymap, theme, complaint |
//! | [`options`] | the options of the explorer | config, theme |
//! | [`model`] | the state of the explorer | all above but `svg` |
//! | [`layout`] | areas that depend on the model, and hit testing | model, geometry, arrangement |
//! | [`highlight`] | syntax highlighting: roles of source text | model, theme |
//! | [`sources`] | excerpts of the sources | model, highlight |
//! | [`session`] | the state that is kept from one session to the next | model, options |
//! | [`jobs`] | work outside the drawing thread, and its answers | model, sources, highlight |
//! | [`message`] | events of the terminal and answers of jobs | model, input, jobs |
//! | [`effect`] | the core's requests to the runtime | model, jobs |
//! | [`update`] | the reducer: from a message to a new state and effects | model, layout, message, jobs, effect |
//! | [`view`] | draws the model | model, layout |
//! | [`runtime`] | event loop, terminal, workers, files | everything |

pub mod arrangement;
pub mod command;
pub mod complaint;
pub mod config;
pub mod effect;
pub mod geometry;
pub mod highlight;
pub mod input;
pub mod jobs;
pub mod keymap;
pub mod layout;
pub mod message;
pub mod model;
pub mod options;
pub mod runtime;
pub mod session;
pub mod sources;
pub mod svg;
pub mod theme;
pub mod update;
pub mod view;
pub mod widgets;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use crate::{cache::Cache, places::Places};
use apidisc::{index::Index, source::Source};
use geometry::ScreenSize;

pub use options::{Assistant, Content, ExplorerOptions, SessionFile, Setup};

/// Opens the explorer and returns when the user exits.
///
/// # Errors
/// If standard input or output is not a terminal, if the theme is unknown, or if the terminal fails.
pub fn run(options: ExplorerOptions) -> anyhow::Result<()> {
    runtime::run(options)
}

/// Draws the explorer's screen as SVG, without a terminal. Nothing is copied, written or opened.
///
/// - `(columns, rows)` is the size of the screen.
/// - `keys` are the keys that are pressed once the index is complete; see [`input::keys`]. Several sequences make
///   a picture that moves: it shows the screen after each.
/// - `index` makes the index of a source.
///
/// # Errors
/// If a key or the theme is unknown, or if indexing fails.
pub fn screenshot(
    options: ExplorerOptions,
    (columns, rows): (u16, u16),
    keys: &[String],
    index: impl FnOnce(&Source, Option<&Cache>) -> anyhow::Result<Index>,
) -> anyhow::Result<String> {
    let keys: Result<Vec<_>, _> = keys.iter().map(|keys| input::keys(keys)).collect();
    let mut keys = keys.map_err(|why| anyhow!(why)).context("--keys")?;
    if keys.is_empty() {
        keys.push(Vec::new());
    }
    runtime::screenshot::take(options, ScreenSize { columns, rows }, &keys, index)
}

/// The session file of a folder or file; `None` if the path does not exist or is the root folder.
pub fn session_file(places: &Places, path: &Path) -> Option<SessionFile> {
    runtime::session_file::locate(places, path)
}

/// The file in which conversations about a folder or file are kept; `None` if the path does not exist or is the root
/// folder.
pub fn conversations_file(places: &Places, path: &Path) -> Option<PathBuf> {
    runtime::session_file::conversations(places, path)
}

/// The number of colours that the explorer uses in the environment of this process, in words.
pub fn colours(setup: &Setup) -> String {
    runtime::colours(setup).to_string()
}

/// Reads the user's configuration and themes; the defaults if there are none.
pub fn setup(places: Option<&Places>) -> Setup {
    places.map(runtime::config::load).unwrap_or_default()
}
