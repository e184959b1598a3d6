//! The pages of the ledger, and the explanations of single calls.

use std::sync::Arc;

use super::{page, toast};
use crate::tui::{
    effect::{Effect, ExplainRequest},
    jobs::{CountCallsJob, Job},
    model::{
        Catalog, Model, PackagesView, Tone,
        page::{CallExplanation, CountedRows, LedgerPage, PageSubject},
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

/// Takes over the rows of what a number counts.
pub(super) fn counted(model: &mut Model, ticket: u64, rows: Arc<CountedRows>) {
    if let Some(page) = model.page.as_mut().filter(|page| page.card_ticket == ticket) {
        page.counted = Some((ticket, rows));
    }
}

/// The request for what a page shows: how a call is resolved, or what a number counts.
pub(super) fn request(
    packages: &PackagesView,
    catalog: &Arc<Catalog>,
    page: &LedgerPage,
    ticket: u64,
) -> Option<Effect> {
    match page {
        LedgerPage::Numbers => None,
        LedgerPage::Counted(calls) => Some(Effect::Job(Job::CountCalls(CountCallsJob {
            ticket,
            catalog: Arc::clone(catalog),
            packages: packages.read().cloned(),
            calls: calls.clone(),
        }))),
        LedgerPage::Call(place) => {
            let code = Arc::clone(packages.code.as_ref().unwrap_or(catalog));
            Some(Effect::Explain(ExplainRequest { ticket, code, place: place.clone() }))
        }
    }
}
