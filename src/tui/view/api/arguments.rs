//! The parameters and properties of the selected part, each with the share of calls that pass it, and its type. The
//! foot shows the selected one in detail.

use std::sync::Arc;

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::sign_style;
use crate::tui::{
    geometry::{self, Pane},
    layout::Areas,
    model::{ApiCatalog, ApiPart, Model, PartKind, legend, shown},
    view::{arguments::MAX_INDENTED, message, pane, share::Share},
    widgets::{RowPainter, grouped, scroll_mark, width},
};
use apidisc::{http::OperationArgument, stub::uses_in_words, usage::Uses};

pub(in crate::tui::view) fn draw(
    model: &Model,
    api: &Arc<ApiCatalog>,
    areas: &Areas,
    buffer: &mut Buffer,
) -> Option<Position> {
    let area = areas.pane(Pane::Arguments);
    let roles = &model.theme.roles;
    let arguments = &model.api.arguments;
    let items = arguments.items.as_deref().unwrap_or_default();
    let title = if items.is_empty() { "Arguments".to_owned() } else { format!("Arguments {}", grouped(items.len())) };
    let cursor = pane::frame(model, Pane::Arguments, area, buffer, &title, "");
    let at = model.api.parts.selected()?.at;
    let part = ApiPart { api: Arc::clone(api), at };
    head(model, &part, area.head, buffer);
    if arguments.rows.is_empty() {
        let lines: &[&str] = match (arguments.state.filter.is_on(), &arguments.items) {
            (true, _) => &["no argument matches", "Esc clears the filter"],
            (false, None) => &[],
            (false, Some(_)) if part.kind() == PartKind::Schema => &["no object: it has no properties"],
            (false, Some(_)) => &["takes no arguments"],
        };
        message(model, area.body, buffer, lines);
        return cursor;
    }
    let is_counted = api.calls(at) > 0;
    let names = items.iter().map(|argument| width(&label(model, argument))).max().unwrap_or(0) as u16;
    let columns = PartColumns {
        name: names.clamp(4, (area.body.width / 3).max(8)),
        // The properties of a schema have no calls to be shares of.
        bar: (part.kind() != PartKind::Schema).then(|| geometry::argument_bar(area.body.width)),
    };
    for (line, row, selected) in
        pane::visible(area.body, arguments.state.cursor.offset, arguments.state.cursor.selected, arguments.rows.len())
    {
        let (position, positions) = &arguments.rows[row];
        let Some(argument) = items.get(*position) else { continue };
        let row = pane::row(model, Pane::Arguments, area.body, line, selected, buffer);
        self::argument(model, argument, positions, is_counted, &columns, row);
        if selected {
            pane::selection(model, Pane::Arguments, area.body, line, buffer);
        }
    }
    let border = if model.focus == Pane::Arguments { roles.border_focused } else { roles.border };
    scroll_mark(buffer, area.frame, area.body, arguments.state.cursor.offset, arguments.rows.len(), border);
    if let Some(argument) = arguments.selected() {
        detail(model, argument, is_counted, area.foot, buffer);
    }
    cursor
}

struct PartColumns {
    name: u16,
    /// The cells of the bars; `None` without bars.
    bar: Option<u16>,
}

/// Draws the part with the number of its calls, and its place in the document.
fn head(model: &Model, part: &ApiPart, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let mut row = RowPainter::new(buffer, area, 0);
    row.gap(1).margin(1);
    let kind = part.kind();
    if matches!(kind, PartKind::Operation | PartKind::Webhook) {
        let calls = match part.api.calls(part.at) {
            0 => "not called".to_owned(),
            calls => uses_in_words(Uses { calls, reads: 0 }),
        };
        row.right(&calls, roles.text).margin(1);
    }
    row.left(part.word(), sign_style(roles, kind)).gap(1).left(&part.name(), roles.text);
    let mut row = RowPainter::new(buffer, area, 1);
    row.gap(1).margin(1);
    let chunk = part.chunk();
    let (files, api) = (&part.api.apis.documents.api.files, &part.api);
    let line = files.node(&chunk.place).map_or(1, |node| node.line);
    row.left(&format!("{}:{line}", files.file(chunk.place.file).path), roles.dim).gap(2);
    let (to, from) = (api.references(part.at).len(), api.referrers(part.at).len());
    row.right(&format!("refers to {}, referred to by {}", grouped(to), grouped(from)), roles.dim);
}

/// The name in the list: a property is indented below its object; in a filtered list its whole path is shown.
fn label(model: &Model, argument: &OperationArgument) -> String {
    if model.api.arguments.state.filter.is_on() {
        return shown(&argument.path);
    }
    format!("{}{}", "  ".repeat(argument.depth.min(MAX_INDENTED)), shown(&argument.name))
}

fn argument(
    model: &Model,
    argument: &OperationArgument,
    positions: &[u32],
    is_counted: bool,
    columns: &PartColumns,
    mut row: RowPainter<'_>,
) {
    let roles = &model.theme.roles;
    row.left(if argument.is_required { legend::REQUIRED } else { " " }, roles.required).gap(1);
    let is_passed = argument.count > 0;
    let style = if is_passed || columns.bar.is_none() { roles.text } else { roles.dim };
    let end = row.x().saturating_add(columns.name);
    let room = row.room().saturating_sub(columns.name);
    row.margin(room).matched(&label(model, argument), positions, style, roles.found);
    row.widen(room);
    row.gap(end.saturating_sub(row.x()) + 1);
    if let Some(cells) = columns.bar {
        // If all calls of the operation hide the argument, or it is too deep in the body, the share is not known.
        let share = Share { part: argument.count, whole: argument.known.unwrap_or_default(), is_unknown: is_counted };
        share.draw(model, cells, style, &mut row);
        row.gap(2);
    }
    if let Some(part) = argument.part.filter(|_| row.room() >= 24) {
        row.right(part, roles.dim).margin(2);
    }
    row.left(&typed(argument), roles.dim);
}

/// The type with the default.
fn typed(argument: &OperationArgument) -> String {
    let default = argument.default.as_ref().map_or(String::new(), |default| format!(" = {}", shown(default)));
    format!("{}{default}", shown(&argument.type_text))
}

/// Draws the selected argument in three lines below a horizontal rule.
fn detail(model: &Model, argument: &OperationArgument, is_counted: bool, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let rule = "─".repeat(usize::from(area.width.saturating_sub(2)));
    RowPainter::new(buffer, area, 0).gap(1).margin(1).left(&rule, roles.border);
    let mut row = RowPainter::new(buffer, area, 1);
    row.gap(1).margin(1).left(&format!("{}: {}", shown(&argument.path), typed(argument)), roles.text);
    if argument.is_required {
        row.gap(2).left("required", roles.required);
    }
    if argument.is_deprecated {
        row.gap(2).left("deprecated", roles.required);
    }
    let passed = match (is_counted, argument.known) {
        (false, _) => None,
        (true, None) => Some("not known whether calls pass it".to_owned()),
        (true, Some(0)) => Some("not known: every call may pass it unseen".to_owned()),
        (true, Some(known)) => {
            let calls = uses_in_words(Uses { calls: known, reads: 0 });
            Some(format!("passed in {} of {calls}", grouped(argument.count as usize)))
        }
    };
    let said: Vec<String> = argument.part.map(|part| format!("in {part}")).into_iter().chain(passed).collect();
    RowPainter::new(buffer, area, 2).gap(1).margin(1).left(&said.join(" · "), roles.dim);
    let text = argument.description.as_deref().map(shown).unwrap_or_default();
    RowPainter::new(buffer, area, 3).gap(1).margin(1).left(&text, roles.dim);
}
