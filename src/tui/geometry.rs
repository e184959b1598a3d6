//! The names of the panes, and the areas of overlays and pages, which depend on the size of the window and of the text.
//!
//! Areas that also depend on the model, such as the panes' frames and the tabs, are in [`super::layout`].

use ratatui::layout::{Constraint, Layout, Margin, Rect};

use super::widgets::wrap;

/// The smallest window in which the panes can be read.
pub const MINIMUM: ScreenSize = ScreenSize { columns: 48, rows: 14 };

/// The smallest width, in cells, of an area in which a list and its detail are side by side.
const SIDE_BY_SIDE: u16 = 120;
/// The smallest width, in cells, of an area in which two stubs are side by side to be compared.
const STUBS_SIDE_BY_SIDE: u16 = 110;
/// The cells of a border on both sides.
const BORDERS: u16 = 2;
/// The rows of the header and of the footer of the screen.
const HEADER_AND_FOOTER: u16 = 2;
/// The rows between the top of the screen and the panes or pages: the header.
const HEADER: u16 = 1;

/// The width of a text overlay, in cells. It suffices for most lines of the help; longer lines are wrapped.
const TEXT_WIDTH: u16 = 88;
/// The width of a prompt, in cells.
const PROMPT_WIDTH: u16 = 76;
/// The cells beside the text of a prompt: the borders, and a cell at each of them.
const PROMPT_MARGINS: u16 = 4;
/// The rows of a prompt beside its command: the borders, the path, and the lines that explain both.
const PROMPT_ROWS: usize = 7;

/// The rows of the list of origins beside its groups: the borders, the explanation, the keys, and two empty rows.
const ORIGINS_ROWS: u16 = 6;
/// The cells of a row in the list of origins beside the name of the group: the weight with its buttons, the bar, the
/// number of calls and their share.
const ORIGINS_COLUMNS: u16 = 53;
/// The least and the greatest width of a name in the list of origins, in cells.
const ORIGINS_NAMES: (u16, u16) = (11, 30);
/// The cells before a name in the list of origins, with a gap behind it: the mark, the key and the gap.
const BEFORE_WEIGHT: u16 = 4;
/// The width of a button that lowers or raises a weight, in cells.
const BUTTON: u16 = 3;
/// The width of a weight, in cells.
const WEIGHT: u16 = 4;

/// The least number of rows of the finder's list in which results by meaning are shown below the names.
const ROWS_WITH_MEANING: u16 = 4;

/// The widths of the bars that show shares in narrow, middling and wide rows, in cells.
const BARS: [u16; 3] = [4, 8, 12];
/// The cells of a share beside its bar: the percentage, the number, and the gap behind them.
const SHARE_NUMBERS: u16 = 14;
/// The cells of a share beside its name and its bar: the mark, the gap behind the mark, and the gap behind the name.
const AROUND_NAME: u16 = 5;
/// The least width of a column of names, in cells, if a name is as wide.
const LEAST_NAMES: u16 = 8;
/// The column at which the bar of a recipe begins, in cells.
const BEFORE_RECIPE_BAR: u16 = 3;
/// The cells of a row beside the bar of a recipe and what follows it.
const AROUND_RECIPE: u16 = 4;

/// The width of the hint how a page is closed, in cells.
const CLOSE_HINT: u16 = 14;
/// The smallest width of a frame, in cells, whose border has room for that hint.
const FRAME_WITH_HINT: u16 = 76;
/// The cells between the hint and the corner of the frame, with the corner.
const AFTER_HINT: u16 = 2;

/// The least and the greatest height of the curve with its border, in rows.
const CURVE_HEIGHTS: (u16, u16) = (7, 28);
/// The least height of the curve without its border, in rows, at which its numbers have two rows.
const CURVE_WITH_TWO_HEADS: u16 = 8;
/// The rows above two compared stubs.
const COMPARISON_HEAD: u16 = 2;

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
    let rows = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(BORDERS);
    centred(size, TEXT_WIDTH, rows.min(size.rows.saturating_sub(HEADER_AND_FOOTER)))
}

/// The frame of the prompt for the path to write the stub to. It has room for `command` below the path.
pub fn prompt(size: ScreenSize, command: &str) -> Rect {
    let width = centred(size, PROMPT_WIDTH, 1).width.saturating_sub(PROMPT_MARGINS);
    let lines = wrap(command, usize::from(width)).len();
    centred(size, PROMPT_WIDTH, u16::try_from(lines + PROMPT_ROWS).unwrap_or(u16::MAX))
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
    let name = u16::try_from(name).unwrap_or(u16::MAX).clamp(ORIGINS_NAMES.0, ORIGINS_NAMES.1);
    let rows = u16::try_from(rows).unwrap_or(u16::MAX).min(size.rows.saturating_sub(ORIGINS_ROWS)).max(1);
    let frame = centred(size, ORIGINS_COLUMNS + name, rows + ORIGINS_ROWS);
    let inner = frame.inner(Margin::new(2, 1));
    let rows = [1, 1, rows, 1, 1].map(Constraint::Length);
    let [head, _, list, _, foot] = Layout::vertical(rows).areas(inner);
    let column = |x: u16, width: u16| Rect { x: list.x + x, width, ..list }.intersection(list);
    let less = name + BEFORE_WEIGHT;
    let weight = less + BUTTON;
    let more = weight + WEIGHT;
    let (less, weight, more) = (column(less, BUTTON), column(weight, WEIGHT), column(more, BUTTON));
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
    if shown == 0 || list.height < ROWS_WITH_MEANING {
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

/// Lays out a page whose rows have no source: they take the whole area.
pub fn page_of_rows(size: ScreenSize) -> MasterDetailArea {
    let frame = between_header_and_footer(size);
    let inner = frame.inner(Margin::new(1, 1));
    MasterDetailArea { frame, head: empty(inner), list: inner, detail: empty(inner) }
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

/// The width of the bar that shows a share, in a row that has `room` cells for the bar and what follows it.
pub fn bar(room: u16) -> u16 {
    bar_within(room, [30, 50])
}

/// The width of the bars in a list of arguments that is `width` cells wide.
pub fn argument_bar(width: u16) -> u16 {
    bar_within(width, [34, 48])
}

/// The width of a bar. Rows with less than `limits[0]` cells are narrow, rows with less than `limits[1]` cells
/// middling.
fn bar_within(room: u16, limits: [u16; 2]) -> u16 {
    BARS[limits.into_iter().filter(|limit| room >= *limit).count()]
}

/// The column at which the detail lines of a share begin.
pub const DETAIL: u16 = 5;

/// The width of the column of names, in a list of shares whose widest name takes `widest` cells and whose rows are
/// `room` cells wide.
pub fn names(widest: u16, room: u16) -> u16 {
    widest.min((room * 2 / 5).max(LEAST_NAMES))
}

/// The cells for the note behind a share, in a row that is `width` cells wide with a column of names of `names` cells.
pub fn share_note(width: u16, names: u16) -> u16 {
    let beyond_name = width.saturating_sub(AROUND_NAME + names);
    beyond_name.saturating_sub(bar(beyond_name) + SHARE_NUMBERS)
}

/// The column at which the parameter names of a recipe begin, in a row that is `width` cells wide: after a bar, a
/// percentage and a number.
pub fn recipe(width: u16) -> u16 {
    BEFORE_RECIPE_BAR + bar(width.saturating_sub(AROUND_RECIPE)) + SHARE_NUMBERS
}

/// The part of a page's upper border with the key that closes the page; empty if there is no room.
pub fn close_hint(frame: Rect) -> Rect {
    let cells = if frame.width < FRAME_WITH_HINT { 0 } else { CLOSE_HINT };
    Rect::new(frame.right().saturating_sub(cells + AFTER_HINT), frame.y, cells, 1)
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
    let (least, most) = CURVE_HEIGHTS;
    let height = (left.height * 11 / 20).clamp(least.min(left.height), most);
    let [curve, changes] = Layout::vertical([Constraint::Length(height), Constraint::Fill(1)]).areas(left);
    let inner = curve.inner(Margin::new(1, 1));
    let lines = if inner.height < CURVE_WITH_TWO_HEADS { 1 } else { 2 };
    let [head, plot] = Layout::vertical([Constraint::Length(lines), Constraint::Fill(1)]).areas(inner);
    let [comparison_head, comparison] = Layout::vertical([Constraint::Length(COMPARISON_HEAD), Constraint::Fill(1)])
        .areas(whole.inner(Margin::new(1, 1)));
    let list = changes.inner(Margin::new(1, 1));
    let is_beside = comparison.width >= STUBS_SIDE_BY_SIDE;
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
    Rect::new(0, HEADER, size.columns, size.rows.saturating_sub(HEADER_AND_FOOTER))
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
