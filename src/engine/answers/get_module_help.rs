//! `get_module_help`: a delivered stub, with the same bytes as `--export`.

use super::{
    AnswerError, Context, GetModuleHelp, MAX_ANSWER_TOKENS,
    request::{budget, share},
};
use crate::{
    delivery::{Delivery, Format, StubRequest},
    strategy::Strategy,
};

/// The stub of a module, or of one definition. [`Delivery::text`] is the whole answer: the same request on the command
/// line prints the same bytes.
///
/// # Errors
/// [`AnswerError`] if a name or word is unknown, if the budget is too small, or if a strategy without a budget gives
/// more than [`MAX_ANSWER_TOKENS`].
pub fn get_module_help(context: &Context<'_>, request: &GetModuleHelp) -> Result<Delivery, AnswerError> {
    let given =
        |name: &Option<String>| name.as_deref().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    let delivery = StubRequest {
        module: given(&request.module_name),
        symbol: given(&request.target_symbol),
        strategy: strategy(request)?,
        format: format(request.format.as_deref())?,
        weights: context.symbols.index().weights.clone(),
        encoding: context.encoding,
        ..StubRequest::default()
    }
    .deliver(context.symbols.index())?;
    let max_tokens = MAX_ANSWER_TOKENS as usize;
    if delivery.tokens > max_tokens {
        return Err(AnswerError::BudgetTooSmall { smallest: delivery.tokens, max_tokens });
    }
    Ok(delivery)
}

fn strategy(request: &GetModuleHelp) -> Result<Strategy, AnswerError> {
    let known = [
        Strategy::TokenBudget { max_tokens: budget(request.max_tokens)? },
        Strategy::Threshold { min_frequency: share("min_frequency", request.min_frequency)? },
        Strategy::Coverage { target: share("target", request.target)? },
        Strategy::Exhaustive,
    ];
    let word = request.strategy.as_deref().map(str::trim).filter(|word| !word.is_empty());
    let Some(word) = word else { return Ok(known[0]) };
    // Models also write `token_budget` for `token-budget`.
    let given = word.to_lowercase().replace('_', "-");
    let found = known.into_iter().find(|strategy| strategy.name() == given);
    found.ok_or_else(|| AnswerError::UnknownWord {
        name: "strategy",
        given: word.to_owned(),
        known: known.map(Strategy::name).to_vec(),
    })
}

fn format(word: Option<&str>) -> Result<Format, AnswerError> {
    let Some(word) = word.map(str::trim).filter(|word| !word.is_empty()) else { return Ok(Format::default()) };
    let found = Format::ALL.into_iter().find(|format| format.name() == word.to_lowercase());
    found.ok_or_else(|| AnswerError::UnknownWord {
        name: "format",
        given: word.to_owned(),
        known: Format::ALL.map(Format::name).to_vec(),
    })
}
