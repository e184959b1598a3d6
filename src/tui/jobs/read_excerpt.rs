//! Reads the source around a place.

use std::sync::Arc;

use crate::tui::{
    highlight::Highlighter,
    message::Message,
    model::{Catalog, page::SourcePlace},
    sources::{OpenFile, SourceReader, colour_excerpt},
};

/// A request to read the source around a place. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct ReadExcerptJob {
    /// The number of the request. Every answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The place.
    pub shows: SourcePlace,
}

/// Answers with [`Message::ExcerptRead`]: first without colours, then with them.
pub fn read_excerpt(open: &OpenFile<'_>, job: &ReadExcerptJob, send: &mut dyn FnMut(Message)) {
    let result = SourceReader::new(&job.catalog, open).excerpt(job.shows);
    send(Message::ExcerptRead { ticket: job.ticket, result: result.clone() });
    if let Ok(mut excerpt) = result {
        colour_excerpt(&mut excerpt, Highlighter::shared());
        send(Message::ExcerptRead { ticket: job.ticket, result: Ok(excerpt) });
    }
}
