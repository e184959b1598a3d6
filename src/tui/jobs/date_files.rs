//! Finds out from the history of the repository when files were last changed.

use std::sync::Arc;

use apidisc::source::ChangeTimes;
use compact_str::CompactString;

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::model::Catalog;

/// A request for the dates of files. A newer job replaces this one, even while it runs.
#[derive(Clone, Debug)]
pub struct DateFilesJob {
    /// The number of the request; the answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The paths of the files.
    pub paths: Vec<CompactString>,
}

impl BackgroundJob for DateFilesJob {
    fn lane(&self) -> Lane {
        Lane::Dates
    }

    /// Answers with [`Answer::FilesDated`], unless a newer job replaces this one.
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let changed = match (tools.sources)(&self.catalog.index) {
            Some(source) => tools.history().times(&source, &self.paths, &|| host.is_superseded()),
            None => Some(ChangeTimes::default()),
        };
        if let Some(ChangeTimes { by_path, beyond_limit }) = changed {
            host.send(Answer::FilesDated { ticket: self.ticket, changed: Arc::new(by_path), beyond_limit });
        }
    }
}
