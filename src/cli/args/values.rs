//! Parsers of the values of options: numbers, shares, names, strategies with a number.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::cli::Measured;
use apidisc::{strategy::Strategy, stub::Wording, tokens::Encoding};

/// The names of the tokenizers.
pub(super) fn encoding() -> impl TypedValueParser<Value = Encoding> {
    let names = Encoding::ALL.map(|encoding| PossibleValue::new(encoding.name()));
    PossibleValuesParser::new(names.into_iter().chain([PossibleValue::new("gpt2").hide(true)]))
        .try_map(|name| name.parse::<Encoding>())
}

/// The names of the wordings.
pub(super) fn wording() -> impl TypedValueParser<Value = Wording> {
    PossibleValuesParser::new(Wording::ALL.map(Wording::name)).try_map(|name| name.parse::<Wording>())
}

/// The help of the option that names a tokenizer.
pub(super) fn encodings() -> String {
    let names = Encoding::ALL.map(Encoding::name).join(", ");
    format!("The tokenizer that counts: {names} [default: {}]", Encoding::default().name())
}

/// Parses a number of tokens.
pub(super) fn tokens(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "write a number of tokens, such as 1000".to_owned())
}

/// Parses a share between 0 and 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        Ok(percent) if (1.0..=100.0).contains(&percent) => {
            Err(format!("a share is between 0 and 1; for {percent}% write {}", percent / 100.0))
        }
        _ => Err("a share is a number between 0 and 1, such as 0.2".to_owned()),
    }
}

/// Parses a strategy with its parameter, as in `threshold=0.2`.
pub(super) fn measured(text: &str) -> Result<Measured, String> {
    let (name, number) = text.split_once('=').map_or((text, None), |(name, number)| (name, Some(number)));
    let share_or = |default: f64| number.map_or(Ok(default), share);
    Ok(match (name, number) {
        ("token-budget", None) => Measured::Budgets,
        ("token-budget", Some(number)) => {
            let max_tokens = number.parse().map_err(|_| format!("`{number}` is no number of tokens"))?;
            Measured::Strategy(Strategy::TokenBudget { max_tokens })
        }
        ("threshold", _) => {
            Measured::Strategy(Strategy::Threshold { min_frequency: share_or(Strategy::DEFAULT_MIN_FREQUENCY)? })
        }
        ("coverage", _) => Measured::Strategy(Strategy::Coverage { target: share_or(Strategy::DEFAULT_TARGET)? }),
        ("exhaustive", None) => Measured::Strategy(Strategy::Exhaustive),
        _ => return Err("write token-budget, threshold=0.2, coverage=0.95 or exhaustive".to_owned()),
    })
}
