//! `get_symbol`.

use super::{Answer, AnswerError, Context, GetSymbol, SymbolDetail};

/// Answers.
///
/// # Errors
/// [`AnswerError`].
pub fn get_symbol(context: &Context<'_>, request: &GetSymbol) -> Result<Answer<SymbolDetail>, AnswerError> {
    let _ = (context, request);
    todo!()
}
