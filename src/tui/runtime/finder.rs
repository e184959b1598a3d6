//! The thread that finds names. It keeps those of the newest index ready, so that a keystroke costs only the match.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use super::worker::{self, Jobs, Post};
use crate::tui::{
    catalog::Catalog,
    find::{Haystack, Query, Watch},
    message::Message,
};

/// What is found by then is shown, though the search goes on: drawn, it is there within a frame of 16 ms.
const SOON: Duration = Duration::from_millis(11);
/// And again each time so much later.
const LATER: Duration = Duration::from_millis(60);

enum Job {
    Find { ticket: u64, typed: String, catalog: Arc<Catalog> },
    Gather(Arc<Catalog>),
}

/// Asks the thread; a newer question ends the older one.
pub(super) struct Questions {
    queue: Jobs<Job>,
    newest: Arc<AtomicU64>,
}

impl Questions {
    pub(super) fn ask(&self, ticket: u64, typed: String, catalog: Arc<Catalog>) {
        self.newest.store(ticket, Ordering::Relaxed);
        self.queue.send(Job::Find { ticket, typed, catalog });
    }

    pub(super) fn gather(&self, catalog: Arc<Catalog>) {
        self.queue.send(Job::Gather(catalog));
    }
}

/// Starts it.
pub(super) fn spawn(post: Post) -> std::io::Result<Questions> {
    let newest: Arc<AtomicU64> = Arc::default();
    let latest = Arc::clone(&newest);
    let mut ready: Option<(u64, Haystack)> = None;
    let queue = worker::spawn("finder", post.clone(), move |job, _| match job {
        Job::Gather(catalog) => {
            gathered(&mut ready, &catalog);
        }
        Job::Find { ticket, typed, catalog } => {
            let is_replaced = || latest.load(Ordering::Relaxed) != ticket;
            if is_replaced() {
                return;
            }
            let haystack = gathered(&mut ready, &catalog);
            let mut due = Instant::now() + SOON;
            let mut watch = |mut watch: Watch<'_>| {
                if Instant::now() >= due {
                    due += LATER;
                    post.message(Message::Found { ticket, found: watch.found(), is_whole: false });
                }
                !is_replaced()
            };
            if let Some(found) = haystack.search(&catalog, &Query::parse(&typed), &mut watch) {
                post.message(Message::Found { ticket, found, is_whole: true });
            }
        }
    })?;
    Ok(Questions { queue, newest })
}

/// The names of that index.
fn gathered<'a>(ready: &'a mut Option<(u64, Haystack)>, catalog: &Catalog) -> &'a mut Haystack {
    if ready.as_ref().is_none_or(|(generation, _)| *generation != catalog.generation) {
        // The old one goes first: two of a large index would take much memory.
        *ready = None;
    }
    &mut ready.get_or_insert_with(|| (catalog.generation, Haystack::new(catalog))).1
}
