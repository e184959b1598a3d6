//! Places where one has been: back, forward, marks.

use tui_input::Input;

use super::{browse, toast, visit};
use crate::tui::{
    effect::Effect,
    input::{Code, Key},
    layout,
    model::{Address, Awaits, Catalog, Model, PagePlace, Pane, Place, Resume, Tone, Topic, card::Card, tuning::Tuning},
};

/// So many places are remembered.
const MOST: usize = 200;

/// Remembers where one is before one goes elsewhere.
pub(super) fn leave(model: &mut Model, catalog: &Catalog) {
    let here = Place::here(model, catalog);
    if model.history.back.last() != Some(&here) {
        model.history.back.push(here);
    }
    model.history.forward.clear();
    if model.history.back.len() > MOST {
        model.history.back.remove(0);
    }
}

/// To where one was before.
pub(super) fn back(model: &mut Model) {
    let Some(catalog) = model.catalog.clone() else { return };
    let here = Place::here(model, &catalog);
    while let Some(place) = model.history.back.pop() {
        if place != here {
            model.history.forward.push(here);
            go(model, &catalog, &place);
            return;
        }
    }
}

/// To where one was before one went back.
pub(super) fn forward(model: &mut Model) {
    let Some(catalog) = model.catalog.clone() else { return };
    let here = Place::here(model, &catalog);
    if let Some(place) = model.history.forward.pop() {
        model.history.back.push(here);
        go(model, &catalog, &place);
    }
}

/// Takes the letter that was awaited; any other key is none.
pub(super) fn letter(model: &mut Model, awaits: Awaits, key: Key, effects: &mut Vec<Effect>) {
    let Key { code: Code::Char(letter), ctrl: false, alt: false } = key else { return };
    match awaits {
        _ if !letter.is_alphanumeric() => toast(model, Tone::Note, "marks are letters and digits".to_owned(), effects),
        Awaits::Mark => mark(model, letter, effects),
        Awaits::Jump => jump(model, letter, effects),
    }
}

/// Marks where one is with a letter.
fn mark(model: &mut Model, letter: char, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    let place = Place::here(model, &catalog);
    let name = place.name();
    model.history.marks.insert(letter, place);
    toast(model, Tone::Success, format!("{letter} marks {name}"), effects);
}

/// To what a letter marks.
fn jump(model: &mut Model, letter: char, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    match model.history.marks.get(&letter).cloned() {
        Some(place) => {
            leave(model, &catalog);
            go(model, &catalog, &place);
        }
        None => toast(model, Tone::Note, format!("nothing is marked with {letter}"), effects),
    }
}

/// True where all of a place is there.
pub(super) fn is_there(catalog: &Catalog, place: &Place) -> bool {
    place.module.as_ref().is_none_or(|name| catalog.module_named(name).is_some())
        && place.definition.as_ref().is_none_or(|name| catalog.index.definition_of(name).is_some())
}

/// Goes on where one was the last time, with the lists as narrow as they were.
pub(super) fn resume(model: &mut Model, catalog: &Catalog, resume: &Resume) {
    go(model, catalog, &resume.place);
    for (pane, filter) in [Pane::Modules, Pane::Symbols, Pane::Arguments].into_iter().zip(&resume.filters) {
        if !filter.is_empty() {
            model.filter_mut(pane).input = Input::new(filter.clone());
            // What was selected stays so, where it matches.
            model.filter_mut(pane).outdated();
        }
    }
}

/// Shows a place as far as there still is such a place.
pub(super) fn go(model: &mut Model, catalog: &Catalog, place: &Place) {
    model.card = None;
    model.tuning = None;
    let module = match &place.module {
        Some(name) => catalog.module_named(name).map(Topic::Module),
        None => Some(Topic::Repository),
    };
    if let Some(module) = module {
        visit::show(model, catalog, module);
    }
    if let Some(name) = &place.definition {
        let address = match &place.argument {
            Some(argument) => Address::Argument(name.clone(), argument.clone()),
            None => Address::Definition(name.clone()),
        };
        if let Some(topic) = address.find(catalog)
            && topic.definition().is_some_and(|id| catalog.is_reachable(id))
        {
            visit::show(model, catalog, topic);
        }
    }
    browse::focus(model, place.focus);
    if let Some(topic) = place.tuning.as_ref().and_then(|scope| scope.find(catalog)) {
        visit::show(model, catalog, topic);
        model.tuning = Some(Tuning::default());
    }
    if let Some(page) = &place.page {
        reopen(model, catalog, page);
    }
}

/// Opens the page that it was, of this index; where that is gone, none.
pub(super) fn reopen(model: &mut Model, catalog: &Catalog, page: &PagePlace) {
    let Some(subject) = page.subject(catalog) else { return };
    let mut card = Card { order: page.order, ..Card::new(subject) };
    card.make(catalog, layout::card(model.size).list.width, &model.wordings);
    if let Some(row) = &page.row {
        card.select_key(row);
    }
    model.card = Some(card);
}
