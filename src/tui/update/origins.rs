//! Changes the weights of origins and sources, and requests that the calls of the index be counted again with these
//! weights.
//!
//! **Invariant.** The index that is shown is counted with the chosen weights, or `Model::counting` holds the index
//! whose count is pending. Nothing is copied or written while a count is pending.

use std::sync::Arc;

use super::{commands, index, toast};
use crate::tui::{
    command::{Command, CommandContext},
    effect::Effect,
    input::KeyPress,
    jobs::{Job, RecountJob},
    model::{CallGroup, Catalog, Model, Origins, Overlay, PendingCount, Tone},
    widgets::grouped,
};
use apidisc::{index::RecountError, source::Origin};

/// Opens the list of origins and sources.
pub(super) fn open(model: &mut Model) {
    model.overlay = Some(Overlay::Origins(Origins::default()));
}

/// Leaves out the calls of an origin, or counts them again.
pub(super) fn switch_origin(model: &mut Model, origin: Origin, effects: &mut Vec<Effect>) {
    switch(model, &CallGroup::Origin(origin), effects);
}

/// Handles a key while the list of origins is open.
pub(super) fn press(model: &mut Model, key: KeyPress, effects: &mut Vec<Effect>) {
    let groups = model.call_groups();
    let Some(Overlay::Origins(Origins { cursor })) = &mut model.overlay else { return };
    let Some(group) = groups.get(cursor.selected).cloned() else { return };
    match model.keymap.lookup(CommandContext::Browse, key) {
        Some(Command::Up) => cursor.step(-1, groups.len()),
        Some(Command::Down) => cursor.step(1, groups.len()),
        Some(Command::First | Command::PageUp) => cursor.select(0),
        Some(Command::Last | Command::PageDown) => cursor.select(groups.len() - 1),
        Some(Command::Raise | Command::Right) => step_weight(model, &group, true, effects),
        Some(Command::Lower | Command::Left) => step_weight(model, &group, false, effects),
        Some(Command::Toggle | Command::Enter) => switch(model, &group, effects),
        Some(Command::Clear | Command::Quit | Command::Origins) => model.overlay = None,
        Some(command @ (Command::CountSrc | Command::CountTests | Command::CountExamples | Command::CountDocs)) => {
            commands::run(model, command, effects);
        }
        _ => {}
    }
}

/// Sets the weight of a group to 0, or to 1 if it is 0.
pub(super) fn switch(model: &mut Model, group: &CallGroup, effects: &mut Vec<Effect>) {
    let weight = u8::from(group.weight(&model.settings.weights) == 0);
    set(model, group, weight, effects);
}

/// Raises or lowers the weight of a group by 1.
pub(super) fn step_weight(model: &mut Model, group: &CallGroup, up: bool, effects: &mut Vec<Effect>) {
    let weight = group.weight(&model.settings.weights);
    let weight = if up { weight.saturating_add(1) } else { weight.saturating_sub(1) };
    set(model, group, weight, effects);
}

fn set(model: &mut Model, group: &CallGroup, weight: u8, effects: &mut Vec<Effect>) {
    match group.weigh(model.settings.weights.clone(), weight) {
        Ok(weights) => {
            model.settings.weights = weights;
            let calls = match model.calls_of(group) {
                None => format!("calls in {}", group.name()),
                Some((1, _)) => format!("1 call in {}", group.name()),
                Some((calls, _)) => format!("{} calls in {}", grouped(calls as usize), group.name()),
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

/// Keeps an index in `Model::counting` until its calls are counted with the chosen weights.
pub(super) fn set_pending(model: &mut Model, from: Arc<Catalog>, effects: &mut Vec<Effect>) {
    if let Some(old) = model.counting.replace(PendingCount { from, asked: None }) {
        effects.push(Effect::FreeCatalog(old.from));
    }
}

/// Requests a count with the chosen weights, or shows the pending index if it is counted with them already.
pub(super) fn reconcile(model: &mut Model, effects: &mut Vec<Effect>) {
    let weights = model.settings.weights.clone();
    if model.counting.is_none()
        && let Some(catalog) = model.catalog.clone().filter(|catalog| catalog.index.weights != weights)
    {
        set_pending(model, catalog, effects);
    }
    let Some(counting) = model.counting.take() else { return };
    let is_shown = |catalog: &Arc<Catalog>| catalog.generation == counting.from.generation;
    if counting.from.index.weights == weights {
        // If the user has changed the weights back, the pending index is shown already.
        if !model.catalog.as_ref().is_some_and(is_shown) {
            index::replace(model, &counting.from, effects);
        }
        return;
    }
    let asked = counting.asked.clone().filter(|(_, asked)| *asked == weights).unwrap_or_else(|| {
        let ticket = model.next_ticket();
        effects.push(Effect::Job(Job::Recount(RecountJob {
            ticket,
            catalog: Arc::clone(&counting.from),
            weights: weights.clone(),
        })));
        (ticket, weights)
    });
    model.counting = Some(PendingCount { asked: Some(asked), ..counting });
}

/// Receives a counted index. An answer to an earlier request is dropped.
pub(super) fn counted(
    model: &mut Model,
    ticket: u64,
    result: Result<Arc<Catalog>, RecountError>,
    effects: &mut Vec<Effect>,
) {
    let is_awaited = |counting: &PendingCount| counting.asked.as_ref().is_some_and(|(asked, _)| *asked == ticket);
    if !model.counting.as_ref().is_some_and(is_awaited) {
        effects.extend(result.ok().map(Effect::FreeCatalog));
        return;
    }
    match result {
        Ok(catalog) => set_pending(model, catalog, effects),
        Err(why) => {
            model.settings.weights =
                model.counting.as_ref().map_or_else(Default::default, |c| c.from.index.weights.clone());
            toast(model, Tone::Error, why.to_string(), effects);
        }
    }
}
