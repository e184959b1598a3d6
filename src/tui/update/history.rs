//! The history of locations: back, forward, marks, and the location of the last session.

use super::{api, browse, packages, reveal, toast};
use crate::tui::{
    effect::Effect,
    geometry::Pane,
    input::{Code, KeyPress},
    model::{
        AwaitedLetter, Catalog, Location, Model, PageLocation, Resume, TextField, Tone, Topic, TopicName,
        page::{Page, PageSources},
        tuning::Tuning,
    },
};

/// The greatest number of earlier locations that are kept; beyond it the oldest is dropped.
const MAX_LOCATIONS: usize = 200;

/// Adds the present location to the history before the user moves elsewhere, and drops the locations to go forward to.
pub(super) fn record_present(model: &mut Model, catalog: &Catalog) {
    let here = Location::here(model, catalog);
    if model.history.back.last() != Some(&here) {
        model.history.back.push(here);
    }
    model.history.forward.clear();
    if model.history.back.len() > MAX_LOCATIONS {
        model.history.back.remove(0);
    }
}

/// Goes back to the previous location.
pub(super) fn back(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    let here = Location::here(model, &catalog);
    while let Some(location) = model.history.back.pop() {
        if location != here {
            model.history.forward.push(here);
            go_anywhere(model, &catalog, &location, effects);
            return;
        }
    }
}

/// Goes forward to the location that was left by going back.
pub(super) fn forward(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    let here = Location::here(model, &catalog);
    if let Some(location) = model.history.forward.pop() {
        model.history.back.push(here);
        go_anywhere(model, &catalog, &location, effects);
    }
}

/// Handles the key after the command `mark` or `jump`: a letter or digit names the mark, any other key cancels.
pub(super) fn handle_letter(model: &mut Model, awaits: AwaitedLetter, key: KeyPress, effects: &mut Vec<Effect>) {
    let KeyPress { code: Code::Char(letter), ctrl: false, alt: false } = key else { return };
    match awaits {
        _ if !letter.is_alphanumeric() => toast(model, Tone::Note, "marks are letters and digits".to_owned(), effects),
        AwaitedLetter::Mark => mark(model, letter, effects),
        AwaitedLetter::Jump => jump(model, letter, effects),
    }
}

/// Marks the present location with a letter.
fn mark(model: &mut Model, letter: char, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    let location = Location::here(model, &catalog);
    let name = location.name();
    model.history.marks.insert(letter, location);
    toast(model, Tone::Success, format!("{letter} marks {name}"), effects);
}

/// Goes to the location that a letter marks.
fn jump(model: &mut Model, letter: char, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    match model.history.marks.get(&letter).cloned() {
        Some(location) => {
            record_present(model, &catalog);
            go_anywhere(model, &catalog, &location, effects);
        }
        None => toast(model, Tone::Note, format!("nothing is marked with {letter}"), effects),
    }
}

/// True if the module and the definition of a location exist.
pub(super) fn exists(catalog: &Catalog, location: &Location) -> bool {
    location.module.as_ref().is_none_or(|name| catalog.module_named(name).is_some())
        && location.definition.as_ref().is_none_or(|name| catalog.index.definition_of(name).is_some())
}

/// Restores the location and the filters of the last session.
pub(super) fn resume(model: &mut Model, catalog: &Catalog, resume: &Resume) {
    go(model, catalog, &resume.location);
    for (pane, filter) in [Pane::Modules, Pane::Symbols, Pane::Arguments].into_iter().zip(&resume.filters) {
        if !filter.is_empty() {
            model.filter_mut(pane).input = TextField::new(filter);
            // A restored pattern does not count as new, so the selected row stays selected if the pattern matches it.
            model.filter_mut(pane).outdated();
        }
    }
}

/// Goes to a location in the code or in its packages.
fn go_anywhere(model: &mut Model, catalog: &Catalog, location: &Location, effects: &mut Vec<Effect>) {
    if !packages::go_across(model, location, effects) {
        go(model, catalog, location);
    }
}

/// Goes to a location on the side that is shown, as far as the location still exists.
pub(super) fn go(model: &mut Model, catalog: &Catalog, location: &Location) {
    model.page = None;
    model.tuning = None;
    if location.has_agents {
        model.agents.get_or_insert_default();
    } else {
        model.agents = None;
    }
    model.ask.is_open = location.has_ask;
    if location.document.is_some() {
        api::go(model, catalog, location);
        browse::focus(model, location.focus);
        if let Some(page) = &location.page {
            reopen(model, catalog, page);
        }
        return;
    }
    let module = match &location.module {
        Some(name) => catalog.module_named(name).map(Topic::Module),
        None => Some(Topic::Repository),
    };
    if let Some(module) = module {
        reveal::show(model, catalog, module);
    }
    if let Some(name) = &location.definition {
        let address = match &location.argument {
            Some(argument) => TopicName::Argument(name.clone(), argument.clone()),
            None => TopicName::Definition(name.clone()),
        };
        if let Some(topic) = address.find(catalog)
            && topic.definition().is_some_and(|id| catalog.is_reachable(id))
        {
            reveal::show(model, catalog, topic);
        }
    }
    browse::focus(model, location.focus);
    if let Some(topic) = location.tuning.as_ref().and_then(|scope| scope.find(catalog)) {
        reveal::show(model, catalog, topic);
        model.tuning = Some(Tuning::default());
    }
    if let Some(page) = &location.page {
        reopen(model, catalog, page);
    }
}

/// Opens a page of a location, if its topic still exists.
pub(super) fn reopen(model: &mut Model, catalog: &Catalog, saved: &PageLocation) {
    let Some(subject) = saved.subject(catalog, model.api.catalog.as_ref()) else { return };
    let mut page = Page { order: saved.order, ..Page::new(subject) };
    let upgrade = model.upgrade.shown(catalog).map(|marks| &**marks);
    let packages = model.packages.read().map(|used| &**used);
    let sources = PageSources { catalog, call_lines: &model.call_lines, upgrade, packages };
    page.make(&sources, page.subject.area(model.size).list.width);
    if let Some(row) = &saved.row {
        page.select_key(row);
    }
    model.page = Some(page);
}
