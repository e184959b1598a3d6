//! Updates the parts of the model that depend on changed parts. It runs after every message.
//!
//! Each part is updated after the parts that it depends on: modules, symbols, arguments, stub, syntax runs. The code
//! that handles a message changes only the state that the message concerns.

use std::sync::Arc;

use super::{agents, api, ask, browse, finder, origins, page, picker, start, tuning, upgrade};
use crate::tui::{
    effect::Effect,
    geometry::Pane,
    jobs::{DeliverJob, FilterListJob, HighlightJob, Job},
    layout,
    model::{Catalog, FilterCandidates, Model, Overlay, PreviewRequest, StubPaneRequest},
};

/// The number of lines that are highlighted beyond the visible ones, in each direction.
const MARGIN: usize = 40;

pub(super) fn reconcile(model: &mut Model, effects: &mut Vec<Effect>) {
    origins::reconcile(model, effects);
    if let Some(catalog) = model.catalog.clone() {
        lists(model, &catalog, effects);
        upgrade::reconcile(model, &catalog, effects);
        filters(model, &catalog, effects);
        stub(model, &catalog, effects);
        finder::reconcile(model, effects);
        start::reconcile(model, &catalog, effects);
        page::reconcile(model, &catalog, effects);
        tuning::reconcile(model, &catalog, effects);
        page::request_call_lines(model, &catalog, effects);
    }
    agents::reconcile(model, effects);
    ask::reconcile(model);
    settle(model);
    colours(model, effects);
}

fn lists(model: &mut Model, catalog: &Catalog, effects: &mut Vec<Effect>) {
    if model.modules.state.is_stale {
        model.modules.remember(catalog);
        model.modules.rebuild(catalog);
    }
    if model.is_in_document() {
        return api::lists(model, effects);
    }
    let has_private = model.has_private;
    let wanted = model.modules.scope().map(|scope| (catalog.generation, scope, has_private));
    if model.symbols.of != wanted
        && let Some((_, scope, _)) = wanted
    {
        if model.symbols.of.is_some_and(|(generation, ..)| generation == catalog.generation) {
            model.symbols.remember(catalog);
        }
        model.symbols.list(catalog, scope, has_private);
    } else if model.symbols.state.is_stale {
        model.symbols.remember(catalog);
    }
    if model.symbols.state.is_stale {
        model.symbols.rebuild(catalog, has_private);
    }
    let definition = model.symbols.selected().map(|row| (catalog.generation, row.id));
    if model.arguments.of != definition {
        model.arguments.show(catalog, definition.map(|d| d.1));
    }
    if model.arguments.state.is_stale {
        model.arguments.rebuild(catalog);
    }
}

/// Sends a request to the matcher for each filter whose pattern or list has changed.
fn filters(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    for pane in [Pane::Modules, Pane::Symbols, Pane::Arguments] {
        if !std::mem::take(&mut model.filter_mut(pane).is_stale) || !model.filter(pane).is_on() {
            continue;
        }
        let candidates = match pane {
            Pane::Modules => FilterCandidates::Modules(Arc::clone(&model.modules.paths)),
            Pane::Symbols | Pane::Preview if let Some((api, document)) = model.document() => {
                FilterCandidates::Parts(Arc::clone(api), document)
            }
            Pane::Arguments if model.is_in_document() => match &model.api.arguments.items {
                Some(items) => FilterCandidates::PartArguments(Arc::clone(items)),
                None => continue,
            },
            Pane::Symbols | Pane::Preview => {
                FilterCandidates::Symbols { base: Arc::clone(&model.symbols.base), has_private: model.has_private }
            }
            Pane::Arguments => match model.definition() {
                Some(id) => FilterCandidates::Parameters(id),
                None => continue,
            },
        };
        let ticket = model.next_ticket();
        let filter = model.filter_mut(pane);
        filter.ticket = ticket;
        let pattern = filter.pattern().to_owned();
        effects.push(Effect::Job(Job::FilterList(FilterListJob {
            ticket,
            pane,
            pattern,
            catalog: Arc::clone(catalog),
            candidates,
        })));
    }
}

/// Requests the stub of the present scope and settings.
fn stub(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    if let Some(part) = model.part() {
        return api::stub(model, part, effects);
    }
    let Some(scope) = model.scope() else { return };
    let request = PreviewRequest {
        generation: catalog.generation,
        scope,
        strategy: model.settings.strategy,
        style: model.settings.style(),
        encoding: model.settings.encoding,
        revision: model.overrides.revision(),
        is_readable: model.is_stub_readable,
    };
    if model.preview.wanted != Some(StubPaneRequest::Stub(request)) {
        let ticket = model.next_ticket();
        model.preview.wanted = Some(StubPaneRequest::Stub(request));
        model.preview.ticket = ticket;
        let overrides = Arc::clone(model.overrides.all());
        let question = model.overrides.question().cloned();
        effects.push(Effect::Job(Job::Deliver(DeliverJob {
            ticket,
            catalog: Arc::clone(catalog),
            request,
            overrides,
            question,
        })));
    }
}

/// Clamps selections and scroll offsets.
fn settle(model: &mut Model) {
    for pane in Pane::ALL {
        let height = browse::height(model, pane);
        let (cursor, len) = browse::cursor(model, pane);
        cursor.settle(len, height);
    }
    let (groups, height) = (model.call_groups().len(), layout::origins(model).list.height);
    if let Some(Overlay::Origins(list)) = &mut model.overlay {
        list.cursor.settle(groups, height.into());
    }
    let height = picker::height(model);
    if let Some(Overlay::Picker(picker)) = &mut model.overlay {
        picker.cursor.settle(picker.rows.len(), height);
    }
    let preview = &mut model.preview;
    let columns = preview.stub().map_or(0, |stub| stub.lines.iter().map(std::ops::Range::len).max().unwrap_or(0));
    preview.first_column = preview.first_column.min(columns.saturating_sub(8));
}

/// Requests the syntax runs of visible lines that have none.
fn colours(model: &mut Model, effects: &mut Vec<Effect>) {
    let height = browse::height(model, Pane::Preview);
    let first = model.preview.cursor.offset;
    let Some(shown) = &mut model.preview.shown else { return };
    let Ok(stub) = &shown.result else { return };
    let lines = stub.lines.len();
    let visible = first.min(lines)..(first + height).min(lines);
    let known = visible.clone().all(|line| shown.asked.contains(&line) || shown.runs[line].is_some());
    if !known {
        let asked = visible.start.saturating_sub(MARGIN)..(visible.end + MARGIN).min(lines);
        shown.asked = asked.clone();
        effects.push(Effect::Job(Job::Highlight(HighlightJob {
            ticket: shown.ticket,
            stub: Arc::clone(stub),
            lines: asked,
        })));
    }
}
