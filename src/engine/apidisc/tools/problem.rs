//! Errors of the engine as texts of answers: the problem, and the names or values that exist. A model reads these
//! texts, so they contain no instructions.

use apidisc_answering::answers::AnswerError;
use apidisc_indexing::index::LookupError;
use apidisc_stubs::delivery::{DeliveryError, RequestError};

/// The text for a stub that cannot be delivered. It names arguments of tools, not options of a command line.
pub fn of_request(error: &RequestError) -> String {
    match error {
        RequestError::Lookup(error) => of_lookup(error),
        RequestError::Delivery(DeliveryError::BudgetTooSmall { name, smallest, max_tokens }) => format!(
            "{name} needs {smallest} tokens in its shortest form, more than max_tokens {max_tokens}; \
             max_tokens {smallest} is enough"
        ),
        other => other.to_string(),
    }
}

/// The text for a name that is unknown or ambiguous.
pub fn of_lookup(error: &LookupError) -> String {
    match error {
        LookupError::Ambiguous { name, candidates, .. } => {
            format!("`{name}` is the end of several names: {}", candidates.join(", "))
        }
        LookupError::Unknown { .. } => error.to_string(),
    }
}

/// The text for the error of a function of the engine.
pub fn of_answer(error: &AnswerError) -> String {
    match error {
        AnswerError::Lookup(error) => of_lookup(error),
        AnswerError::Stub(error) => of_request(error),
        other => other.to_string(),
    }
}
