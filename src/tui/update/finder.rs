//! Finding anything: typing, what comes back, going there.

use std::sync::Arc;

use super::{filter::edit_request, history, reveal};
use crate::tui::{
    catalog::Catalog,
    command::{Command, CommandContext},
    effect::Effect,
    find::Found,
    geometry,
    input::KeyPress,
    model::{Finder, Model, Overlay, page},
};

pub(super) fn open(model: &mut Model) {
    model.overlay = Some(Overlay::Find(Box::default()));
}

pub(super) fn press(model: &mut Model, key: KeyPress) {
    let page = isize::try_from(geometry::finder(model.size).list.height.max(2) - 1).unwrap_or(1);
    let command = model.keymap.lookup(CommandContext::Typing, key);
    let Some(Overlay::Find(finder)) = &mut model.overlay else { return };
    match command {
        Some(Command::Cancel) => model.overlay = None,
        _ if let Some(held) = &mut finder.accepted => held.push(key),
        Some(Command::Accept) => accept(model),
        Some(Command::NextMatch) => step(finder, 1),
        Some(Command::PreviousMatch) => step(finder, -1),
        Some(Command::NextMatches) => step(finder, page),
        Some(Command::PreviousMatches) => step(finder, -page),
        _ => {
            let Some(request) = edit_request(key) else { return };
            let before = finder.input.value().to_owned();
            finder.input.handle(request);
            if finder.input.value() != before {
                finder.changed();
            }
        }
    }
}

fn step(finder: &mut Finder, rows: isize) {
    finder.cursor.step(rows, finder.hits.len());
}

/// Goes to the highlighted one; where what is seen was found by something else, as soon as the answer is there.
pub(super) fn accept(model: &mut Model) {
    let Some(catalog) = model.catalog.clone() else { return };
    let Some(Overlay::Find(finder)) = &mut model.overlay else { return };
    if finder.is_waiting() && !finder.is_seen() {
        finder.accepted.get_or_insert_default();
        return;
    }
    model.held.extend(finder.accepted.take().unwrap_or_default());
    let Some(topic) = finder.selected().map(|hit| hit.topic) else { return };
    model.overlay = None;
    history::leave(model, &catalog);
    model.page = None;
    model.tuning = None;
    reveal::show(model, &catalog, topic);
}

/// Takes an answer, unless a newer question is on its way.
pub(super) fn found(model: &mut Model, ticket: u64, found: Found, is_whole: bool) {
    let Some(Overlay::Find(finder)) = &mut model.overlay else { return };
    if finder.ticket != ticket || finder.is_stale {
        return;
    }
    finder.hits = found.hits;
    finder.total = found.total;
    if std::mem::take(&mut finder.is_fresh) {
        finder.cursor.select(0);
    }
    if !is_whole {
        return;
    }
    finder.answered = ticket;
    if finder.accepted.is_some() {
        accept(model);
    }
}

/// Asks again where the pattern or the index has changed, and lets the preview follow.
pub(super) fn reconcile(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    let Some(Overlay::Find(finder)) = &mut model.overlay else { return };
    if std::mem::take(&mut finder.is_stale) {
        model.ticket += 1;
        finder.ticket = model.ticket;
        let typed = finder.input.value().to_owned();
        effects.push(Effect::Find { ticket: model.ticket, typed, catalog: Arc::clone(catalog) });
    }
    finder.cursor.settle(finder.hits.len(), usize::from(geometry::finder(model.size).list.height));
    let width = geometry::finder(model.size).detail.width.saturating_sub(2);
    let shown = finder.selected().map(|hit| (catalog.generation, hit.topic, width));
    if finder.shown != shown {
        finder.shown = shown;
        finder.preview = shown.map_or_else(Vec::new, |(_, topic, width)| page::summary(catalog, topic, width));
    }
}
