//! The source of the selected row: a place such as a call or a definition, with the lines around the place.

use ratatui::{
    buffer::Buffer,
    layout::{Margin, Rect},
};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::tui::{
    model::{
        Excerpt, Model,
        page::{Page, SourceView},
    },
    view::{
        message,
        preview::{scrolled_line, source_piece},
    },
    widgets::{Border, RowPainter, sanitized, width},
};

/// The least number of columns that stay visible left of the place when the source is scrolled to the right.
const MARGIN: usize = 4;

pub(super) fn draw(model: &Model, page: &Page, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let border = if page.source_view.is_zoomed { roles.border_focused } else { roles.border };
    Border { line: border, background: roles.background }.draw(area, buffer);
    let inner = area.inner(Margin::new(1, 1));
    match &page.source_view.shown {
        Some(Ok(excerpt)) => {
            let line = match excerpt.first {
                0 => String::new(),
                first => format!(":{}", first as usize + excerpt.focus.start),
            };
            let mut top = Border::top(area, buffer);
            top.left(" ", roles.title).matched_tail(&format!("{}{line} ", excerpt.path), &[], roles.title, roles.title);
            source(model, excerpt, &page.source_view, inner, buffer);
        }
        Some(Err(why)) => message(model, inner, buffer, &[why]),
        None if page.source_view.wanted.is_some() => {}
        None => message(model, inner, buffer, &["no source belongs to this row"]),
    }
}

/// Draws the lines.
fn source(model: &Model, excerpt: &Excerpt, view: &SourceView, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let numbers = (excerpt.first as usize + excerpt.lines.len()).to_string().len() as u16;
    let room = usize::from(area.width.saturating_sub(numbers + 4));
    let (top, rows) = if model.wraps_source {
        wrapped(excerpt, view.scroll, area.height.into(), room)
    } else {
        // Only the lines of the place are scrolled to it; the lines around it keep their beginnings.
        let beyond = beyond(excerpt, room);
        let skip = |at| view.columns + if excerpt.focus.contains(&at) { beyond } else { 0 };
        let top = excerpt.top(area.height.into(), view.scroll);
        (top, (top..excerpt.lines.len()).map(|at| (at, skip(at))).collect())
    };
    let mut last = top.checked_sub(1);
    for (line, (at, skip)) in (0..area.height).zip(rows) {
        let is_focus = excerpt.focus.contains(&at);
        // A continued line has no number.
        let number = match excerpt.first {
            first if first == 0 || last == Some(at) => " ".repeat(usize::from(numbers)),
            first => format!("{:>1$}", first as usize + at, usize::from(numbers)),
        };
        let number = if excerpt.first == 0 { String::new() } else { number };
        last = Some(at);
        let mut row = RowPainter::new(buffer, area, line);
        row.left(if is_focus { "▌" } else { " " }, roles.accent);
        row.left(&number, if is_focus { roles.text } else { roles.dim });
        let code = Rect { x: row.x() + 2, y: area.y + line, width: row.room().saturating_sub(3), height: 1 };
        let runs = excerpt.runs.get(at).map_or(&[][..], Vec::as_slice);
        if model.wraps_source {
            source_piece(&model.theme, &excerpt.lines[at], runs, skip, code, buffer);
        } else {
            scrolled_line(&model.theme, &excerpt.lines[at], runs, skip, code, buffer);
        }
        if is_focus {
            let row = Rect { y: area.y + line, height: 1, ..area };
            buffer.set_style(row.intersection(buffer.area), roles.selected_blurred);
        }
    }
}

/// The first visible line, and the rows from there on if long lines are wrapped: the line of each, and the column that
/// it begins with. The place stays visible unless the user scrolls.
fn wrapped(excerpt: &Excerpt, scroll: isize, height: usize, room: usize) -> (usize, Vec<(usize, usize)>) {
    let mut top = excerpt.initial_top(height).saturating_add_signed(scroll).min(excerpt.lines.len().saturating_sub(1));
    if scroll == 0 {
        let rows_of = |at: usize| pieces(&excerpt.lines[at], room).len();
        let mut above: usize = (top..excerpt.focus.start.min(excerpt.lines.len())).map(rows_of).sum();
        while above >= height && top < excerpt.focus.start {
            above -= rows_of(top);
            top += 1;
        }
    }
    let rows = (top..excerpt.lines.len()).flat_map(|at| {
        let starts = pieces(&excerpt.lines[at], room);
        starts.into_iter().map(move |column| (at, column))
    });
    (top, rows.take(height).collect())
}

/// The columns at which the pieces of a line begin, none of them wider than `room` cells.
fn pieces(line: &str, room: usize) -> Vec<usize> {
    let (mut starts, mut column) = (vec![0], 0);
    for grapheme in sanitized(line).graphemes(true) {
        let cells = width(grapheme);
        if column + cells > starts[starts.len() - 1] + room.max(2) {
            starts.push(column);
        }
        column += cells;
    }
    starts
}

/// The number of columns to scroll to the right so that the place is visible. 0 if the whole place is visible without
/// scrolling, or a part of it that is a third as wide as the area.
fn beyond(excerpt: &Excerpt, room: usize) -> usize {
    let Some(line) = excerpt.lines.get(excerpt.focus.start) else { return 0 };
    let (start, end) = excerpt.columns;
    let end = if excerpt.focus.len() == 1 { end.max(start) } else { line.len() };
    let [start, end] = [start, end].map(|at| line.get(..at).map_or(0, width));
    if start + (end - start).min(room / 3) <= room {
        return 0;
    }
    // If the place is wider than the area, its beginning is visible.
    (end + 1).saturating_sub(room).min(start.saturating_sub(MARGIN))
}
