//! Finds what a number of the ledger counts: definitions, packages, names or calls.

use std::sync::Arc;

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::model::{
    Catalog, UsedPackages,
    page::{CountedCalls, counted_rows},
};

/// A request for the rows of a page of the ledger. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct CountCallsJob {
    /// The number of the request. The answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The packages that the code uses, once they are read.
    pub packages: Option<Arc<UsedPackages>>,
    /// What is counted.
    pub calls: CountedCalls,
}

impl BackgroundJob for CountCallsJob {
    fn lane(&self) -> Lane {
        Lane::Sources
    }

    fn place(&self) -> u8 {
        2
    }

    /// Answers with [`Answer::CallsCounted`].
    fn run(&self, _: &JobTools, host: &mut dyn JobHost) {
        let rows = counted_rows(&self.catalog, &self.calls, self.packages.as_deref());
        host.send(Answer::CallsCounted { ticket: self.ticket, rows: Arc::new(rows) });
    }
}
