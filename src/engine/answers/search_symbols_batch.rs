//! `search_symbols_batch`.

use serde::Serialize;

use super::{Answer, AnswerError, Context, SearchSymbolsBatch};

/// Answers.
///
/// # Errors
/// [`AnswerError`].
pub fn search_symbols_batch(
    context: &Context<'_>,
    request: &SearchSymbolsBatch,
) -> Result<Answer<SymbolHitsBatch>, AnswerError> {
    let _ = (context, request);
    todo!()
}

/// The hits of one query of a batch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryHits {
    /// The query.
    pub query: String,
    /// The hits that no query before it has, best first.
    pub hits: Vec<super::SymbolHit>,
    /// The hashes of hits that a query before it has.
    pub repeated: Vec<String>,
    /// The number of all symbols that match.
    pub total: usize,
}

/// The answer of [`search_symbols_batch`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolHitsBatch {
    /// The queries in their order.
    pub queries: Vec<QueryHits>,
}
