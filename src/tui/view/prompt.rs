//! Draws the prompt for a path to write the stub to, with the command line that prints the same bytes.

use ratatui::{
    buffer::Buffer,
    layout::{Margin, Position},
};

use super::{clear, typed};
use crate::tui::{
    geometry,
    model::{Model, WritePrompt},
    widgets::{Border, RowPainter, wrap},
};

pub(super) fn draw(model: &Model, prompt: &WritePrompt, buffer: &mut Buffer) -> Position {
    let roles = &model.theme.roles;
    let frame = geometry::prompt(model.size, &prompt.command);
    let command = wrap(&prompt.command, usize::from(frame.width.saturating_sub(4)));
    clear(model, frame, buffer);
    Border { line: roles.border_focused, background: roles.background }.draw(frame, buffer);
    let mut top = Border::top(frame, buffer);
    top.right(" Esc closes ", roles.dim).left(" Write the stub to ", roles.title_focused);
    let body = frame.inner(Margin::new(2, 1));
    let cursor = typed(&mut RowPainter::new(buffer, body, 0), &prompt.input, roles.text);
    if prompt.is_confirming {
        RowPainter::new(buffer, body, 1).left("is there already; Enter replaces it", roles.error);
    } else {
        RowPainter::new(buffer, body, 1).left("Enter writes, whole or not at all", roles.dim);
    }
    if !prompt.command.is_empty() {
        RowPainter::new(buffer, body, 3).left("the same bytes without a screen:", roles.dim);
    }
    for (line, text) in (4..).zip(&command) {
        RowPainter::new(buffer, body, line).left(text, roles.text);
    }
    cursor
}
