//! A saved choice of strategy, numbers, weights, pins and bans that a deployment replays.
//!
//! **Invariant.** [`StubRequest`] is everything that a stub depends on beside the index: whoever delivers one from the
//! same index gets the same bytes.

mod check;
mod read;
mod write;

use std::{collections::BTreeMap, sync::Arc};

use compact_str::CompactString;

pub use read::ProfileError;

use super::{Delivery, DeliveryError, Format};
use crate::{
    index::{Definition, Index, LookupError, NoCallSites},
    overrides::Overrides,
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
    usage::Weights,
};

/// How a stub is cut out of an index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StubRequest {
    /// A module or package, in full, by an alias or by a unique suffix.
    pub module: Option<String>,
    /// A definition, likewise.
    pub symbol: Option<String>,
    /// What stays.
    pub strategy: Strategy,
    /// What stays or goes whatever the strategy.
    pub overrides: Overrides,
    /// How often the calls of each origin count.
    pub weights: Weights,
    /// What counts tokens.
    pub encoding: Encoding,
    /// What is put around the stub.
    pub format: Format,
}

/// Why a cut gives no stub.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// Nothing, or more than one thing, has that name.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// Weights need call sites.
    #[error(transparent)]
    NoCallSites(#[from] NoCallSites),
    /// The budget is too small, or there is nothing to show.
    #[error(transparent)]
    Delivery(#[from] DeliveryError),
}

/// What is saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// What is replayed.
    pub cut: StubRequest,
    /// What must hold.
    pub limits: Limits,
    /// What was true when it was saved.
    pub saved: Option<Saved>,
}

/// What a check demands of the stub beside that there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Tokens of the delivery, at most.
    pub max_tokens: Option<usize>,
    /// The share of calls that can be written from it, at least; between 0 and 1.
    pub min_coverage: Option<f64>,
}

/// What was true of a stub when its profile was saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// The commit, where the source is a repository.
    pub commit: Option<String>,
    /// Tokens of the delivery.
    pub tokens: usize,
    /// To three digits; `None` where no call was known.
    pub coverage: Option<f64>,
    /// Fingerprints of the signatures shown, by FQN.
    pub symbols: BTreeMap<CompactString, CompactString>,
}

/// Profiles live in this folder of what is indexed, as `NAME.toml`.
pub const FOLDER: &str = ".apidisc";

/// The file of the profile of that name.
pub fn file_name(name: &str) -> String {
    format!("{name}.toml")
}

/// A check leaves that much room below the coverage that a profile was saved with.
const COVERAGE_MARGIN: f64 = 0.05;
/// And that much above its tokens, as a part of them, where the strategy has no budget.
const TOKENS_MARGIN: f64 = 0.25;

impl StubRequest {
    /// The stub.
    ///
    /// # Errors
    /// [`RequestError`] where there is none.
    pub fn deliver(&self, index: &Arc<Index>) -> Result<Delivery, RequestError> {
        let index = self.counted(index)?;
        let scope = index.scope(self.module.as_deref(), self.symbol.as_deref())?;
        let tokenizer = Tokenizer::load(self.encoding);
        Ok(super::deliver(&index, scope, &self.strategy, &self.overrides, &tokenizer, self.format)?)
    }

    /// The index with its calls counted as the weights say.
    ///
    /// # Errors
    /// [`NoCallSites`] where the weights are not even and the index was read from a file.
    pub fn counted(&self, index: &Arc<Index>) -> Result<Arc<Index>, NoCallSites> {
        if self.weights == index.weights { Ok(Arc::clone(index)) } else { index.weighted(self.weights).map(Arc::new) }
    }
}

impl Profile {
    /// A profile of what `cut` gives now: its limits leave some room below its coverage, and above its tokens
    /// where the strategy has no budget.
    pub fn new(cut: StubRequest, delivery: &Delivery, index: &Index) -> Self {
        let coverage = delivery.coverage();
        let floor = |share: f64| ((share - COVERAGE_MARGIN) * 100.0).floor().max(0.0) / 100.0;
        let ceiling = |tokens: usize| (tokens as f64 * (1.0 + TOKENS_MARGIN)).ceil() as usize;
        let limits = Limits {
            max_tokens: delivery.max_tokens.is_none().then(|| ceiling(delivery.tokens)),
            min_coverage: coverage.map(floor),
        };
        let shown = delivery.symbols.iter().filter(|symbol| symbol.visible.is_some());
        let shown = shown.map(|symbol| index.definition(symbol.id));
        let saved = Saved {
            commit: index.sources.first().and_then(|source| source.commit.clone()),
            tokens: delivery.tokens,
            coverage: coverage.map(|share| (share * 1000.0).round() / 1000.0),
            symbols: shown.map(|definition| (CompactString::new(&definition.fqn), fingerprint(definition))).collect(),
        };
        Self { cut, limits, saved: Some(saved) }
    }
}

/// What changes when a signature does: FNV-1a of its parts, in hex.
fn fingerprint(definition: &Definition) -> CompactString {
    let mut hash = crate::hash::Fnv::default();
    hash.add(definition.kind.word());
    hash.add(definition.annotation.as_deref().unwrap_or_default());
    if let Some(signature) = &definition.signature {
        hash.add(signature.returns.as_deref().unwrap_or_default());
        for (at, parameter) in signature.parameters.iter().enumerate() {
            hash.add(&signature.label(at));
            hash.add(parameter.annotation.as_deref().unwrap_or_default());
            hash.add(parameter.default.as_deref().unwrap_or_default());
            hash.add(if parameter.required { "required" } else { "optional" });
        }
    }
    compact_str::format_compact!("{:016x}", hash.value())
}
