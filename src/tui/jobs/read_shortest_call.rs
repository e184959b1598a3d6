//! Reads the shortest of some calls.

use std::sync::Arc;

use apidisc::program::CallId;

use crate::tui::{
    highlight::Highlighter,
    message::Message,
    model::Catalog,
    sources::{OpenFile, SourceReader, colour_quote},
};

/// A request to read the shortest of these calls. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct ReadShortestCallJob {
    /// The number of the request. The answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The calls.
    pub calls: Vec<CallId>,
}

/// Answers with [`Message::ShortestCallRead`].
pub fn read_shortest_call(open: &OpenFile<'_>, job: &ReadShortestCallJob) -> Message {
    let result = SourceReader::new(&job.catalog, open).shortest(&job.calls).map(|mut quote| {
        colour_quote(&mut quote, &job.catalog, Highlighter::shared());
        quote
    });
    Message::ShortestCallRead { ticket: job.ticket, result }
}
