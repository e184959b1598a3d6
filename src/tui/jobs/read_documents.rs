//! Reads the API documents, and counts the calls of their operations.

use std::sync::Arc;

use apidisc::{openapi::ApiIndex, source::Source};

use crate::tui::{
    message::Message,
    model::{ApiCatalog, Catalog},
};

/// A request to read the API documents. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct ReadDocumentsJob {
    /// The index whose calls count.
    pub catalog: Arc<Catalog>,
    /// The documents if they have not changed, so that only the calls have to be counted again.
    pub known: Option<Arc<ApiCatalog>>,
}

/// Answers with [`Message::DocumentsRead`], or with [`Message::DocumentsNotRead`] if documents that the command line
/// names cannot be read (`is_named`). `source` is the folder or file of the documents, and `generation` the number of the
/// new catalogue.
pub fn read_documents(source: &Source, is_named: bool, generation: u64, job: &ReadDocumentsJob) -> Message {
    let index = match &job.known {
        Some(known) => Arc::clone(&known.apis.documents),
        None => match ApiIndex::read(source) {
            Ok(index) if is_named && index.api.is_empty() && index.api.diagnostics.is_empty() => {
                return Message::DocumentsNotRead("--docs names no OpenAPI document".to_owned());
            }
            Ok(index) => Arc::new(index),
            Err(why) if is_named => return Message::DocumentsNotRead(why.to_string()),
            // The index reports the problem with its sources.
            Err(_) => Arc::default(),
        },
    };
    Message::DocumentsRead(Arc::new(ApiCatalog::new(index, &job.catalog, generation, is_named)))
}
