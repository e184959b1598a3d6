//! Which calls count, and how often: the weights, and the index that is counted by them.
//!
//! **Invariant.** The index that is shown is counted by the weights that are chosen, or `Model::counting` says that
//! one is on its way. Nothing is copied or written until then.

use std::sync::Arc;

use super::{index, toast};
use crate::tui::{
    command::{Command, Context},
    effect::Effect,
    input::Key,
    jobs::RecountJob,
    model::{Catalog, Counting, Model, Origins, Overlay, Tone},
    widgets::grouped,
};
use apidisc::{index::NoCallSites, source::Origin};

pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    match command {
        Command::CountSrc => switch(model, Origin::Src, effects),
        Command::CountTests => switch(model, Origin::Tests, effects),
        Command::CountExamples => switch(model, Origin::Examples, effects),
        Command::CountDocs => switch(model, Origin::Docs, effects),
        _ => model.overlay = Some(Overlay::Origins(Origins::default())),
    }
}

/// A key while the list of origins is open.
pub(super) fn press(model: &mut Model, key: Key, effects: &mut Vec<Effect>) {
    let Some(Overlay::Origins(origins)) = &mut model.overlay else { return };
    let last = Origin::ALL.len() - 1;
    let origin = origins.origin();
    match model.keymap.lookup(Context::Browse, key) {
        Some(Command::Up) => origins.selected = origins.selected.saturating_sub(1),
        Some(Command::Down) => origins.selected = (origins.selected + 1).min(last),
        Some(Command::First | Command::PageUp) => origins.selected = 0,
        Some(Command::Last | Command::PageDown) => origins.selected = last,
        Some(Command::Raise | Command::Right) => weigh(model, origin, true, effects),
        Some(Command::Lower | Command::Left) => weigh(model, origin, false, effects),
        Some(Command::Toggle | Command::Enter) => switch(model, origin, effects),
        Some(Command::Clear | Command::Quit | Command::Origins) => model.overlay = None,
        Some(command @ (Command::CountSrc | Command::CountTests | Command::CountExamples | Command::CountDocs)) => {
            run(model, command, effects);
        }
        _ => {}
    }
}

/// Leaves an origin out, or counts its calls once.
pub(super) fn switch(model: &mut Model, origin: Origin, effects: &mut Vec<Effect>) {
    let weight = u8::from(model.settings.weights.of(origin) == 0);
    set(model, origin, weight, effects);
}

/// Counts the calls of an origin once more often, or less.
pub(super) fn weigh(model: &mut Model, origin: Origin, up: bool, effects: &mut Vec<Effect>) {
    let weight = model.settings.weights.of(origin);
    let weight = if up { weight.saturating_add(1) } else { weight.saturating_sub(1) };
    set(model, origin, weight, effects);
}

fn set(model: &mut Model, origin: Origin, weight: u8, effects: &mut Vec<Effect>) {
    match model.settings.weights.with(origin, weight) {
        Ok(weights) => {
            model.settings.weights = weights;
            let calls = match model.calls_of(origin) {
                None => format!("calls in {}", origin.word()),
                Some((1, _)) => format!("1 call in {}", origin.word()),
                Some((calls, _)) => format!("{} calls in {}", grouped(calls as usize), origin.word()),
            };
            let what = match weight {
                0 => format!("left out: {calls}"),
                1 => format!("counted once: {calls}"),
                n => format!("counted {n} times: {calls}"),
            };
            toast(model, Tone::Note, what, effects);
        }
        Err(why) => toast(model, Tone::Note, why.to_string(), effects),
    }
}

/// A newer index waits to be counted.
pub(super) fn await_count(model: &mut Model, from: Arc<Catalog>, effects: &mut Vec<Effect>) {
    if let Some(old) = model.counting.replace(Counting { from, asked: None }) {
        effects.push(Effect::FreeCatalog(old.from));
    }
}

/// Has the newest index counted by the weights that are chosen, or shows it where it is.
pub(super) fn reconcile(model: &mut Model, effects: &mut Vec<Effect>) {
    let weights = model.settings.weights;
    if model.counting.is_none()
        && let Some(catalog) = model.catalog.clone().filter(|catalog| catalog.index.weights != weights)
    {
        await_count(model, catalog, effects);
    }
    let Some(counting) = model.counting.take() else { return };
    let is_shown = |catalog: &Arc<Catalog>| catalog.generation == counting.from.generation;
    if counting.from.index.weights == weights {
        // Weights that were changed and changed back lead to what is shown already.
        if !model.catalog.as_ref().is_some_and(is_shown) {
            index::show(model, &counting.from, effects);
        }
        return;
    }
    let asked = counting.asked.filter(|(_, asked)| *asked == weights).unwrap_or_else(|| {
        let ticket = model.next_ticket();
        effects.push(Effect::Recount(RecountJob { ticket, catalog: Arc::clone(&counting.from), weights }));
        (ticket, weights)
    });
    model.counting = Some(Counting { asked: Some(asked), ..counting });
}

/// Takes an index that is counted, unless another one is on its way.
pub(super) fn counted(
    model: &mut Model,
    ticket: u64,
    result: Result<Arc<Catalog>, NoCallSites>,
    effects: &mut Vec<Effect>,
) {
    let is_awaited = |counting: &Counting| counting.asked.is_some_and(|(asked, _)| asked == ticket);
    if !model.counting.as_ref().is_some_and(is_awaited) {
        effects.extend(result.ok().map(Effect::FreeCatalog));
        return;
    }
    match result {
        Ok(catalog) => await_count(model, catalog, effects),
        Err(why) => {
            model.settings.weights = model.counting.as_ref().map_or_else(Default::default, |c| c.from.index.weights);
            toast(model, Tone::Error, why.to_string(), effects);
        }
    }
}
