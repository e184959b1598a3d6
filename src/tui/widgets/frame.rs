//! The border of a pane, its titles, and the scroll bar on it.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    widgets::{Block, BorderType, Widget},
};

use super::RowPainter;

/// A border.
pub struct Border {
    /// The style of the line.
    pub line: Style,
    /// The style of the area inside.
    pub background: Style,
}

impl Border {
    /// Draws the border; titles are drawn into [`Self::top`] afterwards.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer) {
        Block::bordered()
            .border_type(BorderType::Rounded)
            .border_style(self.line)
            .style(self.background)
            .render(area, buffer);
    }

    /// The part of the upper border that titles may use.
    pub fn top(area: Rect, buffer: &mut Buffer) -> RowPainter<'_> {
        let mut row = RowPainter::new(buffer, area, 0);
        row.gap(2).margin(2);
        row
    }
}

/// Draws the thumb of a scroll bar on the right border if not all of the `len` rows are visible.
pub fn scroll_mark(buffer: &mut Buffer, frame: Rect, body: Rect, offset: usize, len: usize, style: Style) {
    let height = usize::from(body.height);
    if height == 0 || len <= height {
        return;
    }
    let size = (height * height / len).clamp(1, height);
    let start = offset * (height - size) / (len - height);
    for row in start..start + size {
        if let Some(cell) = buffer.cell_mut((frame.right().saturating_sub(1), body.y + row as u16)) {
            cell.set_symbol("┃").set_style(style);
        }
    }
}
