//! Reads the source around a place.

use std::sync::Arc;

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::{
    highlight::Highlighter,
    model::{Catalog, page::SourcePlace},
    sources::{SourceReader, colour_excerpt},
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

impl BackgroundJob for ReadExcerptJob {
    fn lane(&self) -> Lane {
        Lane::Sources
    }

    /// Answers with [`Answer::ExcerptRead`]: first without colours, then with them.
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let result = SourceReader::new(&self.catalog, &tools.open(&self.catalog)).excerpt(self.shows);
        host.send(Answer::ExcerptRead { ticket: self.ticket, result: result.clone() });
        if let Ok(mut excerpt) = result {
            colour_excerpt(&mut excerpt, Highlighter::shared());
            host.send(Answer::ExcerptRead { ticket: self.ticket, result: Ok(excerpt) });
        }
    }
}
