//! The names of the panes, and the areas of overlays and pages, which depend on the size of the window and of the text.
//!
//! Areas that also depend on the model, such as the panes' frames and the tabs, are in [`super::layout`].

use ratatui::layout::{Constraint, Layout, Margin, Rect};

use super::widgets::wrap;

/// The smallest window in which the panes can be read.
pub const MINIMUM: ScreenSize = ScreenSize { columns: 48, rows: 14 };

/// The smallest width in columns at which a list and its detail are side by side.
const SIDE_BY_SIDE: u16 = 120;

/// The size of the terminal in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenSize {
    /// Columns.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
}

/// A part of the screen that can have the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pane {
    /// The tree of modules.
    #[default]
    Modules,
    /// The definitions of the selected module, most used first.
    Symbols,
    /// The parameters of the selected symbol, most used first.
    Arguments,
    /// The stub.
    Preview,
}

impl Pane {
    /// Every pane, in the order of Tab.
    pub const ALL: [Self; 4] = [Self::Modules, Self::Symbols, Self::Arguments, Self::Preview];

    /// Its position in [`Self::ALL`].
    pub fn position(self) -> usize {
        self as usize
    }
}

/// A pane: its frame, and inside of the frame a head, a body and a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaneArea {
    /// The whole area, with the border.
    pub frame: Rect,
    /// Lines above the body that do not scroll.
    pub head: Rect,
    /// The list or text, which scrolls.
    pub body: Rect,
    /// Lines below the body that do not scroll.
    pub foot: Rect,
}

/// The frame of a text overlay with `lines` lines: in the middle of the screen, never larger than the screen.
pub fn text_overlay(size: ScreenSize, lines: usize) -> Rect {
    let rows = u16::try_from(lines + 2).unwrap_or(u16::MAX).min(size.rows.saturating_sub(2));
    // Wide enough for most lines of the help; longer lines are wrapped.
    centred(size, 88, rows)
}

/// The frame of the prompt for the path to write the stub to. It has room for `command` below the path.
pub fn prompt(size: ScreenSize, command: &str) -> Rect {
    let lines = wrap(command, usize::from(centred(size, 76, 1).width.saturating_sub(4))).len();
    centred(size, 76, u16::try_from(lines + 7).unwrap_or(u16::MAX))
}

/// The parts of the list of origins and sources: a row for each, with a button on each side of the weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OriginsArea {
    /// The whole area, with the border.
    pub frame: Rect,
    /// The line that explains the list.
    pub head: Rect,
    /// The rows.
    pub list: Rect,
    /// The column of the buttons that lower the weight.
    pub less: Rect,
    /// The column of the weights.
    pub weight: Rect,
    /// The column of the buttons that raise the weight.
    pub more: Rect,
    /// The line that names the keys.
    pub foot: Rect,
}

/// Lays out the list of origins and sources, which has `rows` rows; the longest name is `name` cells wide.
pub(super) fn origins(size: ScreenSize, rows: usize, name: usize) -> OriginsArea {
    let name = u16::try_from(name).unwrap_or(u16::MAX).clamp(11, 30);
    let rows = u16::try_from(rows).unwrap_or(u16::MAX).min(size.rows.saturating_sub(6)).max(1);
    let frame = centred(size, 53 + name, rows + 6);
    let inner = frame.inner(Margin::new(2, 1));
    let rows = [1, 1, rows, 1, 1].map(Constraint::Length);
    let [head, _, list, _, foot] = Layout::vertical(rows).areas(inner);
    let column = |x: u16, width: u16| Rect { x: list.x + x, width, ..list }.intersection(list);
    let (less, weight, more) = (column(name + 4, 3), column(name + 7, 4), column(name + 11, 3));
    OriginsArea { frame, head, list, less, weight, more, foot }
}

/// A list, and the detail of its selected row, over the panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MasterDetailArea {
    /// The list with its border.
    pub frame: Rect,
    /// The line above the list in which a query is typed; empty on a page, which has no query.
    pub head: Rect,
    /// The list.
    pub list: Rect,
    /// The detail with its border.
    pub detail: Rect,
}

/// Lays out the finder: the query, the hits, and a preview of the selected hit.
pub fn finder(size: ScreenSize) -> MasterDetailArea {
    let (frame, detail) = master_and_detail(between_header_and_footer(size));
    let inner = frame.inner(Margin::new(1, 1));
    let [head, list] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(inner);
    MasterDetailArea { frame, head, list, detail }
}

/// The rows of the finder: the names, and below them the results by meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinderRows {
    /// The names; at least one row, for a message if there are none.
    pub names: Rect,
    /// The heading of the results by meaning; empty if there are none.
    pub head: Rect,
    /// The results by meaning.
    pub meaning: Rect,
}

/// Lays out the list of the finder for these numbers of names and of hits by meaning. The names have two thirds of the
/// list, and more if the others need less.
pub fn finder_rows(list: Rect, names: usize, meaning: usize) -> FinderRows {
    let [names, meaning] = [names, meaning].map(|len| u16::try_from(len).unwrap_or(u16::MAX));
    let shown = meaning.min((list.height / 3).max(1));
    if shown == 0 || list.height < 4 {
        return FinderRows { names: list, head: empty(list), meaning: empty(list) };
    }
    let names = names.clamp(1, list.height - shown - 1);
    let rows = [names, 1, meaning.min(list.height - names - 1)].map(Constraint::Length);
    let [names, head, meaning] = Layout::vertical(rows).areas(list);
    FinderRows { names, head, meaning }
}

/// Lays out a page: its rows, and the source of the selected row.
pub fn page(size: ScreenSize) -> MasterDetailArea {
    let (frame, detail) = master_and_detail(between_header_and_footer(size));
    let inner = frame.inner(Margin::new(1, 1));
    MasterDetailArea { frame, head: empty(inner), list: inner, detail }
}

/// The parts of the page of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskArea {
    /// The whole area, with the border.
    pub frame: Rect,
    /// The conversation.
    pub list: Rect,
    /// The rule above the question.
    pub rule: Rect,
    /// The line in which the question is typed.
    pub input: Rect,
}

/// Lays out the page of questions.
pub fn ask(size: ScreenSize) -> AskArea {
    let frame = between_header_and_footer(size);
    let rows = [Constraint::Fill(1), Constraint::Length(1), Constraint::Length(1)];
    let [list, rule, input] = Layout::vertical(rows).areas(frame.inner(Margin::new(1, 1)));
    AskArea { frame, list, rule, input: input.inner(Margin::new(1, 0)) }
}

/// The width of the bar that shows a share, in a row that is `room` cells wide.
pub fn bar(room: u16) -> u16 {
    match room {
        0..30 => 4,
        30..50 => 8,
        _ => 12,
    }
}

/// The column at which the detail lines of a share begin.
pub const DETAIL: u16 = 5;

/// The width of the column of names, in a list of shares whose widest name takes `widest` cells and whose rows are
/// `room` cells wide.
pub fn names(widest: u16, room: u16) -> u16 {
    widest.min((room * 2 / 5).max(8))
}

/// The cells for the note behind a share, in a row that is `width` cells wide with a column of names of `names` cells.
pub fn share_note(width: u16, names: u16) -> u16 {
    let beyond_name = width.saturating_sub(5 + names);
    beyond_name.saturating_sub(bar(beyond_name) + 14)
}

/// The column at which the parameter names of a recipe begin, in a row that is `width` cells wide: after a bar, a
/// percentage and a number.
pub fn recipe(width: u16) -> u16 {
    3 + bar(width.saturating_sub(4)) + 14
}

/// The part of a page's upper border with the key that closes the page; empty if there is no room.
pub fn close_hint(frame: Rect) -> Rect {
    let cells = if frame.width < 76 { 0 } else { 14 };
    Rect::new(frame.right().saturating_sub(cells + 2), frame.y, cells, 1)
}

/// The parts of the tuning page. The first tab shows the curve, the changes that a notch would make, and the stub; the
/// second tab compares another stub with the present one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TuningArea {
    /// The whole area, with the border: the frame of the second tab.
    pub whole: Rect,
    /// The curve with its border.
    pub curve: Rect,
    /// The numbers above the curve.
    pub head: Rect,
    /// The curve with its axes.
    pub plot: Rect,
    /// The list of changes with its border.
    pub changes: Rect,
    /// The list of changes.
    pub list: Rect,
    /// The stub with its border; empty if there is no room for it.
    pub stub: Rect,
    /// On the second tab: the lines above both stubs.
    pub comparison_head: Rect,
    /// On the second tab: the stubs.
    pub comparison: Rect,
    /// On the second tab: true if the stubs are side by side.
    pub is_beside: bool,
}

/// Lays out the tuning page: the curve above the list of changes, with the stub beside both if there is room.
pub fn tuning(size: ScreenSize) -> TuningArea {
    let whole = between_header_and_footer(size);
    let (left, stub) = if whole.width >= SIDE_BY_SIDE {
        let [left, stub] = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(whole);
        (left, stub)
    } else {
        (whole, Rect { width: 0, ..whole })
    };
    let height = (left.height * 11 / 20).clamp(7.min(left.height), 28);
    let [curve, changes] = Layout::vertical([Constraint::Length(height), Constraint::Fill(1)]).areas(left);
    let inner = curve.inner(Margin::new(1, 1));
    let lines = if inner.height < 8 { 1 } else { 2 };
    let [head, plot] = Layout::vertical([Constraint::Length(lines), Constraint::Fill(1)]).areas(inner);
    let [comparison_head, comparison] =
        Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(whole.inner(Margin::new(1, 1)));
    let list = changes.inner(Margin::new(1, 1));
    let is_beside = comparison.width >= 110;
    TuningArea { whole, curve, head, plot, changes, list, stub, comparison_head, comparison, is_beside }
}

/// Splits an area into a list and its detail: side by side if there is room, else one above the other.
fn master_and_detail(area: Rect) -> (Rect, Rect) {
    let [list, detail] = if area.width >= SIDE_BY_SIDE {
        Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(area)
    } else {
        Layout::vertical([Constraint::Fill(4), Constraint::Fill(3)]).areas(area)
    };
    (list, detail)
}

fn between_header_and_footer(size: ScreenSize) -> Rect {
    Rect::new(0, 1, size.columns, size.rows.saturating_sub(2))
}

/// An area of that size in the middle of the screen, cut to the screen.
pub(super) fn centred(size: ScreenSize, columns: u16, rows: u16) -> Rect {
    let (width, height) = (columns.min(size.columns), rows.min(size.rows));
    Rect::new((size.columns - width) / 2, (size.rows - height) / 2, width, height)
}

/// An area without rows at the same place.
pub(super) fn empty(area: Rect) -> Rect {
    Rect { height: 0, ..area }
}
