//! A list to choose from by typing: commands, themes, or stubs to compare with.
//!
//! ```text
//! ╭ Commands ────────────────── Esc closes ╮
//! │ > strat                                │
//! │                                        │
//! │▌next-strategy    the next strategy   s │
//! ╰────────────────────────────────────────╯
//! ```

use ratatui::{buffer::Buffer, layout::Position};

use super::{clear, message, pane, typed};
use crate::tui::{
    command::Command,
    layout,
    model::{Model, Picker},
    widgets::{Border, RowPainter, scroll_mark, width},
};

pub(super) fn draw(model: &Model, picker: &Picker, buffer: &mut Buffer) -> Position {
    let roles = &model.theme.roles;
    let area = layout::picker(model.size, picker);
    clear(model, area.frame, buffer);
    Border { line: roles.border_focused, background: roles.background }.draw(area.frame, buffer);
    let mut top = Border::top(area.frame, buffer);
    if let Some(key) = model.keymap.first(Command::Cancel) {
        top.right(&format!(" {key} closes "), roles.dim);
    }
    top.left(&format!(" {} ", picker.title), roles.title_focused);
    let mut row = RowPainter::new(buffer, area.head, 0);
    row.gap(1).margin(1).left("> ", roles.accent);
    let cursor = typed(&mut row, &picker.input, roles.text);
    if picker.input.value().is_empty() {
        row.left(picker.hint, roles.dim);
    }
    if picker.rows.is_empty() {
        message(model, area.body, buffer, &["nothing matches"]);
    }
    let names = picker.choices.iter().map(|choice| width(&choice.name)).max().unwrap_or(0) as u16;
    let names = names.min(area.body.width / 2);
    for (line, at, selected) in
        pane::visible(area.body, picker.cursor.offset, picker.cursor.selected, picker.rows.len())
    {
        let found = &picker.rows[at];
        let choice = &picker.choices[found.choice];
        let mut row = RowPainter::new(buffer, area.body, line);
        row.left(pane::mark(model, selected), roles.accent).margin(1);
        row.right(&choice.note, roles.key).margin(1);
        let end = row.x() + names;
        row.matched(&choice.name, &found.in_name, roles.text, roles.found);
        row.gap(end.saturating_sub(row.x()) + 2).matched(&choice.help, &found.in_help, roles.dim, roles.found);
        if selected {
            pane::highlight(area.body, line, roles.selected, buffer);
        }
    }
    scroll_mark(buffer, area.frame, area.body, picker.cursor.offset, picker.rows.len(), roles.border_focused);
    cursor
}
