//! The finder: typing a query, receiving hits, going to a hit.

use std::sync::Arc;

use super::{api, filter::edit_request, history, packages, page, reveal};
use crate::tui::{
    command::{Command, CommandContext},
    effect::Effect,
    geometry,
    input::KeyPress,
    jobs::{DiscoverJob, FindJob, Job},
    model::{
        Finder, Location, MeaningHit, MeaningTarget, Model, Overlay, TextField, Topic,
        page::{PageSubject, part_preview, summary},
    },
};
use apidisc::search::SearchHits;

pub(super) fn open(model: &mut Model) {
    model.overlay = Some(Overlay::Find(Box::default()));
}

/// Searches, and goes to the best hit once the answer has arrived.
pub(super) fn open_best(model: &mut Model, query: &str) {
    let finder = Finder { input: TextField::new(query), keys_after_accept: Some(Vec::new()), ..Finder::default() };
    model.overlay = Some(Overlay::Find(Box::new(finder)));
}

pub(super) fn press(model: &mut Model, key: KeyPress, effects: &mut Vec<Effect>) {
    let page = isize::try_from(geometry::finder(model.size).list.height.max(2) - 1).unwrap_or(1);
    let command = model.keymap.lookup(CommandContext::Typing, key);
    let Some(Overlay::Find(finder)) = &mut model.overlay else { return };
    match command {
        Some(Command::Cancel) => model.overlay = None,
        _ if let Some(held) = &mut finder.keys_after_accept => held.push(key),
        Some(Command::Accept) => accept(model, effects),
        Some(Command::NextMatch) => step(finder, 1),
        Some(Command::PreviousMatch) => step(finder, -1),
        Some(Command::NextMatches) => step(finder, page),
        Some(Command::PreviousMatches) => step(finder, -page),
        _ => {
            let Some(request) = edit_request(key) else { return };
            let before = finder.input.value().to_owned();
            finder.input.handle(request);
            if finder.input.value() != before {
                finder.query_changed();
            }
        }
    }
}

fn step(finder: &mut Finder, rows: isize) {
    finder.cursor.step(rows, finder.len());
}

/// Goes to the selected hit; opens the page of an argument. If no hit of the present query has arrived yet, waits for
/// the complete answer first, and keeps the keys that are pressed meanwhile.
pub(super) fn accept(model: &mut Model, effects: &mut Vec<Effect>) {
    let (Some(catalog), Some(searched)) = (model.catalog.clone(), model.searched().cloned()) else { return };
    let Some(Overlay::Find(finder)) = &mut model.overlay else { return };
    if finder.searched != Some(searched.generation) {
        return;
    }
    if finder.is_waiting() && !finder.has_current_hits() {
        finder.keys_after_accept.get_or_insert_default();
        return;
    }
    model.pending_keys.extend(finder.keys_after_accept.take().unwrap_or_default());
    let recipe = finder.selected_meaning().and_then(|hit| match &hit.target {
        MeaningTarget::Recipe(recipe) => Some(Arc::clone(recipe)),
        MeaningTarget::Definition(_) | MeaningTarget::Section(_) | MeaningTarget::Part(_) => None,
    });
    if let Some(part) = finder.part().cloned() {
        model.overlay = None;
        history::record_present(model, &catalog);
        (model.page, model.tuning, model.agents) = (None, None, None);
        return api::reveal(model, &catalog, &part);
    }
    let Some(topic) = finder.topic() else { return };
    // What was searched by meaning says which parameters a person looks for; a name says it of no parameter.
    let question = finder.selected_meaning().filter(|_| recipe.is_none()).map(|_| finder.query().0.to_owned());
    model.overrides = std::mem::take(&mut model.overrides).with_question(question.as_deref());
    model.overlay = None;
    history::record_present(model, &catalog);
    model.page = None;
    (model.tuning, model.agents) = (None, None);
    model.ask.is_open = false;
    if searched.generation != catalog.generation {
        let location = Location::of_topic(&searched, topic);
        packages::go_across(model, &location, effects);
        return;
    }
    match (recipe, topic) {
        (Some(recipe), _) => page::show(model, &catalog, PageSubject::Recipe(recipe)),
        (None, Topic::Argument(..)) => page::show(model, &catalog, PageSubject::About(topic)),
        (None, _) => reveal::show(model, &catalog, topic),
    }
}

/// Stores the results of a search by meaning, unless a newer query is pending. The selection stays where it is.
pub(super) fn found_by_meaning(model: &mut Model, ticket: u64, hits: Vec<MeaningHit>) {
    let Some(Overlay::Find(finder)) = &mut model.overlay else { return };
    if finder.ticket == ticket && !finder.is_stale {
        finder.by_meaning = hits;
        finder.list_meaning();
    }
}

/// Stores an answer, unless a newer query is pending.
pub(super) fn found(model: &mut Model, ticket: u64, answer: SearchHits, is_complete: bool, effects: &mut Vec<Effect>) {
    let Some(Overlay::Find(finder)) = &mut model.overlay else { return };
    if finder.ticket != ticket || finder.is_stale {
        return;
    }
    // A selected hit by meaning stays selected while names arrive above it.
    let in_meaning = finder.cursor.selected.checked_sub(finder.hits.len()).filter(|_| !finder.meaning.is_empty());
    finder.hits = answer.hits;
    finder.total = answer.total;
    finder.list_meaning();
    if std::mem::take(&mut finder.is_fresh) {
        finder.cursor.select(0);
    } else if let Some(row) = in_meaning {
        finder.cursor.select(finder.hits.len() + row);
    }
    if !is_complete {
        return;
    }
    finder.answered = ticket;
    if finder.keys_after_accept.is_some() {
        accept(model, effects);
    }
}

/// Sends the query if it or the index has changed, and updates the preview.
pub(super) fn reconcile(model: &mut Model, effects: &mut Vec<Effect>) {
    let catalog = model.searched().cloned();
    let Some(Overlay::Find(finder)) = &mut model.overlay else { return };
    // The prefix of the query, or a new index, makes the hits those of another index.
    let generation = catalog.as_ref().map(|catalog| catalog.generation);
    if finder.searched != generation {
        finder.searched = generation;
        finder.index_changed();
    }
    let Some(catalog) = &catalog else { return };
    if std::mem::take(&mut finder.is_stale) {
        model.ticket += 1;
        finder.ticket = model.ticket;
        let typed = finder.query().0.to_owned();
        let job = FindJob { ticket: model.ticket, typed: typed.clone(), catalog: Arc::clone(catalog) };
        effects.push(Effect::Job(Job::Find(job)));
        finder.by_meaning.clear();
        finder.meaning.clear();
        if catalog.index.complete {
            // API documents belong to the code.
            let api = model.api.catalog.clone().filter(|_| !catalog.index.is_of_packages());
            let catalog = Arc::clone(catalog);
            effects.push(Effect::Job(Job::Discover(DiscoverJob { ticket: model.ticket, typed, catalog, api })));
        }
    }
    let rows = geometry::finder_rows(geometry::finder(model.size).list, finder.hits.len(), finder.meaning.len());
    finder.settle(usize::from(rows.names.height));
    let width = geometry::finder(model.size).detail.width.saturating_sub(2);
    let shown = finder.topic().map(|topic| (catalog.generation, topic, width));
    let shown_part = finder.part().map(|part| (part.clone(), width));
    if finder.shown != shown || finder.shown_part != shown_part {
        finder.preview = match (&shown_part, shown) {
            (Some((part, width)), _) => part_preview(part, *width),
            (None, Some((_, topic, width))) => summary(catalog, topic, width),
            (None, None) => Vec::new(),
        };
        (finder.shown, finder.shown_part) = (shown, shown_part);
    }
}
