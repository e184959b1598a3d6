//! The operations of API documents that match a question.

use std::sync::Arc;

use crate::{
    delivery::fenced_as,
    http::{ApiUses, OperationId, find_operation, operation_stub},
    index::Index,
    openapi::{ApiIndex, ChunkKind, SearchChunks, search_chunks},
    tokens::{Encoding, Tokenizer},
    unprintable::{escaped_line, escaped_text},
};

/// The greatest number of operations of a context.
const MOST: usize = 5;
/// The greatest number of chunks among which operations are searched for.
const SEARCHED: i64 = 20;

/// A borrowed [`ReadApis`].
#[derive(Clone, Copy)]
pub struct Apis<'a> {
    /// The documents.
    pub index: &'a ApiIndex,
    /// The uses of their operations.
    pub uses: &'a ApiUses,
}

/// API documents that were read, and how the sources of an index use their operations.
#[derive(Clone, Debug, Default)]
pub struct ReadApis {
    /// The documents.
    pub index: Arc<ApiIndex>,
    /// The uses of their operations.
    pub uses: Arc<ApiUses>,
}

impl ReadApis {
    /// Counts the uses of the operations in the sources of `index`.
    pub fn new(documents: ApiIndex, index: &Index) -> Self {
        let uses = ApiUses::new(&documents.api, index);
        Self { index: Arc::new(documents), uses: Arc::new(uses) }
    }

    /// The documents with the uses; `None` if there are none.
    pub fn apis(&self) -> Option<Apis<'_>> {
        (!self.index.api.is_empty()).then_some(Apis { index: &self.index, uses: &self.uses })
    }
}

/// An operation that matches a question.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FoundOperation {
    id: OperationId,
    /// `POST /issues: Create an issue`
    pub(super) name: String,
    /// `path:line` of the document.
    pub(super) source: String,
    /// The part of the question's words that it has, by their weights, from 0 to 1.
    pub(super) score: f64,
}

/// The operations that match a question, best first.
pub(super) fn find(apis: Apis<'_>, question: &str) -> Vec<FoundOperation> {
    let request = SearchChunks { query: question.to_owned(), max_chunks: SEARCHED, ..SearchChunks::default() };
    let Ok(answer) = search_chunks(apis.index, &request, Encoding::default()) else { return Vec::new() };
    let operation = |chunk: &crate::openapi::ChunkSummary| {
        if chunk.chunk_type != ChunkKind::Operation.word() {
            return None;
        }
        let id = find_operation(&apis.index.api, &chunk.chunk_id).ok()?;
        let (_, operation) = id.of(&apis.index.api);
        let path = &apis.index.api.files.file(operation.content.file).path;
        let source = format!("{}:{}", escaped_line(path), operation.line);
        Some(FoundOperation { id, name: escaped_line(&chunk.title).into_owned(), source, score: chunk.relevance_score })
    };
    answer.data.chunks.iter().filter_map(operation).take(MOST).collect()
}

/// The stub of an operation below its heading, in at most `max_tokens` tokens; empty if none is small enough.
pub(super) fn part(
    apis: Apis<'_>,
    index: &Index,
    found: &FoundOperation,
    max_tokens: usize,
    tokenizer: &Tokenizer,
) -> String {
    let heading = format!("\n## {} ({})\n", found.name, found.source);
    let left = max_tokens.saturating_sub(tokenizer.count(&heading) + super::part::FENCES);
    let stub = operation_stub(&apis.index.api, found.id, Some((index, apis.uses)), Some(left), tokenizer);
    stub.map_or_else(|_| String::new(), |stub| heading + &fenced_as(&escaped_text(&stub.text), "text"))
}
