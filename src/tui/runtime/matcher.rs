//! The thread that matches filters.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use nucleo::{Config, Matcher};

use super::worker::{self, Jobs, Post};
use crate::tui::{
    catalog::Catalog,
    geometry::Pane,
    message::Message,
    search::{self, FilterCandidates},
};

/// A pattern to look for.
pub(super) struct Job {
    pub(super) ticket: u64,
    pub(super) pane: Pane,
    pub(super) pattern: String,
    pub(super) catalog: Arc<Catalog>,
    pub(super) candidates: FilterCandidates,
}

/// Asks the thread; a newer question of a pane ends the older one.
pub(super) struct Questions {
    queue: Jobs<Job>,
    newest: Arc<[AtomicU64; 4]>,
}

impl Questions {
    pub(super) fn ask(&self, job: Job) {
        self.newest[job.pane.position()].store(job.ticket, Ordering::Relaxed);
        self.queue.send(job);
    }
}

/// Starts it.
pub(super) fn spawn(post: Post) -> std::io::Result<Questions> {
    let newest: Arc<[AtomicU64; 4]> = Arc::default();
    let latest = Arc::clone(&newest);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let queue = worker::spawn("matcher", post.clone(), move |job: Job, _| {
        let Job { ticket, pane, pattern, catalog, candidates } = job;
        let replaced = || latest[pane.position()].load(Ordering::Relaxed) != ticket;
        if let Some(matches) = search::find(&mut matcher, &pattern, &catalog, &candidates, &replaced) {
            post.message(Message::Matched { pane, ticket, matches });
        }
    })?;
    Ok(Questions { queue, newest })
}
