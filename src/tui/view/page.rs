//! A text over the panes: the help, the ledger.

use ratatui::{
    buffer::Buffer,
    layout::{Margin, Rect},
};

use super::clear;
use crate::tui::{
    layout,
    model::{Line, Model, Page},
    widgets::{Frame, Row, scroll_mark, width},
};

pub(super) fn draw(model: &Model, page: Page, first: usize, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let lines = page.lines(model);
    let frame = layout::page(model.size, lines.len());
    clear(model, frame, buffer);
    Frame { border: roles.border_focused, background: roles.background }.draw(frame, buffer);
    let mut top = Frame::top(frame, buffer);
    top.right(" Esc closes ", roles.dim);
    top.left(&format!(" {} ", page.title()), roles.title_focused);
    let body: Rect = frame.inner(Margin::new(2, 1));
    let column = lines.iter().filter_map(|line| match line {
        Line::Pair(key, _) => Some(width(key)),
        _ => None,
    });
    let column = column.max().unwrap_or(0) as u16;
    for (at, line) in (0..body.height).zip(lines.iter().skip(first)) {
        let mut row = Row::new(buffer, body, at);
        match line {
            Line::Heading(text) => row.left(text, roles.accent),
            Line::Pair(key, text) => {
                // Numbers are aligned by their last digit, keys by their first letter.
                let shift = if page == Page::Ledger { column.saturating_sub(width(key) as u16) } else { 0 };
                row.gap(2 + shift).column(key, column - shift + 2, roles.key).left(text, roles.text)
            }
            Line::Text(text) => row.gap(2).left(text, roles.text),
            Line::Blank => &mut row,
        };
    }
    scroll_mark(buffer, frame, body, first, lines.len(), roles.accent);
}
