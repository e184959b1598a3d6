//! The thread that counts the calls of an index by other weights.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use super::worker::{self, Jobs, Post, newest};
use crate::tui::{catalog::Catalog, message::Message};
use apidisc::usage::Weights;

/// An index to be counted.
pub(super) struct Job {
    pub(super) ticket: u64,
    pub(super) catalog: Arc<Catalog>,
    pub(super) weights: Weights,
}

/// Numbers the indexes of all threads that make some.
#[derive(Clone, Default)]
pub(super) struct Generations(Arc<AtomicU64>);

impl Generations {
    /// A number that no index had before.
    pub(super) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// Starts it.
pub(super) fn spawn(generations: Generations, post: Post) -> std::io::Result<Jobs<Job>> {
    worker::spawn("counter", post.clone(), move |job, queue| {
        let Job { ticket, catalog, weights } = newest(job, queue);
        let counted = catalog.index.weighted(weights);
        let result = counted.map(|index| Arc::new(Catalog::new(Arc::new(index), generations.next())));
        post.message(Message::Counted { ticket, result });
    })
}
