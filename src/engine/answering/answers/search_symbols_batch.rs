//! `search_symbols_batch`: several searches in one answer, which lists each symbol once.

use std::fmt::Write as _;

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::{
    Answer, AnswerError, Context, SearchSymbolsBatch, SymbolHit,
    filter::SymbolFilter,
    fit::fit,
    ranking::ranked,
    request::{budget, in_range},
    search_symbols::{MAX_HITS, head, shown},
};
use apidisc_tokens::Tokenizer;

/// The greatest number of queries.
const MAX_QUERIES: usize = 20;

/// The hits of one query of a batch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryHits {
    /// The query.
    pub query: String,
    /// The hits that no earlier query of the batch has, best first.
    pub hits: Vec<SymbolHit>,
    /// The hashes of the hits that an earlier query of the batch has.
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

/// The hits of several queries. If they do not all fit the budget, the number of hits of each query is limited.
///
/// # Errors
/// [`AnswerError`] for too many queries or none, a limit out of range, and an unknown kind or module.
pub fn search_symbols_batch(
    context: &Context<'_>,
    request: &SearchSymbolsBatch,
) -> Result<Answer<SymbolHitsBatch>, AnswerError> {
    if request.queries.is_empty() || request.queries.len() > MAX_QUERIES {
        return Err(AnswerError::WrongCount { name: "queries", given: request.queries.len(), most: MAX_QUERIES });
    }
    let limit = in_range("limit_per_query", request.limit_per_query, 1, MAX_HITS)?;
    let max_tokens = budget(request.max_tokens)?;
    let table = context.symbols;
    let filter = SymbolFilter::new(table, request.kind.as_deref(), request.module.as_deref())?;
    let search = |query: &String| {
        let found = ranked(table, query, |id| filter.passes(table, id));
        let hits = found.iter().take(limit).map(|hit| SymbolHit::new(table, *hit)).collect();
        QueryHits { query: query.clone(), hits, repeated: Vec::new(), total: found.len() }
    };
    let mut all: Vec<QueryHits> = request.queries.iter().map(search).collect();
    let longest = all.iter().map(|query| query.hits.len()).max().unwrap_or_default();
    let fitted = fit(&Tokenizer::load(context.encoding), max_tokens, longest, |most| text(&once(&all, most)))?;
    all = once(&all, fitted.parts);
    Ok(Answer {
        text: fitted.text,
        tokens: fitted.tokens,
        data: SymbolHitsBatch { queries: all },
        delivered: Vec::new(),
    })
}

/// The queries with at most `most` hits each. Each symbol is a hit of the first query that finds it, and repeated in
/// the others.
fn once(all: &[QueryHits], most: usize) -> Vec<QueryHits> {
    let mut seen = FxHashSet::default();
    let once = |query: &QueryHits| {
        let (hits, repeated): (Vec<_>, Vec<_>) =
            query.hits.iter().take(most).cloned().partition(|hit| seen.insert(hit.hash.clone()));
        let repeated = repeated.into_iter().map(|hit| hit.hash).collect();
        QueryHits { query: query.query.clone(), hits, repeated, total: query.total }
    };
    all.iter().map(once).collect()
}

fn text(queries: &[QueryHits]) -> String {
    let mut text = String::new();
    for query in queries {
        let count = query.hits.len() + query.repeated.len();
        text += &head(&shown(&query.query), count, query.total);
        if !query.repeated.is_empty() {
            let _ = write!(text, "; {} of them above", query.repeated.len());
        }
        text.push('\n');
        query.hits.iter().for_each(|hit| {
            text += &hit.line();
            text.push('\n');
        });
    }
    text
}
