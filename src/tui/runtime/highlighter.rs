//! The thread that colours the visible lines.

use std::{ops::Range, sync::Arc};

use super::worker::{self, Jobs, Post, newest};
use crate::tui::{highlight::Highlighter, message::Message, model::StubText};

/// Lines to colour.
pub(super) struct Job {
    pub(super) ticket: u64,
    pub(super) stub: Arc<StubText>,
    pub(super) lines: Range<usize>,
}

/// Starts it.
pub(super) fn spawn(post: Post) -> std::io::Result<Jobs<Job>> {
    worker::spawn("highlighter", post.clone(), move |job, queue| {
        let Job { ticket, stub, lines } = newest(job, queue);
        let first = lines.start;
        let lines = Highlighter::shared().lines(&stub, lines);
        post.message(Message::Highlighted { ticket, first, lines });
    })
}
