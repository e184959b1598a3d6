//! The page of a module, a package, or the whole repository.

use super::{ItemBody, PageItem, PageNameRow, SourcePlace, TextRole, words::counted};
use crate::tui::{
    model::{Catalog, Topic, name_of_all},
    widgets::grouped,
};
use apidisc::{
    index::Scope,
    packages::{Dependency, DependencyState},
    program::DefinitionId,
    stub::uses_in_words,
    usage::Uses,
};

pub(super) fn about(catalog: &Catalog, topic: Topic) -> Vec<PageItem> {
    let index = &catalog.index;
    let (scope, head, total, below) = if let Topic::Module(id) = topic {
        let module = index.module(id);
        let word = if module.is_package { "package" } else { "module" };
        let head = vec![(word.to_owned(), TextRole::Dim), (format!(" {}", module.fqn), TextRole::Text)];
        let total = Uses { calls: module.total_calls, reads: module.total_reads };
        (Scope::Module(id), head, total, catalog.children(id))
    } else {
        let head = vec![(name_of_all(index).to_owned(), TextRole::Text)];
        (Scope::Repository, head, catalog.total_uses(), &catalog.roots[..])
    };
    let mut items = vec![PageItem::new(ItemBody::Text(head))];
    let listed = catalog.listed(scope, false);
    let is_used = |id: DefinitionId| {
        index.usage(id).uses() > 0 || index.members_of(id).any(|member| index.usage(member).uses() > 0)
    };
    // A class that code uses through its members or its subclasses is in use, even if nobody calls it by its name.
    let is_unused = |id: &DefinitionId| {
        let mut classes = catalog.descendants(*id).iter().copied().chain([*id]);
        index.definition(*id).kind.is_callable() && !classes.any(is_used)
    };
    let (unused, used): (Vec<DefinitionId>, Vec<DefinitionId>) = listed.iter().copied().partition(is_unused);
    let public = counted(listed.len(), "public definition", "public definitions");
    items.push(PageItem::dim(format!("{} · {public} · {} nobody calls", uses_in_words(total), grouped(unused.len()))));
    if let (Scope::Repository, Some(packages)) = (scope, &index.packages) {
        items.extend(package_rows(catalog, packages));
    }
    let row = |id: &DefinitionId| {
        let definition = index.definition(*id);
        let note = definition.summary.as_deref().unwrap_or_default();
        let note = match catalog.descendants(*id).len() {
            below @ 1.. if definition.usage.total_calls == 0 => {
                let below = counted(below, "subclass", "subclasses");
                if note.is_empty() { below } else { format!("{below} · {note}") }
            }
            _ => note.to_owned(),
        };
        PageItem::definition(catalog, *id, catalog.label(*id, false), note)
    };
    if !used.is_empty() {
        items.extend([PageItem::blank(), PageItem::heading("Public", grouped(used.len()))]);
        items.extend(used.iter().map(row));
    }
    if !unused.is_empty() {
        items.extend([PageItem::blank(), PageItem::heading("Nobody calls", grouped(unused.len()))]);
        items.extend(unused.iter().map(row));
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
    items
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
