//! Keys while something lies over the panes.

use tui_input::InputRequest;

use super::{filter::edit_request, take};
use crate::tui::{
    command::{Command, Context, lookup},
    effect::Effect,
    input::{Code, Key},
    layout,
    model::{Model, Overlay, Page, WritePrompt},
};

pub(super) fn press(model: &mut Model, key: Key, effects: &mut Vec<Effect>) {
    match &mut model.overlay {
        Some(Overlay::Page { page, line }) => {
            let (page, line) = (*page, *line);
            let height = isize::try_from(layout::page(model.size, page.lines(model).len()).height).unwrap_or(1);
            match lookup(Context::Browse, key) {
                Some(Command::Up) => turn(model, page, line, -1),
                Some(Command::Down) => turn(model, page, line, 1),
                Some(Command::PageUp) => turn(model, page, line, 3 - height),
                Some(Command::PageDown) => turn(model, page, line, height - 3),
                Some(Command::First) => turn(model, page, line, isize::MIN),
                Some(Command::Last) => turn(model, page, line, isize::MAX),
                Some(Command::Quit | Command::Clear | Command::Help | Command::Ledger | Command::Enter) => {
                    model.overlay = None;
                }
                _ => {}
            }
        }
        Some(Overlay::Write(prompt)) => match key.code {
            Code::Esc => model.overlay = None,
            Code::Enter => {
                let (path, overwrite) = (prompt.input.value().trim().to_owned(), prompt.confirm);
                if !path.is_empty() {
                    take::write(model, path, overwrite, effects);
                }
            }
            _ => {
                if let Some(request) = edit_request(key) {
                    prompt.input.handle(request);
                    prompt.confirm = false;
                }
            }
        },
        None => {}
    }
}

/// Scrolls a page by so many lines.
pub(super) fn turn(model: &mut Model, page: Page, line: usize, by: isize) {
    let line = line.saturating_add_signed(by).min(page.last_line(model));
    model.overlay = Some(Overlay::Page { page, line });
}

/// Puts pasted text where the cursor is.
pub(super) fn insert(prompt: &mut WritePrompt, text: &str) {
    for c in text.chars() {
        prompt.input.handle(InputRequest::InsertChar(c));
    }
    prompt.confirm = false;
}
