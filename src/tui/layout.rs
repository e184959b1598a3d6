//! Areas of the screen that depend on the model, and hit testing. `update` and `view` both use them, so that a click
//! hits what is drawn. Areas that depend on the size of the window alone are in [`super::geometry`].

use ratatui::layout::{Constraint, Layout, Margin, Position, Rect};

use super::{
    arrangement::{Arrangement, PaneFrames},
    command::Command,
    geometry::{MINIMUM, OriginsArea, Pane, PaneArea, ScreenSize, centred, close_hint, empty, prompt},
    model::{
        Model, Picker,
        page::{Page, PageSubject},
        tuning::TuningTab,
    },
    widgets::width,
};

/// The least and the greatest width of a picker, in cells.
const PICKER_WIDTHS: (u16, u16) = (40, 100);
/// The greatest height of a picker, in rows.
const PICKER_HEIGHT: u16 = 28;
/// The rows of a picker beside its choices: the borders, the pattern, and an empty row.
const PICKER_ROWS: usize = 4;
/// The rows of the screen that a picker leaves free.
const AROUND_PICKER: u16 = 4;
/// The cells beside the word of a tab: a space on each side.
const AROUND_TAB: u16 = 2;
/// The cells of the border that tabs and the hint how a page is closed leave free.
const BESIDE_TABS: u16 = 3;
/// The cells of the title of the tuning page beside the name of its subject.
const TUNING_TITLE: u16 = 10;
/// The rows of the arguments pane that describe the selected argument.
const ARGUMENT_DETAIL: u16 = 4;
/// The least height of the arguments pane, in rows, at which it has that description.
const WITH_DETAIL: u16 = 12;
/// The least height of the arguments pane, in rows, at which it has that description while it has the focus.
const WITH_DETAIL_IN_FOCUS: u16 = 9;

/// The areas of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Areas {
    /// The first row.
    pub header: Rect,
    /// The last row, see [`Areas::footer`].
    pub footer: Rect,
    /// The panes, by [`Pane::position`]; empty while another pane is zoomed.
    pub panes: [PaneArea; 4],
    /// The frames of the panes, and the splits between them.
    pub frames: PaneFrames,
}

/// Lays out the screen; `None` if the window is too small.
pub fn areas(model: &Model) -> Option<Areas> {
    split(model.size, model.focus, &model.arrangement)
}

/// Lays out the list of origins and sources.
pub fn origins(model: &Model) -> OriginsArea {
    let groups = model.call_groups();
    let name = groups.iter().map(|group| width(group.name())).max().unwrap_or(0);
    super::geometry::origins(model.size, groups.len(), name)
}

/// Lays out a picker: the pattern in the head, the list in the body.
pub fn picker(size: ScreenSize, picker: &Picker) -> PaneArea {
    let (least, most) = PICKER_WIDTHS;
    let columns = u16::try_from(picker.width()).unwrap_or(u16::MAX).clamp(least, most);
    let rows = u16::try_from(picker.choices.len() + PICKER_ROWS).unwrap_or(u16::MAX);
    let rows = rows.min(size.rows.saturating_sub(AROUND_PICKER)).min(PICKER_HEIGHT);
    let frame = centred(size, columns, rows);
    let inner = frame.inner(Margin::new(1, 1));
    let [head, rest] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(inner);
    let [_, body] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(rest);
    PaneArea { frame, head, body, foot: empty(inner) }
}

/// The tabs of the tuning page in its upper border.
pub fn tuning_tabs(model: &Model) -> Vec<(TuningTab, Rect)> {
    let frame = super::geometry::tuning(model.size).curve;
    let cells = |tab: TuningTab| tab.word().len() as u16 + AROUND_TAB;
    let all: u16 = TuningTab::ALL.into_iter().map(cells).sum();
    let title = width(&model.subject_name().unwrap_or_default()) as u16 + TUNING_TITLE;
    let most = frame.width.saturating_sub(all + close_hint(frame).width + BESIDE_TABS);
    let mut x = frame.x + title.min(most);
    let place = |tab: TuningTab| {
        let at = Rect::new(x, frame.y, cells(tab), 1).intersection(frame);
        x += cells(tab);
        (tab, at)
    };
    TuningTab::ALL.into_iter().map(place).collect()
}

/// The frame of the prompt for a profile's name.
pub fn save_prompt(model: &Model) -> Rect {
    prompt(model.size, &model.profile_commands().join(" "))
}

/// The tabs of a page in its upper border, with their labels.
pub fn page_tabs(model: &Model, page: &Page) -> Vec<(PageSubject, &'static str, Rect)> {
    let Some(catalog) = &model.catalog else { return Vec::new() };
    let frame = page.subject.area(model.size).frame;
    let tabs = page.subject.tabs(catalog);
    let cells = |word: &str| word.len() as u16 + AROUND_TAB;
    let all: u16 = tabs.iter().map(|(_, word)| cells(word)).sum();
    let mut x = frame.right().saturating_sub(all + close_hint(frame).width + BESIDE_TABS);
    let place = |(subject, word): (PageSubject, &'static str)| {
        let at = Rect::new(x, frame.y, cells(word), 1).intersection(frame);
        x += cells(word);
        (subject, word, at)
    };
    tabs.into_iter().map(place).collect()
}

fn split(size: ScreenSize, focus: Pane, arrangement: &Arrangement) -> Option<Areas> {
    if size.columns < MINIMUM.columns || size.rows < MINIMUM.rows {
        return None;
    }
    let screen = Rect::new(0, 0, size.columns, size.rows);
    let [header, middle, footer] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)]).areas(screen);
    let frames = arrangement.panes(size, middle, focus);
    let mut panes = frames.frames.map(|frame| {
        let inner = frame.inner(Margin::new(1, 1));
        PaneArea { frame, head: empty(inner), body: inner, foot: empty(inner) }
    });
    arrange_arguments(&mut panes[Pane::Arguments.position()], focus);
    arrange_preview(&mut panes[Pane::Preview.position()]);
    Some(Areas { header, footer, panes, frames })
}

/// Lays out the arguments pane: the symbol in the head, the list, and the selected argument in the foot.
fn arrange_arguments(pane: &mut PaneArea, focus: Pane) {
    let inner = pane.body;
    let head = match inner.height {
        0..3 => 0,
        3..10 => 1,
        10..15 => 2,
        _ => 3,
    };
    let least = if focus == Pane::Arguments { WITH_DETAIL_IN_FOCUS } else { WITH_DETAIL };
    let foot = if inner.height >= least { ARGUMENT_DETAIL } else { 0 };
    [pane.head, pane.body, pane.foot] =
        Layout::vertical([Constraint::Length(head), Constraint::Fill(1), Constraint::Length(foot)]).areas(inner);
}

/// Lays out the stub pane: tokens and coverage in the head, the text of the stub in the body.
fn arrange_preview(pane: &mut PaneArea) {
    let inner = pane.body;
    let head = match inner.height {
        0..3 => 0,
        3..12 => 1,
        _ => 2,
    };
    [pane.head, pane.body] = Layout::vertical([Constraint::Length(head), Constraint::Fill(1)]).areas(inner);
}

/// The parts of the last row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footer {
    /// The strategy in force.
    pub chip: Rect,
    /// The tokenizer.
    pub encoding: Rect,
    /// Settings that differ from their defaults, each with the command that changes it.
    pub states: Vec<(Rect, String, Command)>,
    /// The remainder of the row: a toast, or the hints.
    pub rest: Rect,
    /// The hints that fit; none while a toast is shown.
    pub hints: Vec<FooterHint>,
}

/// A key with a word for its command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FooterHint {
    /// Its area.
    pub area: Rect,
    /// The command.
    pub command: Command,
    /// The key for display.
    pub key: String,
    /// The word; empty if this hint shares the word of the next one.
    pub word: &'static str,
}

/// Cuts `cells` cells and a gap off the left of an area; returns the cells without the gap.
fn split_left(area: &mut Rect, cells: usize, gap: u16) -> Rect {
    let taken = Rect { width: u16::try_from(cells).unwrap_or(u16::MAX).min(area.width), ..*area };
    let used = taken.width.saturating_add(gap).min(area.width);
    *area = Rect { x: area.x + used, width: area.width - used, ..*area };
    taken
}

impl Areas {
    /// The area of a pane.
    pub fn pane(&self, pane: Pane) -> &PaneArea {
        &self.panes[pane.position()]
    }

    /// Lays out the last row.
    pub fn footer(&self, model: &Model) -> Footer {
        let mut rest = Rect { width: self.footer.width.saturating_sub(1), ..self.footer };
        let (chip, encoding) = if model.shows_strategy() {
            let chip = split_left(&mut rest, width(&model.settings.describe()) + 2, 1);
            (chip, split_left(&mut rest, width(model.settings.encoding.name()), 2))
        } else {
            (split_left(&mut rest, 0, 1), Rect::default())
        };
        let states = model.states().into_iter().map(|(words, command)| {
            let area = split_left(&mut rest, width(&words), 2);
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
            hints.push(FooterHint { area: split_left(&mut room, cells, gap), command, key, word });
        }
        // Drops trailing hints without a word: the hint with the word that they share did not fit.
        hints.truncate(hints.iter().rposition(|hint| !hint.word.is_empty()).map_or(0, |last| last + 1));
        Footer { chip, encoding, states, rest, hints }
    }

    /// The command of the hint in a cell.
    pub fn hint(&self, model: &Model, column: u16, row: u16) -> Option<Command> {
        let at = Position::new(column, row);
        let hints = if self.footer.contains(at) { self.footer(model).hints } else { Vec::new() };
        hints.into_iter().find(|hint| hint.area.contains(at)).map(|hint| hint.command)
    }

    /// The command of a button in the first or last row.
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

    /// The pane that contains a cell. If the cell is in the pane's body, also its row there, counted from 0.
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
                    let areas =
                        split(ScreenSize { columns, rows }, focus, &Arrangement::default()).expect("large enough");
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
            split(ScreenSize { columns: MINIMUM.columns - 1, rows: 50 }, Pane::Modules, &Arrangement::default()),
            None
        );
        assert_eq!(split(ScreenSize { columns: 0, rows: 0 }, Pane::Modules, &Arrangement::default()), None);
    }

    #[test]
    fn hits_name_the_row() {
        let areas =
            split(ScreenSize { columns: 80, rows: 24 }, Pane::Modules, &Arrangement::default()).expect("large enough");
        let body = areas.pane(Pane::Symbols).body;
        assert_eq!(areas.hit(body.x, body.y + 2), Some((Pane::Symbols, Some(2))));
        assert_eq!(areas.hit(body.x - 1, body.y + 2), Some((Pane::Symbols, None)));
        assert_eq!(areas.hit(0, 0), None);
    }
}
