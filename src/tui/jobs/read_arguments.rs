//! Reads the parameters and properties of a part of API documents.

use apidisc::http::{operation_arguments, schema_arguments};

use crate::tui::{
    message::Message,
    model::{ApiPart, PartKind},
};

/// A request for the arguments of a part. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct ReadArgumentsJob {
    /// The number of the request. The answer contains it.
    pub ticket: u64,
    /// The part.
    pub part: ApiPart,
}

/// Answers with [`Message::ArgumentsRead`]: the arguments of an operation, each with the number of calls that pass it,
/// or the properties of a schema.
pub fn read_arguments(job: &ReadArgumentsJob) -> Message {
    let ApiPart { api, at } = &job.part;
    let documents = &api.apis.documents.api;
    let arguments = match api.operation_id(*at) {
        Some(id) => operation_arguments(documents, id, api.apis.uses.of(id)),
        None if job.part.kind() == PartKind::Schema => {
            let schema = documents.files.node(&job.part.chunk().place);
            schema.map(|schema| schema_arguments(documents, &schema)).unwrap_or_default()
        }
        None => Vec::new(),
    };
    Message::ArgumentsRead { ticket: job.ticket, arguments: arguments.into() }
}
