//! API documents: receiving them, listing their parts and arguments, requesting texts, and revealing a part.

use std::sync::Arc;

use super::{browse, delivery, history, toast};
use crate::tui::{
    effect::Effect,
    geometry::Pane,
    jobs::{DeliverPartJob, Job, ReadArgumentsJob, ReadDocumentsJob},
    model::{
        ApiCatalog, ApiPart, Catalog, Location, Model, Overlay, PageKind, PartRequest, StubPaneRequest, StubText, Tone,
    },
};
use apidisc::{delivery::DeliveryError, http::OperationArgument, strategy::Strategy};

/// Requests the documents for a new index. If no file has changed since they were read, only the calls are counted
/// again.
pub(super) fn request(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    let is_outdated = std::mem::take(&mut model.api.is_outdated);
    let known = model.api.catalog.clone().filter(|_| !is_outdated);
    // Without documents there is nothing to count.
    if known.is_some() || is_outdated {
        effects.push(Effect::ReadDocuments(ReadDocumentsJob { catalog: Arc::clone(catalog), known }));
    }
}

/// Requests the documents again although the code has not changed.
pub(super) fn request_again(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(catalog) = model.catalog.clone().filter(|catalog| catalog.index.complete) {
        model.api.is_outdated = true;
        request(model, &catalog, effects);
    }
}

/// Replaces the documents. Selections and the open page are restored by name.
pub(super) fn read(model: &mut Model, api: Arc<ApiCatalog>, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    let page = Location::here(model, &catalog).page.filter(|page| matches!(page.kind, PageKind::Part(_)));
    model.modules.remember(&catalog);
    if let Some(old) = model.api.catalog.take() {
        model.api.parts.remember(&old);
        model.api.arguments.remember();
        effects.push(Effect::FreeDocuments(old));
    }
    model.modules.set_documents(api.modules.iter().map(|module| module.path.clone()).collect());
    let is_shown = !api.modules.is_empty() || api.problems().next().is_some();
    model.api.catalog = is_shown.then_some(api);
    if let Some(page) = page {
        model.page = None;
        history::reopen(model, &catalog, &page);
    }
    if let Some(resume) = model.resume.take_if(|resume| resume.location.is_in_documents()) {
        history::resume(model, &catalog, &resume);
    }
    if let Some(Overlay::Find(finder)) = &mut model.overlay {
        finder.is_stale = true;
    }
}

/// Says why the documents that the command line names cannot be read.
pub(super) fn not_read(model: &mut Model, why: &str, effects: &mut Vec<Effect>) {
    let named = model.api.named.as_deref().unwrap_or("--docs");
    toast(model, Tone::Error, format!("{named}: {why}"), effects);
}

/// Brings the lists of the selected document up to date.
pub(super) fn lists(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some((api, document)) = model.document().map(|(api, document)| (Arc::clone(api), document)) else { return };
    let parts = &mut model.api.parts;
    if parts.of != Some((api.generation, document)) {
        parts.remember(&api);
        parts.list(&api, document);
    } else if parts.state.is_stale {
        parts.remember(&api);
    }
    if parts.state.is_stale {
        parts.rebuild(&api);
    }
    let selected = parts.selected().map(|row| row.at);
    let of = selected.map(|at| (api.generation, at));
    if model.api.arguments.of != of {
        let part = selected.map(|at| ApiPart { api, at });
        model.api.arguments.show(of, part.as_ref().map_or("", ApiPart::id));
        if let Some(part) = part {
            model.api.arguments.ticket = model.next_ticket();
            let ticket = model.api.arguments.ticket;
            effects.push(Effect::Job(Job::ReadArguments(ReadArgumentsJob { ticket, part })));
        }
    }
    if model.api.arguments.state.is_stale {
        model.api.arguments.rebuild();
    }
}

/// Stores arguments for the list or the page that requested them.
pub(super) fn arguments_read(model: &mut Model, ticket: u64, arguments: &Arc<[OperationArgument]>) {
    if model.api.arguments.ticket == ticket {
        model.api.arguments.read(Arc::clone(arguments));
    }
    if let Some(page) = model.page.as_mut().filter(|page| page.card_ticket == ticket) {
        page.arguments = Some(Arc::clone(arguments));
    }
}

/// Requests the text of a part for the stub pane.
pub(super) fn stub(model: &mut Model, part: ApiPart, effects: &mut Vec<Effect>) {
    let max_tokens = match model.settings.strategy {
        Strategy::TokenBudget { max_tokens } => Some(max_tokens),
        // Shares of calls say too little of an operation: it is shown in full.
        Strategy::Threshold { .. } | Strategy::Coverage { .. } | Strategy::Exhaustive => None,
    };
    let max_tokens = max_tokens.filter(|_| part.api.operation_id(part.at).is_some());
    let request =
        PartRequest { generation: part.api.generation, at: part.at, max_tokens, encoding: model.settings.encoding };
    if model.preview.wanted != Some(StubPaneRequest::Part(request)) {
        let ticket = model.next_ticket();
        model.preview.wanted = Some(StubPaneRequest::Part(request));
        model.preview.ticket = ticket;
        effects.push(Effect::Job(Job::DeliverPart(DeliverPartJob { ticket, part, request })));
    }
}

/// Stores the text of a part, unless a newer request is pending.
pub(super) fn delivered(
    model: &mut Model,
    ticket: u64,
    request: PartRequest,
    result: Result<Arc<StubText>, DeliveryError>,
) {
    if delivery::is_awaited(model, ticket, StubPaneRequest::Part(request)) {
        let subject = model.part().map(|part| part.id().into());
        delivery::store(model, ticket, StubPaneRequest::Part(request), subject, result);
    }
}

/// The request to open a part in the editor, at its place in the document.
pub(super) fn edit(catalog: &Arc<Catalog>, part: &ApiPart) -> Effect {
    let (files, place) = (&part.api.apis.documents.api.files, &part.chunk().place);
    let line = files.node(place).map_or(1, |node| node.line);
    Effect::EditDocument { catalog: Arc::clone(catalog), path: files.file(place.file).path.to_string(), line }
}

/// Selects a part in the panes, if a document lists it.
pub(super) fn reveal(model: &mut Model, catalog: &Catalog, part: &ApiPart) {
    let Some(document) = part.api.home(part.at) else { return };
    if model.api.catalog.as_ref().is_none_or(|api| api.generation != part.api.generation) {
        return;
    }
    if model.modules.selected_document() != Some(document) {
        reveal_document(model, catalog, document);
    }
    let parts = &mut model.api.parts;
    parts.state.filter.clear();
    parts.list(&part.api, document);
    parts.reveal(&part.api, part.at);
    parts.rebuild(&part.api);
    browse::focus(model, Pane::Symbols);
}

/// Selects a document in the list of modules.
pub(super) fn reveal_document(model: &mut Model, catalog: &Catalog, document: usize) {
    model.modules.reveal_document(document);
    model.modules.rebuild(catalog);
}

/// The part that is selected in the focused pane, if a document is selected.
pub(super) fn selected(model: &Model) -> Option<ApiPart> {
    let (api, document) = model.document()?;
    let about = api.modules.get(document)?.about;
    let at = match model.focus {
        Pane::Modules => about?,
        Pane::Symbols | Pane::Arguments => model.api.parts.selected()?.at,
        Pane::Preview => return model.part(),
    };
    Some(ApiPart { api: Arc::clone(api), at })
}

/// Goes to the document and the part of a location, as far as they still exist.
pub(super) fn go(model: &mut Model, catalog: &Catalog, place: &Location) {
    let Some(api) = model.api.catalog.clone() else { return };
    let document = place.document.as_ref().and_then(|path| api.modules.iter().position(|module| module.path == *path));
    let Some(document) = document else { return };
    reveal_document(model, catalog, document);
    if let Some(at) = place.part.as_ref().and_then(|id| api.apis.documents.chunks.find(id)) {
        reveal(model, catalog, &ApiPart { api, at });
    }
}
