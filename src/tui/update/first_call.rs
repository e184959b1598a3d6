//! Requests the first call of a definition, and copies it; copies the code of a recipe.

use std::sync::Arc;

use super::toast;
use crate::tui::{
    effect::Effect,
    jobs::{Job, ReadCardJob},
    model::{CardText, Catalog, FirstCall, Model, RecipeText, Tone, page::PageSubject},
};
use apidisc::{index::Scope, program::DefinitionId};

/// The request for the first call and the documentation of a definition.
pub(super) fn request(catalog: &Arc<Catalog>, definition: DefinitionId, ticket: u64) -> Effect {
    let calls = catalog.index.typical_calls(definition);
    Effect::Job(Job::ReadCard(ReadCardJob { ticket, catalog: Arc::clone(catalog), definition, calls }))
}

/// Copies the first call of the selected definition. On a page, the first call of the page, as soon as it is read; else
/// the first call of the selection in the panes.
pub(super) fn copy(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    if let Some(PageSubject::Recipe(recipe)) = model.page.as_ref().map(|page| &page.subject) {
        return copy_recipe(model, &Arc::clone(recipe), effects);
    }
    let subject = model.page.as_ref().and_then(|page| page.subject.definition());
    let of_scope = || match model.scope()? {
        Scope::Definition(id) => Some(id),
        Scope::Module(_) | Scope::Repository => None,
    };
    let Some(id) = subject.or_else(|| model.selected_target().map(|(id, _)| id)).or_else(of_scope) else {
        return toast(model, Tone::Note, "no definition is selected".to_owned(), effects);
    };
    if let Some(card) = model.page.as_ref().and_then(|page| page.card.clone()) {
        return put(model, &card.first_call, effects);
    }
    let ticket = model.next_ticket();
    model.copied_card = ticket;
    effects.push(request(&catalog, id, ticket));
}

/// Stores the texts of the page, or copies the first call that was asked for.
pub(super) fn card_read(model: &mut Model, ticket: u64, card: CardText, effects: &mut Vec<Effect>) {
    if model.copied_card == ticket {
        put(model, &card.first_call, effects);
    }
    if let Some(page) = model.page.as_mut().filter(|page| page.card_ticket == ticket) {
        page.card = Some(card);
    }
}

/// Copies the code of a recipe.
fn copy_recipe(model: &mut Model, recipe: &RecipeText, effects: &mut Vec<Effect>) {
    if recipe.lines.is_empty() {
        return toast(model, Tone::Note, "nothing to copy: the sources have changed".to_owned(), effects);
    }
    effects.push(Effect::Copy { text: recipe.code(), description: "the recipe".to_owned() });
}

fn put(model: &mut Model, first: &FirstCall, effects: &mut Vec<Effect>) {
    if first.lines.is_empty() {
        return toast(model, Tone::Note, "nothing to copy: no module exports it".to_owned(), effects);
    }
    let what = match first.imports {
        0 => "the call",
        all if all == first.lines.len() => "the import",
        _ => "import and call",
    };
    effects.push(Effect::Copy { text: first.text(), description: what.to_owned() });
}
