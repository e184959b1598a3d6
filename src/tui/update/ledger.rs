//! The pages of the ledger, and the explanations of single calls.

use std::sync::Arc;

use super::{page, toast};
use crate::tui::{
    effect::{Effect, ExplainRequest},
    model::{
        Catalog, Model, Tone,
        page::{CallExplanation, CallPlace, LedgerPage, PageSubject},
    },
};

/// Opens the page of the numbers of calls.
pub(super) fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else {
        return toast(model, Tone::Note, "nothing is indexed yet".to_owned(), effects);
    };
    let subject = PageSubject::Ledger(LedgerPage::Numbers);
    if model.page.as_ref().is_none_or(|page| page.subject != subject) {
        page::open(model, &catalog, subject);
    }
}

/// Takes over the explanation of a call.
pub(super) fn explained(model: &mut Model, ticket: u64, result: Result<CallExplanation, String>) {
    if let Some(page) = model.page.as_mut().filter(|page| page.card_ticket == ticket) {
        page.explained = Some(result);
    }
}

/// The request to explain the call at a place of the code.
pub(super) fn request(code: &Arc<Catalog>, place: &CallPlace, ticket: u64) -> Effect {
    Effect::Explain(ExplainRequest { ticket, code: Arc::clone(code), place: place.clone() })
}
