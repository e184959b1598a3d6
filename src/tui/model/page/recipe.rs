//! The page of a recipe: its code, what it calls, and where it is used.

use super::{ItemBody, PageItem, SourcePlace, TextRole, calls, card, words};
use crate::tui::{
    model::{Catalog, RecipeText},
    widgets::percentage,
};

/// All rows of the page.
pub(super) fn items(catalog: &Catalog, text: &RecipeText, width: u16) -> Vec<PageItem> {
    let recipe = &text.recipe;
    let mut items: Vec<PageItem> = card::wrapped(&recipe.description, width).map(text_row).collect();
    items.push(PageItem::new(ItemBody::Text(vec![(reliability(text), TextRole::Dim)])));
    items.extend([PageItem::blank(), PageItem::heading("Code", "from one of the places")]);
    let mut shown = text.shown.first().map(|call| SourcePlace::Call(*call));
    for (at, (line, runs)) in text.lines.iter().enumerate() {
        let rows = card::folded(line, runs, usize::from(width.saturating_sub(5)));
        for (line, runs) in rows {
            let item = PageItem::new(ItemBody::Code(line, runs));
            // The first line behind the imports represents the place that the code comes from.
            let place = if at < text.imports { None } else { shown.take() };
            items.push(PageItem { shows: place, ..item });
        }
    }
    if text.lines.is_empty() {
        items.push(PageItem::dim("the sources have changed since they were indexed"));
    }
    items.extend([PageItem::blank(), PageItem::heading("What it calls", "")]);
    for &id in &recipe.symbols {
        let summary = catalog.index.definition(id).summary.as_deref().unwrap_or_default().to_owned();
        items.push(PageItem::definition(catalog, id, catalog.label(id, false), summary));
    }
    let note = format!("{} of {}", recipe.places.len(), recipe.usage_count);
    items.extend([PageItem::blank(), PageItem::heading("Places", note)]);
    for place in &recipe.places {
        let Some(&call) = place.calls.last() else { continue };
        let Some(&callee) = recipe.symbols.last() else { continue };
        items.push(calls::row(&catalog.index, catalog.index.definition(callee), call));
    }
    items
}

fn text_row(text: String) -> PageItem {
    PageItem::new(ItemBody::Text(vec![(text, TextRole::Text)]))
}

/// How far the recipe can be relied on: `5 uses in 2 files, 80% of them meant to work`.
fn reliability(text: &RecipeText) -> String {
    let recipe = &text.recipe;
    let uses = words::counted(recipe.usage_count as usize, "use", "uses");
    let files = words::counted(recipe.files as usize, "file", "files");
    let share = percentage(recipe.successes(), recipe.usage_count).unwrap_or_default();
    if recipe.is_deprecated {
        format!("{uses} in {files}, but it is deprecated")
    } else {
        format!("{uses} in {files}, {share}% of them meant to work")
    }
}
