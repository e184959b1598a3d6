//! Commands that change the settings: strategy and its parameter, tokenizer, overrides, private definitions.

use super::{reveal, toast};
use crate::tui::{
    arrangement::Arrangement,
    effect::Effect,
    geometry::Pane,
    model::{ActiveOverrides, Model, NavigationHistory, OverrideKind, Settings, Tone, Topic},
};
use apidisc::{
    delivery::DeliveryError,
    overrides::{OverrideTarget, Overrides},
    strategy::Strategy,
};

/// Lists private definitions too, or public ones only.
pub(super) fn toggle_private(model: &mut Model, effects: &mut Vec<Effect>) {
    model.has_private = !model.has_private;
    let what = if model.has_private { "private definitions are listed too" } else { "public definitions only" };
    toast(model, Tone::Note, what.to_owned(), effects);
}

/// Forgets what the session file would keep: the place, filters, settings, pins and bans, marks, layout and theme. The
/// file that the explorer writes at its end holds nothing of them.
pub(super) fn forget(model: &mut Model, effects: &mut Vec<Effect>) {
    model.settings = Settings::default();
    model.overrides = ActiveOverrides::new(Overrides::default());
    model.arrangement = Arrangement::default();
    model.history = NavigationHistory::default();
    model.has_private = false;
    model.chosen_theme = None;
    // Before the first complete index the remembered place is still to be restored, and beside packages that of the
    // code waits.
    model.resume = None;
    model.packages.other_overrides = ActiveOverrides::new(Overrides::default());
    model.packages.other_side = None;
    for pane in [Pane::Modules, Pane::Symbols, Pane::Arguments] {
        model.filter_mut(pane).clear();
    }
    (model.page, model.tuning) = (None, None);
    if let Some(catalog) = model.catalog.clone() {
        reveal::show(model, &catalog, Topic::Repository);
    }
    toast(model, Tone::Success, "place, settings, pins and marks are forgotten".to_owned(), effects);
}

/// Moves the strategy's parameter by one notch, so that the stub shows more if `is_more`, else less.
pub(super) fn step(model: &mut Model, is_more: bool, effects: &mut Vec<Effect>) {
    let up = is_more != matches!(model.settings.strategy, Strategy::Threshold { .. });
    notch(model, up, false, effects);
}

/// Raises or lowers the strategy's parameter by a notch, or far.
pub(super) fn notch(model: &mut Model, up: bool, far: bool, effects: &mut Vec<Effect>) {
    // From a budget that is too small, one step up leads to the smallest budget that works.
    if up
        && model.preview.is_current()
        && let Some(Err(DeliveryError::BudgetTooSmall { smallest, .. })) =
            model.preview.shown.as_ref().map(|s| &s.result)
    {
        model.settings.set_budget(*smallest);
        return;
    }
    if model.settings.notch(up, far) {
        return;
    }
    let why = match model.settings.strategy {
        Strategy::Exhaustive => "everything is shown; s chooses another strategy".to_owned(),
        _ => format!("{} is the end", model.settings.describe()),
    };
    toast(model, Tone::Note, why, effects);
}

/// Pins or bans the selection, or removes the override.
pub(super) fn toggle_override(model: &mut Model, kind: OverrideKind, effects: &mut Vec<Effect>) {
    let (Some(catalog), Some((id, position))) = (model.catalog.clone(), model.selected_target()) else {
        toast(model, Tone::Note, "select a symbol or an argument first".to_owned(), effects);
        return;
    };
    let definition = catalog.index.definition(id);
    let target = OverrideTarget::of(definition, position);
    let name = OverrideTarget { definition: catalog.label(id, false).into(), ..target.clone() };
    match model.overrides.toggle(&catalog.index, &target, kind) {
        Ok(Some(OverrideKind::Pinned)) => toast(model, Tone::Success, format!("{name} is pinned"), effects),
        Ok(Some(OverrideKind::Banned)) => toast(model, Tone::Success, format!("{name} is banned"), effects),
        Ok(None) => toast(model, Tone::Note, format!("{name} is as the strategy says again"), effects),
        Err(why) => return toast(model, Tone::Error, why.to_string(), effects),
    }
    // A pin or ban of a symbol applies to the stub of the listing module, because the stub stays the stub of that
    // module until another symbol is selected.
    if model.focus == Pane::Symbols && model.page.is_none() && model.tuning.is_none() {
        model.subject = Pane::Modules;
    }
}
