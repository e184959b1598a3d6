//! A text over the panes: scrolling, filtering, closing.

use super::filter::edit_request;
use crate::tui::{
    command::{Command, CommandContext},
    geometry,
    input::KeyPress,
    model::{Model, Overlay, TextOverlay},
};

pub(super) fn press(model: &mut Model, key: KeyPress) {
    let Some(command) = model.keymap.lookup(CommandContext::Browse, key) else { return };
    match command {
        Command::Up => scroll(model, -1),
        Command::Down => scroll(model, 1),
        Command::PageUp => scroll(model, -screenful(model)),
        Command::PageDown => scroll(model, screenful(model)),
        Command::First => scroll(model, isize::MIN),
        Command::Last => scroll(model, isize::MAX),
        Command::Filter => with(model, |text| text.is_typing = true),
        Command::Clear if is_filtered(model) => with(model, |text| text.filter.clear()),
        Command::Quit | Command::Clear | Command::Help | Command::Legend | Command::Problems | Command::Enter => {
            model.overlay = None;
        }
        _ => {}
    }
}

/// Handles a key while the filter is typed.
pub(super) fn type_key(model: &mut Model, key: KeyPress) {
    match model.keymap.lookup(CommandContext::Typing, key) {
        Some(Command::Accept) => with(model, |text| text.is_typing = false),
        Some(Command::Cancel) => with(model, |text| {
            text.filter.clear();
            text.is_typing = false;
        }),
        Some(Command::NextMatch) => scroll(model, 1),
        Some(Command::PreviousMatch) => scroll(model, -1),
        Some(Command::NextMatches) => scroll(model, screenful(model)),
        Some(Command::PreviousMatches) => scroll(model, -screenful(model)),
        _ => {
            if let Some(request) = edit_request(key) {
                with(model, |text| {
                    text.filter.handle(request);
                    text.offset = 0;
                });
            }
        }
    }
}

/// Scrolls by `by` lines.
pub(super) fn scroll(model: &mut Model, by: isize) {
    let Some(Overlay::Text(text)) = &model.overlay else { return };
    let line = text.offset.saturating_add_signed(by).min(text.last_line(model));
    with(model, |text| text.offset = line);
}

/// The number of lines of a page of scrolling: the visible lines less two.
fn screenful(model: &Model) -> isize {
    let Some(Overlay::Text(text)) = &model.overlay else { return 0 };
    let height = geometry::text_overlay(model.size, text.kind.lines(model).len()).height;
    isize::try_from(height.saturating_sub(4)).unwrap_or(1).max(1)
}

fn is_filtered(model: &Model) -> bool {
    matches!(&model.overlay, Some(Overlay::Text(text)) if !text.filter.value().is_empty())
}

fn with(model: &mut Model, change: impl FnOnce(&mut TextOverlay)) {
    if let Some(Overlay::Text(text)) = &mut model.overlay {
        change(text);
    }
}
