//! `get_symbols`.

use serde::Serialize;

use super::{Answer, AnswerError, Context, GetSymbols};

/// Answers.
///
/// # Errors
/// [`AnswerError`].
pub fn get_symbols(context: &Context<'_>, request: &GetSymbols) -> Result<Answer<SymbolsAnswer>, AnswerError> {
    let _ = (context, request);
    todo!()
}

/// Everything that an index knows of one symbol.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolDetail {
    /// The symbol as searches give it.
    #[serde(flatten)]
    pub symbol: super::SymbolHit,
    /// The last line of the definition.
    pub end_line: u32,
    /// The signature or declaration as the stub writes it.
    pub signature: String,
    /// The arguments, each with the share of calls that pass it.
    pub arguments: Vec<ArgumentRow>,
    /// The functions that call it, most calls first.
    pub callers: Vec<RelatedSymbol>,
    /// The definitions that it calls, most calls first.
    pub callees: Vec<RelatedSymbol>,
    /// A call as the sources write it.
    pub typical_call: Option<TypicalCall>,
    /// The source text with line numbers, if the request asks for it.
    pub source: Option<String>,
    /// True if the session holds the symbol: the text does not repeat it.
    pub is_held: bool,
}

/// An argument of a symbol.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArgumentRow {
    /// The name as a caller writes it.
    pub name: String,
    /// The type as written.
    pub annotation: Option<String>,
    /// The default as written.
    pub default: Option<String>,
    /// True if every call must pass it.
    pub required: bool,
    /// The share of calls that pass it, from 0 to 1; `None` if no call is known.
    pub share: Option<f64>,
    /// The description in the documentation.
    pub description: Option<String>,
}

/// A caller or callee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RelatedSymbol {
    /// The FQN; of calls outside of functions, that of the module.
    pub fqn: String,
    /// The number of calls.
    pub calls: u32,
    /// The place of the first call: the path and the line.
    pub place: String,
}

/// A call as the sources write it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TypicalCall {
    /// The path and the line.
    pub place: String,
    /// The call.
    pub code: String,
}

/// A name that no symbol has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotFound {
    /// The name or hash as it was given.
    pub name: String,
    /// The nearest names that exist, or those that the name may mean.
    pub nearest: Vec<String>,
}

/// The answer of [`get_symbols`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolsAnswer {
    /// The symbols in the order of the request.
    pub symbols: Vec<SymbolDetail>,
    /// The names that no symbol has.
    pub not_found: Vec<NotFound>,
    /// The symbols for which the budget has no room.
    pub left_out: Vec<String>,
}
