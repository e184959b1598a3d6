//! The request for a stub.
//!
//! **Invariant.** [`StubRequest`] holds everything that a stub depends on besides the index: every face (explorer,
//! command line, server) that delivers a request from the same index gets the same bytes.

use std::sync::Arc;

use super::{Delivery, DeliveryError, Format, Packer};
use crate::{
    intent::{Asked, IntentWords},
    overrides::Overrides,
    strategy::{FilteringStrategy as _, Strategy},
    stub::{Docs, Style, Wording},
};
use apidisc_indexing::{
    index::{Index, LookupError, RecountError, Scope},
    usage::Weights,
};
use apidisc_tokens::{Encoding, Tokenizer};

/// A stub as it is requested: its scope, and how it is chosen, counted and delivered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StubRequest {
    /// The installed package that the module or symbol is a part of; without either, the package itself. The index is
    /// then that of the packages: see [`Index::into_index_of_packages`].
    pub package: Option<String>,
    /// A module or package, by its full name, an alias or a unique suffix.
    pub module: Option<String>,
    /// A definition, by its full name, an alias or a unique suffix.
    pub symbol: Option<String>,
    /// What the code that a reader writes should do, in words. The members and arguments that the words name are shown
    /// as far as a share of the budget goes, although few calls use them.
    pub intent: Option<String>,
    /// The strategy that chooses the members and arguments.
    pub strategy: Strategy,
    /// The wording of the shown members.
    pub wording: Wording,
    /// The amount of documentation in the stub.
    pub docs: Docs,
    /// Pins and bans.
    pub overrides: Overrides,
    /// The weights of the origins, by which their calls are multiplied.
    pub weights: Weights,
    /// The encoding in which tokens are counted.
    pub encoding: Encoding,
    /// The envelope around the stub.
    pub format: Format,
}

/// How a stub is chosen, written and wrapped.
#[derive(Clone, Copy, Debug)]
pub struct DeliveryForm<'s> {
    /// The wording and the documentation.
    pub style: Style,
    /// The strategy that chooses the members and arguments.
    pub strategy: &'s Strategy,
    /// The envelope around the stub.
    pub format: Format,
}

/// Delivers the stub of a scope with what an intent names. If the budget has no room for it, or if the intent has no
/// words, the stub is that without an intent.
///
/// # Errors
/// [`DeliveryError`] if there is no stub.
pub fn deliver_for_intent(
    index: &Arc<Index>,
    scope: Scope,
    overrides: &Overrides,
    intent: &IntentWords,
    form: DeliveryForm<'_>,
    tokenizer: &Arc<Tokenizer>,
) -> Result<Delivery, DeliveryError> {
    let DeliveryForm { style, strategy, format } = form;
    if !intent.is_empty() {
        let asked = Asked::new(index, scope, intent, strategy.max_tokens(), tokenizer);
        match Packer::for_intent(index, scope, overrides, &asked, tokenizer)?.deliver_in(style, strategy, format) {
            Err(DeliveryError::BudgetTooSmall { .. }) => {}
            delivered => return delivered,
        }
    }
    Packer::with_overrides(index, scope, overrides, tokenizer)?.deliver_in(style, strategy, format)
}

/// Why a request gives no stub.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// No definition or module has this name, or several have it.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// The weights need counts that an index which was read from a file does not have.
    #[error(transparent)]
    Recount(#[from] RecountError),
    /// The budget is too small, there is nothing to show, or a pin or ban cannot be kept.
    #[error(transparent)]
    Delivery(#[from] DeliveryError),
}

impl StubRequest {
    /// Delivers the stub.
    ///
    /// # Errors
    /// [`RequestError`] if the request gives no stub.
    pub fn deliver(&self, index: &Arc<Index>) -> Result<Delivery, RequestError> {
        let index = self.weighted(index)?;
        let (scope, _) = index.scope_meant(self.module.as_deref(), self.symbol.as_deref())?;
        let tokenizer = Tokenizer::load(self.encoding);
        let intent = IntentWords::new(self.intent.as_deref().unwrap_or_default());
        let form = DeliveryForm { style: self.style(), strategy: &self.strategy, format: self.format };
        Ok(deliver_for_intent(&index, scope, &self.overrides, &intent, form, &tokenizer)?)
    }

    /// The style of the stub.
    pub fn style(&self) -> Style {
        Style { wording: self.wording, docs: self.docs }
    }

    /// The index with its calls counted by the weights of the request, before those that the index has: of the list of
    /// its sources, or of the file that it was read from. The index keeps its weight of every source that the request
    /// does not name, and its weights of origins if the request names none.
    ///
    /// # Errors
    /// [`RecountError`] if the index was read from a file, and cannot be counted with these weights.
    pub fn weighted(&self, index: &Arc<Index>) -> Result<Arc<Index>, RecountError> {
        let weights = self.weights.clone().or_those_of(&index.weights);
        if weights == index.weights { Ok(Arc::clone(index)) } else { index.weighted(weights).map(Arc::new) }
    }
}
