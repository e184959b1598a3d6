//! `get_symbols`: the descriptions of symbols: signature, arguments with shares, documentation, first call, callers and
//! callees.

use std::fmt::Write as _;

use serde::Serialize;

use super::{
    Answer, AnswerError, Context, Delivered, GetSymbols, MAX_CONTEXT, Related, SymbolDetail,
    fit::fit,
    request::{budget, in_range},
    source_names::source_names,
    symbol_detail::DescribedSymbol,
};
use crate::first_call::FirstCalls;
use apidisc_base::{language::Language, unprintable::escaped_line};
use apidisc_facts::program::DefinitionId;
use apidisc_stubs::delivery::{QUOTED, QUOTED_SOURCE, fenced};
use apidisc_tokens::Tokenizer;

/// The greatest number of symbols.
const MAX_SYMBOLS: usize = 20;
/// The number of tokens per symbol that are reserved for the line with the names of the symbols that are left out.
const RESERVED: usize = 12;

/// A name that no symbol has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NotFound {
    /// The name or hash as it was given.
    pub name: String,
    /// The nearest names that exist, or the candidates of an ambiguous name.
    pub nearest: Vec<String>,
}

/// The answer of [`get_symbols`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolsAnswer {
    /// The symbols in the order of the request, each once.
    pub symbols: Vec<SymbolDetail>,
    /// The names that no symbol has.
    pub not_found: Vec<NotFound>,
    /// The symbols for which the budget has no room.
    pub left_out: Vec<String>,
}

/// The descriptions of symbols. A symbol that the session holds and that has not changed takes one line. Each symbol
/// may use an equal share of the budget that the symbols before it have left.
///
/// # Errors
/// [`AnswerError`] for no name or more than 20, for numbers out of range, and for a budget that holds neither the
/// description of the only symbol nor the names of several. Unknown names are no error: see
/// [`SymbolsAnswer::not_found`].
pub fn get_symbols(context: &Context<'_>, request: &GetSymbols) -> Result<Answer<SymbolsAnswer>, AnswerError> {
    let given = request.hashes.len();
    if given == 0 || given > MAX_SYMBOLS {
        return Err(AnswerError::WrongCount { name: "hashes", given, most: MAX_SYMBOLS });
    }
    let around = in_range("context", request.context, 0, MAX_CONTEXT)? as u32;
    let max_tokens = budget(request.max_tokens)?;
    let (mut ids, mut not_found): (Vec<DefinitionId>, Vec<NotFound>) = (Vec::new(), Vec::new());
    for name in &request.hashes {
        match context.symbols.find(name) {
            Ok(id) if ids.contains(&id) => {}
            Ok(id) => ids.push(id),
            Err(AnswerError::UnknownSymbol { name, nearest }) => not_found.push(NotFound { name, nearest }),
            Err(error) => return Err(error),
        }
    }
    let tokenizer = Tokenizer::load(context.encoding);
    let quoted = if request.include_source { QUOTED_SOURCE } else { QUOTED };
    let footer: String = not_found.iter().map(unknown).collect();
    let mut left = max_tokens.saturating_sub(tokenizer.count(&[quoted, "\n", &footer].concat()) + RESERVED * ids.len());
    let mut parts: Vec<SymbolPart> = Vec::new();
    let mut first_calls = FirstCalls::new(context.symbols.index(), context.read);
    for (at, id) in ids.iter().enumerate() {
        let mut symbol = DescribedSymbol::new(context, *id, around)?;
        if request.include_source {
            let lines = (symbol.detail.symbol.line, symbol.detail.end_line);
            let path = symbol.detail.symbol.path.as_deref();
            symbol.names = path.and_then(|path| source_names(context, path, lines));
        }
        if request.include_related {
            symbol.detail.related = Related::of(context.symbols, *id);
        }
        // A symbol without room is left out.
        let has_call = left > RESERVED && symbol.detail.fixture.is_none();
        symbol.detail.first_call = if has_call { first_calls.of(*id) } else { None };
        let part = SymbolPart::new(context, request, symbol, &tokenizer, left / (ids.len() - at));
        left = left.saturating_sub(part.delivered.tokens);
        parts.push(part);
    }
    let render = |count: usize| {
        let mut text = String::new();
        if parts[..count].iter().any(|part| !part.detail.is_held) {
            text = format!("{quoted}\n");
        }
        parts[..count].iter().for_each(|part| text += &part.text);
        text += &footer;
        if count < parts.len() {
            let names: Vec<_> = parts[count..].iter().map(|part| escaped_line(&part.detail.symbol.name)).collect();
            let _ = writeln!(text, "Left out by max_tokens: {}", names.join(", "));
        }
        text
    };
    let fitted = match fit(&tokenizer, max_tokens, parts.len(), render) {
        Ok(fitted) if parts.len() != 1 || fitted.parts == 1 => fitted,
        // The name alone is no answer about the only symbol.
        _ if parts.len() == 1 => {
            return Err(AnswerError::BudgetTooSmall { smallest: tokenizer.count(&render(1)), max_tokens });
        }
        other => other?,
    };
    let left_out = parts.split_off(fitted.parts).into_iter().map(|part| part.detail.symbol.name).collect();
    let delivered = parts.iter().filter(|part| !part.detail.is_held).map(|part| part.delivered.clone()).collect();
    let symbols = parts.into_iter().map(|part| part.detail).collect();
    let data = SymbolsAnswer { symbols, not_found, left_out };
    Ok(Answer { text: fitted.text, tokens: fitted.tokens, data, delivered })
}

/// The part of an answer that describes one symbol.
struct SymbolPart {
    detail: SymbolDetail,
    text: String,
    delivered: Delivered,
}

impl SymbolPart {
    fn new(
        context: &Context<'_>,
        request: &GetSymbols,
        mut symbol: DescribedSymbol,
        tokenizer: &Tokenizer,
        share: usize,
    ) -> Self {
        let mut text = symbol.write(context.symbols.index(), tokenizer, share, request.include_source);
        let mut detail = symbol.detail;
        let has_source = detail.source.is_some();
        let tokens = tokenizer.count(&text);
        let held = context.held.and_then(|held| held.get(&detail.symbol.hash)).filter(|_| !request.again);
        let mut delivered = Delivered { hash: detail.symbol.hash.clone(), content: symbol.content, tokens, has_source };
        detail.is_held = held.is_some_and(|held| {
            held.content == delivered.content && held.tokens >= tokens && (held.has_source || !has_source)
        });
        if detail.is_held {
            let name = escaped_line(&detail.symbol.name);
            text = format!("{name} has not changed since this session got it; `again: true` repeats it\n");
            delivered.tokens = tokenizer.count(&text);
            detail.first_call = None;
        }
        Self { detail, text, delivered }
    }
}

/// The line for a name that no symbol has.
fn unknown(not_found: &NotFound) -> String {
    let nearest: Vec<_> = not_found.nearest.iter().map(|name| escaped_line(name)).collect();
    let nearest = if nearest.is_empty() { String::new() } else { format!("; the nearest: {}", nearest.join(", ")) };
    let name: String = not_found.name.chars().take(100).collect();
    format!("Not found: {}{nearest}\n", escaped_line(&name))
}

/// `body` followed by a fenced block of as many of the numbered lines `rows` as fit, and these lines. Without room for
/// a line it is `body` alone, and `None`. `names` follows the last row.
pub(super) fn fit_source(
    body: String,
    rows: &[String],
    names: Option<&str>,
    language: Language,
    tokenizer: &Tokenizer,
    max_tokens: usize,
) -> (String, Option<String>) {
    let render = |count: usize| {
        let more = rows.len() - count;
        let more = if more > 0 { format!(", {more} more lines with get_symbol_source") } else { String::new() };
        let names = names.filter(|_| count == rows.len()).unwrap_or_default();
        format!("{body}Source{more}\n{}{names}", fenced(&rows[..count].concat(), language))
    };
    match fit(tokenizer, max_tokens, rows.len(), render) {
        Ok(fitted) if fitted.parts > 0 => (fitted.text, Some(rows[..fitted.parts].concat())),
        _ => (body, None),
    }
}
