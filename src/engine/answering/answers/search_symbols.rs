//! `search_symbols`: symbols by their names, and by words of names, documentation and parameters.

use serde::Serialize;

use super::{
    Answer, AnswerError, Context, SearchSymbols, SymbolHit,
    filter::SymbolFilter,
    fit::fit,
    ranking::ranked,
    request::{budget, in_range},
};
use crate::types::TypeQuery;
use apidisc_base::{shorten, unprintable::escaped_line};
use apidisc_facts::program::DefinitionId;
use apidisc_tokens::Tokenizer;

/// The greatest number of hits that a request may ask for.
pub(super) const MAX_HITS: i64 = 100;
/// The longest query that is repeated in an answer, in characters.
const MAX_SHOWN_QUERY_CHARS: usize = 80;

/// The answer of [`search_symbols`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolHits {
    /// The hits, best first.
    pub hits: Vec<SymbolHit>,
    /// The number of all symbols that match.
    pub total: usize,
}

/// The symbols that match a query, best first: those whose name is the query, then those that share words with it,
/// ranked by BM25F and by use.
///
/// # Errors
/// [`AnswerError`] for a limit out of range, and for an unknown kind or module.
pub fn search_symbols(context: &Context<'_>, request: &SearchSymbols) -> Result<Answer<SymbolHits>, AnswerError> {
    let limit = in_range("limit", request.limit, 1, MAX_HITS)?;
    let max_tokens = budget(request.max_tokens)?;
    let table = context.symbols;
    let filter = SymbolFilter::new(table, request.kind.as_deref(), request.module.as_deref())?;
    let (types, words) = TypeQuery::parse(&request.query);
    let related = if types.is_empty() { None } else { types.matches(table.index(), table.types()) };
    let is_related = |id: &DefinitionId| related.as_ref().is_none_or(|ids| ids.contains(id));
    let found = ranked(table, &words, |id| is_related(&id) && filter.passes(table, id));
    let total = found.len();
    let mut hits: Vec<SymbolHit> = found.into_iter().take(limit).map(|hit| SymbolHit::new(table, hit)).collect();
    let lines: Vec<String> = hits.iter().map(SymbolHit::line).collect();
    let shown_query = shown(&request.query);
    let render = |count: usize| {
        let mut text = head(&shown_query, count, total);
        if count < total {
            text += &left_out(count, limit.min(total), total);
        }
        text.push('\n');
        lines[..count].iter().for_each(|line| {
            text.push_str(line);
            text.push('\n');
        });
        text
    };
    let fitted = fit(&Tokenizer::load(context.encoding), max_tokens, hits.len(), render)?;
    hits.truncate(fitted.parts);
    Ok(Answer { text: fitted.text, tokens: fitted.tokens, data: SymbolHits { hits, total }, delivered: Vec::new() })
}

/// The beginning of the line that says how many symbols match: `3 of 12 symbols`, and for which query.
pub(super) fn head(shown_query: &str, count: usize, total: usize) -> String {
    let number = if count < total { format!("{count} of {total}") } else { total.to_string() };
    let noun = if total == 1 { "symbol" } else { "symbols" };
    let query = if shown_query.is_empty() { String::new() } else { format!(" for `{shown_query}`") };
    format!("{number} {noun}{query}")
}

/// The request that shows the hits that are left out: a greater budget, a greater limit, or filters.
fn left_out(count: usize, limit: usize, total: usize) -> String {
    let by_budget = if count < limit { "; max_tokens cuts here" } else { "" };
    let by_limit = match limit {
        limit if limit >= total => String::new(),
        limit if limit < MAX_HITS as usize => format!("; limit up to {MAX_HITS} gives more"),
        _ => "; kind and module narrow the search".to_owned(),
    };
    by_budget.to_owned() + &by_limit
}

/// A query as an answer repeats it.
pub fn shown(query: &str) -> String {
    let line = escaped_line(query.trim()).replace('`', "'");
    shorten::to_chars(&line, MAX_SHOWN_QUERY_CHARS, "...")
}
