//! Reads the parameters and properties of a part of API documents.

use apidisc::http::{operation_arguments, schema_arguments};

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::model::{ApiPart, PartKind};

/// A request for the arguments of a part. A list and a page may both wait for an answer, so that no job replaces this
/// one.
#[derive(Clone, Debug)]
pub struct ReadArgumentsJob {
    /// The number of the request. The answer contains it.
    pub ticket: u64,
    /// The part.
    pub part: ApiPart,
}

impl BackgroundJob for ReadArgumentsJob {
    fn lane(&self) -> Lane {
        Lane::Parts
    }

    fn slot(&self) -> Option<usize> {
        None
    }

    /// Answers with [`Answer::ArgumentsRead`]: the arguments of an operation, each with the number of calls that pass
    /// it, or the properties of a schema.
    fn run(&self, _: &JobTools, host: &mut dyn JobHost) {
        let ApiPart { api, at } = &self.part;
        let documents = &api.apis.documents.api;
        let arguments = match api.operation_id(*at) {
            Some(id) => operation_arguments(documents, id, api.apis.uses.of(id)),
            None if self.part.kind() == PartKind::Schema => {
                let schema = documents.files.node(&self.part.chunk().place);
                schema.map(|schema| schema_arguments(documents, &schema)).unwrap_or_default()
            }
            None => Vec::new(),
        };
        host.send(Answer::ArgumentsRead { ticket: self.ticket, arguments: arguments.into() });
    }
}
