//! A text over the panes: the help, the ledger.

use ratatui::{
    buffer::Buffer,
    layout::{Margin, Position, Rect},
};

use super::{clear, message, typed};
use crate::tui::{
    command::Command,
    layout,
    model::{Line, Model, Page, Reading},
    widgets::{Frame, Row, scroll_mark, width},
};
use apidisc::search;

pub(super) fn draw(model: &Model, reading: &Reading, buffer: &mut Buffer) -> Option<Position> {
    let roles = &model.theme.roles;
    let page = reading.page;
    let all = page.lines(model);
    let lines = reading.lines(model);
    // As large as without a filter, so that it does not jump while that is typed.
    let frame = layout::page(model.size, all.len());
    clear(model, frame, buffer);
    Frame { border: roles.border_focused, background: roles.background }.draw(frame, buffer);
    let cursor = title(model, reading, frame, buffer);
    let body: Rect = frame.inner(Margin::new(2, 1));
    let column = page.column(model) as u16;
    let found = |text: &str| {
        let pattern = reading.filter.value();
        let found = if pattern.is_empty() { Vec::new() } else { search::word_positions(pattern, text) };
        (found, roles.found)
    };
    for (at, line) in (0..body.height).zip(lines.iter().skip(reading.line)) {
        let mut row = Row::new(buffer, body, at);
        match line {
            Line::Heading(text) => row.left(text, roles.accent),
            Line::Pair(key, text) => {
                // Numbers are aligned by their last digit, keys by their first letter.
                let shift = if page == Page::Ledger { column.saturating_sub(width(key) as u16) } else { 0 };
                let (marks, style) = found(text);
                row.gap(2 + shift).column(key, column - shift + 2, roles.key).matched(text, &marks, roles.text, style)
            }
            Line::Text(text) => {
                let (marks, style) = found(text);
                row.gap(2).matched(text, &marks, roles.text, style)
            }
            Line::Blank => &mut row,
        };
    }
    if lines.is_empty() {
        message(model, body, buffer, &["no line holds that", "Esc shows all of them"]);
    }
    scroll_mark(buffer, frame, body, reading.line, lines.len(), roles.accent);
    cursor
}

/// The title with the filter behind it; says where the cursor is while that is typed.
fn title(model: &Model, reading: &Reading, frame: Rect, buffer: &mut Buffer) -> Option<Position> {
    let roles = &model.theme.roles;
    let key = |command| model.keymap.first(command).unwrap_or_default();
    let mut top = Frame::top(frame, buffer);
    let hint = if reading.is_typing {
        format!(" {} shows all ", key(Command::Cancel))
    } else {
        format!(" {} filters · {} closes ", key(Command::Filter), key(Command::Clear))
    };
    top.right(&hint, roles.dim);
    top.left(&format!(" {} ", reading.page.title()), roles.title_focused);
    if !reading.is_typing && reading.filter.value().is_empty() {
        return None;
    }
    top.left("/", roles.key);
    let cursor = typed(&mut top, &reading.filter, roles.found);
    top.left(" ", roles.title_focused);
    reading.is_typing.then_some(cursor)
}
