//! The page of a module, a package, or the whole repository.

use super::{
    ItemBody, LedgerPage, PageItem, PageNameRow, PageSubject, SourcePlace, TextRole, card, start, words::counted,
};
use crate::tui::{
    model::{Catalog, OverviewText, Topic, name_of_all},
    widgets::grouped,
};
use apidisc::{
    index::Scope,
    packages::{Dependency, DependencyState},
    program::DefinitionId,
    stub::uses_in_words,
    usage::Uses,
};

/// The greatest number of definitions in a preview, which is no higher than a screen.
const MAX_PREVIEWED: usize = 100;

/// The public definitions of the repository, a package or a module, as rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicRows {
    /// The definitions that are used.
    used: Vec<PageItem>,
    /// The definitions that nobody uses.
    unused: Vec<PageItem>,
}

impl PublicRows {
    /// The rows of a scope. This walks all public definitions of the scope.
    pub fn new(catalog: &Catalog, scope: Scope) -> Self {
        let (unused, used) = unused_and_used(catalog, scope);
        let rows = |ids: Vec<DefinitionId>| ids.into_iter().map(|id| row(catalog, id)).collect();
        Self { used: rows(used), unused: rows(unused) }
    }
}

/// The page: what to see first, then everything that it defines.
pub(super) fn about(catalog: &Catalog, topic: Topic, text: Option<&OverviewText>, width: u16) -> Vec<PageItem> {
    let mut items = beginning(catalog, topic, text, width);
    if let Some(OverviewText { public, .. }) = text {
        let all = public.used.len() + public.unused.len();
        section("Public", &public.used, all, &mut items);
        section("Never used", &public.unused, all, &mut items);
    }
    items
}

/// The page in a preview: the modules and the most used definitions.
pub(super) fn preview(catalog: &Catalog, topic: Topic, width: u16) -> Vec<PageItem> {
    let mut items = beginning(catalog, topic, None, width);
    let listed = catalog.listed(scope_of(topic), false);
    if !listed.is_empty() {
        items.extend([PageItem::blank(), PageItem::heading("Public", grouped(listed.len()))]);
        items.extend(listed.iter().take(MAX_PREVIEWED).map(|id| row(catalog, *id)));
    }
    items
}

/// A part of the public definitions, of which there are `all`.
fn section(heading: &str, rows: &[PageItem], all: usize, items: &mut Vec<PageItem>) {
    if !rows.is_empty() {
        let part = if rows.len() < all { format!("{} of {}", grouped(rows.len()), grouped(all)) } else { grouped(all) };
        items.extend([PageItem::blank(), PageItem::heading(heading, part)]);
        items.extend_from_slice(rows);
    }
}

/// The row of a public definition.
fn row(catalog: &Catalog, id: DefinitionId) -> PageItem {
    let index = &catalog.index;
    let definition = index.definition(id);
    let note = definition.summary.as_deref().unwrap_or_default();
    let note = match catalog.descendants(id).len() {
        below @ 1.. if definition.usage.total_calls == 0 => {
            let below = counted(below, "subclass", "subclasses");
            if note.is_empty() { below } else { format!("{below} · {note}") }
        }
        _ => note.to_owned(),
    };
    PageItem::definition_with_uses(catalog, id, catalog.label(id, false), note, index.uses_within(id))
}

fn scope_of(topic: Topic) -> Scope {
    match topic {
        Topic::Module(id) => Scope::Module(id),
        _ => Scope::Repository,
    }
}

/// What to see first of a repository or module, without the lists of all definitions.
pub(super) fn first_rows(catalog: &Catalog, topic: Topic, text: &OverviewText, width: u16) -> Vec<PageItem> {
    let mut items = beginning(catalog, topic, Some(text), width);
    // The title of the pane has the name.
    items.remove(0);
    items
}

/// The beginning of the page: the head, the overview, and the modules directly below.
fn beginning(catalog: &Catalog, topic: Topic, text: Option<&OverviewText>, width: u16) -> Vec<PageItem> {
    let index = &catalog.index;
    let (head, total, below) = if let Topic::Module(id) = topic {
        let module = index.module(id);
        let word = if module.is_package { "package" } else { "module" };
        let head = vec![(word.to_owned(), TextRole::Dim), (format!(" {}", module.fqn), TextRole::Text)];
        (head, Uses { calls: module.total_calls, reads: module.total_reads }, catalog.children(id))
    } else {
        let total = catalog.total_uses();
        // A call of a constant that holds a function counts for both of them.
        let is_each_once = !index.is_of_packages() && index.weights.are_default() && !index.calls.is_empty();
        let calls = if is_each_once { index.ledger.resolved } else { total.calls };
        (vec![(name_of_all(index).to_owned(), TextRole::Text)], Uses { calls, ..total }, &catalog.roots[..])
    };
    let public = counted(catalog.listed(scope_of(topic), false).len(), "public definition", "public definitions");
    let mut counts = format!("{} · {public}", uses_in_words(total));
    if let Some(text) = text.filter(|text| !text.public.unused.is_empty()) {
        counts = format!("{counts} · {} never used", grouped(text.public.unused.len()));
    }
    let mut items = vec![PageItem::new(ItemBody::Text(head))];
    items.extend(card::wrapped(&counts, width).enumerate().map(|(line, text)| {
        let counts = PageItem::dim(text);
        // The line leads to the ledger, which says which calls the line counts and why it counts no others.
        let leads = line == 0 && topic == Topic::Repository && !index.calls.is_empty();
        if leads { PageItem { link: Some(PageSubject::Ledger(LedgerPage::Numbers)), ..counts } } else { counts }
    }));
    if let (Topic::Repository, Some(packages)) = (topic, &index.packages) {
        items.extend(package_rows(catalog, packages));
    }
    if let Some(text) = text {
        start::sections(catalog, text, width, &mut items);
    }
    if !below.is_empty() {
        items.extend([PageItem::blank(), PageItem::heading("Modules", grouped(below.len()))]);
        items.extend(below.iter().map(|id| {
            let module = index.module(*id);
            let name =
                PageNameRow { kind: None, name: module.fqn.to_string(), uses: module.uses(), note: String::new() };
            let item = PageItem::new(ItemBody::Name(name)).link_to(Topic::Module(*id));
            match module.file {
                Some(file) => item.shows(SourcePlace::File(file)),
                None => item,
            }
        }));
    }
    if let Some(text) = text {
        start::last_sections(catalog, text, width, &mut items);
    }
    items
}

/// The public definitions of a scope that nobody uses, and those that are used.
fn unused_and_used(catalog: &Catalog, scope: Scope) -> (Vec<DefinitionId>, Vec<DefinitionId>) {
    let index = &catalog.index;
    let is_used = |id: DefinitionId| {
        index.usage(id).uses() > 0 || index.members_of(id).any(|member| index.usage(member).uses() > 0)
    };
    // A class that code uses through its members or its subclasses is in use, even if nobody calls it by its name.
    let is_unused = |id: &DefinitionId| {
        let mut classes = catalog.descendants(*id).iter().copied().chain([*id]);
        index.definition(*id).kind.is_callable() && !classes.any(is_used)
    };
    catalog.listed(scope, false).iter().copied().partition(is_unused)
}

/// A row for each package that the code uses, linked to the module of the package.
fn package_rows(catalog: &Catalog, packages: &[Dependency]) -> Vec<PageItem> {
    let mut rows = vec![PageItem::blank(), PageItem::heading("Packages", grouped(packages.len()))];
    rows.extend(packages.iter().map(|package| {
        let version = package.version.as_deref();
        let word = match package.state {
            DependencyState::Compiled => Some("machine code only"),
            DependencyState::Installed if package.is_not_generated() => Some("not generated"),
            state => state.absence(),
        };
        let state = match (version, word) {
            (Some(version), Some(word)) => format!("{version} · {word}"),
            (None, Some(word)) if package.state.absence().is_some() => word.to_owned(),
            (None, Some(word)) => format!("installed · {word}"),
            (version, None) => version.unwrap_or("installed").to_owned(),
        };
        let used = match package.definitions {
            0 => String::new(),
            used => format!(" · {} used", counted(used as usize, "definition", "definitions")),
        };
        let files = counted(package.imported_by as usize, "file", "files");
        let deprecated = match package.deprecated {
            None | Some(0) => String::new(),
            Some(count) => format!(" · {count} deprecated"),
        };
        let note = format!("{state}{used} · imported by {files}{deprecated}");
        let name = PageNameRow { kind: None, name: package.label().into_owned(), uses: package.calls, note };
        let item = PageItem::new(ItemBody::Name(name));
        let module = catalog.index.main_module(package);
        let Some(module) = module.filter(|_| package.definitions > 0) else { return item };
        let item = item.link_to(Topic::Module(module));
        // What is known of a package that cannot be read is in no file.
        let file = catalog.index.module(module).file.filter(|file| !catalog.index.is_absent_file(*file));
        match file {
            Some(file) => item.shows(SourcePlace::File(file)),
            None => item,
        }
    }));
    rows
}
