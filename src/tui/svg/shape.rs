//! Draws box-drawing characters, blocks and backgrounds as shapes, since the glyphs of a font may leave gaps between
//! cells.

use std::fmt::Write as _;

use super::{
    CELL,
    colour::{CellStyle, Rgb},
};

/// The number of parts of a cell in each direction: block characters are made of eighths.
const PARTS: u32 = 8;

/// A span of cells in one row: its first column, its row, and its number of cells.
type CellSpan = (u32, u32, u32);

/// The shapes of a picture, which lie below its text.
#[derive(Default)]
pub(super) struct Shapes {
    backgrounds: Vec<FilledRect>,
    blocks: Vec<FilledRect>,
    under: Vec<FilledRect>,
    through: Vec<FilledRect>,
    lines: Vec<StraightLine>,
    /// Rounded corners and Braille dots: the colour and the SVG path data of each.
    bends: Vec<(Rgb, String)>,
    dots: Vec<(Rgb, String)>,
}

/// A filled rectangle. The unit is a part of a cell for backgrounds and blocks, and a pixel for strokes.
#[derive(Clone, PartialEq, Eq)]
struct FilledRect {
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
    colour: Rgb,
}

/// A straight line, in pixels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct StraightLine {
    colour: Rgb,
    is_heavy: bool,
    is_upright: bool,
    /// The y coordinate of a horizontal line, the x coordinate of a vertical one.
    at: u32,
    from: u32,
    to: u32,
}

impl Shapes {
    /// Adds the background of a span of cells.
    pub(super) fn fill(&mut self, (column, row, cells): CellSpan, colour: Rgb) {
        let block = FilledRect {
            left: column * PARTS,
            right: (column + cells) * PARTS,
            top: row * PARTS,
            bottom: (row + 1) * PARTS,
            colour,
        };
        extend(&mut self.backgrounds, block);
    }

    /// Adds the underline and the strike-through of a span of cells.
    pub(super) fn strokes(&mut self, (column, row, cells): CellSpan, style: &CellStyle) {
        let (left, right) = (column * CELL.0, (column + cells) * CELL.0);
        let stroke = |height: u32, colour| {
            let top = row * CELL.1 + height;
            FilledRect { left, right, top, bottom: top + 1, colour }
        };
        if let Some(colour) = style.underline {
            extend(&mut self.under, stroke(17, colour));
        }
        if style.is_struck {
            extend(&mut self.through, stroke(10, style.colour));
        }
    }

    /// Adds a box-drawing, block or Braille character; returns false for any other.
    pub(super) fn draw(&mut self, (column, row, _): CellSpan, symbol: &str, colour: Rgb) -> bool {
        let mut chars = symbol.chars();
        let (Some(c), None) = (chars.next(), chars.next()) else { return false };
        if let Some((left, right, top, bottom)) = block(c) {
            let (x, y) = (column * PARTS, row * PARTS);
            let block = FilledRect { left: x + left, right: x + right, top: y + top, bottom: y + bottom, colour };
            extend(&mut self.blocks, block);
            return true;
        }
        let (x, y) = (column * CELL.0, row * CELL.1);
        if let Some([up, right, down, left]) = arms(c) {
            let is_heavy = matches!(c, '━' | '┃');
            let (middle, centre) = (x + CELL.0 / 2, y + CELL.1 / 2);
            let mut line = |is_upright, at, from, to| {
                self.lines.push(StraightLine { colour, is_heavy, is_upright, at, from, to });
            };
            match (up, down) {
                (true, true) => line(true, middle, y, y + CELL.1),
                (true, false) => line(true, middle, y, centre),
                (false, true) => line(true, middle, centre, y + CELL.1),
                (false, false) => {}
            }
            match (left, right) {
                (true, true) => line(false, centre, x, x + CELL.0),
                (true, false) => line(false, centre, x, middle),
                (false, true) => line(false, centre, middle, x + CELL.0),
                (false, false) => {}
            }
            return true;
        }
        if let Some((is_right, is_down)) = corner(c) {
            let (middle, centre) = (x + CELL.0 / 2, y + CELL.1 / 2);
            let (side, end) = (if is_right { x + CELL.0 } else { x }, if is_down { y + CELL.1 } else { y });
            let bend = if is_down { centre + 5 } else { centre - 5 };
            self.bends.push((colour, format!("M{middle} {end}V{bend}Q{middle} {centre} {side} {centre}")));
            return true;
        }
        if let '\u{2800}'..='\u{28ff}' = c {
            let raised = c as u32 - 0x2800;
            for (bit, (across, down)) in
                [(3, 3), (3, 8), (3, 13), (7, 3), (7, 8), (7, 13), (3, 18), (7, 18)].into_iter().enumerate()
            {
                if raised >> bit & 1 == 1 {
                    self.dots.push((colour, format!("M{} {}h0", x + across, y + down)));
                }
            }
            return true;
        }
        false
    }

    /// Writes the shapes from bottom to top: backgrounds, blocks, underlines and strike-throughs, lines, dots.
    pub(super) fn write(mut self, out: &mut String) {
        for block in self.backgrounds.iter().chain(&self.blocks) {
            let (x, y) = (block.left * CELL.0, block.top * CELL.1);
            let (width, height) = ((block.right - block.left) * CELL.0, (block.bottom - block.top) * CELL.1);
            let [x, y, width, height] = [x, y, width, height].map(|parts| f64::from(parts) / f64::from(PARTS));
            rectangle(out, x, y, width, height, block.colour);
        }
        for FilledRect { left, right, top, bottom, colour } in self.under.into_iter().chain(self.through) {
            rectangle(out, left, top, right - left, bottom - top, colour);
        }
        self.lines.sort_unstable();
        let mut lines: Vec<StraightLine> = Vec::new();
        for line in self.lines {
            match lines.last_mut().filter(|last| last.to == line.from) {
                Some(last) if StraightLine { from: line.from, to: line.to, ..*last } == line => last.to = line.to,
                _ => lines.push(line),
            }
        }
        let path = |line: &StraightLine| {
            let StraightLine { colour, is_heavy, is_upright, at, from, to } = *line;
            let path = if is_upright { format!("M{at} {from}V{to}") } else { format!("M{from} {at}H{to}") };
            ((colour, is_heavy), path)
        };
        let bends = self.bends.into_iter().map(|(colour, path)| ((colour, false), path));
        let mut paths: Vec<((Rgb, bool), String)> = lines.iter().map(path).chain(bends).collect();
        paths.sort_by_key(|(style, _)| *style);
        for group in paths.chunk_by(|(one, _), (other, _)| one == other) {
            let (colour, is_heavy) = group[0].0;
            let weight = if is_heavy { "3" } else { "1.5" };
            let _ = write!(out, "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{weight}\" d=\"");
            out.extend(group.iter().map(|(_, path)| path.as_str()));
            out.push_str("\"/>\n");
        }
        self.dots.sort_by_key(|(colour, _)| *colour);
        for group in self.dots.chunk_by(|(one, _), (other, _)| one == other) {
            let colour = group[0].0;
            let _ = write!(out, "<path stroke=\"{colour}\" stroke-width=\"3\" stroke-linecap=\"round\" d=\"");
            out.extend(group.iter().map(|(_, path)| path.as_str()));
            out.push_str("\"/>\n");
        }
    }
}

/// Adds a rectangle, or extends the one on its left if they touch and have the same colour.
fn extend(blocks: &mut Vec<FilledRect>, block: FilledRect) {
    if let Some(last) = blocks.last_mut()
        && (last.right, last.top, last.bottom, last.colour) == (block.left, block.top, block.bottom, block.colour)
    {
        last.right = block.right;
        return;
    }
    blocks.push(block);
}

fn rectangle<N: std::fmt::Display>(out: &mut String, x: N, y: N, width: N, height: N, colour: Rgb) {
    let _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\"/>");
}

/// Left, right, top and bottom of a block character in parts of the cell.
fn block(c: char) -> Option<(u32, u32, u32, u32)> {
    Some(match c {
        '▀' => (0, 8, 0, 4),
        // Lower blocks, from one eighth to the whole cell.
        '▁'..='█' => (0, 8, 8 - (c as u32 - 0x2580), 8),
        // Left blocks, from seven eighths to one.
        '▉'..='▏' => (0, 0x2590 - c as u32, 0, 8),
        '▐' => (4, 8, 0, 8),
        _ => return None,
    })
}

/// The directions of a box-drawing character's lines from the middle of the cell: up, right, down, left.
fn arms(c: char) -> Option<[bool; 4]> {
    Some(match c {
        '─' | '━' => [false, true, false, true],
        '│' | '┃' => [true, false, true, false],
        '┌' => [false, true, true, false],
        '┐' => [false, false, true, true],
        '└' => [true, true, false, false],
        '┘' => [true, false, false, true],
        '├' => [true, true, true, false],
        '┤' => [true, false, true, true],
        '┬' => [false, true, true, true],
        '┴' => [true, true, false, true],
        '┼' => [true, true, true, true],
        _ => return None,
    })
}

/// For a rounded corner: whether it opens to the right, and whether it opens downwards.
fn corner(c: char) -> Option<(bool, bool)> {
    Some(match c {
        '╭' => (true, true),
        '╮' => (false, true),
        '╰' => (true, false),
        '╯' => (false, false),
        _ => return None,
    })
}
