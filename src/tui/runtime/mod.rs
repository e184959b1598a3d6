//! The shell around the core: the only part that uses the terminal, the clock, files and processes.
//!
//! The drawing thread waits for events, passes all of them to `update`, then draws once; it never does work that could
//! take longer than a frame. Worker threads do the jobs (see [`super::jobs`]). Each request has a ticket, a number that
//! its answer repeats: the model drops the answer to a request that has been replaced by a newer one.

mod around;
mod ask_worker;
mod clicks;
pub(super) mod config;
mod conversations;
mod documents_worker;
mod editor;
mod event_loop;
mod explain_worker;
mod fetching;
mod indexing;
mod lanes;
mod output_worker;
mod package_worker;
mod request_worker;
pub(super) mod screenshot;
pub(super) mod session_file;
mod sgr;
mod signals;
mod source_files;
mod terminal;
mod terminal_input;
mod translate;
mod upgrade_worker;
mod worker;
mod workers;

use std::io::IsTerminal as _;

use anyhow::{Context as _, bail};

use super::{
    complaint::Complaint,
    geometry::ScreenSize,
    model::Model,
    options::{ExplorerOptions, Setup},
    theme::{ColourDepth, Theme, Themes},
};

pub(super) fn run(mut options: ExplorerOptions) -> anyhow::Result<()> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        bail!("the explorer needs a terminal; use --export to print a stub without one");
    }
    if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        bail!("the explorer needs a terminal that can move its cursor, and TERM is dumb; use --export to print a stub");
    }
    let (session, not_used) = match options.session_file.as_ref().map_or(Ok(None), session_file::load) {
        Ok(session) => (session, None),
        Err(complaint) => (None, Some(complaint)),
    };
    let depth = colours(&options.setup);
    let themes = Themes::new(std::mem::take(&mut options.setup.own_themes), depth);
    let chosen = session.as_ref().and_then(|session| session.theme.clone());
    let (theme, wrong) = theme(&options, chosen.as_deref(), &themes)?;
    let (columns, rows) = crossterm::terminal::size().context("the terminal does not tell its size")?;
    let complaints = options.setup.complaints.iter().chain(&wrong).chain(&not_used).map(ToString::to_string).collect();
    let mut model = Model::new(&options, themes, theme, ScreenSize { columns, rows });
    if let Some(session) = session {
        model.restore_session(session, &options);
    }
    model.around = around::SourceAround::of(&options.content).and_then(|around| around.described());
    let is_watching = options.setup.config.is_watching;
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the event loop cannot be started")?
        .block_on(event_loop::run(model, options, is_watching, complaints))
}

pub(super) fn colours(setup: &Setup) -> ColourDepth {
    setup.config.color.depth(|name| std::env::var(name).ok())
}

/// The initial theme, and the mistakes in its file. `chosen` is the theme of the last session.
///
/// A missing theme that the command line names is an error. If the configuration names a missing theme, the default
/// theme is used, and the mistake is reported.
fn theme(options: &ExplorerOptions, chosen: Option<&str>, themes: &Themes) -> anyhow::Result<(Theme, Vec<Complaint>)> {
    let default = Themes::default_name();
    if let Some(name) = &options.theme {
        return Ok(themes.load(name)?);
    }
    let chosen = chosen.filter(|name| themes.names().iter().any(|known| known == name));
    themes.load(options.setup.config.theme.as_deref().or(chosen).unwrap_or(default)).or_else(|why| {
        let (theme, _) = themes.load(default)?;
        Ok((theme, vec![Complaint { file: "config.toml".to_owned(), line: 0, message: why.to_string() }]))
    })
}
