//! A page about a topic, with the source of the selected row beside or below the page.
//!
//! ```text
//! ╭ class Agent ──────────── Page  Recipes  Calls ─ Esc closes ╮╭ tests/core.py:12 ─────╮
//! │ class Agent                                                ││   11  def agent():    │
//! │ Arguments  7                                               ││ ▌ 12      return Agent│
//! │▌● name     ████████ 100%   412  str                        ││   13                  │
//! ╰────────────────────────────────────────────────────────────╯╰───────────────────────╯
//! ```

mod items;
mod source;

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

pub(super) use items::{PageColumns, body, plain};

use super::{clear, message, pane, typed};
use crate::tui::{
    layout,
    model::{
        Model,
        page::{Page, PageItem},
    },
    widgets::{Border, RowPainter, grouped, scroll_mark, width},
};

pub(super) fn draw(model: &Model, page: &Page, buffer: &mut Buffer) -> Option<Position> {
    let roles = &model.theme.roles;
    let area = page.subject.area(model.size);
    if page.source_view.is_zoomed {
        let whole = area.frame.union(area.detail);
        clear(model, whole, buffer);
        source::draw(model, page, whole, buffer);
        return None;
    }
    for frame in [area.frame, area.detail] {
        clear(model, frame, buffer);
    }
    Border { line: roles.border_focused, background: roles.background }.draw(area.frame, buffer);
    title(model, page, area.frame, buffer);
    let columns = items::PageColumns::of(&page.items, area.list.width);
    for (line, at, selected) in pane::visible(area.list, page.cursor.offset, page.cursor.selected, page.items.len()) {
        let item = &page.items[at];
        let row = Rect { y: area.list.y + line, height: 1, ..area.list };
        items::body(model, &item.body, &columns, row, buffer);
        if selected && item.is_choice() {
            RowPainter::new(buffer, row, 0).left("▌", roles.accent);
            pane::highlight(area.list, line, roles.selected, buffer);
        }
    }
    if page.items.is_empty() && page.filter.is_on() {
        message(model, area.list, buffer, &["no row holds that", "Esc shows all of them"]);
    }
    scroll_mark(buffer, area.frame, area.list, page.cursor.offset, page.items.len(), roles.border_focused);
    if !area.detail.is_empty() {
        source::draw(model, page, area.detail, buffer);
    }
    filter(model, page, area.frame, buffer)
}

/// Draws the filter and the number of rows in the lower border; returns the text cursor while the filter is typed.
fn filter(model: &Model, page: &Page, frame: Rect, buffer: &mut Buffer) -> Option<Position> {
    let roles = &model.theme.roles;
    let is_typing = page.filter.is_typing;
    if !is_typing && !page.filter.is_on() {
        return None;
    }
    let mut row = RowPainter::new(buffer, Rect { y: frame.bottom().saturating_sub(1), height: 1, ..frame }, 0);
    row.gap(2).margin(2);
    if let Some(all) = &page.filter.all {
        let choices = |items: &[PageItem]| grouped(items.iter().filter(|item| item.is_choice()).count());
        row.right(&format!(" {} of {} ", choices(&page.items), choices(all)), roles.count);
    }
    row.left(" /", roles.key);
    let cursor = typed(&mut row, &page.filter.input, roles.found);
    row.left(" ", roles.title_focused);
    is_typing.then_some(cursor)
}

/// Draws the title and the tabs.
fn title(model: &Model, page: &Page, frame: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let Some(catalog) = &model.catalog else { return };
    let hint = pane::close_hint(model, frame, buffer);
    let mut top = Border::top(frame, buffer);
    top.margin(hint);
    let tabs = layout::page_tabs(model, page);
    let tabs_width: usize = tabs.iter().map(|(_, word, _)| width(word) + 2).sum();
    let (word, name) = page.subject.title(catalog);
    let room = top.room();
    top.margin((tabs_width as u16 + 1).min(room)).left(" ", roles.title);
    if !word.is_empty() {
        top.left(word, roles.dim).left(" ", roles.title);
    }
    top.left(&name, roles.title_focused).left(" ", roles.title);
    for (subject, word, at) in tabs {
        let style = if subject == page.subject { roles.chip } else { roles.dim };
        RowPainter::new(buffer, at, 0).left(&format!(" {word} "), style);
    }
}
