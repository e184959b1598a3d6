//! Colours the visible lines of a stub.

use std::{ops::Range, sync::Arc};

use crate::tui::{highlight::Highlighter, message::Message, model::StubText};

/// A request to colour lines. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct HighlightJob {
    /// The ticket of the request that delivered the stub.
    pub ticket: u64,
    /// The stub.
    pub stub: Arc<StubText>,
    /// The lines.
    pub lines: Range<usize>,
}

/// Answers with [`Message::Highlighted`].
pub fn highlight(job: &HighlightJob) -> Message {
    let lines = Highlighter::shared().lines(&job.stub, job.lines.clone());
    Message::Highlighted { ticket: job.ticket, first: job.lines.start, lines }
}
