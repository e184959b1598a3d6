//! Lines and marks between two axes: shares upwards, tokens to the right, where each step is a factor, since the
//! first hundred tokens buy more than the last thousand.

use std::ops::Range;

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::tui::{
    model::Model,
    widgets::{Row, grouped},
};

/// A place: tokens, and a share between 0 and 1.
pub(super) type At = (usize, f64);

/// What is drawn; later lines and marks lie over earlier ones.
pub(super) struct Plot {
    pub(super) lines: Vec<Line>,
    pub(super) marks: Vec<Mark>,
    /// Tokens from which a line leads down to the axis.
    pub(super) guide: Option<usize>,
}

/// Points that are connected.
pub(super) struct Line {
    pub(super) points: Vec<At>,
    pub(super) style: Style,
    /// It is thin, so that lines are told apart without colours.
    pub(super) is_dotted: bool,
}

/// A point that matters.
pub(super) struct Mark {
    pub(super) at: At,
    pub(super) glyph: &'static str,
    pub(super) style: Style,
}

/// Cells left of the axis.
const GUTTER: u16 = 6;

/// Eight dots a cell, as Unicode numbers them.
const DOTS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// How places become cells.
struct Scale {
    area: Rect,
    least: f64,
    most: f64,
}

/// A cell of a line: its dots, and which line it belongs to.
type Cell = Option<(u8, usize)>;

impl Plot {
    pub(super) fn draw(&self, area: Rect, model: &Model, buffer: &mut Buffer) {
        let Some(scale) = self.scale(area) else { return };
        scale.axes(area, model, buffer);
        self.guide(&scale, model, buffer);
        self.draw_lines(&scale, model, buffer);
        for mark in &self.marks {
            let (x, y) = scale.cell(mark.at);
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.set_symbol(mark.glyph).set_style(mark.style);
            }
        }
    }

    /// Every point is inside; nothing where there is no room.
    fn scale(&self, area: Rect) -> Option<Scale> {
        let area = Rect {
            x: area.x + GUTTER,
            y: area.y,
            width: area.width.saturating_sub(GUTTER + 1),
            height: area.height.saturating_sub(2),
        };
        let tokens = || {
            let points = self.lines.iter().flat_map(|line| &line.points).chain(self.marks.iter().map(|mark| &mark.at));
            points.map(|(tokens, _)| (*tokens).max(1) as f64)
        };
        let least = tokens().reduce(f64::min)?;
        let most = tokens().reduce(f64::max)?.max(least * 1.05);
        (area.width >= 8 && area.height >= 2).then_some(Scale { area, least, most })
    }

    /// From the axis up to the present setting.
    fn guide(&self, scale: &Scale, model: &Model, buffer: &mut Buffer) {
        let Some(tokens) = self.guide else { return };
        let (x, _) = scale.cell((tokens, 0.0));
        let glyph = if model.ascii { ":" } else { "┊" };
        for y in scale.area.y..scale.area.bottom() {
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.set_symbol(glyph).set_style(model.theme.roles.border);
            }
        }
    }

    fn draw_lines(&self, scale: &Scale, model: &Model, buffer: &mut Buffer) {
        let area = scale.area;
        let mut cells: Vec<Cell> = vec![None; usize::from(area.width) * usize::from(area.height)];
        for (number, line) in self.lines.iter().enumerate() {
            // A thin line of ASCII would be taken for the thick one: its marks must do.
            if line.is_dotted && model.ascii {
                continue;
            }
            for pair in line.points.windows(2) {
                scale.connect(pair[0], pair[1], |column, row| {
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
            let symbol = if model.ascii { ascii(*dots) } else { braille(*dots) };
            if let Some(target) = buffer.cell_mut((area.x + x, area.y + y)) {
                target.set_char(symbol).set_style(self.lines[*number].style);
            }
        }
    }
}

impl Scale {
    /// Where a place is, in dots from the upper left corner.
    fn dot(&self, (tokens, share): At) -> (usize, usize) {
        let columns = f64::from(self.area.width * 2 - 1);
        let rows = f64::from(self.area.height * 4 - 1);
        let across = (tokens.max(1) as f64 / self.least).ln() / (self.most / self.least).ln();
        let column = (across.clamp(0.0, 1.0) * columns).round();
        let row = ((1.0 - share.clamp(0.0, 1.0)) * rows).round();
        (column as usize, row as usize)
    }

    /// The cell of a place on the screen.
    fn cell(&self, at: At) -> (u16, u16) {
        let (column, row) = self.dot(at);
        (self.area.x + (column / 2) as u16, self.area.y + (row / 4) as u16)
    }

    /// Every dot between two places.
    fn connect(&self, from: At, to: At, mut dot: impl FnMut(usize, usize)) {
        let ((x0, y0), (x1, y1)) = (self.dot(from), self.dot(to));
        let steps = x0.abs_diff(x1).max(y0.abs_diff(y1)).max(1);
        for step in 0..=steps {
            let between = |a: usize, b: usize| {
                let share = step as f64 / steps as f64;
                (a as f64 + (b as f64 - a as f64) * share).round() as usize
            };
            dot(between(x0, x1), between(y0, y1));
        }
    }

    /// Both axes with their numbers.
    fn axes(&self, outer: Rect, model: &Model, buffer: &mut Buffer) {
        let roles = &model.theme.roles;
        let left = self.area.x - 1;
        let mut put = |x: u16, y: u16, symbol: &str| {
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.set_symbol(symbol).set_style(roles.border);
            }
        };
        for y in self.area.y..self.area.bottom() {
            put(left, y, "│");
        }
        put(left, self.area.bottom(), "└");
        for x in self.area.x..self.area.right() {
            put(x, self.area.bottom(), "─");
        }
        // Nothing lies on the axis itself.
        let row = |share: u32| match share {
            0 => self.area.bottom(),
            _ => self.cell((1, f64::from(share) / 100.0)).1,
        };
        let shares: &[u32] = if self.area.height >= 9 { &[0, 25, 50, 75, 100] } else { &[0, 50, 100] };
        for share in shares.iter().filter(|share| **share > 0) {
            put(left, row(*share), "┤");
        }
        for tokens in self.ticks() {
            put(self.cell((tokens, 0.0)).0, self.area.bottom(), "┬");
        }
        for share in shares {
            let label = Rect { x: outer.x, y: row(*share), width: GUTTER - 1, height: 1 };
            Row::new(buffer, label, 0).right(&format!("{share}%"), roles.dim);
        }
        self.numbers(outer.x, model, buffer);
    }

    /// The numbers below the ticks, those that have room; the unit before them.
    fn numbers(&self, left: u16, model: &Model, buffer: &mut Buffer) {
        let roles = &model.theme.roles;
        let y = self.area.bottom() + 1;
        Row::new(buffer, Rect { x: left, y, width: GUTTER, height: 1 }, 0).left("tokens", roles.dim);
        // Powers of ten first, where not all of them have room.
        let mut ticks = self.ticks();
        ticks.sort_by_key(|tick| ["1", "5", "2"].iter().position(|digit| tick.to_string().starts_with(digit)));
        let mut taken: Vec<Range<u16>> = Vec::new();
        for tokens in ticks {
            let text = grouped(tokens);
            let cells = text.len() as u16;
            let x = self.cell((tokens, 0.0)).0.saturating_sub(cells / 2);
            let is_free = taken.iter().all(|other| x + cells < other.start || other.end < x);
            if is_free && x > self.area.x && x + cells <= self.area.right() {
                Row::new(buffer, Rect { x, y, width: cells, height: 1 }, 0).left(&text, roles.dim);
                taken.push(x..x + cells);
            }
        }
    }

    /// Round numbers of tokens: 1, 2 and 5 times powers of ten, or the ends where there are none.
    fn ticks(&self) -> Vec<usize> {
        let (least, most) = (self.least.ceil() as usize, self.most as usize);
        let powers = (0..9).map(|power| 10_usize.pow(power));
        let round = powers.flat_map(|power| [power, 2 * power, 5 * power]);
        let ticks: Vec<usize> = round.filter(|tick| (least..=most).contains(tick)).collect();
        if ticks.len() >= 2 { ticks } else { vec![least, most] }
    }
}

fn braille(dots: u8) -> char {
    char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')
}

/// The character that is nearest to some dots.
fn ascii(dots: u8) -> char {
    let has = |row: usize| dots & (DOTS[row][0] | DOTS[row][1]) != 0;
    match (has(0), has(1) || has(2), has(3)) {
        (true, _, true) => '/',
        (true, _, false) => '\'',
        (false, _, true) => '.',
        (false, _, false) => '-',
    }
}
