//! The tuning page: the curve with the present setting, the changes that one notch less or one notch more would make,
//! and the stub beside them. A notch is the smallest step of the strategy's parameter.
//!
//! ```text
//! ╭ tune station.Agent   Curve  Compare ─────────── Esc closes ╮╭ Stub ─────────────╮
//! │ ▇▇▇▇▇ 998 of 1,000 tokens   85% of 367 calls              ││ class Agent:      │
//! │ 100%┤            ⢀⣀⠤⠤⠒⠒⠉⠉                                 ││     …             │
//! │  50%┤    ⣀⠤◆⠒●⠉    ×  ×                                   ││                   │
//! │   0%└──┬──────┬───────┬──                                 ││                   │
//! ╰ ● here  ◆ knee 700  ⠒⠒ budget  × threshold ───────────────╯│                   │
//! ╭ ← −98 tokens, −12 calls ────────── → +95 tokens, +9 calls ╮│                   │
//! │ ← less: budget 900  takes away                            ││                   │
//! ╰───────────────────────────────────────────────────────────╯╰───────────────────╯
//! ```

mod comparison;
mod curve;
mod plot;

use std::cmp::Ordering;

use ratatui::{
    buffer::Buffer,
    layout::{Margin, Rect},
};

use super::{clear, message, page, pane, preview};
use crate::tui::{
    command::Command,
    geometry, layout,
    model::{
        Model,
        tuning::{HeldOut, Neighbour, Neighbours, Tuning, TuningTab},
    },
    widgets::{Border, RowPainter, grouped, percentage, scroll_mark},
};
use apidisc::{delivery::DeliveryError, usage::percent};

pub(super) fn draw(model: &Model, tuning: &Tuning, buffer: &mut Buffer) {
    let area = geometry::tuning(model.size);
    clear(model, area.whole, buffer);
    match tuning.tab {
        TuningTab::Curve => {
            frame(model, tuning, area.curve, buffer);
            numbers(model, tuning, area.head, buffer);
            curve::draw(model, tuning, area.curve, area.plot, buffer);
            changes(model, tuning, area.changes, area.list, buffer);
            stub(model, area.stub, buffer);
        }
        TuningTab::Comparison => {
            frame(model, tuning, area.whole, buffer);
            comparison::draw(model, tuning, &area, buffer);
        }
    }
}

/// Draws the border with the title, the tabs and the close hint.
fn frame(model: &Model, tuning: &Tuning, frame: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    Border { line: roles.border_focused, background: roles.background }.draw(frame, buffer);
    pane::close_hint(model, frame, buffer);
    let tabs = layout::tuning_tabs(model);
    let mut top = Border::top(frame, buffer);
    let beyond = tabs.first().map_or(0, |(_, tab)| (top.x() + top.room()).saturating_sub(tab.x));
    let name = model.subject_name().unwrap_or_default();
    top.margin(beyond).left(" tune ", roles.dim).left(&name, roles.title_focused).left(" ", roles.title);
    for (tab, at) in tabs {
        let style = if tab == tuning.tab { roles.chip } else { roles.dim };
        RowPainter::new(buffer, at, 0).left(&format!(" {} ", tab.word()), style);
    }
}

/// Draws the size and coverage of the present stub, and its held-out coverage.
fn numbers(model: &Model, tuning: &Tuning, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    match model.stub_of_scope().map(|shown| &shown.result) {
        Some(Ok(stub)) => preview::numbers(model, stub, area, buffer),
        Some(Err(DeliveryError::BudgetTooSmall { smallest, .. })) => {
            let more = model.keymap.first(Command::Right).unwrap_or_default();
            let text = format!("too small: the least is {}; {more} takes that", grouped(*smallest));
            RowPainter::new(buffer, area, 0).gap(1).left(&text, roles.error);
        }
        Some(Err(why)) => {
            RowPainter::new(buffer, area, 0).gap(1).left(&why.to_string(), roles.error);
        }
        None => {
            RowPainter::new(buffer, area, 0).gap(1).left("counting tokens…", roles.dim);
        }
    }
    let mut row = RowPainter::new(buffer, area, 1);
    row.gap(1).margin(1).left("held out  ", roles.dim);
    match tuning.held_out.current() {
        None => row.left("measuring…", roles.dim),
        Some(HeldOut::Measuring(done, total)) => {
            let share = percent(*done as u32, *total as u32).unwrap_or_default();
            row.left(&format!("measuring… {share}%"), roles.dim)
        }
        Some(HeldOut::Done(Err(why))) => row.left(why, roles.unknown),
        Some(HeldOut::Done(Ok(figures))) => {
            match percentage(figures.held_out.covered.calls, figures.held_out.known.calls) {
                None => row.left("no call of it is known", roles.dim),
                Some(share) => {
                    row.left(&share, roles.text).left("%", roles.dim).gap(2);
                    let room = usize::from(row.room());
                    let words =
                        ["of the calls in files that the stub was not cut from", "of calls it was not cut from"];
                    row.left(words.into_iter().find(|words| words.len() <= room).unwrap_or_default(), roles.dim)
                }
            }
        }
    };
}

/// Draws the list of the changes that one notch less and one notch more would make.
fn changes(model: &Model, tuning: &Tuning, frame: Rect, list: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    Border { line: roles.border, background: roles.background }.draw(frame, buffer);
    let mut top = Border::top(frame, buffer);
    let Some((_, neighbours)) = &tuning.neighbours.answer else {
        top.left(" A notch ", roles.title);
        message(model, list, buffer, &["weighing a notch less and a notch more…"]);
        return;
    };
    summary(model, neighbours, &mut top);
    let columns = page::PageColumns::of(&tuning.items, list.width);
    let cursor = &tuning.cursor;
    for (line, at, selected) in pane::visible(list, cursor.offset, cursor.selected, tuning.items.len()) {
        let row = Rect { y: list.y + line, height: 1, ..list };
        page::body(model, &tuning.items[at].body, &columns, row, buffer);
        if selected && tuning.items[at].is_choice() {
            RowPainter::new(buffer, row, 0).left(pane::mark(model, true), roles.accent);
            pane::highlight(list, line, roles.selected, buffer);
        }
    }
    scroll_mark(buffer, frame, list, cursor.offset, tuning.items.len(), roles.border_focused);
}

/// Draws in the border by how many tokens and covered uses each neighbour (the setting one notch away) differs from
/// the present setting. There the numbers stay visible while the list scrolls.
fn summary(model: &Model, neighbours: &Neighbours, top: &mut RowPainter<'_>) {
    let roles = &model.theme.roles;
    let change = |there: usize, here: usize| match there.cmp(&here) {
        Ordering::Equal => "±0".to_owned(),
        Ordering::Greater => format!("+{}", grouped(there - here)),
        Ordering::Less => format!("−{}", grouped(here - there)),
    };
    let words = |neighbour: &Option<Neighbour>| {
        let (here, there) = (neighbours.here?, neighbour.as_ref()?.result.as_ref().ok()?);
        let (there_uses, here_uses) = (there.covered.total(), here.covered.total());
        let uses = change(there_uses as usize, here_uses as usize);
        let one = if there.covered.reads == here.covered.reads { "call" } else { "use" };
        let plural = if there_uses.abs_diff(here_uses) == 1 { "" } else { "s" };
        Some(format!("{} tokens, {uses} {one}{plural} ", change(there.tokens, here.tokens)))
    };
    if let Some(less) = words(&neighbours.less) {
        top.left(" ← ", roles.key).left(&less, roles.count);
    }
    if let Some(more) = words(&neighbours.more) {
        top.right(&more, roles.count).right(" → ", roles.key);
    }
}

/// Draws the stub of the present setting.
fn stub(model: &Model, frame: Rect, buffer: &mut Buffer) {
    if frame.is_empty() {
        return;
    }
    let roles = &model.theme.roles;
    Border { line: roles.border, background: roles.background }.draw(frame, buffer);
    Border::top(frame, buffer).left(" Stub ", roles.title);
    let body = frame.inner(Margin::new(1, 1));
    let Some(shown) = model.stub_of_scope() else { return };
    match &shown.result {
        Ok(stub) => preview::text(model, shown, stub, body, buffer),
        Err(why) => message(model, body, buffer, &[&why.to_string()]),
    }
}
