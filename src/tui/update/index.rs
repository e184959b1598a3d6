//! News from the indexer. A new index replaces the old one, and what was selected is found again by name.

use std::sync::Arc;

use super::{history, origins, toast, visit};
use crate::tui::{
    command::Command,
    effect::Effect,
    model::{Catalog, Indexing, Model, Overlay, Place, Tone, Wish},
    widgets::grouped,
};
use apidisc::index::{LookupError, Scope};

/// Commands about indexing itself.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    match command {
        Command::Reindex if model.is_live => effects.push(Effect::Reindex),
        Command::Reindex => {
            toast(model, Tone::Note, "this index was read from a file; open its folder instead".to_owned(), effects);
        }
        Command::Stop if is_busy(model) => effects.push(Effect::StopIndexing),
        Command::Stop => toast(model, Tone::Note, "nothing is being indexed".to_owned(), effects),
        _ => {}
    }
}

/// True while files are looked for or read.
pub(super) fn is_busy(model: &Model) -> bool {
    matches!(model.indexing, Indexing::Walking | Indexing::Parsing { .. })
}

/// How many files were read again, and how many could not be.
pub(super) fn reread(model: &mut Model, files: usize, gone: usize, effects: &mut Vec<Effect>) {
    let counted = |number: usize, one: &str, many: &str| match number {
        0 => None,
        1 => Some(format!("1 file {one}")),
        n => Some(format!("{} files {many}", grouped(n))),
    };
    let read = counted(files, "was read again", "were read again");
    let gone = counted(gone, "is gone", "are gone");
    let what: Vec<String> = read.into_iter().chain(gone).collect();
    let what = if what.is_empty() { "nothing has changed".to_owned() } else { what.join(", ") };
    toast(model, Tone::Note, what, effects);
}

pub(super) fn not_indexed(model: &mut Model, why: String) {
    model.indexing = Indexing::Failed(why);
}

/// A new index; it is shown once its calls are counted by the weights that are chosen.
pub(super) fn indexed(model: &mut Model, catalog: Arc<Catalog>, effects: &mut Vec<Effect>) {
    if catalog.index.complete {
        model.indexing = Indexing::Done;
    }
    origins::await_count(model, catalog, effects);
}

/// Shows an index in place of the old one.
pub(super) fn show(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    if catalog.index.complete {
        effects.push(Effect::PrepareSearch(Arc::clone(catalog)));
    }
    let mut page = None;
    if let Some(old) = model.catalog.take() {
        page = Place::here(model, &old).page;
        model.modules.remember(&old);
        model.symbols.remember(&old);
        model.arguments.remember(&old);
        effects.push(Effect::FreeCatalog(old));
    }
    model.catalog = Some(Arc::clone(catalog));
    model.modules.filter.outdated();
    model.modules.rebuild(catalog);
    model.card = None;
    if let Some(page) = page {
        history::reopen(model, catalog, &page);
    }
    if let Some(Overlay::Find(finder)) = &mut model.overlay {
        finder.index_changed();
    }
    if let Some(resume) =
        model.resume.take_if(|resume| catalog.index.complete || history::is_there(catalog, &resume.place))
    {
        history::resume(model, catalog, &resume);
    }
    if catalog.index.complete {
        let gone: Vec<String> = model.wishes.forget_gone(&catalog.index).iter().map(ToString::to_string).collect();
        if !gone.is_empty() {
            let what = format!("no longer pinned or banned, since it cannot be: {}", gone.join(", "));
            toast(model, Tone::Note, what, effects);
        }
    }
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
    match target {
        // Where it was asked for, else where its public name stands, else where it is written.
        Scope::Definition(id) => {
            visit::reveal(model, catalog, id, module.filter(|scope| matches!(scope, Scope::Module(_))));
        }
        Scope::Module(id) => {
            model.modules.reveal(catalog, id);
            model.modules.rebuild(catalog);
        }
        Scope::Repository => {}
    }
    Ok(())
}
