//! The parts that all panes share: border, title, filter, selected row.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::{Modifier, Style},
};

use super::limit;
use crate::tui::{
    command::Command,
    geometry::{self, Pane, PaneArea},
    model::{Disclosure, Model},
    widgets::{Border, RowPainter, sanitized, width},
};

/// Draws the key that closes a page in its upper border; returns the cells that the hint takes.
pub(super) fn close_hint(model: &Model, frame: Rect, buffer: &mut Buffer) -> u16 {
    let area = geometry::close_hint(frame);
    if let Some(key) = model.keymap.first(Command::Clear) {
        RowPainter::new(buffer, area, 0).right(&format!(" {key} closes "), model.theme.roles.dim);
    }
    area.width
}

/// Draws the border, the title and the filter; returns the text cursor while the filter is typed.
pub(super) fn frame(
    model: &Model,
    pane: Pane,
    area: &PaneArea,
    buffer: &mut Buffer,
    title: &str,
    right: &str,
) -> Option<Position> {
    let roles = &model.theme.roles;
    let focused = model.focus == pane && model.overlay.is_none();
    let (border, style) =
        if focused { (roles.border_focused, roles.title_focused) } else { (roles.border, roles.title) };
    Border { line: border, background: roles.background }.draw(area.frame, buffer);
    let mut top = Border::top(area.frame, buffer);
    let filter = model.filter(pane);
    let editing = model.editing == Some(pane);
    if pane != Pane::Preview && (editing || filter.is_on()) {
        let found = filter.matches.as_ref().map(|matches| format!(" {} found ", matches.len()));
        top.right(&limit(&filter.input).or(found).unwrap_or_default(), roles.count);
        top.left(&format!(" {title} "), style).left("/", roles.key);
        let before: String = filter.pattern().chars().take(filter.input.input().cursor()).collect();
        let cursor = top.x() + width(&sanitized(&before)) as u16;
        top.left(filter.pattern(), roles.found).left(" ", style);
        return editing.then(|| Position::new(cursor.min(area.frame.right().saturating_sub(2)), area.frame.y));
    }
    if !right.is_empty() {
        top.right(&format!(" {right} "), roles.count);
    }
    top.left(&format!(" {title} "), style);
    None
}

/// Begins a row of a list with the mark of the selection. The style of the selection is applied after the text is
/// drawn; see [`selection`].
pub(super) fn row<'a>(
    model: &Model,
    pane: Pane,
    area: Rect,
    line: u16,
    selected: bool,
    buffer: &'a mut Buffer,
) -> RowPainter<'a> {
    let roles = &model.theme.roles;
    let mut row = RowPainter::new(buffer, area, line);
    row.left(mark(model, selected && model.focus == pane), roles.accent).margin(1);
    row
}

/// The mark of a selected row, or a space. In ASCII the mark is `>`, since `▌` would become `#` as bars do.
pub(super) fn mark(model: &Model, selected: bool) -> &'static str {
    match (selected, model.is_ascii) {
        (false, _) => " ",
        (true, false) => "▌",
        (true, true) => ">",
    }
}

/// Applies the style of the selection to a row.
pub(super) fn selection(model: &Model, pane: Pane, area: Rect, line: u16, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let style = if model.focus == pane { roles.selected } else { roles.selected_blurred };
    highlight(area, line, style, buffer);
}

/// Applies a style to a row.
pub(super) fn highlight(area: Rect, line: u16, style: Style, buffer: &mut Buffer) {
    let area = Rect { y: area.y + line, height: 1, ..area };
    let style = if style.bg.is_some() { style.remove_modifier(Modifier::DIM) } else { style };
    buffer.set_style(area.intersection(buffer.area), style);
}

/// The disclosure triangle of a row.
pub(super) fn disclosure(disclosure: Disclosure) -> &'static str {
    match disclosure {
        Disclosure::Leaf => "  ",
        Disclosure::Closed => "▸ ",
        Disclosure::Open => "▾ ",
    }
}

/// The visible rows of a list: the line in the area, the index of the row, and whether it is selected.
pub(super) fn visible(
    area: Rect,
    offset: usize,
    selected: usize,
    len: usize,
) -> impl Iterator<Item = (u16, usize, bool)> {
    (0..area.height).zip(offset..len).map(move |(line, position)| (line, position, position == selected))
}

/// The style of a name, dimmed if it is never called.
pub(super) fn name_style(model: &Model, calls: u32) -> Style {
    if calls == 0 { model.theme.roles.dim } else { model.theme.roles.text }
}

/// Splits sorted positions at `at`; the positions of the second part are relative to `at`.
pub(super) fn split(positions: &[u32], at: u32) -> (&[u32], Vec<u32>) {
    let (before, after) = positions.split_at(positions.partition_point(|position| *position < at));
    (before, after.iter().map(|position| position - at).collect())
}
