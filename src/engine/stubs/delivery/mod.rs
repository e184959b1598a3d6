//! Deliveries: the bytes of a stub in its envelope, with its tokens and its coverage.
//!
//! **Architecture invariant.** Every face (explorer, command line, server) gets its stubs from [`Packer::deliver`].

pub mod curve;
mod difference;
mod envelope;
pub mod evaluate;
mod packer;
pub mod profile;
mod request;

pub use crate::stub::TYPES_HEADING;
pub use difference::{Difference, difference};
pub use envelope::fenced_as;
pub use envelope::{QUOTED, QUOTED_SOURCE, fenced};
pub use packer::Packer;
pub use request::{DeliveryForm, RequestError, StubRequest, deliver_for_intent};

use crate::{
    overrides::OverrideError,
    stub::{DeliveredSymbol, Docs, Unshown, Wording},
};
use apidisc_base::language::Language;
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::{index::Index, usage::Uses};
use apidisc_tokens::Encoding;
use serde::Serialize;

/// The envelope around a stub.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// The stub alone: a valid file.
    #[default]
    Stub,
    /// A Markdown heading, and the stub in a fenced block.
    Markdown,
    /// One JSON object that holds the stub.
    Json,
    /// The object of [`Self::Json`] in YAML.
    Yaml,
}

impl Format {
    /// Every format, in the order of display.
    pub const ALL: [Self; 4] = [Self::Stub, Self::Markdown, Self::Json, Self::Yaml];

    /// The name of the format on a command line and in a profile.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stub => "stub",
            Self::Markdown => "markdown",
            Self::Json => "json",
            Self::Yaml => "yaml",
        }
    }
}

/// A delivered stub with its counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The delivered bytes.
    pub text: String,
    /// The stub without its envelope; `None` if there is no envelope. See [`Self::stub`].
    pub enclosed: Option<String>,
    /// The number of tokens that count against the budget. For [`Format::Stub`] and [`Format::Markdown`] these are the
    /// tokens of `text`; for JSON and YAML, only those of the stub.
    pub tokens: usize,
    /// The budget, if the strategy has one.
    pub max_tokens: Option<usize>,
    /// The language that the stub is written in.
    pub language: Language,
    /// The label of the strategy, such as `token-budget 1000`.
    pub strategy: String,
    /// The wording that was requested.
    pub wording: Wording,
    /// The amount of documentation that was requested.
    pub docs: Docs,
    /// The encoding in which the tokens were counted.
    pub encoding: Encoding,
    /// Calls of the scope that can be written from the stub alone.
    pub covered_calls: u32,
    /// Calls of the scope whose arguments are all known.
    pub known_calls: u32,
    /// Reads of the scope whose attribute the stub shows.
    pub covered_reads: u32,
    /// All reads of the scope.
    pub known_reads: u32,
    /// The known uses of members that the requested class inherits from public bases.
    pub inherited: Uses,
    /// The shown definitions, in the order of the text.
    pub symbols: Vec<DeliveredSymbol>,
    /// Number of members of the scope that are not shown.
    pub hidden_members: usize,
    /// If the stub shows every definition: the uses that no stub of the scope can show, by reason. Else empty.
    pub not_shown: Vec<Unshown>,
}

/// Why there is no stub.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeliveryError {
    /// The smallest stub is larger than the budget.
    #[error("{name} needs {smallest} tokens in its shortest form, {max_tokens} are given; use --max-tokens {smallest}")]
    BudgetTooSmall {
        /// The requested scope.
        name: String,
        /// The smallest budget that works.
        smallest: usize,
        /// The budget that was given.
        max_tokens: usize,
    },
    /// The scope holds no public definition.
    #[error("{name} defines nothing public to show")]
    Empty {
        /// The requested scope.
        name: String,
    },
    /// The requested definition or a class around it is banned.
    #[error("{name} is banned{}", if .name == .banned { String::new() } else { format!(", since {banned} is") })]
    Banned {
        /// The requested scope.
        name: String,
        /// The banned definition.
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

    /// Adds the first call of each symbol to a delivery as JSON or YAML, under the key `first_call`, and the numbers of
    /// its uses that are neither calls nor reads, under `uses`. `first_call` is asked for the symbols of the delivery
    /// alone; what it gives is written with its own keys. A delivery in another format stays as it is. The counted
    /// tokens are those of the stub, as before.
    pub fn add_first_calls<F: Serialize>(
        &mut self,
        index: &Index,
        format: Format,
        first_call: impl FnMut(DefinitionId) -> Option<F>,
    ) {
        if let Some(text) = envelope::object_text(self, index, format, Some(first_call)) {
            self.text = text;
        }
    }

    /// The part of the stub that shows a symbol.
    pub fn part(&self, symbol: &DeliveredSymbol) -> &str {
        &self.stub()[symbol.range.clone()]
    }

    /// The uses of the scope that can be written from the stub alone.
    pub fn covered(&self) -> Uses {
        Uses { calls: self.covered_calls, reads: self.covered_reads }
    }

    /// The calls of the scope whose arguments are all known, and its reads. Coverage is a share of them.
    pub fn known(&self) -> Uses {
        Uses { calls: self.known_calls, reads: self.known_reads }
    }

    /// The share of uses that can be written from the stub alone; `None` if no use is known.
    pub fn coverage(&self) -> Option<f64> {
        let (covered, known) = (self.covered().total(), self.known().total());
        (known > 0).then(|| f64::from(covered) / f64::from(known))
    }
}
