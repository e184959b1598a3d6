//! Painting one row of a pane from both ends; text that does not fit is cut with `…`.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar as _;

use super::text::{sanitized, tail, truncate, width};

/// The least number of cells in which a name is cut in its middle.
const MIN_CUT: usize = 9;

/// Paints a row, and keeps track of the free cells between the text on the left and the text on the right.
pub struct RowPainter<'a> {
    buffer: &'a mut Buffer,
    left: u16,
    right: u16,
    y: u16,
}

impl<'a> RowPainter<'a> {
    /// Begins row `y` of an area, counted from its top; the row has no cells if the area is not that high.
    pub fn new(buffer: &'a mut Buffer, area: Rect, y: u16) -> Self {
        let area = area.intersection(buffer.area);
        let right = if y < area.height { area.right() } else { area.x };
        Self { left: area.x, right, y: area.y.saturating_add(y), buffer }
    }

    /// The number of free cells.
    pub fn room(&self) -> u16 {
        self.right.saturating_sub(self.left)
    }

    /// The column of the next free cell on the left.
    pub fn x(&self) -> u16 {
        self.left
    }

    /// The row on the screen.
    pub fn y(&self) -> u16 {
        self.y
    }

    /// Styles the free cells.
    pub fn style(&mut self, style: Style) -> &mut Self {
        if self.room() > 0 {
            let area = Rect::new(self.left, self.y, self.room(), 1);
            self.buffer.set_style(area, style);
        }
        self
    }

    /// Skips cells on the left.
    pub fn gap(&mut self, cells: u16) -> &mut Self {
        self.left = self.left.saturating_add(cells).min(self.right);
        self
    }

    /// Reserves cells on the right.
    pub fn margin(&mut self, cells: u16) -> &mut Self {
        self.right = self.right.saturating_sub(cells).max(self.left);
        self
    }

    /// Releases cells that `margin` has reserved.
    pub fn widen(&mut self, cells: u16) -> &mut Self {
        self.right = self.right.saturating_add(cells);
        self
    }

    /// Sanitizes text and writes it on the left.
    pub fn left(&mut self, text: &str, style: Style) -> &mut Self {
        let text = sanitized(text);
        let shown = truncate(&text, usize::from(self.room()));
        self.write(&shown, style)
    }

    /// Writes a name on the left into a column of exactly `cells` cells; cuts the middle of a long one.
    pub fn column(&mut self, text: &str, cells: u16, style: Style) -> &mut Self {
        let end = self.left.saturating_add(cells).min(self.right);
        let right = std::mem::replace(&mut self.right, end);
        self.name(text, &[], style, style);
        (self.left, self.right) = (end, right);
        self
    }

    /// Writes text on the left, with the graphemes at the ascending `positions` in the style `found`.
    pub fn matched(&mut self, text: &str, positions: &[u32], style: Style, found: Style) -> &mut Self {
        if positions.is_empty() {
            return self.left(text, style);
        }
        let text = sanitized(text);
        let shown = truncate(&text, usize::from(self.room())).into_owned();
        for (at, grapheme) in shown.graphemes(true).enumerate() {
            let style = if positions.binary_search(&(at as u32)).is_ok() { style.patch(found) } else { style };
            self.write(grapheme, style);
        }
        self
    }

    /// Like [`Self::matched`], but cuts the middle of a long name: names that begin alike differ at their ends.
    pub fn name(&mut self, text: &str, positions: &[u32], style: Style, found: Style) -> &mut Self {
        let text = sanitized(text);
        let room = usize::from(self.room());
        if width(&text) <= room || room < MIN_CUT {
            return self.matched(&text, positions, style, found);
        }
        let head = truncate(&text, room.div_ceil(3)).into_owned();
        let (end, missing) = tail(&text, room - width(&head));
        // The last grapheme of the head is the mark of the cut.
        let before = head.graphemes(true).count().saturating_sub(1) as u32;
        // What was found is shown, wherever it stands.
        if positions.iter().any(|position| (before..missing as u32).contains(position)) {
            return self.matched(&text, positions, style, found);
        }
        let in_head: Vec<u32> = positions.iter().copied().filter(|position| *position < before).collect();
        let in_end: Vec<u32> = positions.iter().filter_map(|position| position.checked_sub(missing as u32)).collect();
        self.matched(&head, &in_head, style, found).matched(end, &in_end, style, found)
    }

    /// Like [`Self::matched`], but cuts the beginning of the text instead of its end.
    pub fn matched_tail(&mut self, text: &str, positions: &[u32], style: Style, found: Style) -> &mut Self {
        let text = sanitized(text);
        if width(&text) <= usize::from(self.room()) {
            return self.matched(&text, positions, style, found);
        }
        let (end, missing) = tail(&text, usize::from(self.room()).saturating_sub(1));
        let missing = missing as u32;
        let kept: Vec<u32> = positions.iter().filter_map(|position| position.checked_sub(missing)).collect();
        self.left("…", style).matched(end, &kept, style, found)
    }

    /// Writes text on the right; writes nothing if the text does not fit as a whole.
    pub fn right(&mut self, text: &str, style: Style) -> &mut Self {
        let text = sanitized(text);
        let cells = width(&text);
        if cells > usize::from(self.room()) {
            return self;
        }
        let x = self.right - cells as u16;
        put(self.buffer, (x, self.y), &text, cells, style);
        self.right = x;
        self
    }

    /// Draws a bar on the left.
    pub fn bar(&mut self, cells: u16, share: f64, fill: Style, track: Style) -> &mut Self {
        if cells <= self.room() {
            super::bar(self.buffer, (self.left, self.y), cells, share, fill, track);
            self.left += cells;
        }
        self
    }

    fn write(&mut self, text: &str, style: Style) -> &mut Self {
        if self.room() > 0 {
            self.left = put(self.buffer, (self.left, self.y), text, usize::from(self.room()), style);
        }
        self
    }
}

/// Writes sanitized text into at most `cells` cells; returns the column after it.
///
/// A grapheme cluster of several letters, as in Devanagari, is written letter by letter: most terminals draw it this
/// way, and a cell that is not written to would keep its old content.
pub fn put(buffer: &mut Buffer, (x, y): (u16, u16), text: &str, cells: usize, style: Style) -> u16 {
    let is_letters = |grapheme: &str| {
        grapheme.chars().next().is_some_and(char::is_alphabetic)
            && grapheme.chars().filter(|c| c.width() == Some(1)).count() == width(grapheme)
    };
    let end = x.saturating_add(cells as u16);
    let mut next = x;
    let mut plain = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        if grapheme.len() > 1 && width(grapheme) > 1 && is_letters(grapheme) {
            next = set(buffer, (next, y), &text[plain..at], end, style);
            let mut start = 0;
            let letters = grapheme.char_indices().filter(|(_, c)| c.width() == Some(1)).map(|(at, _)| at).skip(1);
            for until in letters.chain([grapheme.len()]) {
                next = set(buffer, (next, y), &grapheme[start..until], end, style);
                start = until;
            }
            plain = at + grapheme.len();
        }
    }
    set(buffer, (next, y), &text[plain..], end, style)
}

fn set(buffer: &mut Buffer, (x, y): (u16, u16), text: &str, end: u16, style: Style) -> u16 {
    if text.is_empty() { x } else { buffer.set_stringn(x, y, text, usize::from(end.saturating_sub(x)), style).0 }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Modifier;

    use super::*;

    #[test]
    fn every_cell_of_a_text_is_written_to() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 1));
        let next = put(&mut buffer, (0, 0), "aनमस्ते日", 8, Style::default());
        assert_eq!(next, 7);
        let symbols: Vec<&str> = buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(symbols, ["a", "न", "म", "स्", "ते", "日", " ", " "]);
        assert_eq!(put(&mut buffer, (0, 0), "स्ते", 1, Style::default()), 1);
    }

    #[test]
    fn long_names_keep_what_differs() {
        let shown = |text: &str, cells: u16| {
            let area = Rect::new(0, 0, cells, 1);
            let mut buffer = Buffer::empty(area);
            RowPainter::new(&mut buffer, area, 0).name(text, &[0], Style::default(), Style::default());
            buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect::<String>()
        };
        assert_eq!(shown("SimpleRetryMiddleware.on_error", 18), "Simpl…are.on_error");
        assert_eq!(shown("SimpleRetryMiddleware.on_send", 18), "Simpl…ware.on_send");
        assert_eq!(shown("Client", 18).trim_end(), "Client");
        assert_eq!(shown("configuration", 8), "configu…");
        // Letters that were found are not cut out.
        let area = Rect::new(0, 0, 18, 1);
        let mut buffer = Buffer::empty(area);
        let found = Style::default().bold();
        RowPainter::new(&mut buffer, area, 0).name("SimpleRetryMiddleware.on_error", &[6, 7], Style::default(), found);
        let bold: String = buffer
            .content()
            .iter()
            .filter(|cell| cell.modifier.contains(Modifier::BOLD))
            .map(ratatui::buffer::Cell::symbol)
            .collect();
        assert_eq!(bold, "Re");
    }
}
