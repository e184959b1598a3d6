//! The path to write the stub to, and the command that prints the same bytes.

use ratatui::{
    buffer::Buffer,
    layout::{Margin, Position},
};

use super::{clear, wrap};
use crate::tui::{
    layout,
    model::{Model, WritePrompt},
    widgets::{Frame, Row, width},
};

pub(super) fn draw(model: &Model, prompt: &WritePrompt, buffer: &mut Buffer) -> Position {
    let roles = &model.theme.roles;
    let inner_width = usize::from(layout::prompt(model.size, 1).width.saturating_sub(4));
    let command = wrap(&prompt.command, inner_width);
    let frame = layout::prompt(model.size, 5 + command.len() as u16);
    clear(model, frame, buffer);
    Frame { border: roles.border_focused, background: roles.background }.draw(frame, buffer);
    let mut top = Frame::top(frame, buffer);
    top.right(" Esc closes ", roles.dim).left(" Write the stub to ", roles.title_focused);
    let body = frame.inner(Margin::new(2, 1));
    let scroll = prompt.input.visual_scroll(usize::from(body.width));
    let shown: String = skip_cells(prompt.input.value(), scroll);
    Row::new(buffer, body, 0).left(&shown, roles.text);
    if prompt.confirm {
        Row::new(buffer, body, 1).left("is there already; Enter replaces it", roles.error);
    } else {
        Row::new(buffer, body, 1).left("Enter writes, whole or not at all", roles.dim);
    }
    Row::new(buffer, body, 3).left("the same bytes without a screen:", roles.dim);
    for (line, text) in (4..).zip(&command) {
        Row::new(buffer, body, line).left(text, roles.text);
    }
    let column = prompt.input.visual_cursor().saturating_sub(scroll) as u16;
    Position::new((body.x + column).min(body.right().saturating_sub(1)), body.y)
}

/// The text without its first cells.
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
