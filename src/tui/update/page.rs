//! Reading a page: scrolling, narrowing it, closing it.

use tui_input::Input;

use super::filter::edit_request;
use crate::tui::{
    command::{Command, Context},
    input::Key,
    layout,
    model::{Model, Overlay, Reading},
};

pub(super) fn press(model: &mut Model, key: Key) {
    let Some(command) = model.keymap.lookup(Context::Browse, key) else { return };
    match command {
        Command::Up => turn(model, -1),
        Command::Down => turn(model, 1),
        Command::PageUp => turn(model, -screenful(model)),
        Command::PageDown => turn(model, screenful(model)),
        Command::First => turn(model, isize::MIN),
        Command::Last => turn(model, isize::MAX),
        Command::Filter => with(model, |reading| reading.is_typing = true),
        Command::Clear if narrowed(model) => with(model, |reading| reading.filter = Input::default()),
        Command::Quit | Command::Clear | Command::Help | Command::Ledger | Command::Problems | Command::Enter => {
            model.overlay = None;
        }
        _ => {}
    }
}

/// A key while the filter is typed.
pub(super) fn type_key(model: &mut Model, key: Key) {
    match model.keymap.lookup(Context::Typing, key) {
        Some(Command::Accept) => with(model, |reading| reading.is_typing = false),
        Some(Command::Cancel) => with(model, |reading| {
            reading.filter = Input::default();
            reading.is_typing = false;
        }),
        Some(Command::NextMatch) => turn(model, 1),
        Some(Command::PreviousMatch) => turn(model, -1),
        Some(Command::NextMatches) => turn(model, screenful(model)),
        Some(Command::PreviousMatches) => turn(model, -screenful(model)),
        _ => {
            if let Some(request) = edit_request(key) {
                with(model, |reading| {
                    reading.filter.handle(request);
                    reading.line = 0;
                });
            }
        }
    }
}

/// Scrolls by so many lines.
pub(super) fn turn(model: &mut Model, by: isize) {
    let Some(Overlay::Page(reading)) = &model.overlay else { return };
    let line = reading.line.saturating_add_signed(by).min(reading.last_line(model));
    with(model, |reading| reading.line = line);
}

/// Lines of a page on the screen, less two that stay in sight.
fn screenful(model: &Model) -> isize {
    let Some(Overlay::Page(reading)) = &model.overlay else { return 0 };
    let height = layout::page(model.size, reading.page.lines(model).len()).height;
    isize::try_from(height.saturating_sub(4)).unwrap_or(1).max(1)
}

fn narrowed(model: &Model) -> bool {
    matches!(&model.overlay, Some(Overlay::Page(reading)) if !reading.filter.value().is_empty())
}

fn with(model: &mut Model, change: impl FnOnce(&mut Reading)) {
    if let Some(Overlay::Page(reading)) = &mut model.overlay {
        change(reading);
    }
}
