//! The thread that finds out when files were changed last. It keeps what it has read of the history.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use compact_str::CompactString;

use super::{
    files::Files,
    worker::{self, Jobs, Post, newest},
};
use crate::tui::{catalog::Catalog, message::Message, model::page::Dates};
use apidisc::source::LastChanged;

/// Files of an index.
pub(super) struct Job {
    pub(super) ticket: u64,
    pub(super) catalog: Arc<Catalog>,
    pub(super) paths: Vec<CompactString>,
}

/// Asks the thread; a newer question ends the older one.
pub(super) struct Questions {
    jobs: Jobs<Job>,
    newest: Arc<AtomicU64>,
}

impl Questions {
    pub(super) fn ask(&self, job: Job) {
        self.newest.store(job.ticket, Ordering::Relaxed);
        self.jobs.send(job);
    }
}

/// Starts it.
pub(super) fn spawn(files: Files, post: Post) -> std::io::Result<Questions> {
    let latest: Arc<AtomicU64> = Arc::default();
    let newest_ticket = Arc::clone(&latest);
    let mut ages = LastChanged::default();
    let jobs = worker::spawn("historian", post.clone(), move |job, waiting| {
        let Job { ticket, catalog, paths } = newest(job, waiting);
        let is_replaced = || newest_ticket.load(Ordering::Relaxed) != ticket;
        let changed = match files.source(&catalog.index) {
            Some(source) => ages.of(&source, &paths, &is_replaced),
            None => Some(Dates::default()),
        };
        if let Some(changed) = changed {
            post.message(Message::Dated { ticket, changed: Arc::new(changed) });
        }
    })?;
    Ok(Questions { jobs, newest: latest })
}
