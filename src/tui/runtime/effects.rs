//! Effects to the threads that carry them out.

use std::{io, sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{
    counter::{self, Generations},
    desk::Desk,
    errands::{self, Errand},
    evaluator,
    files::Files,
    finder, highlighter, historian,
    indexer::{self, Indexer},
    matcher, reader, stubs, tuner,
    worker::{Jobs, Post},
};
use crate::tui::{effect::Effect, options::Content};
use apidisc::{index::Index, program::FileId};

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
    stubs: Jobs<stubs::Job>,
    tuner: Jobs<tuner::Question>,
    evaluator: Jobs<evaluator::StartTarget>,
    matcher: matcher::Questions,
    counter: Jobs<counter::Job>,
    finder: finder::Questions,
    highlighter: Jobs<highlighter::Job>,
    errands: Jobs<Errand>,
    reader: Jobs<reader::Job>,
    historian: historian::Questions,
    indexer: Indexer,
    /// When the toast goes, and its ticket.
    pub(super) toast: Option<(Instant, u64)>,
}

impl Hands {
    /// Starts the threads.
    pub(super) fn start(content: Content, files: Files, is_watching: bool, post: &Post) -> io::Result<Self> {
        let generations = Generations::default();
        let desk = Desk::default();
        Ok(Self {
            stubs: stubs::spawn(desk.clone(), post.clone())?,
            tuner: tuner::spawn(desk, post.clone())?,
            evaluator: evaluator::spawn(post.clone())?,
            matcher: matcher::spawn(post.clone())?,
            counter: counter::spawn(generations.clone(), post.clone())?,
            finder: finder::spawn(post.clone())?,
            highlighter: highlighter::spawn(post.clone())?,
            errands: errands::spawn(files.profiles(), post.clone())?,
            historian: historian::spawn(files.clone(), post.clone())?,
            reader: reader::spawn(files, post.clone())?,
            indexer: indexer::spawn(content, is_watching, generations, post.clone())?,
            toast: None,
        })
    }

    /// Hands an effect on.
    pub(super) fn perform(&mut self, effect: Effect) -> Option<Own> {
        match effect {
            Effect::Deliver { ticket, catalog, request, overrides } => {
                self.stubs.send(stubs::Job { ticket, catalog, request, overrides });
            }
            Effect::Count { ticket, catalog, weights } => {
                self.counter.send(counter::Job { ticket, catalog, weights });
            }
            Effect::Trace { ticket, catalog, ground, overrides } => {
                self.tuner.send(tuner::Question::Trace(tuner::Job { ticket, catalog, ground, overrides }));
            }
            Effect::Weigh { ticket, catalog, ground, overrides, settings } => {
                let job = tuner::Job { ticket, catalog, ground, overrides };
                self.tuner.send(tuner::Question::Weigh(job, settings));
            }
            Effect::Compare { ticket, catalog, request, overrides } => {
                let job = tuner::Job { ticket, catalog, ground: request.into(), overrides };
                self.tuner.send(tuner::Question::Compare(job, request.strategy));
            }
            Effect::HoldOut { ticket, catalog, cut } => {
                self.evaluator.send(evaluator::StartTarget::Measure(evaluator::Job { ticket, catalog, cut }));
            }
            Effect::StopTuning => {
                self.tuner.send(tuner::Question::Stop);
                self.evaluator.send(evaluator::StartTarget::Stop);
            }
            Effect::Match { ticket, pane, pattern, catalog, candidates } => {
                self.matcher.ask(matcher::Job { ticket, pane, pattern, catalog, candidates });
            }
            Effect::Find { ticket, typed, catalog } => self.finder.ask(ticket, typed, catalog),
            Effect::Gather(catalog) => self.finder.gather(catalog),
            Effect::Highlight { ticket, stub, lines } => {
                self.highlighter.send(highlighter::Job { ticket, stub, lines });
            }
            Effect::Read { ticket, catalog, shows } => {
                self.reader.send(reader::Job::Read { ticket, catalog, shows });
            }
            Effect::Date { ticket, catalog, paths } => self.historian.ask(historian::Job { ticket, catalog, paths }),
            Effect::Quote { ticket, catalog, calls } => {
                self.reader.send(reader::Job::Quote { ticket, catalog, calls });
            }
            Effect::Word { catalog, calls } => {
                self.reader.send(reader::Job::Word { catalog, calls });
            }
            Effect::Copy(stub) => {
                self.errands.send(Errand::Copy(stub));
            }
            Effect::Write { path, stub, overwrite } => {
                self.errands.send(Errand::Write { path, stub, overwrite });
            }
            Effect::Save { name, text, overwrite } => {
                self.errands.send(Errand::Save { name, text, overwrite });
            }
            Effect::Discard(catalog) => {
                self.errands.send(Errand::Discard(catalog));
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
