//! The delivered bytes: a stub within its envelope, with its tokens and its coverage.
//!
//! **Architecture invariant.** Every face gets a stub from [`deliver`].

pub mod curve;
mod difference;
mod envelope;
pub mod evaluate;
mod packer;
pub mod profile;

pub use difference::{Difference, difference};
pub(crate) use packer::survey;
pub use packer::{Packer, deliver};

use crate::{language::Language, overrides::OverrideError, stub::DeliveredSymbol, tokens::Encoding};

/// The envelope around a stub.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// The stub alone: a valid file.
    #[default]
    Stub,
    /// A heading and a fenced block.
    Markdown,
    /// One JSON object that holds the stub.
    Json,
    /// The same in YAML.
    Yaml,
}

impl Format {
    /// Every format, in the order of display.
    pub const ALL: [Self; 4] = [Self::Stub, Self::Markdown, Self::Json, Self::Yaml];

    /// Its name on a command line and in a profile.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stub => "stub",
            Self::Markdown => "markdown",
            Self::Json => "json",
            Self::Yaml => "yaml",
        }
    }
}

/// A delivered stub with everything that is said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The exact bytes.
    pub text: String,
    /// The stub alone, where something stands around it: see [`Self::stub`].
    pub enclosed: Option<String>,
    /// Tokens that count against the budget: of the text for a stub and Markdown, of the stub for JSON and YAML.
    pub tokens: usize,
    /// The budget, where the strategy has one.
    pub max_tokens: Option<usize>,
    /// The language that the stub is written in.
    pub language: Language,
    /// How it was chosen, in the strategy's own words, such as `token-budget 1000`.
    pub strategy: String,
    /// The tokenizer that counted.
    pub encoding: Encoding,
    /// Call sites of the scope that can be written from the stub alone, and all whose arguments are known.
    pub covered_calls: u32,
    /// See `covered_calls`.
    pub known_calls: u32,
    /// A row a definition shown, in the order of the text.
    pub symbols: Vec<DeliveredSymbol>,
    /// Members of the scope that are not shown.
    pub hidden_members: usize,
}

/// Why there is no stub.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeliveryError {
    /// The required form alone is larger than the budget.
    #[error("{name} needs {smallest} tokens in its shortest form, {max_tokens} are given; use --max-tokens {smallest}")]
    BudgetTooSmall {
        /// What was asked for.
        name: String,
        /// The smallest budget that works.
        smallest: usize,
        /// The budget that was given.
        max_tokens: usize,
    },
    /// The scope holds no public definition.
    #[error("{name} defines nothing public to show")]
    Empty {
        /// What was asked for.
        name: String,
    },
    /// What was asked for by name is banned, or stands in what is.
    #[error("{name} is banned{}", if .name == .banned { String::new() } else { format!(", since {banned} is") })]
    Banned {
        /// What was asked for.
        name: String,
        /// What is banned.
        banned: String,
    },
    /// A pin or a ban cannot be kept.
    #[error(transparent)]
    Override(#[from] OverrideError),
}

impl Delivery {
    /// The stub alone; the text itself for [`Format::Stub`].
    pub fn stub(&self) -> &str {
        self.enclosed.as_deref().unwrap_or(&self.text)
    }

    /// The part of the stub that shows a symbol.
    pub fn part(&self, symbol: &DeliveredSymbol) -> &str {
        &self.stub()[symbol.range.clone()]
    }

    /// The share of calls that can be written from the stub alone; `None` where no call is known.
    pub fn coverage(&self) -> Option<f64> {
        (self.known_calls > 0).then(|| f64::from(self.covered_calls) / f64::from(self.known_calls))
    }
}
