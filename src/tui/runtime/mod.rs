//! The shell around the core: the only part that touches the terminal, the clock, files and processes.
//!
//! The drawing thread waits for events and news, hands all of them to `update`, then draws once; it never
//! does work that could take longer than a frame. Each kind of work has a thread of its own, and an
//! answer to a question that has been replaced meanwhile is dropped by its ticket.

pub(super) mod config;
mod counter;
mod desk;
mod editor;
mod effects;
mod errands;
mod evaluator;
mod events;
mod files;
mod finder;
mod highlighter;
mod historian;
mod indexer;
mod matcher;
pub(super) mod memory;
mod priority;
mod reader;
pub(super) mod screenshot;
mod sgr;
mod signals;
mod stubs;
mod terminal;
mod translate;
mod tuner;
mod watcher;
mod worker;

use std::io::IsTerminal as _;

use anyhow::{Context as _, bail};

use super::{
    complaint::Complaint,
    geometry::ScreenSize,
    model::Model,
    options::Options,
    theme::{Theme, Themes},
};

pub(super) fn run(mut options: Options) -> anyhow::Result<()> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        bail!("the explorer needs a terminal; use --export to print a stub without one");
    }
    if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        bail!("the explorer needs a terminal that can move its cursor, and TERM is dumb; use --export to print a stub");
    }
    let (memory, forgotten) = match options.keeper.as_ref().map_or(Ok(None), memory::load) {
        Ok(memory) => (memory, None),
        Err(complaint) => (None, Some(complaint)),
    };
    let depth = options.setup.config.color.depth(|name| std::env::var(name).ok());
    let themes = Themes::new(std::mem::take(&mut options.setup.own_themes), depth);
    let chosen = memory.as_ref().and_then(|memory| memory.theme.clone());
    let (theme, wrong) = theme(&options, chosen.as_deref(), &themes)?;
    let (columns, rows) = crossterm::terminal::size().context("the terminal does not tell its size")?;
    let complaints = options.setup.complaints.iter().chain(&wrong).chain(&forgotten).map(ToString::to_string).collect();
    let mut model = Model::new(&options, themes, theme, ScreenSize { columns, rows });
    if let Some(memory) = memory {
        model.recall(memory, &options);
    }
    let is_watching = options.setup.config.watch;
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the event loop cannot be started")?
        .block_on(events::run(model, options.content, options.keeper, is_watching, complaints))
}

/// The theme that is asked for, and the mistakes in it. One that the command line names must be there; for one that
/// the configuration names, the default can stand in. `chosen` is one that was chosen the last time.
fn theme(options: &Options, chosen: Option<&str>, themes: &Themes) -> anyhow::Result<(Theme, Vec<Complaint>)> {
    let default = Themes::default_name();
    if let Some(name) = &options.theme {
        return Ok(themes.load(name)?);
    }
    let chosen = chosen.filter(|name| themes.names().iter().any(|known| known == name));
    themes.load(options.setup.config.theme.as_deref().or(chosen).unwrap_or(default)).or_else(|why| {
        let (theme, _) = themes.load(default)?;
        Ok((theme, vec![Complaint { file: "config.toml".to_owned(), line: 0, what: why.to_string() }]))
    })
}
