//! The sections of a start page: summary, first example, entry points, concepts, deprecated definitions, changes.

use super::{ItemBody, PageItem, PageNameRow, SourcePlace, TextRole, card, words::counted};
use crate::tui::{
    model::{Catalog, OverviewText, Topic},
    widgets::grouped,
};
use apidisc::{
    overview::{Concept, EntryPoint, Quotation, Start},
    program::{DefinitionId, FileId},
};

/// The greatest number of concepts with a line on how they follow on each other.
const MAX_RELATED: usize = 3;

/// The sections of an overview.
pub(super) fn sections(catalog: &Catalog, text: &OverviewText, width: u16, items: &mut Vec<PageItem>) {
    let overview = &text.overview;
    if let Some(summary) = &overview.summary {
        items.push(PageItem::blank());
        quoted(catalog, summary, TextRole::Text, width, items);
    }
    example(catalog, text, width, items);
    if !overview.entry_points.is_empty() {
        items.extend([PageItem::blank(), PageItem::heading("Starts from", String::new())]);
        items.extend(overview.entry_points.iter().map(|entry| entry_point(catalog, entry)));
    }
    if !overview.concepts.is_empty() {
        let note = "what uses cluster around, with the uses of its members";
        items.extend([PageItem::blank(), PageItem::heading("Concepts", note)]);
        overview.concepts.iter().for_each(|row| concept(catalog, row, width, items));
    }
}

/// The sections that follow the list of modules.
pub(super) fn last_sections(catalog: &Catalog, text: &OverviewText, width: u16, items: &mut Vec<PageItem>) {
    let overview = &text.overview;
    if !overview.deprecated.is_empty() {
        let number = counted(overview.deprecated_count, "definition", "definitions");
        items.extend([PageItem::blank(), PageItem::heading("Deprecated", number)]);
        items.extend(overview.deprecated.iter().map(|&id| {
            let note = catalog.index.definition(id).deprecation().unwrap_or_default();
            PageItem::definition(catalog, id, catalog.label(id, false), note)
        }));
        let further = overview.deprecated_count - overview.deprecated.len();
        if further > 0 {
            items.push(PageItem::dim(format!("… {} more", grouped(further))));
        }
    }
    if let Some(changes) = &overview.changes {
        items.extend([PageItem::blank(), PageItem::heading("Newest changes", changes.path.clone())]);
        quoted(catalog, changes, TextRole::Dim, width, items);
    }
}

/// Quoted lines. The first one shows the file.
fn quoted(catalog: &Catalog, text: &Quotation, role: TextRole, width: u16, items: &mut Vec<PageItem>) {
    let mut place = file_named(catalog, &text.path).map(SourcePlace::File);
    let lines = text.lines.iter().flat_map(|line| card::wrapped(line, width));
    for line in lines {
        let item = PageItem::new(ItemBody::Text(vec![(line, role)]));
        items.push(match place.take() {
            Some(place) => item.shows(place),
            None => item,
        });
    }
}

fn example(catalog: &Catalog, text: &OverviewText, width: u16, items: &mut Vec<PageItem>) {
    let Some(example) = &text.overview.example else { return };
    let place = example.place.clone().unwrap_or_default();
    items.extend([PageItem::blank(), PageItem::heading("First example", place.clone())]);
    let line = place.rsplit_once(':').and_then(|(path, line)| Some((file_named(catalog, path)?, line.parse().ok()?)));
    let mut place = line.map(|(file, line)| SourcePlace::Line(file, line));
    let room = usize::from(width.saturating_sub(5));
    for (at, line) in example.lines.iter().enumerate() {
        let runs = text.runs.get(at).cloned().unwrap_or_default();
        for (line, runs) in card::code_rows(line, &runs, room) {
            let item = PageItem::new(ItemBody::Code(line, runs));
            items.push(match place.take() {
                Some(place) => item.shows(place),
                None => item,
            });
        }
    }
}

fn entry_point(catalog: &Catalog, entry: &EntryPoint) -> PageItem {
    let why = entry.why(&catalog.index);
    let name = entry.name(&catalog.index);
    let row = |note| {
        let name = PageNameRow { kind: None, name: name.clone().unwrap_or_default(), uses: 0, note };
        PageItem::new(ItemBody::Name(name))
    };
    match (&entry.start, entry.id) {
        (Start::Program(_) | Start::Page { .. } | Start::PackageScript(..), _) => match entry.file() {
            Some(file) => {
                row(why).link_to(Topic::Module(catalog.index.file(file).module)).shows(SourcePlace::File(file))
            }
            None => row(why),
        },
        (&Start::Route { route, .. }, id) => {
            let handler = id.map_or(why, |id| catalog.label(id, false));
            let route = &catalog.index.http.routes[route];
            let item = row(handler).shows(SourcePlace::Line(route.file, route.line));
            match id {
                Some(id) => item.link_to(Topic::Definition(id)),
                None => item,
            }
        }
        (_, Some(id)) => PageItem::definition(catalog, id, catalog.label(id, false), why),
        (_, None) => PageItem::dim(why),
    }
}

/// A concept, and a line with what makes and takes it.
fn concept(catalog: &Catalog, concept: &Concept, width: u16, items: &mut Vec<PageItem>) {
    let index = &catalog.index;
    let summary = index.definition(concept.id).summary.as_deref().unwrap_or_default();
    let name = catalog.label(concept.id, false);
    items.push(PageItem::definition_with_uses(catalog, concept.id, name, summary, concept.uses));
    let names = |ids: &[DefinitionId]| {
        let names: Vec<String> = ids.iter().take(MAX_RELATED).map(|id| catalog.label(*id, false)).collect();
        names.join(", ")
    };
    let mut parts = Vec::new();
    if !concept.made_by.is_empty() {
        parts.push(format!("made by {}", names(&concept.made_by)));
    }
    if !concept.passed_to.is_empty() {
        parts.push(format!("passed to {}", names(&concept.passed_to)));
    }
    if concept.subclasses > 0 {
        parts.push(counted(concept.subclasses, "subclass", "subclasses"));
    }
    if !parts.is_empty() {
        let related = parts.join(" · ");
        let lines = card::wrapped(&related, width.saturating_sub(6));
        items.extend(lines.map(|line| PageItem::new(ItemBody::Detail(vec![(line, TextRole::Dim)]))));
    }
}

/// The file of the index at a path.
fn file_named(catalog: &Catalog, path: &str) -> Option<FileId> {
    let files = &catalog.index.files;
    let at = files.partition_point(|file| file.path.as_str() < path);
    files.get(at).filter(|file| file.path == path).map(|_| FileId::new(at))
}
