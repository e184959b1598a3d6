//! The picker: choosing from a list by typing.

use super::{
    commands::{apply_theme, run},
    filter::edit_request,
    finder, profile, toast, tuning, upgrade,
};
use crate::tui::{
    command::{Command, CommandContext},
    effect::Effect,
    input::KeyPress,
    layout,
    model::{Model, Overlay, Picker, PickerAction, PickerKind, TextField, Tone, settings::in_words, tuning::Baseline},
};
use apidisc::delivery::StubRequest;

pub(super) fn press(model: &mut Model, key: KeyPress, effects: &mut Vec<Effect>) {
    let page = isize::try_from(height(model).max(2) - 1).unwrap_or(1);
    let command = model.keymap.lookup(CommandContext::Typing, key);
    let Some(Overlay::Picker(picker)) = &mut model.overlay else { return };
    match command {
        Some(Command::Accept) => return accept(model, effects),
        Some(Command::Cancel) => return close(model),
        Some(Command::NextMatch) => step(picker, 1),
        Some(Command::PreviousMatch) => step(picker, -1),
        Some(Command::NextMatches) => step(picker, page),
        Some(Command::PreviousMatches) => step(picker, -page),
        _ => {
            let Some(request) = edit_request(key) else { return };
            let before = picker.input.value().to_owned();
            picker.input.handle(request);
            if picker.input.value() != before {
                picker.refresh();
                if picker.kind == PickerKind::Versions {
                    let typed = picker.input.value().to_owned();
                    return upgrade::list(model, typed, effects);
                }
            }
        }
    }
    preview_theme(model, effects);
}

/// Closes the picker without a choice, and restores the theme that a preview has replaced.
pub(super) fn close(model: &mut Model) {
    if let Some(Overlay::Picker(Picker { old_theme: Some(old), .. })) = model.overlay.take() {
        model.theme = *old;
    }
}

/// Applies the selected theme as a preview.
fn preview_theme(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(Overlay::Picker(picker)) = &model.overlay else { return };
    if let Some(PickerAction::Theme(name)) = picker.selected().map(|choice| choice.pick.clone())
        && name != model.theme.name
    {
        apply_theme(model, &name, effects);
    }
}

/// Runs the selected choice.
pub(super) fn accept(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(Overlay::Picker(picker)) = &mut model.overlay else { return };
    let Some(pick) = picker.selected().map(|choice| choice.pick.clone()) else { return };
    if let PickerAction::Type(text) = pick {
        picker.input = TextField::new(&text);
        picker.refresh();
        if picker.kind == PickerKind::Versions {
            upgrade::list(model, text, effects);
        }
        return;
    }
    let kind = picker.kind;
    model.overlay = None;
    match pick {
        PickerAction::Command(command) => run(model, command, effects),
        PickerAction::Strategy(strategy) if kind == PickerKind::Baselines => {
            let request = model.stub_request().map(|present| Box::new(StubRequest { strategy, ..present }));
            tuning::compare(model, Baseline { name: in_words(strategy), request, other: None });
        }
        PickerAction::Strategy(strategy) => model.settings.set(strategy),
        PickerAction::Compare(baseline) => tuning::compare(model, baseline),
        PickerAction::Upgrade(path) => upgrade::compare(model, path, effects),
        PickerAction::Replay(profile) => profile::replay(model, profile, effects),
        PickerAction::Open(query) => finder::open_best(model, &query),
        // Handled above: the picker stays open.
        PickerAction::Type(_) => {}
        PickerAction::Theme(name) => {
            apply_theme(model, &name, effects);
            model.chosen_theme = Some(name.clone());
            toast(model, Tone::Note, format!("theme = \"{name}\" in config.toml keeps it"), effects);
        }
    }
}

/// The number of visible rows.
pub(super) fn height(model: &Model) -> usize {
    match &model.overlay {
        Some(Overlay::Picker(picker)) => usize::from(layout::picker(model.size, picker).body.height),
        _ => 0,
    }
}

fn step(picker: &mut Picker, rows: isize) {
    let len = picker.rows.len();
    picker.cursor.step(rows, len);
}
