//! `list_symbols`: the symbols of a module, most used first, page by page.

use std::fmt::Write as _;

use serde::Serialize;

use super::{
    Answer, AnswerError, Context, ListSymbols, SymbolHit, SymbolTable,
    filter::SymbolFilter,
    fit::fit,
    ranking::{RankedSymbol, ranked},
    request::{budget, in_range},
};
use apidisc_base::unprintable::escaped_line;
use apidisc_indexing::index::Scope;
use apidisc_tokens::Tokenizer;

/// The answer of [`list_symbols`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolList {
    /// The FQN of the module or class; `None` for the whole repository.
    pub module: Option<String>,
    /// The symbols, most used first.
    pub symbols: Vec<SymbolHit>,
    /// The number of all symbols of the module.
    pub total: usize,
    /// The number of symbols that precede those of this page.
    pub offset: usize,
    /// The offset of the next page; `None` at the end.
    pub next_offset: Option<usize>,
}

/// The symbols of a module, most used first: its public top-level definitions, or the members of a class. A module
/// without a public definition, such as a test, lists all of its definitions.
///
/// # Errors
/// [`AnswerError`] for numbers out of range and an unknown module.
pub fn list_symbols(context: &Context<'_>, request: &ListSymbols) -> Result<Answer<SymbolList>, AnswerError> {
    let limit = in_range("limit", request.limit, 1, 200)?;
    let offset = in_range("offset", request.offset, 0, i64::from(u32::MAX))?;
    let max_tokens = budget(request.max_tokens)?;
    let table = context.symbols;
    let module = request.module.as_deref().map(str::trim).filter(|module| !module.is_empty());
    let scope = table.index().scope(module, None)?;
    let found = listed(table, scope, module)?;
    let total = found.len();
    let mut symbols: Vec<SymbolHit> =
        found.into_iter().skip(offset).take(limit).map(|symbol| SymbolHit::new(table, symbol)).collect();
    let lines: Vec<String> = symbols.iter().map(SymbolHit::line).collect();
    let name = name_of(table, scope);
    let place = name.as_deref().map_or_else(|| "the repository".to_owned(), |name| escaped_line(name).into_owned());
    let render = |count: usize| {
        let end = offset + count;
        let mut text = match (count, total) {
            (1, 1) => format!("1 symbol of {place}\n"),
            (_, total) if count == total => format!("{total} symbols of {place}, most used first\n"),
            (0, total) => format!("no symbols of {place} from {offset} on; {total} in all\n"),
            _ => format!("symbols {} to {end} of {total} of {place}, most used first\n", offset + 1),
        };
        for line in &lines[..count] {
            text.push_str(line);
            text.push('\n');
        }
        if end < total && count > 0 {
            let _ = writeln!(text, "{} more from offset {end} on", total - end);
        }
        text
    };
    let fitted = fit(&Tokenizer::load(context.encoding), max_tokens, symbols.len(), render)?;
    symbols.truncate(fitted.parts);
    let end = offset + symbols.len();
    let data = SymbolList { module: name, symbols, total, offset, next_offset: (end < total).then_some(end) };
    Ok(Answer { text: fitted.text, tokens: fitted.tokens, data, delivered: Vec::new() })
}

/// The symbols that a scope lists, most used first.
fn listed(table: &SymbolTable, scope: Scope, module: Option<&str>) -> Result<Vec<RankedSymbol>, AnswerError> {
    let index = table.index();
    let members = match scope {
        Scope::Definition(_) => Vec::new(),
        scope => index.members(scope),
    };
    if members.is_empty() {
        let filter = SymbolFilter::new(table, None, module)?;
        return Ok(ranked(table, "*", |id| filter.passes(table, id)));
    }
    let greatest = members.first().map_or(1, |id| index.usage(*id).uses()).max(1);
    let score = |id| f64::from(index.usage(id).uses()) / f64::from(greatest);
    Ok(members.into_iter().map(|id| RankedSymbol { id, score: score(id) }).collect())
}

/// The FQN of a scope; `None` for the repository.
fn name_of(table: &SymbolTable, scope: Scope) -> Option<String> {
    match scope {
        Scope::Repository => None,
        Scope::Module(id) => Some(table.index().module(id).fqn.to_string()),
        Scope::Definition(id) => Some(table.index().definition(id).fqn.to_string()),
    }
}
