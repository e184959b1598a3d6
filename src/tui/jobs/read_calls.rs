//! Reads calls as they are written in the sources, each on one line.

use std::sync::Arc;

use apidisc::program::CallId;

use crate::tui::{
    highlight::Highlighter,
    message::Message,
    model::Catalog,
    sources::{OpenFile, SourceReader, colour_call_lines},
};

/// A request to read calls. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct ReadCallsJob {
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The calls.
    pub calls: Vec<CallId>,
}

/// Answers with [`Message::CallsRead`].
pub fn read_calls(open: &OpenFile<'_>, job: &ReadCallsJob) -> Message {
    let mut call_lines = SourceReader::new(&job.catalog, open).call_lines(&job.calls);
    colour_call_lines(&mut call_lines, &job.catalog, Highlighter::shared());
    Message::CallsRead { generation: job.catalog.generation, call_lines }
}
