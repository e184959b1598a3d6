//! Reads a part of API documents for the pane beside a page.

use apidisc::{
    http::operation_stub,
    tokens::{Encoding, Tokenizer},
};

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane, deliver_part::content};
use crate::tui::{
    highlight::Highlighter,
    model::{ApiPart, Excerpt, shown},
};

/// The greatest number of lines. Users do not read further in the pane beside a page.
const MAX_LINES: usize = 2_000;

/// A request to read a part. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct ReadPartJob {
    /// The number of the request. The answer contains it.
    pub ticket: u64,
    /// The part.
    pub part: ApiPart,
}

impl BackgroundJob for ReadPartJob {
    fn lane(&self) -> Lane {
        Lane::Parts
    }

    fn place(&self) -> u8 {
        2
    }

    /// Answers with [`Answer::ExcerptRead`]: the whole stub of an operation, or the content of something else.
    fn run(&self, _: &JobTools, host: &mut dyn JobHost) {
        let ApiPart { api, at } = &self.part;
        let stub = api.operation_id(*at).and_then(|id| {
            let tokenizer = Tokenizer::load(Encoding::default());
            operation_stub(&api.apis.documents.api, id, Some((&*api.code, &api.apis.uses)), None, &tokenizer).ok()
        });
        let (text, extension) = match stub {
            Some(stub) => (stub.text, "ts"),
            None => (content(&self.part), "json"),
        };
        let lines: Vec<String> = text.lines().take(MAX_LINES).map(str::to_owned).collect();
        let runs = Highlighter::shared().runs(extension, |line| lines[line].as_str(), 0..lines.len());
        let excerpt = Excerpt { path: shown(self.part.id()), first: 0, lines, runs, focus: 0..0, columns: (0, 0) };
        host.send(Answer::ExcerptRead { ticket: self.ticket, result: Ok(excerpt) });
    }
}
