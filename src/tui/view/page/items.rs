//! The rows of a page: headings, text, shares with bars, recipes, names with their calls, call sites, code.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::tui::{
    geometry,
    model::{
        Model, legend,
        page::{CallRow, ItemBody, PageItem, PageNameRow, ShareRow, TextRole},
    },
    theme::Roles,
    view::{pane, preview::source_line, share::Share, symbols::glyph},
    widgets::{RowPainter, grouped, width},
};

/// Widths in cells of columns that all rows of a page share.
pub(in crate::tui::view) struct PageColumns {
    names: u16,
    places: u16,
}

impl PageColumns {
    /// Makes each column as wide as its widest name or place, up to two fifths of a row of `room` cells.
    pub(in crate::tui::view) fn of(items: &[PageItem], room: u16) -> Self {
        let widest =
            |of: &dyn Fn(&ItemBody) -> usize| items.iter().map(|item| of(&item.body)).max().unwrap_or(0) as u16;
        let names = widest(&|body| match body {
            ItemBody::Share(share) => width(&share.name),
            _ => 0,
        });
        let places = widest(&|body| match body {
            ItemBody::Call(call) => width(&call.place),
            _ => 0,
        });
        Self { names: geometry::names(names, room), places: places.min((room * 2 / 5).max(12)) }
    }
}

/// Draws rows from `offset` on, without a selection.
pub(in crate::tui::view) fn plain(model: &Model, items: &[PageItem], offset: usize, area: Rect, buffer: &mut Buffer) {
    let columns = PageColumns::of(items, area.width);
    for (line, item) in (0..area.height).zip(items.iter().skip(offset)) {
        body(model, &item.body, &columns, Rect { y: area.y + line, height: 1, ..area }, buffer);
    }
}

/// Draws one row.
pub(in crate::tui::view) fn body(
    model: &Model,
    body: &ItemBody,
    columns: &PageColumns,
    area: Rect,
    buffer: &mut Buffer,
) {
    let roles = &model.theme.roles;
    let mut row = RowPainter::new(buffer, area, 0);
    row.gap(1).margin(1);
    match body {
        ItemBody::Blank => {}
        ItemBody::Heading(text, note) => {
            // A long list of names is cut, so that the note stays visible.
            let needed = u16::try_from(width(note)).unwrap_or(u16::MAX).saturating_add(2);
            let reserved = if note.is_empty() || row.room() / 2 < needed { 0 } else { needed };
            row.margin(reserved).name(text, &[], roles.accent, roles.accent).widen(reserved);
            row.gap(2).left(note, roles.dim);
        }
        ItemBody::Text(pieces) => {
            for (text, role) in pieces {
                let style = style(model, *role);
                match role {
                    TextRole::Name => row.name(text, &[], style, style),
                    _ => row.left(text, style),
                };
            }
        }
        ItemBody::Share(share) => self::share(model, share, columns.names, row),
        ItemBody::Recipe(recipe) => {
            bar(model, recipe.part, recipe.whole, false, row.gap(2));
            row.gap(2);
            for (text, role) in &recipe.line {
                row.left(text, style(model, *role));
            }
        }
        ItemBody::Further(pieces) => {
            row.gap(geometry::recipe(area.width) - 1);
            for (text, role) in pieces {
                row.left(text, style(model, *role));
            }
        }
        ItemBody::Detail(pieces) => {
            row.gap(geometry::DETAIL - 1);
            for (text, role) in pieces {
                row.left(text, style(model, *role));
            }
        }
        ItemBody::Name(name) => self::name(model, name, row),
        ItemBody::Call(call) => {
            let code = self::call(model, call, columns.places, row);
            if let Some(call_line) = model.call_lines.get(call.call) {
                let skip = if call.callee.is_empty() { width(&call_line.text[..call_line.arguments]) } else { 0 };
                source_line(&model.theme, &call_line.text, &call_line.runs, skip, code, buffer);
            }
        }
        ItemBody::Code(text, runs) => {
            let area = Rect { x: area.x + 3, width: area.width.saturating_sub(4), ..area };
            source_line(&model.theme, text, runs, 0, area, buffer);
        }
    }
}

/// Draws a share as a bar, a percentage and a number.
fn bar(model: &Model, part: u32, whole: u32, is_unseen: bool, row: &mut RowPainter<'_>) {
    let roles = &model.theme.roles;
    let style = if part == 0 { roles.dim } else { roles.text };
    Share { part, whole, is_unknown: is_unseen }.draw(model, geometry::bar(row.room()), style, row);
    row.left(&format!("{:>7}", grouped(part as usize)), roles.count);
}

/// Draws the place of a call, and its caller if there is room. Returns the area for the call's source text. Until the
/// text is read, the callee and the arguments that the index knows are drawn in that area.
fn call(model: &Model, call: &CallRow, places: u16, mut row: RowPainter<'_>) -> Rect {
    let roles = &model.theme.roles;
    let end = row.x() + 2 + places;
    row.gap(2);
    let beyond = row.room().saturating_sub(places);
    row.margin(beyond).matched_tail(&call.place, &[], roles.dim, roles.dim).widen(beyond);
    row.gap(end.saturating_sub(row.x()) + 2);
    let call_line = model.call_lines.get(call.call);
    let said = call_line.map_or(width(&call.callee) + width(&call.passed), |call_line| width(&call_line.text));
    // The source text takes precedence over the caller.
    if said + width(&call.caller) + 2 <= usize::from(row.room()) {
        row.right(&call.caller, roles.dim).margin(2);
    }
    let code = Rect { x: row.x(), y: row.y(), width: row.room(), height: 1 };
    if call_line.is_none() {
        row.left(&call.callee, roles.text).left(&call.passed, roles.text);
    }
    code
}

fn share(model: &Model, share: &ShareRow, names: u16, mut row: RowPainter<'_>) {
    let roles = &model.theme.roles;
    row.left(if share.role == TextRole::Required { legend::REQUIRED } else { " " }, roles.required).gap(1);
    let role = if share.role == TextRole::Required { TextRole::Text } else { share.role };
    let name = if share.part == 0 { roles.dim } else { style(model, role) };
    row.column(&share.name, names, name).gap(1);
    bar(model, share.part, share.whole, share.is_unseen, &mut row);
    row.gap(2).left(&share.note, roles.dim);
}

fn name(model: &Model, name: &PageNameRow, mut row: RowPainter<'_>) {
    let roles = &model.theme.roles;
    let is_counted = name.kind.is_none_or(|kind| kind.is_callable() || kind.is_readable());
    row.gap(2);
    if name.uses > 0 {
        row.right(&grouped(name.uses as usize), roles.count).margin(2);
    }
    if let Some(kind) = name.kind {
        let (glyph, style) = glyph(roles, kind);
        row.left(glyph, style).gap(1);
    }
    let style = if is_counted { pane::name_style(model, name.uses) } else { roles.text };
    row.name(&name.name, &[], style, style).gap(2).left(&name.note, roles.dim);
}

fn style(model: &Model, role: TextRole) -> Style {
    let roles: &Roles = &model.theme.roles;
    match role {
        TextRole::Text | TextRole::Name => roles.text,
        TextRole::Dim => roles.dim,
        TextRole::Kind(kind) => glyph(roles, kind).1,
        TextRole::Required => roles.required,
        TextRole::Unknown => roles.unknown,
        TextRole::Value => roles.value,
    }
}
