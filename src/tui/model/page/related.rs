//! The section of the definitions that code often calls before and after another one, or after a whole recipe.

use super::PageItem;
use crate::tui::model::Catalog;
use apidisc::{
    program::DefinitionId,
    recipes::{self, CallsAround},
};

/// The section of a definition; no row if nothing is known.
pub(super) fn of_definition(catalog: &Catalog, id: DefinitionId, items: &mut Vec<PageItem>) {
    let CallsAround { often_before, often_after } = recipes::related(&catalog.index, id);
    section(catalog, &often_before, &often_after, items);
}

/// The section of a recipe: the calls before its first symbol and after its last one.
pub(super) fn of_recipe(catalog: &Catalog, symbols: &[DefinitionId], items: &mut Vec<PageItem>) {
    let (Some(&first), Some(&last)) = (symbols.first(), symbols.last()) else { return };
    let others = |ids: Vec<DefinitionId>| ids.into_iter().filter(|id| !symbols.contains(id)).collect::<Vec<_>>();
    let before = others(recipes::related(&catalog.index, first).often_before);
    let after = others(recipes::related(&catalog.index, last).often_after);
    section(catalog, &before, &after, items);
}

fn section(catalog: &Catalog, before: &[DefinitionId], after: &[DefinitionId], items: &mut Vec<PageItem>) {
    if before.is_empty() && after.is_empty() {
        return;
    }
    items.extend([PageItem::blank(), PageItem::heading("Often together", "")]);
    let row = |id: DefinitionId, note: &str| PageItem::definition(catalog, id, catalog.label(id, false), note);
    items.extend(before.iter().map(|id| row(*id, "before")));
    items.extend(after.iter().map(|id| row(*id, "after")));
}
