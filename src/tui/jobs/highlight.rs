//! Colours the visible lines of a stub.

use std::{ops::Range, sync::Arc};

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::{highlight::Highlighter, model::StubText};

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

impl BackgroundJob for HighlightJob {
    fn lane(&self) -> Lane {
        Lane::Highlight
    }

    /// Answers with [`Answer::Highlighted`].
    fn run(&self, _: &JobTools, host: &mut dyn JobHost) {
        let lines = Highlighter::shared().lines(&self.stub, self.lines.clone());
        host.send(Answer::Highlighted { ticket: self.ticket, first: self.lines.start, lines });
    }
}
