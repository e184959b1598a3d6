//! Draws the model and changes nothing in it. There is one file per region of the screen.

mod agents;
mod api;
mod arguments;
mod ask;
mod finder;
mod footer;
mod header;
mod meaning;
mod modules;
mod origins;
mod page;
mod pane;
mod picker;
mod preview;
mod prompt;
mod save;
mod share;
mod symbols;
mod text_overlay;
mod tuning;

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::Style,
    widgets::{Clear, Widget},
};

use super::{
    geometry::{MINIMUM, Pane},
    layout,
    model::{Model, Overlay, TextField},
    widgets::{RowPainter, grouped, to_ascii, width, wrap},
};

/// Draws the screen; returns the place of the text cursor while text is typed.
pub fn draw(model: &Model, buffer: &mut Buffer) -> Option<Position> {
    let cursor = screen(model, buffer);
    if model.is_ascii {
        to_ascii(buffer);
    }
    cursor
}

fn screen(model: &Model, buffer: &mut Buffer) -> Option<Position> {
    let screen = Rect::new(0, 0, model.size.columns, model.size.rows).intersection(buffer.area);
    buffer.set_style(screen, model.theme.roles.background);
    let Some(areas) = layout::areas(model) else {
        too_small(model, screen, buffer);
        return None;
    };
    header::draw(model, areas.header, buffer);
    if let Some(page) = &model.page {
        let cursor = page::draw(model, page, buffer);
        footer::draw(model, &areas, buffer);
        return overlay(model, buffer, cursor);
    }
    if let Some(agents) = &model.agents {
        agents::draw(model, agents, buffer);
        footer::draw(model, &areas, buffer);
        return overlay(model, buffer, None);
    }
    if model.ask.is_open {
        let cursor = ask::draw(model, buffer);
        footer::draw(model, &areas, buffer);
        return overlay(model, buffer, cursor);
    }
    if let Some(tuning) = &model.tuning {
        tuning::draw(model, tuning, buffer);
        footer::draw(model, &areas, buffer);
        return overlay(model, buffer, None);
    }
    let mut cursor = None;
    for pane in Pane::ALL.into_iter().filter(|pane| !areas.pane(*pane).frame.is_empty()) {
        let typed = match pane {
            Pane::Modules => modules::draw(model, &areas, buffer),
            Pane::Symbols => symbols::draw(model, &areas, buffer),
            Pane::Arguments => arguments::draw(model, &areas, buffer),
            Pane::Preview => {
                preview::draw(model, &areas, buffer);
                None
            }
        };
        cursor = cursor.or(typed);
    }
    footer::draw(model, &areas, buffer);
    overlay(model, buffer, cursor)
}

/// Draws the overlay; returns its text cursor, or `cursor` if there is no overlay.
fn overlay(model: &Model, buffer: &mut Buffer, cursor: Option<Position>) -> Option<Position> {
    match &model.overlay {
        Some(Overlay::Text(text)) => text_overlay::draw(model, text, buffer),
        Some(Overlay::Picker(picker)) => Some(picker::draw(model, picker, buffer)),
        Some(Overlay::Find(finder)) => Some(finder::draw(model, finder, buffer)),
        Some(Overlay::Origins(list)) => {
            origins::draw(model, list, buffer);
            None
        }
        Some(Overlay::Write(prompt)) => Some(prompt::draw(model, prompt, buffer)),
        Some(Overlay::Save(prompt)) => Some(save::draw(model, prompt, buffer)),
        None => cursor,
    }
}

fn too_small(model: &Model, screen: Rect, buffer: &mut Buffer) {
    let size = model.size;
    let lines = [
        "the window is too small".to_owned(),
        format!("{}×{}; {}×{} is needed", size.columns, size.rows, MINIMUM.columns, MINIMUM.rows),
    ];
    let top = (size.rows / 2).saturating_sub(1);
    for (line, text) in (0..).zip(&lines) {
        let mut row = RowPainter::new(buffer, screen, top + line);
        row.gap(size.columns.saturating_sub(width(text) as u16) / 2);
        row.left(text, model.theme.roles.text);
    }
}

/// Writes a message in the middle of an empty area, wrapped to its width.
fn message(model: &Model, area: Rect, buffer: &mut Buffer, lines: &[&str]) {
    let lines: Vec<String> =
        lines.iter().flat_map(|line| wrap(line, usize::from(area.width.saturating_sub(4)))).collect();
    let top = area.height.saturating_sub(lines.len() as u16) / 2;
    for (line, text) in (0..).zip(&lines) {
        let mut row = RowPainter::new(buffer, area, top + line);
        row.gap(area.width.saturating_sub(width(text) as u16) / 2);
        row.left(text, model.theme.roles.dim);
    }
}

/// What stands at the end of a text field from which characters were left out.
fn limit(field: &TextField) -> Option<String> {
    field.is_cut().then(|| format!(" cut at {} ", grouped(TextField::MAX)))
}

/// Draws a line of typed text; returns its text cursor.
fn typed(row: &mut RowPainter<'_>, field: &TextField, style: Style) -> Position {
    if let Some(limit) = limit(field) {
        row.right(&limit, style);
    }
    let input = field.input();
    let (x, y, room) = (row.x(), row.y(), row.room());
    let scroll = input.visual_scroll(usize::from(room.max(1)));
    row.left(&skip_cells(input.value(), scroll), style);
    let column = input.visual_cursor().saturating_sub(scroll) as u16;
    Position::new(x + column.min(room.saturating_sub(1)), y)
}

/// The text without its first `cells` cells.
fn skip_cells(text: &str, cells: usize) -> String {
    let mut skipped = 0;
    text.chars()
        .skip_while(|c| {
            let skip = skipped < cells;
            skipped += width(c.encode_utf8(&mut [0; 4]));
            skip
        })
        .collect()
}

/// Clears the area of an overlay.
fn clear(model: &Model, area: Rect, buffer: &mut Buffer) {
    Clear.render(area, buffer);
    buffer.set_style(area, model.theme.roles.background);
}
