//! The explorer: a functional core (`model`, `update`, `view`) inside a thin shell (`runtime`).
//!
//! ```text
//! terminal, workers ──Message──▶ update(&mut Model) ──Effect──▶ runtime ──▶ workers, files, terminal
//!                                      │
//!                                 view(&Model) ──▶ one frame, after all waiting messages
//! ```
//!
//! **Architecture invariant.** Only [`runtime`] touches the terminal, the clock, files and processes.

pub mod command;
pub mod effect;
pub mod highlight;
pub mod input;
pub mod layout;
pub mod message;
pub mod model;
pub mod runtime;
pub mod search;
pub mod theme;
pub mod update;
pub mod view;
pub mod widgets;

use std::sync::Arc;

use crate::engine::{index::Index, source::Source, strategy::Strategy, tokens::Encoding};

/// What the explorer opens with.
#[derive(Debug)]
pub struct Options {
    /// Where the index comes from.
    pub content: Content,
    /// What stands for the source on the screen, such as the path as it was given.
    pub title: String,
    /// What names the same source on the command line: a path, `--demo`, `--index FILE`.
    pub argument: String,
    /// The strategy to begin with.
    pub strategy: Strategy,
    /// The tokenizer to begin with.
    pub encoding: Encoding,
    /// A theme's name; the terminal's own colours where there is none.
    pub theme: Option<String>,
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
