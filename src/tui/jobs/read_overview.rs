//! Reads the overview of the repository, a package or a module from the index and the sources, and lists what it
//! defines.

use std::sync::Arc;

use apidisc::{index::Scope, overview::overview};

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::{
    highlight::Highlighter,
    model::{Catalog, OverviewText, page::PublicRows},
};

/// A request for an overview. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct ReadOverviewJob {
    /// The number of the request. The answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The repository, or a module.
    pub scope: Scope,
}

impl BackgroundJob for ReadOverviewJob {
    fn lane(&self) -> Lane {
        Lane::Sources
    }

    fn place(&self) -> u8 {
        3
    }

    /// Answers with [`Answer::OverviewRead`].
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let open = tools.open(&self.catalog);
        let overview = overview(&self.catalog.index, self.scope, self.catalog.types(), &open);
        let runs = overview.example.as_ref().map(|example| {
            let lines = &example.lines;
            Highlighter::shared().runs(example.language.extension(), |line| lines[line].as_str(), 0..lines.len())
        });
        let public = PublicRows::new(&self.catalog, self.scope);
        let text = Arc::new(OverviewText { overview, runs: runs.unwrap_or_default(), public });
        host.send(Answer::OverviewRead { ticket: self.ticket, text });
    }
}
