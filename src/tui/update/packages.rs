//! The two sides of the explorer: the code, and the installed packages that it uses.
//!
//! The packages are read in the background once the code is indexed. Each side is an index of its own, and
//! `Model::catalog` is that of the side which the panes show.

use std::sync::Arc;

use super::{browse, history, origins, toast, upgrade};
use apidisc::packages::Dependency;

use crate::tui::{
    command::Command,
    effect::Effect,
    geometry::Pane,
    jobs::{ForgetCorpusJob, Job},
    model::{Catalog, Location, Model, PackagesState, Tone, UsedPackages, page::Across},
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
    let view = &mut model.packages;
    let is_shown = view.code.is_some();
    if catalog.index.complete && model.is_live && model.fetching.is_none() {
        if is_shown {
            view.is_outdated = false;
        }
        if is_shown || matches!(view.state, PackagesState::Unread) {
            if matches!(view.state, PackagesState::Unread) {
                view.state = PackagesState::Reading;
            }
            effects.push(Effect::ReadPackages(Arc::clone(&catalog)));
        } else {
            view.is_outdated = true;
        }
    }
    if !is_shown {
        return Some(catalog);
    }
    effects.extend(model.packages.code.replace(catalog).map(Effect::FreeCatalog));
    None
}

/// Marks the packages as outdated, because others may be installed now. Packages that could not be read are requested
/// again at once.
pub(super) fn read_again(model: &mut Model, effects: &mut Vec<Effect>) {
    let is_code_shown = model.packages.code.is_none();
    if is_code_shown && matches!(model.packages.state, PackagesState::Unreadable(_)) {
        model.packages.state = PackagesState::Reading;
        effects.extend(model.catalog.clone().map(Effect::ReadPackages));
    } else {
        model.packages.is_outdated = true;
    }
}

/// Requests the packages that are shown again, after the code was found unchanged.
pub(super) fn code_unchanged(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(code) = &model.packages.code
        && std::mem::take(&mut model.packages.is_outdated)
    {
        effects.push(Effect::ReadPackages(Arc::clone(code)));
    }
}

/// Takes over the packages that were read, and shows them if the user waits for them.
pub(super) fn read(model: &mut Model, used: Result<Arc<UsedPackages>, String>, effects: &mut Vec<Effect>) {
    let is_wanted = std::mem::take(&mut model.packages.is_wanted);
    let old = match &model.packages.state {
        PackagesState::Read(old) => Some(Arc::clone(&old.catalog)),
        _ => None,
    };
    let is_shown = model.packages.code.is_some();
    match used {
        Ok(used) => {
            let catalog = Arc::clone(&used.catalog);
            let forget = ForgetCorpusJob { is_of_packages: true, generation: catalog.generation };
            effects.push(Effect::Job(Job::ForgetCorpus(forget)));
            model.packages.state = PackagesState::Read(used);
            upgrade::changed(model, effects);
            if is_shown {
                origins::set_pending(model, catalog, effects);
            } else if is_wanted && is_elsewhere(model) {
                let key = model.keymap.first(Command::Packages).map_or(String::new(), |key| format!(": {key}"));
                toast(model, Tone::Note, format!("the packages are read{key}"), effects);
            } else if is_wanted {
                switch(model, effects);
            }
        }
        Err(why) => {
            if is_wanted || is_shown {
                toast(model, Tone::Note, why.clone(), effects);
            }
            // The packages that are shown stay.
            if !is_shown {
                model.packages.state = PackagesState::Unreadable(why);
            }
            return refresh_row(model);
        }
    }
    effects.extend(old.map(Effect::FreeCatalog));
    refresh_row(model);
}

/// True if the user has opened something since the packages were asked for.
fn is_elsewhere(model: &Model) -> bool {
    let has_page = model.page.is_some() || model.tuning.is_some() || model.agents.is_some() || model.ask.is_open;
    has_page || model.overlay.is_some()
}

/// Shows the packages in place of the code, or the code again, as a step of the history.
pub(super) fn turn_over(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    history::record_present(model, &catalog);
    switch(model, effects);
}

/// Shows the packages in place of the code, or the code again.
fn switch(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    let is_of_packages = catalog.index.is_of_packages();
    // An index whose count is pending: a newer one of this side, or the other side, which is on its way.
    let pending = model.counting.as_ref().map(|counting| Arc::clone(&counting.from));
    if pending.as_ref().is_some_and(|pending| pending.index.is_of_packages() != is_of_packages) {
        return;
    }
    let here = Location::here(model, &catalog);
    let shown = pending.unwrap_or(catalog);
    if let Some(code) = model.packages.code.take() {
        turn(model, here, code, effects);
        return;
    }
    match &model.packages.state {
        PackagesState::Read(_) if std::mem::take(&mut model.packages.is_outdated) => {
            model.packages.is_wanted = true;
            effects.push(Effect::ReadPackages(shown));
            toast(model, Tone::Note, "the packages are read again, since the code has changed".to_owned(), effects);
        }
        PackagesState::Read(used) if used.has_definitions() => {
            let packages = Arc::clone(&used.catalog);
            model.packages.code = Some(shown);
            turn(model, here, packages, effects);
        }
        PackagesState::Read(used) => {
            let why = nothing_shown(used);
            toast(model, Tone::Note, why, effects);
        }
        PackagesState::Unreadable(why) => {
            let why = why.clone();
            toast(model, Tone::Note, why, effects);
        }
        PackagesState::Unread | PackagesState::Reading => {
            model.packages.is_wanted = true;
            let what = if model.is_live { "the packages are being read" } else { "this index was read from a file" };
            toast(model, Tone::Note, what.to_owned(), effects);
        }
    }
}

/// Shows the other side as a step of the history: the code where the user was last, or a package.
pub(super) fn go_to(model: &mut Model, catalog: &Catalog, across: &Across, effects: &mut Vec<Effect>) {
    history::record_present(model, catalog);
    if let Across::Package(module) = across {
        let module = Some(module.clone());
        model.packages.other_side = Some(Location { is_in_packages: true, module, ..Location::default() });
    }
    switch(model, effects);
}

/// Goes to a location on the side that is not shown; false if there is no such side.
pub(super) fn go_across(model: &mut Model, location: &Location, effects: &mut Vec<Effect>) -> bool {
    let Some(shown) = model.catalog.clone() else { return false };
    if location.is_in_packages == shown.index.is_of_packages() {
        return false;
    }
    model.packages.other_side = Some(location.clone());
    switch(model, effects);
    true
}

/// Shows the other side, where the user was there last.
fn turn(model: &mut Model, here: Location, other: Arc<Catalog>, effects: &mut Vec<Effect>) {
    model.packages.destination = model.packages.other_side.replace(here);
    model.packages.is_wanted = false;
    (model.page, model.tuning, model.agents) = (None, None, None);
    model.ask.is_open = false;
    std::mem::swap(&mut model.overrides, &mut model.packages.other_overrides);
    model.modules.state.filter.clear();
    model.symbols.state.filter.clear();
    model.modules.reveal_repository();
    browse::focus(model, Pane::Modules);
    origins::set_pending(model, other, effects);
}

/// Goes where the user was last on the side that is shown now.
pub(super) fn arrive(model: &mut Model, catalog: &Catalog) {
    refresh_row(model);
    let is_here = |location: &mut Location| location.is_in_packages == catalog.index.is_of_packages();
    if let Some(location) = model.packages.destination.take_if(is_here) {
        history::go(model, catalog, &location);
    }
}

/// Lists the row that leads to the other side, if there is one.
fn refresh_row(model: &mut Model) {
    let has_other = model.packages.code.is_some() || model.packages.read().is_some_and(|read| read.has_definitions());
    model.modules.set_passage(has_other);
}

/// Why there is nothing to show of the packages.
fn nothing_shown(used: &UsedPackages) -> String {
    let names: Vec<_> = used.packages().iter().map(Dependency::label).take(MAX_NAMED).collect();
    let more = if used.packages().len() > MAX_NAMED { " and others" } else { "" };
    match names[..] {
        [] => "the code imports no package".to_owned(),
        _ => format!("nothing is known of {}{more}: name their environment with --env", names.join(", ")),
    }
}
