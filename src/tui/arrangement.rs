//! How the panes share the screen. Each of four shapes is a tree of three splits, which the user can move. A zoomed
//! pane fills the whole area.
//!
//! ```text
//! compact (otherwise)    medium (≥ 110 columns)      wide (≥ 230 columns)     tall (≥ 42 rows, < 110 columns)
//! │modules ┃arguments│   │modules┃symbols┃argumen│   │mod┃symb┃argum┃prev │   │modules  ┃ symbols │
//! │━━━━━━━━┃━━━━━━━━━│   │       ┃       ┃━━━━━━━│   │   ┃    ┃     ┃     │   │━━━━━━━━━━━━━━━━━━━│
//! │symbols ┃preview  │   │       ┃       ┃preview│   │   ┃    ┃     ┃     │   │ arguments         │
//!                                                                             │━━━━━━━━━━━━━━━━━━━│
//!                                                                             │ preview           │
//! ```

use ratatui::layout::{Position, Rect};

use super::geometry::{Pane, ScreenSize};

/// The smallest width of a pane, in cells.
const MIN_WIDTH: u16 = 12;
/// The smallest height of a pane, in cells.
const MIN_HEIGHT: u16 = 4;

/// The smallest width of a window, in cells, in which four panes are side by side.
const WIDE: u16 = 230;
/// The smallest width of a window, in cells, in which three columns of panes are side by side.
const MEDIUM: u16 = 110;
/// The smallest height of a narrower window, in rows, in which panes are one above the other.
const TALL: u16 = 42;
/// The width of the modules in a wide window, in cells.
const WIDE_MODULES: u16 = 34;
/// The width of the symbols in a wide window, in cells.
const WIDE_SYMBOLS: u16 = 56;
/// The greatest width of the symbols beside two columns of panes, in cells.
const WIDEST_SYMBOLS: u16 = 54;
/// The least height of the panes, in rows, in which the start page gets the greater part of its column.
const START_PAGE: u16 = 48;

/// The user's changes to the layout of the panes. A split is kept as a share of its area, so that it survives a change
/// of the window's size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// The focused pane fills the area of all panes.
    pub is_zoomed: bool,
    /// The user's splits by shape and number, in thousandths of the split area; `None` for the default.
    splits: [[Option<u16>; 3]; 4],
}

/// The shape of the tree of splits; it depends on the window's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PaneShape {
    Compact,
    Medium,
    Wide,
    Tall,
}

/// The direction in which a split moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Left and right.
    Width,
    /// Up and down.
    Height,
}

/// A split of an area into two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The number of the split within the shape.
    number: usize,
    /// The direction in which it moves.
    axis: Axis,
    /// The left or upper part.
    first: Rect,
    /// The right or lower part.
    second: Rect,
    /// The smallest extent of each part, in cells.
    least: (u16, u16),
}

/// A split that the mouse is dragging, and the distance of the mouse from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitDrag {
    number: usize,
    shift: u16,
}

/// The frames of the panes, and the splits between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaneFrames {
    /// The frame of each pane, at [`Pane::position`]. A frame is empty while another pane is zoomed.
    pub frames: [Rect; 4],
    splits: [Split; 3],
    shape: PaneShape,
}

impl PaneShape {
    fn of(size: ScreenSize) -> Self {
        match size.columns {
            WIDE.. => Self::Wide,
            MEDIUM.. => Self::Medium,
            _ if size.rows >= TALL => Self::Tall,
            _ => Self::Compact,
        }
    }
}

impl Arrangement {
    /// Divides `area` into panes. `size` is the window's size, which determines the shape.
    pub fn panes(&self, size: ScreenSize, area: Rect, focus: Pane) -> PaneFrames {
        let shape = PaneShape::of(size);
        let splitter = Splitter { arrangement: self, shape };
        let (width, height) = (area.width, area.height);
        // A pane gets more of its column while it has the focus. Beside the modules stands the start page, whose lists
        // need a high window; beside the symbols the preview gets more than half, because it needs more lines than the
        // arguments.
        let upper_right = match focus {
            Pane::Modules if height >= START_PAGE => (3, 5),
            Pane::Modules | Pane::Arguments => (1, 2),
            Pane::Preview => (1, 3),
            Pane::Symbols => (2, 5),
        };
        let narrow = (MIN_WIDTH, MIN_WIDTH);
        let low = (MIN_HEIGHT, MIN_HEIGHT);
        let (splits, frames) = match shape {
            PaneShape::Compact => {
                let sides = splitter.split(0, Axis::Width, area, (width * 2 / 5).clamp(20, 40), narrow);
                let upper_left = if focus == Pane::Modules { (3, 5) } else { (2, 5) };
                let left = splitter.split(1, Axis::Height, sides.first, share(height, upper_left), low);
                let right = splitter.split(2, Axis::Height, sides.second, share(height, upper_right), low);
                ([sides, left, right], [left.first, left.second, right.first, right.second])
            }
            PaneShape::Medium => {
                let modules = (width * 7 / 30).clamp(24, 34);
                let outer = splitter.split(0, Axis::Width, area, modules, (MIN_WIDTH, 2 * MIN_WIDTH));
                let inner = splitter.split(1, Axis::Width, outer.second, (width / 4).clamp(30, WIDEST_SYMBOLS), narrow);
                let right = splitter.split(2, Axis::Height, inner.second, share(height, upper_right), low);
                ([outer, inner, right], [outer.first, inner.first, right.first, right.second])
            }
            PaneShape::Wide => {
                let outer = splitter.split(0, Axis::Width, area, WIDE_MODULES, (MIN_WIDTH, 3 * MIN_WIDTH));
                let inner = splitter.split(1, Axis::Width, outer.second, WIDE_SYMBOLS, (MIN_WIDTH, 2 * MIN_WIDTH));
                let half = share(inner.second.width, (4, 9));
                let right = splitter.split(2, Axis::Width, inner.second, half, narrow);
                ([outer, inner, right], [outer.first, inner.first, right.first, right.second])
            }
            PaneShape::Tall => {
                let outer = splitter.split(0, Axis::Height, area, share(height, (3, 10)), (MIN_HEIGHT, 2 * MIN_HEIGHT));
                let below = share(outer.second.height, (3, 7));
                let lower = splitter.split(1, Axis::Height, outer.second, below, low);
                let top = splitter.split(2, Axis::Width, outer.first, share(width, (2, 5)), narrow);
                ([outer, lower, top], [top.first, top.second, lower.first, lower.second])
            }
        };
        PaneFrames { frames: if self.is_zoomed { zoomed(area, focus) } else { frames }, splits, shape }
    }

    /// Grows or shrinks a pane by one step. Returns false if no split can move that way.
    pub fn resize(&mut self, panes: &PaneFrames, pane: Pane, axis: Axis, is_larger: bool) -> bool {
        let frame = panes.frames[pane.position()];
        let holds = |part: Rect| part.intersection(frame) == frame;
        // Inner splits follow outer ones, so the last split with the pane in one of its parts is the innermost.
        let beside = |split: &&Split| split.axis == axis && (holds(split.first) || holds(split.second));
        let Some(split) = panes.splits.iter().rev().find(beside).filter(|_| !self.is_zoomed) else { return false };
        let step: i32 = if axis == Axis::Width { 4 } else { 2 };
        let way = if holds(split.first) == is_larger { step } else { -step };
        let place = i32::from(split.place()) + way;
        self.set(panes.shape, split, u16::try_from(place).unwrap_or(0))
    }

    /// Moves a split to the mouse.
    pub fn drag(&mut self, panes: &PaneFrames, drag: SplitDrag, column: u16, row: u16) {
        let Some(split) = panes.splits.get(drag.number).filter(|_| !self.is_zoomed) else { return };
        let (at, start) = if split.axis == Axis::Width { (column, split.first.x) } else { (row, split.first.y) };
        self.set(panes.shape, split, at.saturating_add(drag.shift).saturating_sub(start));
    }

    /// The user's splits by shape and number, in thousandths of the split area; `None` for the default.
    pub fn splits(&self) -> [[Option<u16>; 3]; 4] {
        self.splits
    }

    /// Sets the user's split as [`Self::splits()`] returns it. Does nothing if the shape or the number does not exist.
    pub fn set_split(&mut self, shape: usize, number: usize, share: Option<u16>) {
        if let Some(split) = self.splits.get_mut(shape).and_then(|splits| splits.get_mut(number)) {
            *split = share.map(|share| share.min(1000));
        }
    }

    /// Restores the default of every split.
    pub fn reset(&mut self) {
        self.splits = Self::default().splits;
    }

    fn set(&mut self, shape: PaneShape, split: &Split, place: u16) -> bool {
        let place = split.fitting(place);
        let moved = place != split.place();
        let share = (u32::from(place) * 1000 + u32::from(split.whole()) / 2) / u32::from(split.whole().max(1));
        self.splits[shape as usize][split.number] = Some(share as u16);
        moved
    }
}

impl PaneFrames {
    /// The split under a cell. A split can be grabbed at the cells on both sides, since each pane has its own border.
    pub fn grab(&self, column: u16, row: u16) -> Option<SplitDrag> {
        let at = Position::new(column, row);
        let shown = self.frames.iter().filter(|frame| !frame.is_empty()).count() > 1;
        self.splits.iter().filter(|_| shown).find_map(|split| {
            let (second, is_inside) = (split.second, split.first.contains(at) || split.second.contains(at));
            let (at, meet) = if split.axis == Axis::Width { (column, second.x) } else { (row, second.y) };
            (is_inside && (at == meet || at.checked_add(1) == Some(meet)))
                .then(|| SplitDrag { number: split.number, shift: meet - at })
        })
    }
}

impl Split {
    /// The place of the split: the extent of the first part, in cells.
    fn place(&self) -> u16 {
        if self.axis == Axis::Width { self.first.width } else { self.first.height }
    }

    fn whole(&self) -> u16 {
        if self.axis == Axis::Width {
            self.first.width + self.second.width
        } else {
            self.first.height + self.second.height
        }
    }

    /// The nearest place at which neither part is too small.
    fn fitting(&self, place: u16) -> u16 {
        fitting(place, self.whole(), self.least)
    }
}

fn fitting(place: u16, whole: u16, (first, second): (u16, u16)) -> u16 {
    place.min(whole.saturating_sub(second)).max(first.min(whole))
}

struct Splitter<'a> {
    arrangement: &'a Arrangement,
    shape: PaneShape,
}

impl Splitter<'_> {
    /// Splits an area where the user has put the split, else at `default`: the extent of the first part, in cells.
    fn split(&self, number: usize, axis: Axis, area: Rect, default: u16, least: (u16, u16)) -> Split {
        let whole = if axis == Axis::Width { area.width } else { area.height };
        let own = self.arrangement.splits[self.shape as usize][number];
        let own = own.map(|share| ((u32::from(share) * u32::from(whole) + 500) / 1000) as u16);
        let place = fitting(own.unwrap_or(default), whole, least);
        let (first, second) = if axis == Axis::Width {
            let (x, width) = (area.x + place, area.width - place);
            (Rect { width: place, ..area }, Rect { x, width, ..area })
        } else {
            let (y, height) = (area.y + place, area.height - place);
            (Rect { height: place, ..area }, Rect { y, height, ..area })
        };
        Split { number, axis, first, second, least }
    }
}

/// `parts / all` of a whole, rounded.
fn share(whole: u16, (parts, all): (u16, u16)) -> u16 {
    ((u32::from(whole) * u32::from(parts) + u32::from(all) / 2) / u32::from(all)) as u16
}

fn zoomed(area: Rect, focus: Pane) -> [Rect; 4] {
    let mut frames = [Rect { width: 0, height: 0, ..area }; 4];
    frames[focus.position()] = area;
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panes(arrangement: &Arrangement, columns: u16, rows: u16, focus: Pane) -> PaneFrames {
        arrangement.panes(ScreenSize { columns, rows }, Rect::new(0, 1, columns, rows - 2), focus)
    }

    /// Width and height of a pane.
    fn extent(panes: &PaneFrames, pane: Pane) -> (u16, u16) {
        let frame = panes.frames[pane.position()];
        (frame.width, frame.height)
    }

    #[test]
    fn a_pane_grows_and_shrinks_on_every_side() {
        for (columns, rows) in [(80, 24), (160, 45), (240, 50), (60, 60)] {
            for pane in Pane::ALL {
                let mut arrangement = Arrangement::default();
                let before = panes(&arrangement, columns, rows, pane);
                let (width, height) = extent(&before, pane);
                if arrangement.resize(&before, pane, Axis::Width, true) {
                    let after = panes(&arrangement, columns, rows, pane);
                    assert_eq!(extent(&after, pane), (width + 4, height), "{columns}×{rows} {pane:?}");
                    assert!(arrangement.resize(&after, pane, Axis::Width, false));
                }
                let after = panes(&arrangement, columns, rows, pane);
                assert_eq!(after.frames, before.frames);
                if arrangement.resize(&after, pane, Axis::Height, false) {
                    let after = panes(&arrangement, columns, rows, pane);
                    assert_eq!(extent(&after, pane), (width, height - 2), "{columns}×{rows} {pane:?}");
                }
            }
        }
    }

    #[test]
    fn dragging_keeps_every_pane_visible() {
        for (columns, rows) in [(48, 14), (80, 24), (160, 45), (240, 50), (60, 60)] {
            let mut arrangement = Arrangement::default();
            for (number, column, row) in [(0, 0, 0), (1, columns, rows), (2, 0, rows), (0, columns, rows), (1, 0, 0)] {
                let now = panes(&arrangement, columns, rows, Pane::Symbols);
                arrangement.drag(&now, SplitDrag { number, shift: 0 }, column, row);
                let now = panes(&arrangement, columns, rows, Pane::Symbols);
                let cells: u32 = now.frames.iter().map(|frame| frame.area()).sum();
                assert_eq!(cells, u32::from(columns) * u32::from(rows - 2));
                assert!(now.frames.iter().all(|frame| frame.width >= MIN_WIDTH && frame.height >= MIN_HEIGHT));
            }
        }
    }

    #[test]
    fn a_split_is_grabbed_at_either_border() {
        let mut arrangement = Arrangement::default();
        let before = panes(&arrangement, 80, 24, Pane::Modules);
        let symbols = before.frames[Pane::Symbols.position()];
        assert_eq!(before.grab(symbols.x + 3, symbols.y + 1), None);
        // Dragging either border of the split moves the split as far as the mouse moves.
        for x in [symbols.right() - 1, symbols.right()] {
            let drag = before.grab(x, 5).expect("a split");
            arrangement.drag(&before, drag, x + 7, 5);
            assert_eq!(extent(&panes(&arrangement, 80, 24, Pane::Modules), Pane::Symbols).0, symbols.width + 7);
        }
        arrangement.reset();
        assert_eq!(panes(&arrangement, 80, 24, Pane::Modules), before);
    }

    #[test]
    fn a_zoomed_pane_fills_the_screen() {
        let arrangement = Arrangement { is_zoomed: true, ..Arrangement::default() };
        let zoomed = panes(&arrangement, 80, 24, Pane::Preview);
        assert_eq!(extent(&zoomed, Pane::Preview), (80, 22));
        assert_eq!(zoomed.frames.iter().filter(|frame| !frame.is_empty()).count(), 1);
        assert_eq!(zoomed.grab(32, 5), None);
    }
}
