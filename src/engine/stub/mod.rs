//! The delivered bytes: a stub in the language's own syntax with usage as comments, and its envelope.
//!
//! **Architecture invariant.** Every face gets a stub from [`deliver`].

mod check;
mod difference;
mod display;
mod envelope;
pub(crate) mod needs;
mod packer;
pub(crate) mod part;
pub(crate) mod pieces;
mod python;
pub(crate) mod reached;
mod renderer;
pub(crate) mod selection;
pub(crate) mod sheet;
mod text;
mod tree;
mod typescript;

use compact_str::CompactString;

pub use difference::{Difference, difference};
pub(crate) use packer::survey;
pub use packer::{Packer, deliver};

use super::{
    index::{DefinitionId, DefinitionKind},
    strategy::OverrideError,
    tokens::Encoding,
    usage::ParameterSet,
};

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
    /// The stub alone; equal to `text` for [`Format::Stub`].
    pub stub: String,
    /// Tokens that count against the budget: of `text` for a stub and Markdown, of `stub` for JSON and YAML.
    pub tokens: usize,
    /// The budget, where the strategy has one.
    pub max_tokens: Option<usize>,
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

/// One definition in a delivered stub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveredSymbol {
    /// Which.
    pub id: DefinitionId,
    /// Its FQN.
    pub fqn: CompactString,
    /// Its shortest public name.
    pub alias: CompactString,
    /// What it is.
    pub kind: DefinitionKind,
    /// Its calls.
    pub total_calls: u32,
    /// The parameters that stay, by position; `None` of a class where only its first line does.
    pub visible: Option<ParameterSet>,
    /// Names of the parameters that stay.
    pub shown: Vec<CompactString>,
    /// Names of the parameters that are hidden.
    pub hidden: Vec<CompactString>,
    /// Its part of the stub.
    pub text: String,
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
    /// The share of calls that can be written from the stub alone; `None` where no call is known.
    pub fn coverage(&self) -> Option<f64> {
        (self.known_calls > 0).then(|| f64::from(self.covered_calls) / f64::from(self.known_calls))
    }
}
