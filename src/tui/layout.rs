//! Where everything is: pure, and used by `update` for mouse hits and heights and by `view` to draw.
//!
//! ```text
//! compact (80×24)        medium (≥ 110)              wide (≥ 230)             tall (≥ 42 rows, < 110)
//! ┌ header ──────────┐   ┌ header ───────────────┐   ┌ header ────────────┐   ┌ header ───────────┐
//! │modules │arguments│   │modules│symbols│argumen│   │mod│symb│argum│prev │   │modules  │ symbols │
//! │────────│─────────│   │       │       │───────│   │   │    │     │     │   │─────────┴─────────│
//! │symbols │preview  │   │       │       │preview│   │   │    │     │     │   │ arguments         │
//! └ footer ──────────┘   └ footer ───────────────┘   └ footer ────────────┘   │ preview           │
//! ```

use ratatui::layout::{Constraint, Layout, Margin, Rect};

use super::model::{Model, Pane};

/// The smallest window in which the panes make sense.
pub const MINIMUM: Size = Size { columns: 48, rows: 14 };

/// A terminal's size in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
}

/// A pane: its frame, and inside of that a head, a list or text, and a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaneArea {
    /// With its border.
    pub frame: Rect,
    /// Lines that do not scroll, above.
    pub head: Rect,
    /// What scrolls.
    pub body: Rect,
    /// Lines that do not scroll, below.
    pub foot: Rect,
}

/// Every part of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    /// The first row.
    pub header: Rect,
    /// The last row.
    pub footer: Rect,
    /// The panes, by [`Pane::position`].
    pub panes: [PaneArea; 4],
}

/// Where everything is; `None` where the window is too small.
pub fn areas(model: &Model) -> Option<Areas> {
    split(model.size, model.focus)
}

/// Where the text of a page of so many lines is: a frame in the middle, never larger than the screen.
pub fn page(size: Size, lines: usize) -> Rect {
    let rows = u16::try_from(lines + 2).unwrap_or(u16::MAX).min(size.rows.saturating_sub(2));
    // The longest line of the help has room.
    centred(size, 88, rows)
}

/// Where a prompt of so many lines is.
pub fn prompt(size: Size, lines: u16) -> Rect {
    centred(size, 76, lines + 2)
}

fn centred(size: Size, columns: u16, rows: u16) -> Rect {
    let (width, height) = (columns.min(size.columns), rows.min(size.rows));
    Rect::new((size.columns - width) / 2, (size.rows - height) / 2, width, height)
}

fn split(size: Size, focus: Pane) -> Option<Areas> {
    if size.columns < MINIMUM.columns || size.rows < MINIMUM.rows {
        return None;
    }
    let screen = Rect::new(0, 0, size.columns, size.rows);
    let [header, middle, footer] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)]).areas(screen);
    let frames = match size.columns {
        230.. => wide(middle),
        110.. => medium(middle, focus),
        _ if size.rows >= 42 => tall(middle),
        _ => compact(middle, focus),
    };
    let mut panes = frames.map(|frame| {
        let inner = frame.inner(Margin::new(1, 1));
        PaneArea { frame, head: empty(inner), body: inner, foot: empty(inner) }
    });
    arrange_arguments(&mut panes[Pane::Arguments.position()], focus);
    arrange_preview(&mut panes[Pane::Preview.position()]);
    Some(Areas { header, footer, panes })
}

fn compact(area: Rect, focus: Pane) -> [Rect; 4] {
    let left_width = (area.width * 2 / 5).clamp(20, 40);
    let [left, right] = Layout::horizontal([Constraint::Length(left_width), Constraint::Fill(1)]).areas(area);
    let [modules, symbols] = stack(left, if focus == Pane::Modules { (3, 2) } else { (2, 3) });
    let [arguments, preview] = right_column(right, focus);
    [modules, symbols, arguments, preview]
}

fn medium(area: Rect, focus: Pane) -> [Rect; 4] {
    let modules_width = (area.width / 5).clamp(24, 34);
    let symbols_width = (area.width / 4).clamp(30, 42);
    let [modules, symbols, right] =
        Layout::horizontal([Constraint::Length(modules_width), Constraint::Length(symbols_width), Constraint::Fill(1)])
            .areas(area);
    let [arguments, preview] = right_column(right, focus);
    [modules, symbols, arguments, preview]
}

fn wide(area: Rect) -> [Rect; 4] {
    Layout::horizontal([Constraint::Length(34), Constraint::Length(42), Constraint::Fill(4), Constraint::Fill(5)])
        .areas(area)
}

fn tall(area: Rect) -> [Rect; 4] {
    let [top, arguments, preview] =
        Layout::vertical([Constraint::Fill(3), Constraint::Fill(3), Constraint::Fill(4)]).areas(area);
    let [modules, symbols] = Layout::horizontal([Constraint::Fill(2), Constraint::Fill(3)]).areas(top);
    [modules, symbols, arguments, preview]
}

/// The stub has more lines than a symbol has arguments; the pane in use gets more.
fn right_column(area: Rect, focus: Pane) -> [Rect; 2] {
    let shares = match focus {
        Pane::Arguments => (1, 1),
        Pane::Preview => (1, 2),
        _ => (2, 3),
    };
    stack(area, shares)
}

/// Two panes above each other.
fn stack(area: Rect, (upper, lower): (u16, u16)) -> [Rect; 2] {
    Layout::vertical([Constraint::Fill(upper), Constraint::Fill(lower)]).areas(area)
}

/// A line that says what the symbol is, its place where there is room, and the selected argument in detail.
fn arrange_arguments(pane: &mut PaneArea, focus: Pane) {
    let inner = pane.body;
    let head = match inner.height {
        0..3 => 0,
        3..10 => 1,
        10..15 => 2,
        _ => 3,
    };
    let foot = if inner.height >= 12 || (inner.height >= 9 && focus == Pane::Arguments) { 4 } else { 0 };
    [pane.head, pane.body, pane.foot] =
        Layout::vertical([Constraint::Length(head), Constraint::Fill(1), Constraint::Length(foot)]).areas(inner);
}

/// A line with the numbers above the text.
fn arrange_preview(pane: &mut PaneArea) {
    let inner = pane.body;
    let head = match inner.height {
        0..3 => 0,
        3..12 => 1,
        _ => 2,
    };
    [pane.head, pane.body] = Layout::vertical([Constraint::Length(head), Constraint::Fill(1)]).areas(inner);
}

fn empty(area: Rect) -> Rect {
    Rect { height: 0, ..area }
}

impl Areas {
    /// A pane's area.
    pub fn pane(&self, pane: Pane) -> &PaneArea {
        &self.panes[pane.position()]
    }

    /// The pane in that cell, and the row of its list, counted from the first visible one.
    pub fn hit(&self, column: u16, row: u16) -> Option<(Pane, Option<usize>)> {
        let at = ratatui::layout::Position::new(column, row);
        let pane = Pane::ALL.into_iter().find(|pane| self.pane(*pane).frame.contains(at))?;
        let body = self.pane(pane).body;
        Some((pane, body.contains(at).then(|| usize::from(row - body.y))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_cover_the_screen_once_at_every_size() {
        for columns in (MINIMUM.columns..260).step_by(7) {
            for rows in (MINIMUM.rows..80).step_by(5) {
                for focus in Pane::ALL {
                    let areas = split(Size { columns, rows }, focus).expect("large enough");
                    let cells: u32 = areas.panes.iter().map(|p| p.frame.area()).sum();
                    assert_eq!(cells, u32::from(columns) * u32::from(rows - 2), "{columns}×{rows}");
                    for (i, a) in areas.panes.iter().enumerate() {
                        assert!(a.frame.width >= 12 && a.frame.height >= 4, "{columns}×{rows}: {a:?}");
                        assert!(areas.panes[i + 1..].iter().all(|b| !a.frame.intersects(b.frame)));
                    }
                }
            }
        }
    }

    #[test]
    fn a_window_that_is_too_small_has_no_areas() {
        assert_eq!(split(Size { columns: MINIMUM.columns - 1, rows: 50 }, Pane::Modules), None);
        assert_eq!(split(Size { columns: 0, rows: 0 }, Pane::Modules), None);
    }

    #[test]
    fn hits_name_the_row() {
        let areas = split(Size { columns: 80, rows: 24 }, Pane::Modules).expect("large enough");
        let body = areas.pane(Pane::Symbols).body;
        assert_eq!(areas.hit(body.x, body.y + 2), Some((Pane::Symbols, Some(2))));
        assert_eq!(areas.hit(body.x - 1, body.y + 2), Some((Pane::Symbols, None)));
        assert_eq!(areas.hit(0, 0), None);
    }
}
