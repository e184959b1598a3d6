//! The delivered bytes: a stub in the language's own syntax with usage as comments, and its envelope.
//!
//! **Architecture invariant.** Every face gets a stub from [`deliver`].

use std::sync::Arc;

use compact_str::CompactString;

use super::{
    index::{DefinitionId, DefinitionKind, Index, Scope},
    strategy::FilteringStrategy,
    tokens::{Encoding, Tokenizer},
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
}

/// Everything that is needed to cut stubs of one scope again and again: a face holds one while a person
/// changes strategy and budget. Making it counts tokens and may take a tenth of a second on a large scope: do
/// it off the drawing thread. A delivery then takes a few milliseconds.
#[derive(Debug)]
pub struct Packer {
    index: Arc<Index>,
    scope: Scope,
    tokenizer: Arc<Tokenizer>,
}

impl Packer {
    /// Prepares the stubs of `scope`.
    ///
    /// # Errors
    /// [`DeliveryError::Empty`] where there is nothing to show.
    pub fn new(index: &Arc<Index>, scope: Scope, tokenizer: &Arc<Tokenizer>) -> Result<Self, DeliveryError> {
        Ok(Self { index: Arc::clone(index), scope, tokenizer: Arc::clone(tokenizer) })
    }

    /// The stub as `strategy` cuts it.
    ///
    /// # Errors
    /// [`DeliveryError::BudgetTooSmall`] with the smallest budget that works.
    pub fn deliver(&self, strategy: &dyn FilteringStrategy, format: Format) -> Result<Delivery, DeliveryError> {
        let _ = (&self.index, self.scope, &self.tokenizer, strategy, format);
        Err(DeliveryError::Empty { name: String::new() })
    }

    /// Tokens of the exhaustive form: what a reduction is measured against.
    pub fn exhaustive_tokens(&self, format: Format) -> usize {
        self.deliver(&super::strategy::Strategy::Exhaustive, format).map_or(0, |d| d.tokens)
    }
}

/// The stub of `scope` as `strategy` cuts it.
///
/// # Errors
/// [`DeliveryError`] where the budget is too small or there is nothing to show.
pub fn deliver(
    index: &Arc<Index>,
    scope: Scope,
    strategy: &dyn FilteringStrategy,
    tokenizer: &Arc<Tokenizer>,
    format: Format,
) -> Result<Delivery, DeliveryError> {
    Packer::new(index, scope, tokenizer)?.deliver(strategy, format)
}
