//! Draws a text over the panes: the help, the legend, or the problems.

use ratatui::{
    buffer::Buffer,
    layout::{Margin, Position, Rect},
};

use super::{clear, message, typed};
use crate::tui::{
    command::Command,
    geometry,
    model::{Model, TextLine, TextOverlay},
    widgets::{Border, RowPainter, scroll_mark},
};
use apidisc::search;

pub(super) fn draw(model: &Model, overlay: &TextOverlay, buffer: &mut Buffer) -> Option<Position> {
    let roles = &model.theme.roles;
    let kind = overlay.kind;
    let all = kind.lines(model);
    let lines = overlay.lines(model);
    // The frame has the size of the unfiltered text, so that it does not change while the filter is typed.
    let frame = geometry::text_overlay(model.size, all.len());
    clear(model, frame, buffer);
    Border { line: roles.border_focused, background: roles.background }.draw(frame, buffer);
    let cursor = title(model, overlay, frame, buffer);
    let body: Rect = frame.inner(Margin::new(2, 1));
    let column = kind.column(model) as u16;
    let found = |text: &str| {
        let pattern = overlay.filter.value();
        let found = if pattern.is_empty() { Vec::new() } else { search::word_positions(pattern, text) };
        (found, roles.found)
    };
    for (at, line) in (0..body.height).zip(lines.iter().skip(overlay.offset)) {
        let mut row = RowPainter::new(buffer, body, at);
        match line {
            TextLine::Heading(text) => row.left(text, roles.accent),
            TextLine::Pair(key, text) => {
                let (marks, style) = found(text);
                row.gap(2).column(key, column + 2, roles.key).matched(text, &marks, roles.text, style)
            }
            TextLine::Text(text) => {
                let (marks, style) = found(text);
                row.gap(2).matched(text, &marks, roles.text, style)
            }
            TextLine::Blank => &mut row,
        };
    }
    if lines.is_empty() {
        message(model, body, buffer, &["no line holds that", "Esc shows all of them"]);
    }
    scroll_mark(buffer, frame, body, overlay.offset, lines.len(), roles.accent);
    cursor
}

/// Draws the title and the filter. Returns the position of the text cursor while the filter is being typed.
fn title(model: &Model, overlay: &TextOverlay, frame: Rect, buffer: &mut Buffer) -> Option<Position> {
    let roles = &model.theme.roles;
    let key = |command| model.keymap.first(command).unwrap_or_default();
    let mut top = Border::top(frame, buffer);
    let hint = if overlay.is_typing {
        format!(" {} shows all ", key(Command::Cancel))
    } else {
        format!(" {} filters · {} closes ", key(Command::Filter), key(Command::Clear))
    };
    top.right(&hint, roles.dim);
    top.left(&format!(" {} ", overlay.kind.title()), roles.title_focused);
    if !overlay.is_typing && overlay.filter.value().is_empty() {
        return None;
    }
    top.left("/", roles.key);
    let cursor = typed(&mut top, &overlay.filter, roles.found);
    top.left(" ", roles.title_focused);
    overlay.is_typing.then_some(cursor)
}
