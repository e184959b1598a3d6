//! Counts the calls of an index again, with other weights.

use std::sync::Arc;

use apidisc::usage::Weights;

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::model::Catalog;

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

impl BackgroundJob for RecountJob {
    fn lane(&self) -> Lane {
        Lane::Recount
    }

    /// Answers with [`Answer::Counted`].
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let generation = tools.generations.next();
        let counted = self.catalog.index.weighted(self.weights.clone());
        let result = counted.map(|index| Arc::new(Catalog::new(Arc::new(index), generation)));
        host.send(Answer::Counted { ticket: self.ticket, result });
    }
}
