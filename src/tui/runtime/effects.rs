//! Effects to the threads that carry them out.

use std::{io, sync::mpsc, time::Duration};

use tokio::time::Instant;

use super::{
    errands::{self, Errand},
    highlighter, matcher, stubs,
    worker::Post,
};
use crate::{
    engine::index::{DefinitionId, Index},
    tui::effect::Effect,
};
use std::sync::Arc;

/// So long a toast is shown.
const TOAST: Duration = Duration::from_secs(4);

/// What only the drawing thread itself can do.
pub(super) enum Own {
    Quit,
    Edit(Arc<Index>, DefinitionId),
}

/// The threads.
pub(super) struct Hands {
    stubs: mpsc::Sender<stubs::Job>,
    matcher: matcher::Questions,
    highlighter: mpsc::Sender<highlighter::Job>,
    errands: mpsc::Sender<Errand>,
    /// When the toast goes, and its ticket.
    pub(super) toast: Option<(Instant, u64)>,
}

impl Hands {
    /// Starts the threads.
    pub(super) fn start(post: &Post) -> io::Result<Self> {
        Ok(Self {
            stubs: stubs::spawn(post.clone())?,
            matcher: matcher::spawn(post.clone())?,
            highlighter: highlighter::spawn(post.clone())?,
            errands: errands::spawn(post.clone())?,
            toast: None,
        })
    }

    /// Hands an effect on. A worker outlives a panic, so that a queue is closed only while the program ends.
    pub(super) fn perform(&mut self, effect: Effect) -> Option<Own> {
        match effect {
            Effect::Deliver { ticket, catalog, request } => {
                let _ = self.stubs.send(stubs::Job { ticket, catalog, request });
            }
            Effect::Match { ticket, pane, pattern, catalog, candidates } => {
                self.matcher.ask(matcher::Job { ticket, pane, pattern, catalog, candidates });
            }
            Effect::Highlight { ticket, document, lines } => {
                let _ = self.highlighter.send(highlighter::Job { ticket, document, lines });
            }
            Effect::Copy(document) => {
                let _ = self.errands.send(Errand::Copy(document));
            }
            Effect::Write { path, document, overwrite } => {
                let _ = self.errands.send(Errand::Write { path, document, overwrite });
            }
            Effect::Discard(catalog) => {
                let _ = self.errands.send(Errand::Discard(catalog));
            }
            Effect::Expire(ticket) => self.toast = Some((Instant::now() + TOAST, ticket)),
            Effect::Edit { catalog, definition } => return Some(Own::Edit(Arc::clone(&catalog.index), definition)),
            Effect::Quit => return Some(Own::Quit),
        }
        None
    }
}
