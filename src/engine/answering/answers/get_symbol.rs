//! `get_symbol`: the description of one symbol.

use super::{Answer, AnswerError, Context, GetSymbol, GetSymbols, NotFound, SymbolDetail, get_symbols};

/// The description of one symbol; see [`get_symbols`].
///
/// # Errors
/// [`AnswerError`] for an unknown name, for numbers out of range, and for a budget that is too small.
pub fn get_symbol(context: &Context<'_>, request: &GetSymbol) -> Result<Answer<SymbolDetail>, AnswerError> {
    let GetSymbol { hash, include_source, include_related, context: around, max_tokens, again } = request.clone();
    let hashes = vec![hash];
    let request = GetSymbols { hashes, include_source, include_related, context: around, max_tokens, again };
    let answer = get_symbols(context, &request)?;
    let Answer { text, tokens, data, delivered } = answer;
    let NotFound { name, nearest } = data.not_found.into_iter().next().unwrap_or_default();
    let data = data.symbols.into_iter().next().ok_or(AnswerError::UnknownSymbol { name, nearest })?;
    Ok(Answer { text, tokens, data, delivered })
}
