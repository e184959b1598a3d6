//! Keys while something lies over the panes.

use tui_input::InputRequest;

use super::{filter::edit_request, finder, origins, page, picker, profile, take};
use crate::tui::{
    command::{Command, Context},
    effect::Effect,
    input::Key,
    model::{Model, Overlay, Saving},
};

pub(super) fn press(model: &mut Model, key: Key, effects: &mut Vec<Effect>) {
    let command = model.keymap.lookup(Context::Typing, key);
    match &mut model.overlay {
        Some(Overlay::Page(reading)) if reading.is_typing => page::type_key(model, key),
        Some(Overlay::Page(_)) => page::press(model, key),
        Some(Overlay::Picker(_)) => picker::press(model, key, effects),
        Some(Overlay::Find(_)) => finder::press(model, key),
        Some(Overlay::Origins(_)) => origins::press(model, key, effects),
        Some(Overlay::Write(prompt)) => match command {
            Some(Command::Cancel) => model.overlay = None,
            Some(Command::Accept) => accept(model, effects),
            _ => {
                if let Some(request) = edit_request(key) {
                    prompt.input.handle(request);
                    prompt.confirm = false;
                }
            }
        },
        Some(Overlay::Save(_)) => profile::press(model, key, command),
        None => {}
    }
}

/// Writes to the path that is typed.
pub(super) fn accept(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(Overlay::Write(prompt)) = &model.overlay else { return };
    let (path, overwrite) = (prompt.input.value().trim().to_owned(), prompt.confirm);
    if !path.is_empty() {
        take::write(model, path, overwrite, effects);
    }
}

/// Puts pasted text where the cursor is.
pub(super) fn insert(model: &mut Model, text: &str) {
    let Some(overlay) = &mut model.overlay else { return };
    let input = match overlay {
        Overlay::Page(reading) if reading.is_typing => &mut reading.filter,
        Overlay::Page(_) | Overlay::Origins(_) => return,
        Overlay::Picker(picker) => &mut picker.input,
        Overlay::Find(finder) => &mut finder.input,
        Overlay::Write(prompt) => {
            prompt.confirm = false;
            &mut prompt.input
        }
        Overlay::Save(prompt) => {
            prompt.state = Saving::Typing;
            &mut prompt.input
        }
    };
    for c in text.chars() {
        input.handle(InputRequest::InsertChar(c));
    }
    match overlay {
        Overlay::Page(_) => page::turn(model, 0),
        Overlay::Picker(picker) => picker.refresh(),
        Overlay::Find(finder) => finder.query_changed(),
        Overlay::Write(_) | Overlay::Save(_) | Overlay::Origins(_) => {}
    }
}
