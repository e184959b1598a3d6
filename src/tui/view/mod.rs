//! The model as a screen: reads and draws, changes nothing. A file a region.

mod arguments;
mod footer;
mod header;
mod modules;
mod page;
mod pane;
mod preview;
mod prompt;
mod symbols;

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    widgets::{Clear, Widget},
};

use super::{
    layout::{self, MINIMUM},
    model::{Model, Overlay},
    widgets::{Row, width},
};

/// Draws everything, and says where the text cursor is where something is typed.
pub fn draw(model: &Model, buffer: &mut Buffer) -> Option<Position> {
    let screen = Rect::new(0, 0, model.size.columns, model.size.rows).intersection(buffer.area);
    buffer.set_style(screen, model.theme.roles.background);
    let Some(areas) = layout::areas(model) else {
        too_small(model, screen, buffer);
        return None;
    };
    header::draw(model, areas.header, buffer);
    let cursors = [
        modules::draw(model, &areas, buffer),
        symbols::draw(model, &areas, buffer),
        arguments::draw(model, &areas, buffer),
    ];
    preview::draw(model, &areas, buffer);
    footer::draw(model, areas.footer, buffer);
    match &model.overlay {
        Some(Overlay::Page { page, line }) => {
            page::draw(model, *page, *line, buffer);
            None
        }
        Some(Overlay::Write(prompt)) => Some(prompt::draw(model, prompt, buffer)),
        None => cursors.into_iter().flatten().next(),
    }
}

fn too_small(model: &Model, screen: Rect, buffer: &mut Buffer) {
    let size = model.size;
    let lines = [
        "the window is too small".to_owned(),
        format!("{}×{} of {}×{}", size.columns, size.rows, MINIMUM.columns, MINIMUM.rows),
    ];
    let top = (size.rows / 2).saturating_sub(1);
    for (line, text) in (0..).zip(&lines) {
        let mut row = Row::new(buffer, screen, top + line);
        row.gap(size.columns.saturating_sub(width(text) as u16) / 2);
        row.left(text, model.theme.roles.text);
    }
}

/// A few words in the middle of an empty pane; the first line is the news, the others help.
fn message(model: &Model, area: Rect, buffer: &mut Buffer, lines: &[&str]) {
    let lines: Vec<String> =
        lines.iter().flat_map(|line| wrap(line, usize::from(area.width.saturating_sub(4)))).collect();
    let top = area.height.saturating_sub(lines.len() as u16) / 2;
    for (line, text) in (0..).zip(&lines) {
        let mut row = Row::new(buffer, area, top + line);
        row.gap(area.width.saturating_sub(width(text) as u16) / 2);
        row.left(text, model.theme.roles.dim);
    }
}

/// Breaks a sentence between words.
fn wrap(text: &str, cells: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= cells => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Empties an overlay's area.
fn clear(model: &Model, area: Rect, buffer: &mut Buffer) {
    Clear.render(area, buffer);
    buffer.set_style(area, model.theme.roles.background);
}
