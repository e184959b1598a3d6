//! A plot with two axes: shares linearly upwards, tokens logarithmically to the right, since the first hundred tokens
//! add more coverage than the last thousand.

use std::ops::Range;

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::tui::{
    model::{
        Model,
        tuning::{GUTTER, PlotPoint, PlotScale},
    },
    widgets::{RowPainter, grouped},
};

/// A plot; later lines and marks cover earlier ones.
pub(super) struct Plot {
    pub(super) lines: Vec<PlotLine>,
    pub(super) marks: Vec<PlotMark>,
    /// The number of tokens at which a vertical line is drawn over the whole height.
    pub(super) guide: Option<usize>,
}

/// Connected points.
pub(super) struct PlotLine {
    pub(super) points: Vec<PlotPoint>,
    pub(super) style: Style,
    /// True if the line is dotted. Dots distinguish lines without colours.
    pub(super) is_dotted: bool,
}

/// A marked point.
pub(super) struct PlotMark {
    pub(super) at: PlotPoint,
    pub(super) glyph: &'static str,
    pub(super) style: Style,
}

/// The bits of the eight dots of a Braille character, by row and column.
const DOTS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// A cell of the plot: the dots of the last line drawn there, and the index of that line. `None` if no line was drawn.
type LineCell = Option<(u8, usize)>;

impl Plot {
    pub(super) fn draw(&self, scale: &PlotScale, area: Rect, model: &Model, buffer: &mut Buffer) {
        axes(scale, area, model, buffer);
        self.guide(scale, model, buffer);
        self.draw_lines(scale, model, buffer);
        for mark in &self.marks {
            let (x, y) = scale.cell(mark.at);
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.set_symbol(mark.glyph).set_style(mark.style);
            }
        }
    }

    /// Draws the vertical guide at the present setting.
    fn guide(&self, scale: &PlotScale, model: &Model, buffer: &mut Buffer) {
        let Some(tokens) = self.guide else { return };
        let (x, _) = scale.cell((tokens, 0.0));
        let glyph = if model.is_ascii { ":" } else { "┊" };
        for y in scale.area.y..scale.area.bottom() {
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.set_symbol(glyph).set_style(model.theme.roles.border);
            }
        }
    }

    fn draw_lines(&self, scale: &PlotScale, model: &Model, buffer: &mut Buffer) {
        let area = scale.area;
        let mut cells: Vec<LineCell> = vec![None; usize::from(area.width) * usize::from(area.height)];
        for (number, line) in self.lines.iter().enumerate() {
            // In ASCII a dotted line would look like a solid one, so only its marks are drawn.
            if line.is_dotted && model.is_ascii {
                continue;
            }
            for pair in line.points.windows(2) {
                connect(scale, pair[0], pair[1], |column, row| {
                    if line.is_dotted && !(column + row).is_multiple_of(4) {
                        return;
                    }
                    let (x, y) = (column / 2, row / 4);
                    let cell = &mut cells[y * usize::from(area.width) + x];
                    let dots = cell.filter(|(_, of)| *of == number).map_or(0, |(dots, _)| dots);
                    *cell = Some((dots | DOTS[row % 4][column % 2], number));
                });
            }
        }
        for (at, cell) in cells.iter().enumerate() {
            let Some((dots, number)) = cell else { continue };
            let (x, y) = ((at % usize::from(area.width)) as u16, (at / usize::from(area.width)) as u16);
            let symbol = if model.is_ascii { ascii(*dots) } else { braille(*dots) };
            if let Some(target) = buffer.cell_mut((area.x + x, area.y + y)) {
                target.set_char(symbol).set_style(self.lines[*number].style);
            }
        }
    }
}

/// Calls `dot` for every dot between two points.
fn connect(scale: &PlotScale, from: PlotPoint, to: PlotPoint, mut dot: impl FnMut(usize, usize)) {
    let ((x0, y0), (x1, y1)) = (scale.dot(from), scale.dot(to));
    let steps = x0.abs_diff(x1).max(y0.abs_diff(y1)).max(1);
    for step in 0..=steps {
        let between = |a: usize, b: usize| {
            let share = step as f64 / steps as f64;
            (a as f64 + (b as f64 - a as f64) * share).round() as usize
        };
        dot(between(x0, x1), between(y0, y1));
    }
}

/// Draws both axes with their labels.
fn axes(scale: &PlotScale, outer: Rect, model: &Model, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let left = scale.area.x - 1;
    let mut put = |x: u16, y: u16, symbol: &str| {
        if let Some(cell) = buffer.cell_mut((x, y)) {
            cell.set_symbol(symbol).set_style(roles.border);
        }
    };
    for y in scale.area.y..scale.area.bottom() {
        put(left, y, "│");
    }
    put(left, scale.area.bottom(), "└");
    for x in scale.area.x..scale.area.right() {
        put(x, scale.area.bottom(), "─");
    }
    // The label of 0% is beside the axis, although points at 0% are drawn in the row above the axis.
    let row = |share: u32| match share {
        0 => scale.area.bottom(),
        _ => scale.cell((1, f64::from(share) / 100.0)).1,
    };
    let shares: &[u32] = if scale.area.height >= 9 { &[0, 25, 50, 75, 100] } else { &[0, 50, 100] };
    for share in shares.iter().filter(|share| **share > 0) {
        put(left, row(*share), "┤");
    }
    for tokens in ticks(scale) {
        put(scale.cell((tokens, 0.0)).0, scale.area.bottom(), "┬");
    }
    for share in shares {
        let label = Rect { x: outer.x, y: row(*share), width: GUTTER - 1, height: 1 };
        RowPainter::new(buffer, label, 0).right(&format!("{share}%"), roles.dim);
    }
    numbers(scale, outer.x, model, buffer);
}

/// Draws the labels of the ticks that fit, after the unit.
fn numbers(scale: &PlotScale, left: u16, model: &Model, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let y = scale.area.bottom() + 1;
    RowPainter::new(buffer, Rect { x: left, y, width: GUTTER, height: 1 }, 0).left("tokens", roles.dim);
    // Powers of ten take precedence, then five times powers of ten.
    let mut ticks = ticks(scale);
    ticks.sort_by_key(|tick| ["1", "5", "2"].iter().position(|digit| tick.to_string().starts_with(digit)));
    let mut taken: Vec<Range<u16>> = Vec::new();
    for tokens in ticks {
        let text = grouped(tokens);
        let cells = text.len() as u16;
        let x = scale.cell((tokens, 0.0)).0.saturating_sub(cells / 2);
        let is_free = taken.iter().all(|other| x + cells < other.start || other.end < x);
        if is_free && x > scale.area.x && x + cells <= scale.area.right() {
            RowPainter::new(buffer, Rect { x, y, width: cells, height: 1 }, 0).left(&text, roles.dim);
            taken.push(x..x + cells);
        }
    }
}

/// Ticks at 1, 2 and 5 times powers of ten; the ends of the scale if fewer than two fit.
fn ticks(scale: &PlotScale) -> Vec<usize> {
    let (least, most) = (scale.least.ceil() as usize, scale.most as usize);
    let powers = (0..9).map(|power| 10_usize.pow(power));
    let round = powers.flat_map(|power| [power, 2 * power, 5 * power]);
    let ticks: Vec<usize> = round.filter(|tick| (least..=most).contains(tick)).collect();
    if ticks.len() >= 2 { ticks } else { vec![least, most] }
}

fn braille(dots: u8) -> char {
    char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')
}

/// The ASCII character that is most similar to the dots of a cell.
fn ascii(dots: u8) -> char {
    let has = |row: usize| dots & (DOTS[row][0] | DOTS[row][1]) != 0;
    match (has(0), has(1) || has(2), has(3)) {
        (true, _, true) => '/',
        (true, _, false) => '\'',
        (false, _, true) => '.',
        (false, _, false) => '-',
    }
}
