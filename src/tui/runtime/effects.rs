//! Effects to the threads that carry them out.

use std::{io, sync::mpsc, time::Duration};

use tokio::time::Instant;

use super::{
    desk::Desk,
    errands::{self, Errand},
    evaluator,
    files::Files,
    finder, highlighter,
    indexer::{self, Indexer},
    matcher, reader, stubs, tuner,
    worker::Post,
};
use crate::{
    engine::index::{FileId, Index},
    tui::{Content, effect::Effect},
};
use std::sync::Arc;

/// So long a toast is shown.
const TOAST: Duration = Duration::from_secs(4);

/// What only the drawing thread itself can do.
pub(super) enum Own {
    Quit,
    Edit(Arc<Index>, FileId, u32),
    Mouse(bool),
    Suspend,
}

/// The threads.
pub(super) struct Hands {
    stubs: mpsc::Sender<stubs::Job>,
    tuner: mpsc::Sender<tuner::Question>,
    evaluator: mpsc::Sender<evaluator::Wish>,
    matcher: matcher::Questions,
    finder: finder::Questions,
    highlighter: mpsc::Sender<highlighter::Job>,
    errands: mpsc::Sender<Errand>,
    reader: mpsc::Sender<reader::Job>,
    indexer: Indexer,
    /// When the toast goes, and its ticket.
    pub(super) toast: Option<(Instant, u64)>,
}

impl Hands {
    /// Starts the threads.
    pub(super) fn start(content: Content, is_watching: bool, post: &Post) -> io::Result<Self> {
        let files = Files::of(&content);
        let desk = Desk::default();
        Ok(Self {
            stubs: stubs::spawn(desk.clone(), post.clone())?,
            tuner: tuner::spawn(desk, post.clone())?,
            evaluator: evaluator::spawn(post.clone())?,
            matcher: matcher::spawn(post.clone())?,
            finder: finder::spawn(post.clone())?,
            highlighter: highlighter::spawn(post.clone())?,
            errands: errands::spawn(files.profiles(), post.clone())?,
            reader: reader::spawn(files, post.clone())?,
            indexer: indexer::spawn(content, is_watching, post.clone())?,
            toast: None,
        })
    }

    /// Hands an effect on. A worker outlives a panic, so that a queue is closed only while the program ends.
    pub(super) fn perform(&mut self, effect: Effect) -> Option<Own> {
        match effect {
            Effect::Deliver { ticket, catalog, request, overrides } => {
                let _ = self.stubs.send(stubs::Job { ticket, catalog, request, overrides });
            }
            Effect::Trace { ticket, catalog, ground, overrides } => {
                let _ = self.tuner.send(tuner::Question::Trace(tuner::Job { ticket, catalog, ground, overrides }));
            }
            Effect::Weigh { ticket, catalog, ground, overrides, settings } => {
                let job = tuner::Job { ticket, catalog, ground, overrides };
                let _ = self.tuner.send(tuner::Question::Weigh(job, settings));
            }
            Effect::Compare { ticket, catalog, request, overrides } => {
                let job = tuner::Job { ticket, catalog, ground: request.into(), overrides };
                let _ = self.tuner.send(tuner::Question::Compare(job, request.strategy));
            }
            Effect::HoldOut { ticket, catalog, cut } => {
                let _ = self.evaluator.send(evaluator::Wish::Measure(evaluator::Job { ticket, catalog, cut }));
            }
            Effect::StopTuning => {
                let _ = self.tuner.send(tuner::Question::Stop);
                let _ = self.evaluator.send(evaluator::Wish::Stop);
            }
            Effect::Match { ticket, pane, pattern, catalog, candidates } => {
                self.matcher.ask(matcher::Job { ticket, pane, pattern, catalog, candidates });
            }
            Effect::Find { ticket, typed, catalog } => self.finder.ask(ticket, typed, catalog),
            Effect::Gather(catalog) => self.finder.gather(catalog),
            Effect::Highlight { ticket, document, lines } => {
                let _ = self.highlighter.send(highlighter::Job { ticket, document, lines });
            }
            Effect::Read { ticket, catalog, shows } => {
                let _ = self.reader.send(reader::Job::Read { ticket, catalog, shows });
            }
            Effect::Quote { ticket, catalog, calls } => {
                let _ = self.reader.send(reader::Job::Quote { ticket, catalog, calls });
            }
            Effect::Copy(document) => {
                let _ = self.errands.send(Errand::Copy(document));
            }
            Effect::Write { path, document, overwrite } => {
                let _ = self.errands.send(Errand::Write { path, document, overwrite });
            }
            Effect::Save { name, text, overwrite } => {
                let _ = self.errands.send(Errand::Save { name, text, overwrite });
            }
            Effect::Discard(catalog) => {
                let _ = self.errands.send(Errand::Discard(catalog));
            }
            Effect::Expire(ticket) => self.toast = Some((Instant::now() + TOAST, ticket)),
            Effect::Edit { catalog, file, line } => return Some(Own::Edit(Arc::clone(&catalog.index), file, line)),
            Effect::Reindex => self.indexer.again(),
            Effect::StopIndexing => self.indexer.stop(),
            Effect::Mouse(mouse) => return Some(Own::Mouse(mouse)),
            Effect::Suspend => return Some(Own::Suspend),
            Effect::Quit => return Some(Own::Quit),
        }
        None
    }
}
