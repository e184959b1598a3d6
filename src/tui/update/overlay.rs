//! Keys and pasted text while an overlay is open.

use super::{delivery, filter::edit_request, finder, origins, picker, profile, text_overlay};
use crate::tui::{
    command::{Command, CommandContext},
    effect::Effect,
    input::KeyPress,
    model::{Model, Overlay, Saving},
};

pub(super) fn press(model: &mut Model, key: KeyPress, effects: &mut Vec<Effect>) {
    let command = model.keymap.lookup(CommandContext::Typing, key);
    match &mut model.overlay {
        Some(Overlay::Text(text)) if text.is_typing => text_overlay::type_key(model, key),
        Some(Overlay::Text(_)) => text_overlay::press(model, key),
        Some(Overlay::Picker(_)) => picker::press(model, key, effects),
        Some(Overlay::Find(_)) => finder::press(model, key, effects),
        Some(Overlay::Origins(_)) => origins::press(model, key, effects),
        Some(Overlay::Write(prompt)) => match command {
            Some(Command::Cancel) => model.overlay = None,
            Some(Command::Accept) => accept(model, effects),
            _ => {
                if let Some(request) = edit_request(key) {
                    prompt.input.handle(request);
                    prompt.is_confirming = false;
                }
            }
        },
        Some(Overlay::Save(_)) => profile::press(model, key, command),
        None => {}
    }
}

/// Writes the stub to the typed path.
pub(super) fn accept(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(Overlay::Write(prompt)) = &model.overlay else { return };
    let (path, overwrite) = (prompt.input.value().trim().to_owned(), prompt.is_confirming);
    if !path.is_empty() {
        delivery::write(model, path, overwrite, effects);
    }
}

/// Inserts pasted text at the text cursor.
pub(super) fn insert(model: &mut Model, text: &str) {
    let Some(overlay) = &mut model.overlay else { return };
    let input = match overlay {
        Overlay::Text(text) if text.is_typing => &mut text.filter,
        Overlay::Text(_) | Overlay::Origins(_) => return,
        Overlay::Picker(picker) => &mut picker.input,
        Overlay::Find(finder) => &mut finder.input,
        Overlay::Write(prompt) => {
            prompt.is_confirming = false;
            &mut prompt.input
        }
        Overlay::Save(prompt) => {
            prompt.state = Saving::Typing;
            &mut prompt.input
        }
    };
    input.insert(text);
    match overlay {
        Overlay::Text(_) => text_overlay::scroll(model, 0),
        Overlay::Picker(picker) => picker.refresh(),
        Overlay::Find(finder) => finder.query_changed(),
        Overlay::Write(_) | Overlay::Save(_) | Overlay::Origins(_) => {}
    }
}
