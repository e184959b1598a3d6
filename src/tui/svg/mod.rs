//! Draws the cells of a buffer as SVG.
//!
//! Cells stay on their grid in any font of the viewer:
//!
//! - A run of text with one style states its length in pixels.
//! - Each wide or rare character is centred in its own cells.
//! - Lines, blocks and backgrounds are shapes.
//!
//! The same cells give the same bytes.

mod colour;
pub mod moving;
mod shape;

use std::{collections::BTreeMap, fmt::Write as _};

use ratatui::{buffer::Buffer, layout::Position};

use self::{
    colour::{CellStyle, Rgb},
    shape::Shapes,
};
use super::widgets::width;
use apidisc::unprintable::is_unprintable;

/// The size of a cell in pixels. In a monospaced font a character is about 0.6 of the font size wide.
const CELL: (u32, u32) = (10, 20);
const FONT_SIZE: &str = "16.6";
const FONTS: &str = "ui-monospace, 'JetBrains Mono', 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', \
                     'Noto Sans Mono', 'Noto Sans Mono CJK SC', monospace";
/// The distance from the top of a cell to the baseline, in pixels.
const BASELINE: u32 = 15;
/// The margin around the cells, in pixels.
const MARGIN: u32 = 10;
const ROUNDING: u32 = 8;

/// Draws a buffer, with the text cursor if there is one. `title` is the description for screen readers.
pub fn draw(buffer: &Buffer, cursor: Option<Position>, title: &str) -> String {
    let background = background(buffer);
    let mut out = begin(buffer, 0, background, title);
    cells(&mut out, buffer, cursor, background);
    out.push_str("</svg>\n");
    out
}

/// The beginning of a picture of a buffer, with so many pixels below it.
fn begin(buffer: &Buffer, below: u32, background: Rgb, title: &str) -> String {
    let (columns, rows) = (u32::from(buffer.area.width), u32::from(buffer.area.height));
    let (width, height) = (columns * CELL.0 + 2 * MARGIN, rows * CELL.1 + 2 * MARGIN + below);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\">\n<title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" rx=\"{ROUNDING}\" fill=\"{background}\"/>\n",
        escaped(title)
    )
}

/// Draws the cells of a buffer on their grid.
fn cells(out: &mut String, buffer: &Buffer, cursor: Option<Position>, background: Rgb) {
    let _ = writeln!(out, "<g transform=\"translate({MARGIN} {MARGIN})\">");
    let mut shapes = Shapes::default();
    let mut texts = String::new();
    for row in 0..buffer.area.height {
        line(buffer, row, cursor, background, &mut shapes, &mut texts);
    }
    shapes.write(out);
    let _ = writeln!(
        out,
        "<g font-family=\"{FONTS}\" font-size=\"{FONT_SIZE}\" xml:space=\"preserve\" style=\"white-space:pre;font-variant-ligatures:none\">\n{texts}</g>"
    );
    out.push_str("</g>\n");
}

/// The most frequent background.
fn background(buffer: &Buffer) -> Rgb {
    let mut counts = BTreeMap::<Rgb, usize>::new();
    for cell in buffer.content() {
        *counts.entry(CellStyle::of(cell).background).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map_or(colour::BACKGROUND, |(background, _)| background)
}

fn line(buffer: &Buffer, row: u16, cursor: Option<Position>, background: Rgb, shapes: &mut Shapes, texts: &mut String) {
    let area = buffer.area;
    let mut run = TextRun::default();
    let mut column = 0;
    while column < area.width {
        let at = Position::new(area.x + column, area.y + row);
        let cell = &buffer[at];
        let mut style = CellStyle::of(cell);
        if cursor == Some(at) {
            style = style.reversed();
        }
        let cells = (width(cell.symbol()).max(1) as u16).min(area.width - column);
        let place = (u32::from(column), u32::from(row), u32::from(cells));
        if style.background != background {
            shapes.fill(place, style.background);
        }
        shapes.strokes(place, &style);
        if style.is_hidden || shapes.draw(place, cell.symbol(), style.colour) {
            run.end(texts);
        } else {
            run.take(place, cell.symbol(), &style, texts);
        }
        column += cells;
    }
    run.end(texts);
}

/// A run of text with one style.
#[derive(Default)]
struct TextRun {
    text: String,
    /// Column, row, number of cells.
    place: (u32, u32, u32),
    style: Option<CellStyle>,
}

impl TextRun {
    fn take(&mut self, place: (u32, u32, u32), symbol: &str, style: &CellStyle, out: &mut String) {
        if symbol.trim().is_empty() {
            // A single space continues the run, a second one ends it.
            if self.text.ends_with(' ') || self.style.is_none() {
                self.end(out);
            } else {
                self.text.push(' ');
                self.place.2 += place.2;
            }
            return;
        }
        let is_simple = is_simple(symbol);
        if !is_simple || self.style.as_ref().is_some_and(|known| !known.writes_like(style)) {
            self.end(out);
        }
        if self.style.is_none() {
            self.place = (place.0, place.1, 0);
            self.style = Some(style.clone());
        }
        self.text.push_str(symbol);
        self.place.2 += place.2;
        if !is_simple {
            self.end(out);
        }
    }

    fn end(&mut self, out: &mut String) {
        let Some(style) = self.style.take() else { return };
        let (column, row, cells) = self.place;
        let text = self.text.trim_end();
        let cells = cells - (self.text.len() - text.len()) as u32;
        let (left, length, y) = (column * CELL.0, cells * CELL.0, row * CELL.1 + BASELINE);
        let _ = if is_simple(text) {
            write!(out, "<text x=\"{left}\" y=\"{y}\" textLength=\"{length}\"")
        } else {
            write!(out, "<text x=\"{}\" y=\"{y}\" text-anchor=\"middle\"", left + length / 2)
        };
        let _ = write!(out, " fill=\"{}\"", style.colour);
        out.push_str(if style.is_bold { " font-weight=\"bold\"" } else { "" });
        out.push_str(if style.is_italic { " font-style=\"italic\"" } else { "" });
        let _ = writeln!(out, ">{}</text>", escaped(text));
        self.text.clear();
    }
}

/// True if every monospaced font has these characters at the width of a cell; others may come from a fallback font.
fn is_simple(text: &str) -> bool {
    text.chars().all(|c| c < '\u{250}')
}

/// Escapes text for XML; characters that XML forbids become `�`.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if is_unprintable(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use ratatui::{
        layout::Rect,
        style::{Color, Modifier, Style},
    };

    use super::*;

    /// The picture of one line, without the parts that all pictures share.
    fn picture(pieces: &[(&str, Style)], cursor: Option<Position>) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 1));
        let mut x = 0;
        for (text, style) in pieces {
            x = buffer.set_string_at(x, text, *style);
        }
        let whole = draw(&buffer, cursor, "a <title>");
        assert!(whole.contains("<title>a &lt;title&gt;</title>"));
        let (_, rest) = whole.split_once("translate(10 10)\">\n").expect("the grid");
        rest.lines().filter(|line| !line.contains("font-family") && *line != "</g>" && *line != "</svg>").fold(
            String::new(),
            |mut all, line| {
                all.push_str(line);
                all.push('\n');
                all
            },
        )
    }

    trait SetString {
        fn set_string_at(&mut self, x: u16, text: &str, style: Style) -> u16;
    }

    impl SetString for Buffer {
        fn set_string_at(&mut self, x: u16, text: &str, style: Style) -> u16 {
            self.set_stringn(x, 0, text, 20, style).0
        }
    }

    const RED: Style = Style::new().fg(Color::Rgb(255, 0, 0));

    #[test]
    fn runs_state_their_length_and_wide_characters_are_separate() {
        assert_eq!(
            picture(&[("a <b>", RED), ("日", RED), ("c", RED.add_modifier(Modifier::BOLD)), ("   d", RED)], None),
            "<text x=\"0\" y=\"15\" textLength=\"50\" fill=\"#ff0000\">a &lt;b&gt;</text>\n\
             <text x=\"60\" y=\"15\" text-anchor=\"middle\" fill=\"#ff0000\">日</text>\n\
             <text x=\"70\" y=\"15\" textLength=\"10\" fill=\"#ff0000\" font-weight=\"bold\">c</text>\n\
             <text x=\"110\" y=\"15\" textLength=\"10\" fill=\"#ff0000\">d</text>\n"
        );
    }

    #[test]
    fn the_cursor_and_reversed_text_swap_the_colours() {
        let reversed = picture(&[("ab", RED.add_modifier(Modifier::REVERSED))], None);
        assert_eq!(
            reversed,
            "<rect x=\"0\" y=\"0\" width=\"20\" height=\"20\" fill=\"#ff0000\"/>\n\
             <text x=\"0\" y=\"15\" textLength=\"20\" fill=\"#14171d\">ab</text>\n"
        );
        let typed = picture(&[("ab", RED)], Some(Position::new(1, 0)));
        assert!(typed.contains("<rect x=\"10\" y=\"0\" width=\"10\" height=\"20\" fill=\"#ff0000\"/>"), "{typed}");
        assert!(typed.contains("fill=\"#14171d\">b</text>"), "{typed}");
    }

    #[test]
    fn lines_and_blocks_are_shapes_that_meet() {
        let drawn = picture(&[("╭──╮", RED), ("██▌", RED)], None);
        assert!(!drawn.contains("<text"), "{drawn}");
        assert!(drawn.contains("M10 10H30"), "one line, not two: {drawn}");
        assert!(drawn.contains("<rect x=\"40\" y=\"0\" width=\"25\" height=\"20\" fill=\"#ff0000\"/>"), "{drawn}");
    }

    #[test]
    fn underlines_and_strike_throughs_span_their_cells() {
        let style = RED.add_modifier(Modifier::UNDERLINED | Modifier::CROSSED_OUT);
        let drawn = picture(&[("a b", style)], None);
        assert!(drawn.contains("y=\"17\" width=\"30\""), "{drawn}");
        assert!(drawn.contains("y=\"10\" width=\"30\""), "{drawn}");
    }

    #[test]
    fn characters_that_xml_forbids_are_replaced() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 4, 1));
        buffer[(0, 0)].set_symbol("\u{1b}");
        buffer[(1, 0)].set_symbol("\u{ffff}");
        let drawn = draw(&buffer, None, "\u{7}");
        assert!(!drawn.contains(['\u{1b}', '\u{ffff}', '\u{7}']));
    }
}
