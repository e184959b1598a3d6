//! Reads the API documents, and counts the calls of their operations.

use std::sync::Arc;

use apidisc::{openapi::ApiIndex, source::Source};

use crate::tui::model::{ApiCatalog, Catalog};

/// A request to read the API documents. While this job waits, a newer one replaces it.
#[derive(Clone, Debug)]
pub struct ReadDocumentsJob {
    /// The index whose calls count.
    pub catalog: Arc<Catalog>,
    /// The documents if they have not changed, so that only the calls have to be counted again.
    pub known: Option<Arc<ApiCatalog>>,
}

/// Reads the documents in the folder or file `source`; `generation` is the number of the new catalogue.
///
/// # Errors
/// If documents that the command line names (`is_named`) cannot be read.
pub fn read_documents(
    source: &Source,
    is_named: bool,
    generation: u64,
    job: &ReadDocumentsJob,
) -> Result<Arc<ApiCatalog>, String> {
    let index = match &job.known {
        Some(known) => Arc::clone(&known.apis.documents),
        None => match ApiIndex::read(source) {
            Ok(index) if is_named && index.api.is_empty() && index.api.diagnostics.is_empty() => {
                return Err("--docs names no OpenAPI document".to_owned());
            }
            Ok(index) => Arc::new(index),
            Err(why) if is_named => return Err(why.to_string()),
            // The index reports the problem with its sources.
            Err(_) => Arc::default(),
        },
    };
    Ok(Arc::new(ApiCatalog::new(index, &job.catalog, generation, is_named)))
}
