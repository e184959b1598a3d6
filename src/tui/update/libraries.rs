//! The two sides of the explorer: the code, and the installed packages that it uses.
//!
//! The packages are read in the background once the code is indexed. Each side is an index of its own, and
//! `Model::catalog` is that of the side which the panes show.

use std::sync::Arc;

use super::{browse, history, origins, toast};
use crate::tui::{
    effect::Effect,
    geometry::Pane,
    model::{Catalog, Libraries, LibrariesState, Location, Model, Tone},
};

/// The greatest number of packages that a message names.
const MAX_NAMED: usize = 4;

/// Notes a new index of the code, for whose packages a request is made where somebody looks at them or for the first
/// time. Returns the index if the panes show the code.
pub(super) fn code_indexed(
    model: &mut Model,
    catalog: Arc<Catalog>,
    effects: &mut Vec<Effect>,
) -> Option<Arc<Catalog>> {
    let view = &mut model.libraries;
    let is_shown = view.code.is_some();
    if catalog.index.complete && model.is_live && model.fetching.is_none() {
        if is_shown || matches!(view.state, LibrariesState::Unread) {
            if matches!(view.state, LibrariesState::Unread) {
                view.state = LibrariesState::Reading;
            }
            effects.push(Effect::ReadLibraries(Arc::clone(&catalog)));
        } else {
            view.is_outdated = true;
        }
    }
    if !is_shown {
        return Some(catalog);
    }
    effects.extend(model.libraries.code.replace(catalog).map(Effect::FreeCatalog));
    None
}

/// Requests the packages again if they are shown, else once they are shown: others may be installed now.
pub(super) fn read_again(model: &mut Model, effects: &mut Vec<Effect>) {
    match &model.libraries.code {
        Some(code) => effects.push(Effect::ReadLibraries(Arc::clone(code))),
        None if matches!(model.libraries.state, LibrariesState::Absent(_)) => {
            model.libraries.state = LibrariesState::Reading;
            effects.extend(model.catalog.clone().map(Effect::ReadLibraries));
        }
        None => model.libraries.is_outdated = true,
    }
}

/// Takes over the packages that were read, and shows them if the user waits for them.
pub(super) fn read(model: &mut Model, libraries: Result<Arc<Libraries>, String>, effects: &mut Vec<Effect>) {
    let is_wanted = std::mem::take(&mut model.libraries.is_wanted);
    let old = match &model.libraries.state {
        LibrariesState::Read(old) => Some(Arc::clone(&old.catalog)),
        _ => None,
    };
    match libraries {
        Ok(libraries) => {
            let catalog = Arc::clone(&libraries.catalog);
            model.libraries.state = LibrariesState::Read(libraries);
            if model.libraries.code.is_some() {
                origins::set_pending(model, catalog, effects);
            } else if is_wanted {
                switch(model, effects);
            }
        }
        Err(why) => {
            if is_wanted {
                toast(model, Tone::Note, why.clone(), effects);
            }
            model.libraries.state = LibrariesState::Absent(why);
        }
    }
    effects.extend(old.map(Effect::FreeCatalog));
    refresh_row(model);
}

/// Shows the packages in place of the code, or the code again.
pub(super) fn switch(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(shown) = model.catalog.clone() else { return };
    let here = Location::here(model, &shown);
    if let Some(code) = model.libraries.code.take() {
        turn(model, here, code, effects);
        return;
    }
    match &model.libraries.state {
        LibrariesState::Read(_) if std::mem::take(&mut model.libraries.is_outdated) => {
            model.libraries.is_wanted = true;
            effects.push(Effect::ReadLibraries(shown));
            toast(model, Tone::Note, "the packages are read again, since the code has changed".to_owned(), effects);
        }
        LibrariesState::Read(libraries) if libraries.shown() > 0 => {
            let packages = Arc::clone(&libraries.catalog);
            model.libraries.code = Some(shown);
            turn(model, here, packages, effects);
        }
        LibrariesState::Read(libraries) => {
            let why = nothing_shown(libraries);
            toast(model, Tone::Note, why, effects);
        }
        LibrariesState::Absent(why) => {
            let why = why.clone();
            toast(model, Tone::Note, why, effects);
        }
        LibrariesState::Unread | LibrariesState::Reading => {
            model.libraries.is_wanted = true;
            let what = if model.is_live { "the packages are being read" } else { "this index was read from a file" };
            toast(model, Tone::Note, what.to_owned(), effects);
        }
    }
}

/// Goes to a location on the side that is not shown; false if there is no such side.
pub(super) fn go_across(model: &mut Model, location: &Location, effects: &mut Vec<Effect>) -> bool {
    let Some(shown) = model.catalog.clone() else { return false };
    if location.is_in_libraries == shown.index.is_of_packages() {
        return false;
    }
    model.libraries.other_side = Some(location.clone());
    switch(model, effects);
    true
}

/// Shows the other side, where the user was there last.
fn turn(model: &mut Model, here: Location, other: Arc<Catalog>, effects: &mut Vec<Effect>) {
    model.libraries.destination = model.libraries.other_side.replace(here);
    (model.page, model.tuning) = (None, None);
    model.modules.state.filter.clear();
    model.symbols.state.filter.clear();
    model.modules.reveal_repository();
    browse::focus(model, Pane::Modules);
    origins::set_pending(model, other, effects);
}

/// Goes where the user was last on the side that is shown now.
pub(super) fn arrive(model: &mut Model, catalog: &Catalog) {
    refresh_row(model);
    let is_here = |location: &mut Location| location.is_in_libraries == catalog.index.is_of_packages();
    if let Some(location) = model.libraries.destination.take_if(is_here) {
        history::go(model, catalog, &location);
    }
}

/// Lists the row that leads to the other side, if there is one.
fn refresh_row(model: &mut Model) {
    let has_other = model.libraries.code.is_some() || model.libraries.read().is_some_and(|read| read.shown() > 0);
    model.modules.set_passage(has_other);
}

/// Why there is nothing to show of the packages.
fn nothing_shown(libraries: &Libraries) -> String {
    let names: Vec<&str> =
        libraries.packages().iter().map(|package| package.package.as_str()).take(MAX_NAMED).collect();
    let more = if libraries.packages().len() > MAX_NAMED { " and others" } else { "" };
    match names[..] {
        [] => "the code imports no package".to_owned(),
        _ => format!("nothing is known of {}{more}: name their environment with --env", names.join(", ")),
    }
}
