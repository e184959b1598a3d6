//! Edits the filter of a list as the user types it, and receives the answers of the matcher.

use std::sync::Arc;

use tui_input::InputRequest;

use super::browse;
use crate::tui::{
    command::{Command, CommandContext},
    geometry::Pane,
    input::{Code, KeyPress},
    model::{FilterMatch, Model},
};

/// Begins to type the filter of the focused list. If the preview has the focus, the list of symbols is filtered.
pub(super) fn begin(model: &mut Model) {
    let pane = if model.focus == Pane::Preview { Pane::Symbols } else { model.focus };
    browse::focus(model, pane);
    model.editing = Some(model.focus);
}

pub(super) fn press(model: &mut Model, pane: Pane, key: KeyPress) {
    if let Some(command) = model.keymap.lookup(CommandContext::Typing, key) {
        run(model, pane, command);
    } else if let Some(request) = edit_request(key) {
        let filter = model.filter_mut(pane);
        let before = filter.pattern().to_owned();
        filter.input.handle(request);
        if filter.pattern().is_empty() && !before.is_empty() {
            clear(model, pane);
        } else if filter.pattern() != before {
            filter.changed();
        }
    }
}

/// Runs a command while the filter of a list is typed.
pub(super) fn run(model: &mut Model, pane: Pane, command: Command) {
    match command {
        Command::Accept => model.editing = None,
        Command::Cancel => {
            model.editing = None;
            clear(model, pane);
        }
        Command::NextMatch => browse::step(model, 1),
        Command::PreviousMatch => browse::step(model, -1),
        Command::NextMatches => browse::step_pages(model, 1),
        Command::PreviousMatches => browse::step_pages(model, -1),
        _ => {}
    }
}

/// Inserts pasted text at the text cursor.
pub(super) fn insert(model: &mut Model, pane: Pane, text: &str) {
    let filter = model.filter_mut(pane);
    filter.input.insert(text);
    filter.changed();
}

/// Removes the filter and keeps the selection.
pub(super) fn clear(model: &mut Model, pane: Pane) {
    let Some(catalog) = model.catalog.clone() else { return };
    if !model.filter(pane).is_on() && model.filter(pane).matches.is_none() {
        return;
    }
    match pane {
        Pane::Modules => model.modules.clear_filter(&catalog),
        Pane::Symbols | Pane::Preview
            if let Some((api, _)) = model.document().map(|(api, at)| (Arc::clone(api), at)) =>
        {
            model.api.parts.clear_filter(&api);
        }
        Pane::Arguments if model.is_in_document() => {
            model.api.arguments.remember();
            model.api.arguments.state.clear_filter();
        }
        Pane::Symbols | Pane::Preview => model.symbols.clear_filter(&catalog),
        Pane::Arguments => {
            model.arguments.remember(&catalog);
            model.arguments.state.clear_filter();
        }
    }
}

/// Stores an answer of the matcher, unless a newer request is pending.
pub(super) fn matched(model: &mut Model, pane: Pane, ticket: u64, matches: Vec<FilterMatch>) {
    let filter = model.filter_mut(pane);
    if filter.ticket != ticket || !filter.is_on() {
        return;
    }
    filter.matches = Some(matches);
    let is_new_pattern = std::mem::take(&mut filter.is_fresh);
    model.list_mut(pane).refresh(is_new_pattern);
}

/// The editing operation of a key in a line of text.
pub(super) fn edit_request(key: KeyPress) -> Option<InputRequest> {
    let request = match (key.code, key.ctrl, key.alt) {
        (Code::Char('a'), true, false) | (Code::Home, ..) => InputRequest::GoToStart,
        (Code::Char('e'), true, false) | (Code::End, ..) => InputRequest::GoToEnd,
        (Code::Char('w'), true, false) | (Code::Backspace, _, true) => InputRequest::DeletePrevWord,
        (Code::Char('u'), true, false) => InputRequest::DeleteFromStart,
        (Code::Char('k'), true, false) => InputRequest::DeleteTillEnd,
        (Code::Backspace, ..) | (Code::Char('h'), true, false) => InputRequest::DeletePrevChar,
        (Code::Delete, ..) => InputRequest::DeleteNextChar,
        (Code::Left, false, false) => InputRequest::GoToPrevChar,
        (Code::Right, false, false) => InputRequest::GoToNextChar,
        (Code::Left, ..) => InputRequest::GoToPrevWord,
        (Code::Right, ..) => InputRequest::GoToNextWord,
        (Code::Char(c), false, false) => InputRequest::InsertChar(c),
        _ => return None,
    };
    Some(request)
}
