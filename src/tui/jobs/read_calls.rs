//! Reads calls as they are written in the sources, each on one line.

use std::sync::Arc;

use apidisc::program::CallId;

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::{
    highlight::Highlighter,
    model::Catalog,
    sources::{SourceReader, colour_call_lines},
};

/// A request to read calls. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct ReadCallsJob {
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The calls.
    pub calls: Vec<CallId>,
}

impl BackgroundJob for ReadCallsJob {
    fn lane(&self) -> Lane {
        Lane::Sources
    }

    fn place(&self) -> u8 {
        2
    }

    /// Answers with [`Answer::CallsRead`].
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let mut call_lines = SourceReader::new(&self.catalog, &tools.open(&self.catalog)).call_lines(&self.calls);
        colour_call_lines(&mut call_lines, &self.catalog, Highlighter::shared());
        host.send(Answer::CallsRead { generation: self.catalog.generation, call_lines });
    }
}
