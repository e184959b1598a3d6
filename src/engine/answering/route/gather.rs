//! Gathers the context of a task: calls the functions of a decision and joins their answers.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{RoutedCall, RoutingDecision};
use crate::answers::{
    AnswerError, Context, get_repo_overview, get_symbol, get_symbol_source, list_symbols, search_symbols,
    search_symbols_batch,
};
use apidisc_tokens::Tokenizer;

/// The answers of a decision, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// The texts of the answers.
    pub text: String,
    /// The exact number of tokens of `text`.
    pub tokens: usize,
    /// The functions whose answers do not fit the budget.
    pub left_out: Vec<&'static str>,
    /// If no answer fits, the tokens of the smallest answer.
    pub smallest: Option<usize>,
}

/// Calls the functions of a decision in their order. An answer that does not fit into the rest of `max_tokens` tokens
/// is left out.
///
/// # Errors
/// The [`AnswerError`] of a function. A budget that is too small for an answer is no error.
pub fn gather(context: &Context<'_>, decision: &RoutingDecision, max_tokens: usize) -> Result<Gathered, AnswerError> {
    let tokenizer = Tokenizer::load(context.encoding);
    let mut gathered = Gathered::default();
    for call in &decision.arguments {
        // A budget of 0 is an error that does not contain the size of the smallest answer.
        let budget = max_tokens.saturating_sub(gathered.tokens).max(1);
        let needed = match answer(context, call, budget) {
            Ok(answer) => {
                let text = [gathered.text.as_str(), &answer].concat();
                let tokens = tokenizer.count(&text);
                if tokens <= max_tokens {
                    (gathered.text, gathered.tokens) = (text, tokens);
                    continue;
                }
                tokenizer.count(&answer)
            }
            Err(AnswerError::BudgetTooSmall { smallest, .. }) => smallest,
            Err(error) => return Err(error),
        };
        gathered.left_out.push(call.tool);
        gathered.smallest = Some(gathered.smallest.map_or(needed, |least| least.min(needed)));
    }
    gathered.smallest.take_if(|_| !gathered.text.is_empty());
    Ok(gathered)
}

/// The text of one answer, of at most `max_tokens` tokens. Each function also has a limit of its own, so that one
/// answer does not use the whole budget.
fn answer(context: &Context<'_>, call: &RoutedCall, max_tokens: usize) -> Result<String, AnswerError> {
    Ok(match call.tool {
        "get_symbol_source" => get_symbol_source(context, &request(call, max_tokens, 4_000)?)?.text,
        "search_symbols" => search_symbols(context, &request(call, max_tokens, 400)?)?.text,
        "search_symbols_batch" => search_symbols_batch(context, &request(call, max_tokens, 1_000)?)?.text,
        "list_symbols" => list_symbols(context, &request(call, max_tokens, 800)?)?.text,
        "get_symbol" => get_symbol(context, &request(call, max_tokens, 1_000)?)?.text,
        _ => get_repo_overview(context, &request(call, max_tokens, 500)?)?.text,
    })
}

/// The request of a call. Its budget is the smaller one of `max_tokens` and `most`.
fn request<R: DeserializeOwned>(call: &RoutedCall, max_tokens: usize, most: usize) -> Result<R, AnswerError> {
    let mut arguments = call.arguments.clone();
    arguments.insert("max_tokens".to_owned(), Value::from(max_tokens.min(most)));
    serde_json::from_value(Value::Object(arguments))
        .map_err(|_| AnswerError::WrongFields("the decision has arguments that its function does not take"))
}
