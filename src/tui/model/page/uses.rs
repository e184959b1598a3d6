//! The page of the uses of a definition that are neither calls nor reads: by kind, then by what takes or holds it.

use std::cmp::Reverse;

use super::{ItemBody, PageItem, SourcePlace, TextRole, words};
use crate::tui::{
    model::{Catalog, Topic},
    widgets::{grouped, width},
};
use apidisc::{
    index::UsedAs,
    program::{DefinitionId, OtherUse, UseKind},
};

/// The greatest width of the column of places, in cells.
const MAX_PLACE: usize = 48;

/// A use with the group that it is listed in.
struct Row<'i> {
    found: &'i OtherUse,
    /// What takes, holds or is decorated by the definition; empty if nothing does.
    to: String,
    /// The parameter or the key.
    detail: String,
    place: String,
}

pub(super) fn items(catalog: &Catalog, id: DefinitionId) -> Vec<PageItem> {
    let index = &catalog.index;
    let rows: Vec<Row<'_>> = index.other_uses_of(id).map(|found| row(catalog, found)).collect();
    let head = vec![
        (words::counted(rows.len(), "use", "uses"), TextRole::Text),
        (" besides calls and reads".to_owned(), TextRole::Dim),
    ];
    let mut items =
        vec![PageItem::new(ItemBody::Text(head)).link_to(Topic::Definition(id)).shows(SourcePlace::Definition(id))];
    if rows.is_empty() {
        let is_read_from_file =
            index.calls.is_empty() && index.definitions_with_ids().any(|(_, definition)| definition.usage.uses() > 0);
        let reason = if is_read_from_file {
            "the index was read from a file, which does not say where uses stand"
        } else {
            "nothing passes it, holds it, extends it or names it in an annotation"
        };
        items.extend([PageItem::blank(), PageItem::dim(reason)]);
        return items;
    }
    for kind in UseKind::ALL {
        let mut of_kind: Vec<&Row<'_>> = rows.iter().filter(|row| row.found.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        items.extend([PageItem::blank(), PageItem::heading(heading(kind), grouped(of_kind.len()))]);
        of_kind.sort_by(|a, b| a.to.cmp(&b.to));
        let mut groups: Vec<&[&Row<'_>]> = of_kind.chunk_by(|a, b| a.to == b.to).collect();
        groups.sort_by_key(|group| Reverse(group.len()));
        for group in groups {
            group_rows(catalog, kind, group, &mut items);
        }
    }
    items
}

/// The rows of the uses of one kind with the same receiver.
fn group_rows(catalog: &Catalog, kind: UseKind, group: &[&Row<'_>], items: &mut Vec<PageItem>) {
    let [first, ..] = group else { return };
    if !first.to.is_empty() {
        let words = vec![
            (format!("{} ", preposition(kind)), TextRole::Dim),
            (first.to.clone(), TextRole::Text),
            (format!("  {}", grouped(group.len())), TextRole::Dim),
        ];
        items.push(PageItem::new(ItemBody::Text(words)));
    }
    let column = group.iter().map(|row| width(&row.place)).max().unwrap_or(0).min(MAX_PLACE);
    for row in group {
        let padding = " ".repeat(column.saturating_sub(width(&row.place)));
        let user = row.found.user.map_or_else(String::new, |user| format!("  {}", catalog.label(user, false)));
        let detail = if row.detail.is_empty() { String::new() } else { format!("  {}", row.detail) };
        let pieces = vec![
            (format!("  {}{padding}", row.place), TextRole::Text),
            (detail, TextRole::Value),
            (user, TextRole::Dim),
        ];
        let item = PageItem::new(ItemBody::Text(pieces));
        items.push(item.shows(SourcePlace::Line(row.found.file, row.found.line)));
    }
}

fn row<'i>(catalog: &Catalog, found: &'i OtherUse) -> Row<'i> {
    let index = &catalog.index;
    let UsedAs { definition, to, param, key } = index.used_as(found);
    let to = match definition {
        Some(definition) => catalog.label(definition, false),
        None => to.unwrap_or_default().to_owned(),
    };
    let param = param.map(|param| format!("({param})"));
    let key = key.map(|key| format!("[{key}]"));
    let detail = [param, key].into_iter().flatten().collect();
    Row { found, to, detail, place: format!("{}:{}", index.file(found.file).path, found.line) }
}

/// The heading of the uses of a kind.
fn heading(kind: UseKind) -> &'static str {
    match kind {
        UseKind::Passed => "Passed",
        UseKind::Held => "Held",
        UseKind::Base => "Base",
        UseKind::Annotates => "Annotates",
        UseKind::Raised => "Raised",
        UseKind::Caught => "Caught",
        UseKind::Compared => "Compared",
        UseKind::ReExported => "Re-exported",
        UseKind::Decorates => "Decorates",
        UseKind::Returned => "Returned",
    }
}

/// The word before what takes or holds the definition.
fn preposition(kind: UseKind) -> &'static str {
    match kind {
        UseKind::Held => "in",
        UseKind::Decorates => "above",
        _ => "to",
    }
}
