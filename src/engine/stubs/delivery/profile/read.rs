//! Parses the text of a [`Profile`]. Errors name the line.

use std::{collections::BTreeMap, ops::Range};

use compact_str::CompactString;
use serde::Deserialize;
use toml::Spanned;

use super::{Profile, ProfileLimits, SavedStub, StubRequest};
use crate::{
    delivery::Format,
    overrides::{OverrideTarget, Overrides},
    strategy::Strategy,
    stub::{Docs, Wording},
};
use apidisc_facts::source::Origin;
use apidisc_indexing::usage::Weights;
use apidisc_tokens::Encoding;

/// An error in the text of a profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ProfileError {
    /// The line, counted from 1.
    pub line: usize,
    /// The problem, and the values that are accepted.
    pub message: String,
}

/// The tables and values of a profile as TOML has them.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ProfileText {
    package: Option<String>,
    module: Option<String>,
    symbol: Option<String>,
    intent: Option<String>,
    strategy: Option<Spanned<String>>,
    max_tokens: Option<Spanned<i64>>,
    min_frequency: Option<Spanned<f64>>,
    target: Option<Spanned<f64>>,
    wording: Option<Spanned<String>>,
    docs: Option<Spanned<String>>,
    encoding: Option<Spanned<String>>,
    format: Option<Spanned<String>>,
    pins: Vec<Spanned<String>>,
    bans: Vec<Spanned<String>>,
    weights: BTreeMap<Spanned<String>, Spanned<i64>>,
    check: CheckText,
    saved: Option<SavedText>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CheckText {
    max_tokens: Option<Spanned<i64>>,
    min_coverage: Option<Spanned<f64>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SavedText {
    commit: Option<String>,
    tokens: usize,
    coverage: Option<f64>,
    symbols: BTreeMap<CompactString, CompactString>,
}

impl Profile {
    /// Parses a profile that [`Self::text`] or a user wrote.
    ///
    /// # Errors
    /// The first error with its line.
    pub fn parse(text: &str) -> Result<Self, ProfileError> {
        let file: ProfileText = toml::from_str(text).map_err(|error| {
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            error_at(text, error.span().unwrap_or_default(), message)
        })?;
        let strategy = file.strategy(text)?;
        let request = StubRequest {
            strategy,
            overrides: Overrides { pinned: targets(text, &file.pins)?, banned: targets(text, &file.bans)? },
            weights: weights(text, &file.weights)?,
            wording: named(text, file.wording.as_ref(), |name| name.parse::<Wording>().map_err(|e| e.to_string()))?,
            docs: named(text, file.docs.as_ref(), |name| name.parse::<Docs>().map_err(|e| e.to_string()))?,
            encoding: named(text, file.encoding.as_ref(), |name| name.parse::<Encoding>().map_err(|e| e.to_string()))?,
            format: named(text, file.format.as_ref(), |name| {
                Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
                    format!("no format is called `{name}`; there are {}", Format::ALL.map(Format::name).join(", "))
                })
            })?,
            package: file.package,
            module: file.module,
            symbol: file.symbol,
            intent: file.intent,
        };
        let CheckText { max_tokens, min_coverage } = file.check;
        let limits = ProfileLimits {
            max_tokens: max_tokens.map(|tokens| count(text, &tokens)).transpose()?,
            min_coverage: min_coverage.map(|coverage| share(text, &coverage)).transpose()?,
        };
        let saved = file.saved.map(|SavedText { commit, tokens, coverage, symbols }| SavedStub {
            commit,
            tokens,
            coverage,
            symbols,
        });
        Ok(Self { request, limits, saved })
    }
}

impl ProfileText {
    /// The strategy that the profile names. If it names none, the key `max_tokens`, `min_frequency` or `target` implies
    /// the strategy. Without any of these keys, the strategy is a token budget.
    fn strategy(&self, text: &str) -> Result<Strategy, ProfileError> {
        let numbers = [
            self.max_tokens.as_ref().map(|n| ("max_tokens", "token-budget", n.span())),
            self.min_frequency.as_ref().map(|n| ("min_frequency", "threshold", n.span())),
            self.target.as_ref().map(|n| ("target", "coverage", n.span())),
        ];
        let mut numbers = numbers.into_iter().flatten();
        let number = numbers.next();
        if let (Some((first, ..)), Some((second, _, span))) = (&number, numbers.next()) {
            return Err(error_at(
                text,
                span,
                format!("one number a strategy: {first} is there already, and {second} too"),
            ));
        }
        let implied = number.as_ref().map_or("token-budget", |(_, strategy, _)| strategy);
        let name = self.strategy.as_ref().map_or(implied, |name| name.get_ref());
        if let Some((key, strategy, span)) = number.filter(|(_, strategy, _)| *strategy != name) {
            let hint = if key == "max_tokens" { "; a limit for --check stands below [check]" } else { "" };
            return Err(error_at(text, span, format!("{key} belongs to the strategy {strategy}, not to {name}{hint}")));
        }
        let max_tokens = self.max_tokens.as_ref().map_or(Ok(1000), |n| count(text, n))?;
        let min_frequency =
            self.min_frequency.as_ref().map_or(Ok(Strategy::DEFAULT_MIN_FREQUENCY), |n| share(text, n))?;
        let target = self.target.as_ref().map_or(Ok(Strategy::DEFAULT_TARGET), |n| share(text, n))?;
        match (name, &self.strategy) {
            ("token-budget", _) => Ok(Strategy::TokenBudget { max_tokens }),
            ("threshold", _) => Ok(Strategy::Threshold { min_frequency }),
            ("coverage", _) => Ok(Strategy::Coverage { target }),
            ("exhaustive", _) => Ok(Strategy::Exhaustive),
            (_, named) => {
                let span = named.as_ref().map(Spanned::span).unwrap_or_default();
                let message = "there are token-budget, threshold, coverage and exhaustive";
                Err(error_at(text, span, format!("no strategy is called `{name}`; {message}")))
            }
        }
    }
}

fn targets(text: &str, names: &[Spanned<String>]) -> Result<std::collections::BTreeSet<OverrideTarget>, ProfileError> {
    let target = |name: &Spanned<String>| {
        let Ok(target) = name.get_ref().parse::<OverrideTarget>();
        if target.definition.is_empty() {
            let message = "a pin or ban names a definition, as in `pkg.Class(argument)`";
            return Err(error_at(text, name.span(), message.to_owned()));
        }
        Ok(target)
    };
    names.iter().map(target).collect()
}

fn weights(text: &str, entries: &BTreeMap<Spanned<String>, Spanned<i64>>) -> Result<Weights, ProfileError> {
    let mut weights = Weights::default();
    let mut numbers = Origin::ALL.map(|origin| weights.of(origin));
    let mut of_sources = Weights::default();
    let mut last = 0..0;
    for (name, number) in entries {
        let entry = format!("{}={}", name.get_ref(), number.get_ref());
        // Parsing the entry alone checks its name and its range. A zero is parsed as a one, because only all weights
        // together must not be zero; `Weights::new` checks that below.
        let is_origin = Origin::ALL.into_iter().any(|origin| origin.word() == name.get_ref());
        let checked = if is_origin && number.get_ref() == &0 { format!("{}=1", name.get_ref()) } else { entry };
        let alone = checked.parse::<Weights>().map_err(|error| error_at(text, name.span(), error.to_string()))?;
        if let Some(origin) = Origin::ALL.into_iter().find(|origin| origin.word() == name.get_ref()) {
            numbers[origin as usize] = u8::try_from(*number.get_ref()).unwrap_or_default();
        } else {
            of_sources = alone.or_sources_of(&of_sources);
        }
        last = name.span();
    }
    weights = Weights::new(numbers).map_err(|error| error_at(text, last, error.to_string()))?;
    Ok(weights.or_sources_of(&of_sources))
}

/// The value that `read` finds for a name; the default if `name` is `None`.
fn named<T: Default>(
    text: &str,
    name: Option<&Spanned<String>>,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, ProfileError> {
    name.map_or_else(|| Ok(T::default()), |name| read(name.get_ref()).map_err(|why| error_at(text, name.span(), why)))
}

/// A positive number of tokens.
fn count(text: &str, number: &Spanned<i64>) -> Result<usize, ProfileError> {
    let tokens = usize::try_from(*number.get_ref()).ok().filter(|&tokens| tokens > 0);
    tokens.ok_or_else(|| error_at(text, number.span(), format!("{} is no number of tokens", number.get_ref())))
}

/// A share between 0 and 1.
fn share(text: &str, number: &Spanned<f64>) -> Result<f64, ProfileError> {
    let share = *number.get_ref();
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    let hint =
        if (1.0..=100.0).contains(&share) { format!("; for {share}% write {}", share / 100.0) } else { String::new() };
    Err(error_at(text, number.span(), format!("{share} is no share between 0 and 1{hint}")))
}

/// An error at the line of a span.
fn error_at(text: &str, span: Range<usize>, message: String) -> ProfileError {
    let before = text.as_bytes().iter().take(span.start);
    ProfileError { line: before.filter(|byte| **byte == b'\n').count() + 1, message }
}
