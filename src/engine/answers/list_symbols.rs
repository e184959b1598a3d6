//! `list_symbols`.

use serde::Serialize;

use super::{Answer, AnswerError, Context, ListSymbols};

/// Answers.
///
/// # Errors
/// [`AnswerError`].
pub fn list_symbols(context: &Context<'_>, request: &ListSymbols) -> Result<Answer<SymbolList>, AnswerError> {
    let _ = (context, request);
    todo!()
}

/// The answer of [`list_symbols`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolList {
    /// The FQN of the module; `None` for the whole repository.
    pub module: Option<String>,
    /// The symbols, most used first.
    pub symbols: Vec<super::SymbolHit>,
    /// The number of all symbols of the module.
    pub total: usize,
    /// The number of symbols before the first one.
    pub offset: usize,
    /// The offset of the next page; `None` at the end.
    pub next_offset: Option<usize>,
}
