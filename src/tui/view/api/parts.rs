//! The parts of the selected document: its operations, the most called first, then its schemas and other components.
//!
//! ```text
//! ▌O POST /campaigns  Create a campaign          28
//!  O GET /campaigns/{id}                          4
//!  S Campaign  What a customer pays for
//! ```

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};
use unicode_segmentation::UnicodeSegmentation as _;

use super::sign_style;
use crate::tui::{
    geometry::Pane,
    layout::Areas,
    model::{ApiCatalog, Model, PartKind, PartRow, legend},
    view::{message, pane},
    widgets::{grouped, scroll_mark, short},
};

pub(in crate::tui::view) fn draw(
    model: &Model,
    api: &ApiCatalog,
    document: usize,
    areas: &Areas,
    buffer: &mut Buffer,
) -> Option<Position> {
    let area = areas.pane(Pane::Symbols);
    let roles = &model.theme.roles;
    let parts = &model.api.parts;
    let all = api.modules.get(document).map_or(0, |module| module.parts.len());
    let title = if all == 0 { "Symbols".to_owned() } else { format!("Symbols {}", grouped(all)) };
    let cursor = pane::frame(model, Pane::Symbols, area, buffer, &title, if all == 0 { "" } else { "calls" });
    if parts.rows.is_empty() {
        let lines: &[&str] = match parts.state.filter.is_on() {
            true if parts.state.filter.matches.is_some() => &["no symbol matches", "Esc clears the filter"],
            true => &[],
            false => &["the document has no operation and no component"],
        };
        message(model, area.body, buffer, lines);
        return cursor;
    }
    for (line, at, selected) in
        pane::visible(area.body, parts.state.cursor.offset, parts.state.cursor.selected, parts.rows.len())
    {
        row(model, api, &parts.rows[at], area.body, (line, selected), buffer);
    }
    let border = if model.focus == Pane::Symbols { roles.border_focused } else { roles.border };
    scroll_mark(buffer, area.frame, area.body, parts.state.cursor.offset, parts.rows.len(), border);
    cursor
}

fn row(
    model: &Model,
    api: &ApiCatalog,
    entry: &PartRow,
    body: Rect,
    (line, selected): (u16, bool),
    buffer: &mut Buffer,
) {
    let roles = &model.theme.roles;
    let mut row = pane::row(model, Pane::Symbols, body, line, selected, buffer);
    let calls = api.calls(entry.at);
    if calls > 0 {
        row.right(&short(calls as usize), roles.count).margin(2);
    }
    let kind = PartKind::of(api.apis.documents.chunks.chunk(entry.at).kind);
    row.left(legend::part_sign(kind), sign_style(roles, kind)).gap(1);
    let name = api.name(entry.at);
    let (in_name, in_note) = pane::split(&entry.positions, name.graphemes(true).count() as u32 + 1);
    let is_operation = matches!(kind, PartKind::Operation | PartKind::Webhook);
    let style = if is_operation { pane::name_style(model, calls) } else { roles.text };
    // The beginning of a path that does not fit is cut off: the paths of one API often begin alike.
    let (method, path) = name.split_at(name.find(' ').filter(|_| is_operation).map_or(name.len(), |at| at + 1));
    let (in_method, in_path) = pane::split(in_name, method.graphemes(true).count() as u32);
    row.matched(method, in_method, style, roles.found).matched_tail(path, &in_path, style, roles.found);
    if row.room() >= 6 {
        row.gap(2).matched(&api.note(entry.at), &in_note, roles.dim, roles.found);
    }
    if selected {
        pane::selection(model, Pane::Symbols, body, line, buffer);
    }
}
