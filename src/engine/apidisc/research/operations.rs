//! The operations of API documents that match a question.

use apidisc_apis::{
    http::{OperationId, UsedApis, find_operation, operation_stub},
    openapi::{ChunkKind, SearchChunks, search_chunks},
};
use apidisc_base::unprintable::{escaped_line, escaped_text};
use apidisc_indexing::index::Index;
use apidisc_stubs::delivery::fenced_as;
use apidisc_tokens::{Encoding, Tokenizer};

/// The greatest number of operations in one context.
const MAX_OPERATIONS: usize = 5;
/// The number of chunks that are requested from the search in API documents. Those that are no operations are dropped.
const MAX_CHUNKS: i64 = 20;

/// An operation that matches a question.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FoundOperation {
    id: OperationId,
    /// `POST /issues: Create an issue`
    pub(super) name: String,
    /// `path:line` of the document.
    pub(super) source: String,
    /// The relevance of its chunk, from 0 to 1: see [`apidisc_apis::openapi::ChunkSummary::relevance_score`].
    pub(super) score: f64,
}

/// The operations that match a question, best first.
pub(super) fn find(apis: &UsedApis, question: &str) -> Vec<FoundOperation> {
    let request = SearchChunks { query: question.to_owned(), max_chunks: MAX_CHUNKS, ..SearchChunks::default() };
    let Ok(answer) = search_chunks(&apis.documents, &request, Encoding::default()) else { return Vec::new() };
    let operation = |chunk: &apidisc_apis::openapi::ChunkSummary| {
        if chunk.chunk_type != ChunkKind::Operation.word() {
            return None;
        }
        let id = find_operation(&apis.documents.api, &chunk.chunk_id).ok()?;
        let (_, operation) = id.of(&apis.documents.api);
        let path = &apis.documents.api.files.file(operation.content.file).path;
        let source = format!("{}:{}", escaped_line(path), operation.line);
        Some(FoundOperation { id, name: escaped_line(&chunk.title).into_owned(), source, score: chunk.relevance_score })
    };
    answer.data.chunks.iter().filter_map(operation).take(MAX_OPERATIONS).collect()
}

/// The stub of an operation below its heading, in at most `max_tokens` tokens; empty if none is small enough.
pub(super) fn part(
    apis: &UsedApis,
    index: &Index,
    found: &FoundOperation,
    max_tokens: usize,
    tokenizer: &Tokenizer,
) -> String {
    let heading = format!("\n## {} ({})\n", found.name, found.source);
    let left = max_tokens.saturating_sub(tokenizer.count(&heading) + super::part::FENCES);
    let stub = operation_stub(&apis.documents.api, found.id, Some((index, &*apis.uses)), Some(left), tokenizer);
    stub.map_or_else(|_| String::new(), |stub| heading + &fenced_as(&escaped_text(&stub.text), "text"))
}
