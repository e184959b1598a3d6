//! A page: what is known of one thing, and beside or below it the source behind the selected row.
//!
//! ```text
//! ╭ class station.Agent ── Page · Recipes · Calls ─ Esc closes ╮╭ tests/core.py:12 ─────╮
//! │ class Agent                                                ││   11  def agent():    │
//! │ Arguments  7                                               ││ ▌ 12      return Agent│
//! │▌● name     ████████ 100%   412  str                        ││   13                  │
//! ╰────────────────────────────────────────────────────────────╯╰───────────────────────╯
//! ```

mod aside;
mod items;

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

pub(super) use items::{Columns, body, plain};

use super::{clear, message, pane, typed};
use crate::tui::{
    command::Command,
    layout,
    model::{
        Model,
        card::{Card, Item},
    },
    widgets::{Frame, Row, grouped, scroll_mark, width},
};

pub(super) fn draw(model: &Model, card: &Card, buffer: &mut Buffer) -> Option<Position> {
    let roles = &model.theme.roles;
    let area = layout::card(model.size);
    for frame in [area.frame, area.aside] {
        clear(model, frame, buffer);
    }
    Frame { border: roles.border_focused, background: roles.background }.draw(area.frame, buffer);
    title(model, card, area.frame, buffer);
    let columns = items::Columns::of(&card.items, area.list.width);
    for (line, at, selected) in pane::visible(area.list, card.cursor.offset, card.cursor.selected, card.items.len()) {
        let item = &card.items[at];
        let row = Rect { y: area.list.y + line, height: 1, ..area.list };
        items::body(model, &item.body, &columns, row, buffer);
        if selected && item.is_choice() {
            Row::new(buffer, row, 0).left("▌", roles.accent);
            pane::highlight(area.list, line, roles.selected, buffer);
        }
    }
    if card.items.is_empty() && card.narrow.is_on() {
        message(model, area.list, buffer, &["no row holds that", "Esc shows all of them"]);
    }
    scroll_mark(buffer, area.frame, area.list, card.cursor.offset, card.items.len(), roles.border_focused);
    aside::draw(model, card, area.aside, buffer);
    narrow(model, card, area.frame, buffer)
}

/// What is typed to narrow the page, and how many rows are left, in the lower border; says where the cursor is.
fn narrow(model: &Model, card: &Card, frame: Rect, buffer: &mut Buffer) -> Option<Position> {
    let roles = &model.theme.roles;
    let is_typing = card.narrow.is_typing;
    if !is_typing && !card.narrow.is_on() {
        return None;
    }
    let mut row = Row::new(buffer, Rect { y: frame.bottom().saturating_sub(1), height: 1, ..frame }, 0);
    row.gap(2).margin(2);
    if let Some(all) = &card.narrow.all {
        let choices = |items: &[Item]| grouped(items.iter().filter(|item| item.is_choice()).count());
        row.right(&format!(" {} of {} ", choices(&card.items), choices(all)), roles.count);
    }
    row.left(" /", roles.key);
    let cursor = typed(&mut row, &card.narrow.input, roles.found);
    row.left(" ", roles.title_focused);
    is_typing.then_some(cursor)
}

/// What it is about, and the pages beside it.
fn title(model: &Model, card: &Card, frame: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let Some(catalog) = &model.catalog else { return };
    let closes = layout::closes(frame);
    if let Some(key) = model.keymap.first(Command::Clear) {
        Row::new(buffer, closes, 0).right(&format!(" {key} closes "), roles.dim);
    }
    let mut top = Frame::top(frame, buffer);
    top.margin(closes.width);
    let tabs = layout::tabs(model, card);
    let tabs_width: usize = tabs.iter().map(|(_, word, _)| width(word) + 2).sum();
    let (word, name) = card.subject.title(catalog);
    let room = top.room();
    top.margin((tabs_width as u16 + 1).min(room)).left(" ", roles.title);
    if !word.is_empty() {
        top.left(word, roles.dim).left(" ", roles.title);
    }
    top.left(&name, roles.title_focused).left(" ", roles.title);
    for (subject, word, at) in tabs {
        let style = if subject == card.subject { roles.chip } else { roles.dim };
        Row::new(buffer, at, 0).left(&format!(" {word} "), style);
    }
}
