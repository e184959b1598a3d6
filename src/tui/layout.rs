//! Where everything is: pure, and used by `update` for mouse hits and heights and by `view` to draw.

use ratatui::layout::{Constraint, Layout, Margin, Position, Rect};

use super::{
    arrangement::{Arrangement, Panes},
    command::Command,
    model::{
        Model, Pane, Picker,
        card::{Card, Subject},
        tuning::Tab,
    },
    widgets::{width, wrap},
};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Areas {
    /// The first row.
    pub header: Rect,
    /// The last row.
    pub footer: Rect,
    /// The panes, by [`Pane::position`]; empty where another one is zoomed.
    pub panes: [PaneArea; 4],
    /// How they share the screen.
    pub arranged: Panes,
}

/// Where everything is; `None` where the window is too small.
pub fn areas(model: &Model) -> Option<Areas> {
    split(model.size, model.focus, &model.arrangement)
}

/// Where the text of a page of so many lines is: a frame in the middle, never larger than the screen.
pub fn page(size: Size, lines: usize) -> Rect {
    let rows = u16::try_from(lines + 2).unwrap_or(u16::MAX).min(size.rows.saturating_sub(2));
    // The longest line of the help has room.
    centred(size, 88, rows)
}

/// Where the prompt for a path is, with the command that prints the same bytes below it.
pub fn prompt(size: Size, command: &str) -> Rect {
    let lines = wrap(command, usize::from(centred(size, 76, 1).width.saturating_sub(4))).len();
    centred(size, 76, u16::try_from(lines + 7).unwrap_or(u16::MAX))
}

/// Where a list to choose from is: what is typed in its head, the list in its body.
pub fn picker(size: Size, picker: &Picker) -> PaneArea {
    let columns = u16::try_from(picker.width()).unwrap_or(u16::MAX).clamp(40, 100);
    let rows = u16::try_from(picker.choices.len() + 4).unwrap_or(u16::MAX).min(size.rows.saturating_sub(4)).min(28);
    let frame = centred(size, columns, rows);
    let inner = frame.inner(Margin::new(1, 1));
    let [head, rest] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(inner);
    let [_, body] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(rest);
    PaneArea { frame, head, body, foot: empty(inner) }
}

/// Where the origins are: a row each, and in it what counts them less and more often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OriginsArea {
    /// With its border.
    pub frame: Rect,
    /// What the list is for.
    pub head: Rect,
    /// The rows.
    pub list: Rect,
    /// In each row, what counts it less often.
    pub less: Rect,
    /// In each row, how often it counts.
    pub weight: Rect,
    /// In each row, what counts it more often.
    pub more: Rect,
    /// The keys.
    pub foot: Rect,
}

/// Where the origins are.
pub fn origins(size: Size) -> OriginsArea {
    let frame = centred(size, 64, 10);
    let inner = frame.inner(Margin::new(2, 1));
    let rows = [1, 1, 4, 1, 1].map(Constraint::Length);
    let [head, _, list, _, foot] = Layout::vertical(rows).areas(inner);
    let column = |x: u16, width: u16| Rect { x: list.x + x, width, ..list }.intersection(list);
    OriginsArea { frame, head, list, less: column(15, 3), weight: column(18, 4), more: column(22, 3), foot }
}

/// The parts of a list that leads on, over the panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leading {
    /// With its border.
    pub frame: Rect,
    /// What is typed, or what it is about.
    pub head: Rect,
    /// The list.
    pub list: Rect,
    /// The border of what the selected row is like.
    pub aside: Rect,
}

/// Where the finder is: what is found, and beside or below it what the highlighted one is like.
pub fn finder(size: Size) -> Leading {
    let screen = Rect::new(0, 1, size.columns, size.rows.saturating_sub(2));
    let (frame, aside) = beside_or_below(screen);
    let inner = frame.inner(Margin::new(1, 1));
    let [head, list] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(inner);
    Leading { frame, head, list, aside }
}

/// Where a page is: its rows, and beside or below them the source behind the selected one.
pub fn card(size: Size) -> Leading {
    let screen = Rect::new(0, 1, size.columns, size.rows.saturating_sub(2));
    let (frame, aside) = beside_or_below(screen);
    let inner = frame.inner(Margin::new(1, 1));
    Leading { frame, head: empty(inner), list: inner, aside }
}

/// Cells of the bar of a share, in a row with so much room.
pub fn bar(room: u16) -> u16 {
    match room {
        0..30 => 4,
        30..50 => 8,
        _ => 12,
    }
}

/// Where the names of a recipe begin in a row of that width: behind a bar, a percentage and a number.
pub fn recipe(width: u16) -> u16 {
    3 + bar(width.saturating_sub(4)) + 14
}

/// Where the upper border of a page says how it is closed; nowhere where there is no room.
pub fn closes(frame: Rect) -> Rect {
    let cells = if frame.width < 76 { 0 } else { 14 };
    Rect::new(frame.right().saturating_sub(cells + 2), frame.y, cells, 1)
}

/// The parts of the tuning page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TuningArea {
    /// All of it, with the border: what the second tab takes.
    pub whole: Rect,
    /// The border of the curve.
    pub curve: Rect,
    /// The numbers above the curve.
    pub head: Rect,
    /// The curve with its axes.
    pub plot: Rect,
    /// The border of what a notch changes.
    pub changes: Rect,
    /// The rows of that.
    pub list: Rect,
    /// The border of the stub; empty where there is no room for it.
    pub stub: Rect,
    /// On the second tab: what stands above both stubs.
    pub cuts_head: Rect,
    /// And the stubs.
    pub cuts: Rect,
    /// The stubs stand side by side.
    pub is_beside: bool,
}

/// Where the parts of the tuning page are: the curve above what a notch changes, the stub beside them where there is
/// room.
pub fn tuning(size: Size) -> TuningArea {
    let whole = Rect::new(0, 1, size.columns, size.rows.saturating_sub(2));
    let (left, stub) = if whole.width >= 120 {
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
    let [cuts_head, cuts] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(whole.inner(Margin::new(1, 1)));
    let list = changes.inner(Margin::new(1, 1));
    TuningArea { whole, curve, head, plot, changes, list, stub, cuts_head, cuts, is_beside: cuts.width >= 110 }
}

/// The parts of the tuning page, and where they are in its upper border.
pub fn tuning_tabs(model: &Model) -> Vec<(Tab, Rect)> {
    let frame = tuning(model.size).curve;
    let cells = |tab: Tab| tab.word().len() as u16 + 2;
    let all: u16 = Tab::ALL.into_iter().map(cells).sum();
    let title = width(&model.subject_name().unwrap_or_default()) as u16 + 10;
    let most = frame.width.saturating_sub(all + closes(frame).width + 3);
    let mut x = frame.x + title.min(most);
    let place = |tab: Tab| {
        let at = Rect::new(x, frame.y, cells(tab), 1).intersection(frame);
        x += cells(tab);
        (tab, at)
    };
    Tab::ALL.into_iter().map(place).collect()
}

/// Where the prompt for a profile's name is.
pub fn save_prompt(model: &Model) -> Rect {
    prompt(model.size, &model.profile_commands().join(" "))
}

/// The pages beside the one that is open, with their words and where they are in its upper border.
pub fn tabs(model: &Model, card: &Card) -> Vec<(Subject, &'static str, Rect)> {
    let Some(catalog) = &model.catalog else { return Vec::new() };
    let frame = self::card(model.size).frame;
    let tabs = card.subject.tabs(catalog);
    let cells = |word: &str| word.len() as u16 + 2;
    let all: u16 = tabs.iter().map(|(_, word)| cells(word)).sum();
    let mut x = frame.right().saturating_sub(all + closes(frame).width + 3);
    let place = |(subject, word): (Subject, &'static str)| {
        let at = Rect::new(x, frame.y, cells(word), 1).intersection(frame);
        x += cells(word);
        (subject, word, at)
    };
    tabs.into_iter().map(place).collect()
}

/// A list, and what its rows are like: side by side where there is room, else one above the other.
fn beside_or_below(area: Rect) -> (Rect, Rect) {
    let [list, aside] = if area.width >= 120 {
        Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(area)
    } else {
        Layout::vertical([Constraint::Fill(4), Constraint::Fill(3)]).areas(area)
    };
    (list, aside)
}

fn centred(size: Size, columns: u16, rows: u16) -> Rect {
    let (width, height) = (columns.min(size.columns), rows.min(size.rows));
    Rect::new((size.columns - width) / 2, (size.rows - height) / 2, width, height)
}

fn split(size: Size, focus: Pane, arrangement: &Arrangement) -> Option<Areas> {
    if size.columns < MINIMUM.columns || size.rows < MINIMUM.rows {
        return None;
    }
    let screen = Rect::new(0, 0, size.columns, size.rows);
    let [header, middle, footer] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)]).areas(screen);
    let arranged = arrangement.panes(size, middle, focus);
    let mut panes = arranged.frames.map(|frame| {
        let inner = frame.inner(Margin::new(1, 1));
        PaneArea { frame, head: empty(inner), body: inner, foot: empty(inner) }
    });
    arrange_arguments(&mut panes[Pane::Arguments.position()], focus);
    arrange_preview(&mut panes[Pane::Preview.position()]);
    Some(Areas { header, footer, panes, arranged })
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

/// The last row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footer {
    /// The strategy.
    pub chip: Rect,
    /// The tokenizer.
    pub encoding: Rect,
    /// What is otherwise than one may expect, and what makes it as usual again.
    pub states: Vec<(Rect, String, Command)>,
    /// What is left: a toast, or the hints.
    pub rest: Rect,
    /// The keys that matter; none while a toast is shown.
    pub hints: Vec<Hint>,
}

/// A key and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Where it stands.
    pub area: Rect,
    /// What it gives.
    pub command: Command,
    /// The key.
    pub key: String,
    /// What it does; empty where the next one says it for both.
    pub word: &'static str,
}

/// Takes so many cells off the left of an area, and a gap behind them.
fn take(area: &mut Rect, cells: usize, gap: u16) -> Rect {
    let taken = Rect { width: u16::try_from(cells).unwrap_or(u16::MAX).min(area.width), ..*area };
    let used = taken.width.saturating_add(gap).min(area.width);
    *area = Rect { x: area.x + used, width: area.width - used, ..*area };
    taken
}

fn empty(area: Rect) -> Rect {
    Rect { height: 0, ..area }
}

impl Areas {
    /// A pane's area.
    pub fn pane(&self, pane: Pane) -> &PaneArea {
        &self.panes[pane.position()]
    }

    /// The last row in detail.
    pub fn footer(&self, model: &Model) -> Footer {
        let mut rest = Rect { width: self.footer.width.saturating_sub(1), ..self.footer };
        let chip = take(&mut rest, width(&model.settings.describe()) + 2, 1);
        let encoding = take(&mut rest, width(model.settings.encoding.name()), 2);
        let states = model.states().into_iter().map(|(words, command)| {
            let area = take(&mut rest, width(&words), 2);
            (area, words, command)
        });
        let states = states.collect();
        let mut hints = Vec::new();
        let mut room = rest;
        for (command, word) in model.hints() {
            let Some(key) = model.keymap.first(command) else { continue };
            let cells = width(&key) + 1 + width(word);
            let gap = if word.is_empty() { 0 } else { 2 };
            if model.toast.is_some() || cells + usize::from(gap) > usize::from(room.width) {
                break;
            }
            hints.push(Hint { area: take(&mut room, cells, gap), command, key, word });
        }
        // The word for it has no room.
        hints.truncate(hints.iter().rposition(|hint| !hint.word.is_empty()).map_or(0, |last| last + 1));
        Footer { chip, encoding, states, rest, hints }
    }

    /// The command whose key stands in that cell of the last row.
    pub fn hint(&self, model: &Model, column: u16, row: u16) -> Option<Command> {
        let at = Position::new(column, row);
        let hints = if self.footer.contains(at) { self.footer(model).hints } else { Vec::new() };
        hints.into_iter().find(|hint| hint.area.contains(at)).map(|hint| hint.command)
    }

    /// The command that a click in that cell of the first or last row gives.
    pub fn button(&self, model: &Model, column: u16, row: u16) -> Option<Command> {
        let at = Position::new(column, row);
        if self.header.contains(at) {
            return Some(Command::Ledger);
        }
        if !self.footer.contains(at) {
            return None;
        }
        let footer = self.footer(model);
        let fixed = [(footer.chip, Command::NextStrategy), (footer.encoding, Command::NextEncoding)];
        let states = footer.states.iter().map(|(area, _, command)| (*area, *command));
        let hints = footer.hints.iter().map(|hint| (hint.area, hint.command));
        fixed.into_iter().chain(states).chain(hints).find(|(area, _)| area.contains(at)).map(|(_, command)| command)
    }

    /// The pane in that cell, and the row of its list, counted from the first visible one.
    pub fn hit(&self, column: u16, row: u16) -> Option<(Pane, Option<usize>)> {
        let at = Position::new(column, row);
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
                    let areas = split(Size { columns, rows }, focus, &Arrangement::default()).expect("large enough");
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
        assert_eq!(
            split(Size { columns: MINIMUM.columns - 1, rows: 50 }, Pane::Modules, &Arrangement::default()),
            None
        );
        assert_eq!(split(Size { columns: 0, rows: 0 }, Pane::Modules, &Arrangement::default()), None);
    }

    #[test]
    fn hits_name_the_row() {
        let areas =
            split(Size { columns: 80, rows: 24 }, Pane::Modules, &Arrangement::default()).expect("large enough");
        let body = areas.pane(Pane::Symbols).body;
        assert_eq!(areas.hit(body.x, body.y + 2), Some((Pane::Symbols, Some(2))));
        assert_eq!(areas.hit(body.x - 1, body.y + 2), Some((Pane::Symbols, None)));
        assert_eq!(areas.hit(0, 0), None);
    }
}
