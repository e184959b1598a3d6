//! Requests the overview of what is shown, and keeps the rows of the start page.

use std::sync::Arc;

use crate::tui::{
    effect::Effect,
    geometry::Pane,
    jobs::{Job, ReadOverviewJob},
    layout,
    model::{Catalog, Model, OverviewText, Topic, page::PageSubject},
};
use apidisc::index::Scope;

/// Requests the overview of the open page, or of the selected module, and makes the rows of the start page.
pub(super) fn reconcile(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    let of_page = model.page.as_ref().and_then(|page| match page.subject {
        PageSubject::About(topic @ (Topic::Repository | Topic::Module(_))) if catalog.index.complete => Some(topic),
        _ => None,
    });
    let of_pane = model.start_topic();
    if let Some(topic) = of_page.or(of_pane)
        && let Some(scope) = scope_of(topic)
        && model.start.wanted != Some((catalog.generation, topic))
    {
        model.start.wanted = Some((catalog.generation, topic));
        model.start.ticket = model.next_ticket();
        let job = ReadOverviewJob { ticket: model.start.ticket, catalog: Arc::clone(catalog), scope };
        effects.push(Effect::Job(Job::ReadOverview(job)));
    }
    if let (Some(topic), Some(page)) = (of_page, &mut model.page) {
        page.overview = model.start.of(catalog, topic).cloned();
    } else if let (Some(topic), Some(areas)) = (of_pane, layout::areas(model)) {
        model.start.make(catalog, topic, areas.pane(Pane::Arguments).frame.width.saturating_sub(2));
    }
}

fn scope_of(topic: Topic) -> Option<Scope> {
    match topic {
        Topic::Repository => Some(Scope::Repository),
        Topic::Module(id) => Some(Scope::Module(id)),
        Topic::Definition(_) | Topic::Argument(..) => None,
    }
}

/// Stores an overview, unless a newer request is pending.
pub(super) fn read(model: &mut Model, ticket: u64, text: Arc<OverviewText>) {
    if let Some((generation, topic)) = model.start.wanted.filter(|_| model.start.ticket == ticket) {
        model.start.shown = Some((generation, topic, text));
        model.start.rows_for = None;
    }
}
