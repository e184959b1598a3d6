//! News from the indexer. A new index replaces the old one, and what was selected is found again by name.

use std::sync::Arc;

use super::toast;
use crate::{
    engine::index::{DefinitionId, Index, LookupError, Scope},
    tui::{
        effect::Effect,
        model::{Catalog, Indexing, Model, Pane, Tone, Wish},
    },
};

pub(super) fn parsed(model: &mut Model, done: usize, total: usize, calls: usize) {
    model.indexing = Indexing::Parsing { done, total, calls };
}

pub(super) fn not_indexed(model: &mut Model, why: String) {
    model.indexing = Indexing::Failed(why);
}

pub(super) fn indexed(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    if catalog.index.complete {
        model.indexing = Indexing::Done;
    }
    if let Some(old) = model.catalog.take() {
        model.modules.remember(&old);
        model.symbols.remember(&old);
        model.arguments.remember(&old);
        effects.push(Effect::Discard(old));
    }
    model.catalog = Some(Arc::clone(catalog));
    model.modules.filter.outdated();
    model.modules.rebuild(catalog);
    if let Some(wish) = model.wish.take() {
        match grant(model, catalog, &wish) {
            Ok(()) => {}
            Err(_) if !catalog.index.complete => model.wish = Some(wish),
            Err(why) => toast(model, Tone::Error, why.to_string(), effects),
        }
    }
}

/// Goes to the module and symbol that the command line names.
fn grant(model: &mut Model, catalog: &Catalog, wish: &Wish) -> Result<(), LookupError> {
    let index = &catalog.index;
    let module = match &wish.module {
        Some(module) => Some(index.scope(Some(module), None)?),
        None => None,
    };
    let target = index.scope(wish.module.as_deref(), wish.symbol.as_deref())?;
    if let Scope::Definition(id) = target {
        // Where it was asked for, else where its public name stands, else where it is written.
        let asked = module.filter(|scope| matches!(scope, Scope::Module(_)));
        let shown = [asked, catalog.public_home(id)]
            .into_iter()
            .flatten()
            .find(|scope| catalog.listed(*scope, false).contains(&top(index, id)))
            .unwrap_or(Scope::Module(index.definition(id).module));
        let Scope::Module(shown) = shown else { return Ok(()) };
        model.modules.reveal(catalog, shown);
        model.modules.rebuild(catalog);
        model.private |= !index.definition(id).is_public;
        model.symbols.list(catalog, Scope::Module(shown), model.private);
        model.symbols.reveal(catalog, id);
        model.symbols.rebuild(catalog, model.private);
        model.focus = Pane::Symbols;
        model.subject = Pane::Symbols;
    } else if let Scope::Module(id) = target {
        model.modules.reveal(catalog, id);
        model.modules.rebuild(catalog);
    }
    Ok(())
}

/// The definition at module level that holds it.
fn top(index: &Index, id: DefinitionId) -> DefinitionId {
    std::iter::successors(Some(id), |id| index.definition(*id).parent).last().unwrap_or(id)
}
