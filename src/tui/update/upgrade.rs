//! Another version of a package or of the code: asking for it, and going through what it breaks.

use std::sync::Arc;

use super::{page, toast};
use crate::tui::{
    command::Command,
    effect::{Effect, UpgradeRequest},
    geometry,
    model::{
        Catalog, Model, Overlay, Picker, ReadUpgrade, Tone, UpgradeMarks, UpgradeQuestion, VersionPlace, Versioned,
        page::{PageSources, PageSubject},
    },
};
use apidisc::index::Scope;

/// Asks for the other version: of the selected package, or of the code that is shown.
pub(super) fn ask(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    let of = if catalog.index.is_of_packages() {
        let of_page = model.page.as_ref().and_then(|page| page.subject.definition()).map(Scope::Definition);
        let scope = of_page.or_else(|| model.scope()).unwrap_or(Scope::Repository);
        let only = match catalog.index.packages.as_deref() {
            Some([only]) => Some(only),
            _ => None,
        };
        let Some(package) = catalog.index.package_of(scope).or(only) else {
            let text = "select one of the packages, to compare it with another version".to_owned();
            return toast(model, Tone::Note, text, effects);
        };
        Versioned::Package(package.label().into_owned())
    } else {
        Versioned::Code
    };
    model.overlay = Some(Overlay::Picker(Picker::versions(&of)));
    model.upgrade.asked = Some(of);
    list(model, String::new(), effects);
}

/// The index of the code.
fn code(model: &Model, shown: Arc<Catalog>) -> Arc<Catalog> {
    model.packages.code.clone().unwrap_or(shown)
}

/// Requests the places that the typed text may name.
pub(super) fn list(model: &mut Model, typed: String, effects: &mut Vec<Effect>) {
    let (Some(catalog), Some(of)) = (model.catalog.clone(), model.upgrade.asked.clone()) else { return };
    // All revisions are listed at once; what is typed filters them.
    if of == Versioned::Code && !typed.is_empty() {
        return;
    }
    effects.push(Effect::Upgrade(UpgradeRequest::List { code: code(model, catalog), of, typed }));
}

/// Lists the places that were found for a typed text.
pub(super) fn listed(model: &mut Model, typed: &str, places: Vec<VersionPlace>) {
    if let Some(Overlay::Picker(picker)) = &mut model.overlay {
        picker.set_versions(typed, places);
    }
}

/// Compares with the version at a path, or with the revision of that name.
pub(super) fn compare(model: &mut Model, other: String, effects: &mut Vec<Effect>) {
    let Some(of) = model.upgrade.asked.clone() else { return };
    toast(model, Tone::Note, format!("{} is compared with {other}", of.name()), effects);
    read_again(model, UpgradeQuestion { of, other }, effects);
}

fn read_again(model: &mut Model, question: UpgradeQuestion, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    model.upgrade.reading = Some(question.clone());
    model.upgrade.compared = catalog.generation;
    effects.push(Effect::Upgrade(UpgradeRequest::Read { code: code(model, catalog), question }));
}

/// The question whose answer the user waits for, or else the one that was answered last.
fn asked(model: &Model) -> Option<UpgradeQuestion> {
    let answered = || model.upgrade.marks.as_ref().map(|marks| marks.read.question.clone());
    model.upgrade.reading.clone().or_else(answered)
}

/// Compares packages again, after the code or its packages have changed.
pub(super) fn changed(model: &mut Model, effects: &mut Vec<Effect>) {
    let question = asked(model).filter(|question| question.of != Versioned::Code);
    if let Some(question) = question {
        read_again(model, question, effects);
    }
}

/// Takes over a comparison, and shows it if the user waits for it.
pub(super) fn read(
    model: &mut Model,
    question: &UpgradeQuestion,
    read: Result<Arc<ReadUpgrade>, String>,
    effects: &mut Vec<Effect>,
) {
    if model.upgrade.reading.as_ref() != Some(question) {
        return;
    }
    model.upgrade.reading = None;
    let Some(catalog) = model.catalog.clone() else { return };
    match read {
        Err(why) => toast(model, Tone::Error, why, effects),
        Ok(read) => {
            let is_again = model.upgrade.marks.as_ref().is_some_and(|marks| marks.read.question == *question);
            let summary = format!("{}: {}", read.title, read.summary);
            let of = &question.of;
            let elsewhere = match of {
                Versioned::Package(_) => model.packages.read().map(|packages| &packages.catalog),
                Versioned::Code => model.packages.code.as_ref(),
            };
            let shown = if of.is_in(&catalog) { &catalog } else { elsewhere.unwrap_or(&catalog) };
            let marks = Arc::new(UpgradeMarks::new(&read, shown));
            let old = model.upgrade.marks.replace(marks);
            effects.extend(old.map(|old| Effect::FreeCatalog(Arc::clone(&old.read.other))));
            if is_again {
                return;
            }
            model.upgrade.row = None;
            toast(model, Tone::Note, summary, effects);
            if of.is_in(&catalog) && model.overlay.is_none() {
                page::open(model, &catalog, PageSubject::Upgrade);
            }
        }
    }
}

/// Goes to the next use of which the other version says something, those that break first; behind the last one to the
/// first.
pub(super) fn next(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    let Some(marks) = model.upgrade.shown(&catalog).cloned() else {
        let key = model.keymap.first(Command::Upgrade).map_or(String::new(), |key| format!("; {key} asks for one"));
        let text = format!("no other version is compared{key}");
        return toast(model, Tone::Note, text, effects);
    };
    let is_open = model.page.as_ref().is_some_and(|page| page.subject == PageSubject::Upgrade);
    let row = model.upgrade.row.take();
    if !is_open {
        page::open(model, &catalog, PageSubject::Upgrade);
    }
    let list = geometry::page(model.size).list;
    let Some(page) = &mut model.page else { return };
    let packages = model.packages.read().map(|used| &**used);
    let upgrade = Some(&*marks);
    page.make(&PageSources { catalog: &catalog, call_lines: &model.call_lines, upgrade, packages }, list.width);
    // A page that was open shows a finding already: the next one is behind it.
    match row {
        None if !is_open => page.step(isize::MIN),
        row => {
            if let Some(row) = row.filter(|_| !is_open) {
                page.select_key(&row);
            }
            let before = page.cursor.selected;
            page.step(1);
            if page.cursor.selected == before {
                page.step(isize::MIN);
            }
        }
    }
    model.upgrade.row = page.row_key();
}

/// Rebuilds the marks for a newer index of the same packages or code. Changed code is compared again.
pub(super) fn reconcile(model: &mut Model, catalog: &Catalog, effects: &mut Vec<Effect>) {
    if let Some(marks) = model.upgrade.marks.clone()
        && marks.read.question.of.is_in(catalog)
        && marks.generation != catalog.generation
    {
        model.upgrade.marks = Some(Arc::new(UpgradeMarks::new(&marks.read, catalog)));
    }
    let of_code = asked(model).filter(|question| question.of == Versioned::Code && question.of.is_in(catalog));
    if let Some(question) = of_code.filter(|_| catalog.index.complete)
        && model.upgrade.compared != catalog.generation
    {
        read_again(model, question, effects);
    }
}
