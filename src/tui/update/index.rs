//! Handles messages of the indexer. A new index replaces the old one, and selections are restored by name.

use std::{sync::Arc, time::Duration};

use super::{api, history, origins, packages, reveal, toast};
use crate::tui::{
    effect::Effect,
    jobs::{ForgetCorpusJob, Job, PrepareSearchJob},
    message::Message,
    model::{Catalog, IndexingState, Location, Model, Overlay, Resume, StartTarget, Tone},
    widgets::grouped,
};
use apidisc::index::{Choice, LookupError, Scope};

/// Indexes again what has changed, if the index is made from sources.
pub(super) fn reindex(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.is_live {
        packages::read_again(model, effects);
        effects.push(Effect::Reindex);
    } else {
        toast(model, Tone::Note, "this index was read from a file; open its folder instead".to_owned(), effects);
    }
}

/// Stops indexing.
pub(super) fn stop(model: &mut Model, effects: &mut Vec<Effect>) {
    if is_busy(model) {
        effects.push(Effect::StopIndexing);
    } else {
        toast(model, Tone::Note, "nothing is being indexed".to_owned(), effects);
    }
}

/// Stores the progress of the clones or of the indexer.
pub(super) fn progressed(model: &mut Model, progress: Message, effects: &mut Vec<Effect>) {
    match progress {
        Message::Fetching(progress) => model.fetching = progress,
        Message::Walked(total) => {
            model.indexing = IndexingState::Parsing {
                done: 0,
                total,
                calls: 0,
                share: 0.0,
                elapsed: Duration::ZERO,
                is_linking: false,
            };
        }
        Message::Parsed { done, total, calls, share, elapsed } => {
            model.indexing = IndexingState::Parsing { done, total, calls, share, elapsed, is_linking: false };
        }
        Message::Linking => {
            if let IndexingState::Parsing { is_linking, .. } = &mut model.indexing {
                *is_linking = true;
            }
        }
        Message::Stopped { done, total } => model.indexing = IndexingState::Stopped { done, total },
        Message::Unchanged => {
            model.indexing = IndexingState::Done;
            packages::code_unchanged(model, effects);
            api::request_again(model, effects);
        }
        _ => {}
    }
}

/// True while sources are walked or parsed.
pub(super) fn is_busy(model: &Model) -> bool {
    matches!(model.indexing, IndexingState::Walking | IndexingState::Parsing { .. })
}

/// Reports the number of files that were read again, and the number of files that no longer exist.
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

/// Counts the calls of the repository around what is opened, or those of what is opened alone again.
pub(super) fn switch_around(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(around) = &mut model.around else {
        let what = "no repository is known around what is opened, so no further calls are counted";
        return toast(model, Tone::Note, what.to_owned(), effects);
    };
    around.is_counted ^= true;
    around.is_sought = around.is_counted;
    let other = std::mem::replace(&mut around.other, model.argument.clone());
    (model.title, model.argument) = (other.clone(), other);
    let is_counted = around.is_counted;
    let what = if is_counted {
        format!("the calls of all of {} are counted", around.name)
    } else {
        "only the calls of what is opened are counted".to_owned()
    };
    model.indexing = IndexingState::Walking;
    effects.push(Effect::IndexAround { is_counted });
    toast(model, Tone::Note, what, effects);
}

pub(super) fn not_indexed(model: &mut Model, why: String) {
    model.indexing = IndexingState::Failed(why);
}

/// Receives a new index, which is shown once its calls are counted by the chosen weights.
pub(super) fn indexed(model: &mut Model, catalog: Arc<Catalog>, effects: &mut Vec<Effect>) {
    if catalog.index.complete {
        model.indexing = IndexingState::Done;
        model.api.is_outdated = true;
    }
    if let Some(catalog) = packages::code_indexed(model, catalog, effects) {
        origins::set_pending(model, catalog, effects);
    }
}

/// Replaces the index that is shown.
pub(super) fn replace(model: &mut Model, catalog: &Arc<Catalog>, effects: &mut Vec<Effect>) {
    if catalog.index.complete {
        let forget = ForgetCorpusJob { is_of_packages: catalog.index.is_of_packages(), generation: catalog.generation };
        effects.push(Effect::Job(Job::PrepareSearch(PrepareSearchJob { catalog: Arc::clone(catalog) })));
        effects.push(Effect::Job(Job::ForgetCorpus(forget)));
    }
    let mut open_page = None;
    if let Some(old) = model.catalog.take() {
        open_page = Location::here(model, &old).page;
        model.modules.remember(&old);
        model.symbols.remember(&old);
        model.arguments.remember(&old);
        effects.push(Effect::FreeCatalog(old));
    }
    model.catalog = Some(Arc::clone(catalog));
    model.modules.state.filter.outdated();
    model.modules.rebuild(catalog);
    model.page = None;
    if let Some(page) = open_page {
        history::reopen(model, catalog, &page);
    }
    if let Some(Overlay::Find(finder)) = &mut model.overlay {
        finder.index_changed();
    }
    packages::arrive(model, catalog);
    if catalog.index.is_of_packages() {
        return;
    }
    // While sources are being fetched, a missing definition may be in a source that is not indexed yet.
    let is_whole = catalog.index.complete && model.fetching.is_none();
    if is_whole {
        api::request(model, catalog, effects);
    }
    // A location in API documents is restored when these are read.
    let is_there = |resume: &mut Resume| {
        !resume.location.is_in_documents() && (is_whole || history::exists(catalog, &resume.location))
    };
    if let Some(resume) = model.resume.take_if(is_there) {
        history::resume(model, catalog, &resume);
    }
    if is_whole {
        let gone: Vec<String> = model.overrides.forget_gone(&catalog.index).iter().map(ToString::to_string).collect();
        if !gone.is_empty() {
            let what = format!("no longer pinned or banned, since it cannot be: {}", gone.join(", "));
            toast(model, Tone::Note, what, effects);
        }
    }
    if let Some(module) = model.around.as_mut().and_then(|around| around.arrived(catalog)) {
        model.modules.reveal(catalog, module);
        model.modules.rebuild(catalog);
    }
    if let Some(start_target) = model.start_target.take() {
        match go_to_start_target(model, catalog, &start_target) {
            Ok(None) => {}
            Ok(Some(choice)) => toast(model, Tone::Note, choice.to_string(), effects),
            Err(_) if !is_whole => model.start_target = Some(start_target),
            Err(why) => toast(model, Tone::Error, why.to_string(), effects),
        }
    }
}

/// Goes to the module and symbol that the command line names, and returns the choice if several have the name.
fn go_to_start_target(
    model: &mut Model,
    catalog: &Catalog,
    start_target: &StartTarget,
) -> Result<Option<Choice>, LookupError> {
    let index = &catalog.index;
    let module = match &start_target.module {
        Some(module) => Some(index.scope(Some(module), None)?),
        None => None,
    };
    let (target, choice) = index.scope_meant(start_target.module.as_deref(), start_target.symbol.as_deref())?;
    match target {
        // The definition is selected in the named module, if that module lists it.
        Scope::Definition(id) => {
            reveal::reveal(model, catalog, id, module.filter(|scope| matches!(scope, Scope::Module(_))));
        }
        Scope::Module(id) => {
            model.modules.reveal(catalog, id);
            model.modules.rebuild(catalog);
        }
        Scope::Repository => {}
    }
    Ok(choice)
}
