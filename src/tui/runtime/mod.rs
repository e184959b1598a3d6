//! The shell around the core: the only part that touches the terminal, the clock, files and processes.
//!
//! The drawing thread waits for events and news, hands all of them to `update`, then draws once; it never
//! does work that could take longer than a frame. Each kind of work has a thread of its own, and an
//! answer to a question that has been replaced meanwhile is dropped by its ticket.

mod editor;
mod effects;
mod errands;
mod events;
mod highlighter;
mod indexer;
mod matcher;
mod signals;
mod stubs;
mod terminal;
mod translate;
mod worker;

use std::io::IsTerminal as _;

use anyhow::{Context as _, bail};

use super::{Options, layout::Size, model::Model, theme::Theme};

pub(super) fn run(options: Options) -> anyhow::Result<()> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        bail!("the explorer needs a terminal; use --export to print a stub without one");
    }
    if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        bail!("the explorer needs a terminal that can move its cursor, and TERM is dumb; use --export to print a stub");
    }
    let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let theme = Theme::load(options.theme.as_deref().unwrap_or(super::theme::NAMES[0]), colour)?;
    let (columns, rows) = crossterm::terminal::size().context("the terminal does not tell its size")?;
    let model = Model::new(&options, theme, Size { columns, rows });
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the event loop cannot be started")?
        .block_on(events::run(model, options.content))
}
