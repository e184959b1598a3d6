//! The sections of the page of a type: what makes it, what takes it, what implements it and what raises it.

use rustc_hash::FxHashSet;

use super::{PageItem, words::counted};
use crate::tui::{model::Catalog, widgets::grouped};
use apidisc::{program::DefinitionId, types::TypeRole};

/// The greatest number of rows of a section.
const MAX_ROWS: usize = 12;

/// The sections, once the types of the index are known; no row for a definition that is no type.
pub(super) fn sections(catalog: &Catalog, id: DefinitionId, items: &mut Vec<PageItem>) {
    let Some(types) = catalog.known_types() else { return };
    // Subclasses have a section of their own.
    let subclasses: FxHashSet<DefinitionId> = catalog.descendants(id).iter().copied().collect();
    for role in [TypeRole::Makes, TypeRole::Takes, TypeRole::Raises, TypeRole::Is] {
        let related = types.of(role, id).iter().copied();
        let related: Vec<DefinitionId> = related.filter(|other| !subclasses.contains(other)).collect();
        if related.is_empty() {
            continue;
        }
        let heading = match role {
            TypeRole::Makes => "Made by",
            TypeRole::Takes => "Passed to",
            TypeRole::Is => "Implemented by",
            TypeRole::Raises => "Raised by",
        };
        items.extend([PageItem::blank(), PageItem::heading(heading, grouped(related.len()))]);
        for &other in related.iter().take(MAX_ROWS) {
            let note = catalog.index.definition(other).summary.as_deref().unwrap_or_default();
            items.push(PageItem::definition(catalog, other, catalog.label(other, false), note));
        }
        let further = related.len().saturating_sub(MAX_ROWS);
        if further > 0 {
            let query = format!("{}:{}", role.word(), catalog.index.definition(id).public_name());
            items.push(PageItem::dim(format!("… {}: {query} in the finder", counted(further, "more", "more"))));
        }
    }
}
