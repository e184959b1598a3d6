//! Counts the calls of an index again, with other weights.

use std::sync::Arc;

use apidisc::usage::Weights;

use crate::tui::{message::Message, model::Catalog};

/// A request to count an index again. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct RecountJob {
    /// The number of the request. The answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The weights of the origins, by which their calls are multiplied.
    pub weights: Weights,
}

/// Answers with [`Message::Counted`]; `generation` is the generation of the new index.
pub fn recount(job: &RecountJob, generation: u64) -> Message {
    let counted = job.catalog.index.weighted(job.weights.clone());
    let result = counted.map(|index| Arc::new(Catalog::new(Arc::new(index), generation)));
    Message::Counted { ticket: job.ticket, result }
}
