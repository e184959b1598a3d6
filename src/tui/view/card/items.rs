//! The rows of a page: headings, words, shares with bars, recipes, names with their calls, call sites, code.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::tui::{
    layout,
    model::{
        Model,
        card::{Body, Call, Ink, Item, Name, Share},
    },
    theme::Roles,
    view::{pane, preview::source_line, symbols::glyph},
    widgets::{Row, grouped, width},
};
use apidisc::{program::DefinitionKind, usage::percent};

/// Columns that rows of a kind share.
pub(in crate::tui::view) struct Columns {
    names: u16,
    places: u16,
}

impl Columns {
    /// Wide enough for every row, as far as there is room.
    pub(in crate::tui::view) fn of(items: &[Item], room: u16) -> Self {
        let widest = |of: &dyn Fn(&Body) -> usize| items.iter().map(|item| of(&item.body)).max().unwrap_or(0) as u16;
        let names = widest(&|body| match body {
            Body::Share(share) => width(&share.name),
            _ => 0,
        });
        let places = widest(&|body| match body {
            Body::Call(call) => width(&call.place),
            _ => 0,
        });
        Self { names: names.min((room * 2 / 5).max(8)), places: places.min((room * 2 / 5).max(12)) }
    }
}

/// Draws rows from `offset` on, without a selection.
pub(in crate::tui::view) fn plain(model: &Model, items: &[Item], offset: usize, area: Rect, buffer: &mut Buffer) {
    let columns = Columns::of(items, area.width);
    for (line, item) in (0..area.height).zip(items.iter().skip(offset)) {
        body(model, &item.body, &columns, Rect { y: area.y + line, height: 1, ..area }, buffer);
    }
}

/// Draws one row.
pub(in crate::tui::view) fn body(model: &Model, body: &Body, columns: &Columns, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let mut row = Row::new(buffer, area, 0);
    row.gap(1).margin(1);
    match body {
        Body::Blank => {}
        Body::Heading(text, note) => {
            row.left(text, roles.accent).gap(2).left(note, roles.dim);
        }
        Body::Text(pieces) => {
            for (text, ink) in pieces {
                row.left(text, style(model, *ink));
            }
        }
        Body::Share(share) => self::share(model, share, columns.names, row),
        Body::Recipe(recipe) => {
            bar(model, recipe.part, recipe.whole, false, row.gap(2));
            row.gap(2);
            for (text, ink) in &recipe.line {
                row.left(text, style(model, *ink));
            }
        }
        Body::Further(pieces) => {
            row.gap(layout::recipe(area.width) - 1);
            for (text, ink) in pieces {
                row.left(text, style(model, *ink));
            }
        }
        Body::Name(name) => self::name(model, name, row),
        Body::Call(call) => {
            let code = self::call(model, call, columns.places, row);
            if let Some(wording) = model.wordings.get(call.call) {
                let skip = if call.callee.is_empty() { width(&wording.text[..wording.passed]) } else { 0 };
                source_line(&model.theme, &wording.text, &wording.runs, skip, code, buffer);
            }
        }
        Body::Code(text, runs) => {
            let area = Rect { x: area.x + 3, width: area.width.saturating_sub(4), ..area };
            source_line(&model.theme, text, runs, 0, area, buffer);
        }
    }
}

/// A share as a bar, a percentage and a number.
fn bar(model: &Model, part: u32, whole: u32, is_unseen: bool, row: &mut Row<'_>) {
    let roles = &model.theme.roles;
    let cells = layout::bar(row.room());
    if let Some(percent) = percent(part, whole) {
        row.bar(cells, f64::from(part) / f64::from(whole), roles.bar, roles.bar_track);
        let style = if part == 0 { roles.dim } else { roles.text };
        row.left(&format!("{percent:>4}%"), style);
    } else {
        row.bar(cells, 0.0, roles.bar, roles.bar_track);
        let (mark, style) = if is_unseen { ("    ?", roles.unknown) } else { ("    –", roles.dim) };
        row.left(mark, style);
    }
    row.left(&format!("{:>7}", grouped(part as usize)), roles.count);
}

/// Where a call stands, and what it stands in where there is room; tells where there is room for what it says. Until
/// that is read, what the index knows of it stands there.
fn call(model: &Model, call: &Call, places: u16, mut row: Row<'_>) -> Rect {
    let roles = &model.theme.roles;
    let end = row.x() + 2 + places;
    row.gap(2);
    let beyond = row.room().saturating_sub(places);
    row.margin(beyond).matched_tail(&call.place, &[], roles.dim, roles.dim).widen(beyond);
    row.gap(end.saturating_sub(row.x()) + 2);
    let wording = model.wordings.get(call.call);
    let said = wording.map_or(width(&call.callee) + width(&call.passed), |wording| width(&wording.text));
    // What it says is worth more than what it stands in.
    if said + width(&call.caller) + 2 <= usize::from(row.room()) {
        row.right(&call.caller, roles.dim).margin(2);
    }
    let code = Rect { x: row.x(), y: row.y(), width: row.room(), height: 1 };
    if wording.is_none() {
        row.left(&call.callee, roles.text).left(&call.passed, roles.text);
    }
    code
}

fn share(model: &Model, share: &Share, names: u16, mut row: Row<'_>) {
    let roles = &model.theme.roles;
    row.left(if share.ink == Ink::Required { "●" } else { " " }, roles.required).gap(1);
    let ink = if share.ink == Ink::Required { Ink::Text } else { share.ink };
    let name = if share.part == 0 { roles.dim } else { style(model, ink) };
    row.column(&share.name, names, name).gap(1);
    bar(model, share.part, share.whole, share.is_unseen, &mut row);
    row.gap(2).left(&share.note, roles.dim);
}

fn name(model: &Model, name: &Name, mut row: Row<'_>) {
    let roles = &model.theme.roles;
    let is_counted = name.kind.is_none_or(DefinitionKind::is_callable);
    row.gap(2);
    if name.calls > 0 {
        row.right(&grouped(name.calls as usize), roles.count).margin(2);
    }
    if let Some(kind) = name.kind {
        let (glyph, style) = glyph(roles, kind);
        row.left(glyph, style).gap(1);
    }
    let style = if is_counted { pane::name_style(model, name.calls) } else { roles.text };
    row.left(&name.name, style).gap(2).left(&name.note, roles.dim);
}

fn style(model: &Model, ink: Ink) -> Style {
    let roles: &Roles = &model.theme.roles;
    match ink {
        Ink::Text => roles.text,
        Ink::Dim => roles.dim,
        Ink::Kind(kind) => glyph(roles, kind).1,
        Ink::Required => roles.required,
        Ink::Unknown => roles.unknown,
        Ink::Value => roles.value,
    }
}
