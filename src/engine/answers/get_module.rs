//! `get_module`.

use serde::Serialize;

use super::{Answer, AnswerError, Context, GetModule};

/// Answers.
///
/// # Errors
/// [`AnswerError`].
pub fn get_module(context: &Context<'_>, request: &GetModule) -> Result<Answer<ModuleAnswer>, AnswerError> {
    let _ = (context, request);
    todo!()
}

/// The answer of [`get_module`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModuleAnswer {
    /// The FQN of the module.
    pub module: String,
    /// The stub: as much of the module as fits.
    pub stub: String,
    /// The number of public symbols that the stub does not show.
    pub hidden: usize,
    /// The tokens of the first page of `list_symbols` of the module.
    pub list_tokens: usize,
    /// The tokens of `get_symbol` of the module's most used symbol.
    pub symbol_tokens: usize,
}
