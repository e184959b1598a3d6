//! The page of a recipe: its code, the definitions that it calls, those that are called before and after it, and its
//! places.

use super::{ItemBody, PageItem, SourcePlace, TextRole, calls, card, related, words};
use crate::tui::{
    model::{Catalog, RecipeText},
    widgets::percentage,
};

/// All rows of the page.
pub(super) fn items(catalog: &Catalog, text: &RecipeText, width: u16) -> Vec<PageItem> {
    let recipe = &text.recipe;
    let mut items = description(text, width);
    items.extend(card::wrapped(&reliability(text), width).map(PageItem::dim));
    items.extend([PageItem::blank(), PageItem::heading("Code", "from one of the places")]);
    items.extend(code(text, width));
    items.extend([PageItem::blank(), PageItem::heading("What it calls", "")]);
    for &id in &recipe.symbols {
        let summary = catalog.index.definition(id).summary.as_deref().unwrap_or_default().to_owned();
        items.push(PageItem::definition(catalog, id, catalog.label(id, false), summary));
    }
    related::of_recipe(catalog, &recipe.symbols, &mut items);
    let note = format!("{} of {}", recipe.places.len(), recipe.usage_count);
    items.extend([PageItem::blank(), PageItem::heading("Places", note)]);
    for place in &recipe.places {
        let Some(&call) = place.calls.last() else { continue };
        let Some(&callee) = recipe.symbols.last() else { continue };
        items.push(calls::row(&catalog.index, catalog.index.definition(callee), call));
    }
    items
}

/// The rows of the preview beside the finder: the code, then the description.
pub(in crate::tui) fn preview(text: &RecipeText, width: u16) -> Vec<PageItem> {
    let mut items = code(text, width);
    items.push(PageItem::blank());
    items.extend(description(text, width));
    items
}

/// The description of the recipe, on as many rows as it takes.
fn description(text: &RecipeText, width: u16) -> Vec<PageItem> {
    card::wrapped(&text.recipe.description, width).map(text_row).collect()
}

/// The code on rows that show it whole, and the names that it leaves to the reader.
fn code(text: &RecipeText, width: u16) -> Vec<PageItem> {
    if text.lines.is_empty() {
        return vec![PageItem::dim("the sources have changed since they were indexed")];
    }
    let mut items = Vec::new();
    let mut shown = text.shown.first().map(|call| SourcePlace::Call(*call));
    for (at, (line, runs)) in text.lines.iter().enumerate() {
        for (line, runs) in card::code_rows(line, runs, usize::from(width.saturating_sub(5))) {
            let item = PageItem::new(ItemBody::Code(line, runs));
            // The first line behind the imports represents the place that the code comes from.
            let place = if at < text.imports { None } else { shown.take() };
            items.push(PageItem { shows: place, ..item });
        }
    }
    items.extend(card::missing_names(&text.missing, width));
    items
}

fn text_row(text: String) -> PageItem {
    PageItem::new(ItemBody::Text(vec![(text, TextRole::Text)]))
}

/// The evidence for the recipe: `5 uses in 2 files, 80% of them meant to work`.
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
