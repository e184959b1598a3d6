//! The parameters of the selected symbol, each with the share of calls that pass it, its type and its default. The foot
//! shows the selected parameter in detail.
//!
//! ```text
//! class LlmAgent                                  412 calls      head
//! ● name     ██████████████ 100%  str                            body
//!   model    ████████████▎   87%  str | BaseLlm = ''
//! ─────────────────────────────────────────────
//! model: str | BaseLlm = ''                                      foot
//! ```

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::{
    api, message, page, pane,
    share::Share,
    symbols::{glyph, override_mark, struck, upgrade_mark},
};
use crate::tui::{
    command::Command,
    geometry::{self, Pane, PaneArea},
    layout::Areas,
    model::{
        Catalog, Companions, Model, OverrideKind, Topic, UpgradeMark, calls_by_origin, legend, name_of_all,
        page::PageItem,
    },
    widgets::{RowPainter, grouped, scroll_mark, share_text, width},
};
use apidisc::{
    index::{Definition, Index},
    program::{DefinitionKind, Signature},
    stub::uses_in_words,
    usage::Uses,
};

pub(super) fn draw(model: &Model, areas: &Areas, buffer: &mut Buffer) -> Option<Position> {
    if let Some((api, _)) = model.document() {
        return api::arguments(model, api, areas, buffer);
    }
    let area = areas.pane(Pane::Arguments);
    if let Some(rows) = model.start_rows() {
        return start(model, rows, area, buffer);
    }
    let roles = &model.theme.roles;
    let catalog_and_id = model.catalog.as_ref().zip(model.definition());
    let parameters = catalog_and_id
        .and_then(|(catalog, id)| catalog.index.definition(id).signature.as_ref())
        .map_or(0, |s| s.parameters.len());
    let title = if parameters == 0 { "Arguments".to_owned() } else { format!("Arguments {}", grouped(parameters)) };
    let cursor = pane::frame(model, Pane::Arguments, area, buffer, &title, "");
    let (catalog, id) = catalog_and_id?;
    let definition = catalog.index.definition(id);
    head(model, &catalog.index, definition, &catalog.label(id, false), area.head, buffer);
    if model.arguments.rows.is_empty() {
        message(model, area.body, buffer, empty_message(model, definition));
        return cursor;
    }
    let labels = definition.signature.iter().flat_map(|s| (0..parameters).map(|at| label(model, definition, s, at)));
    let names = labels.map(|name| width(&name)).max().unwrap_or(0) as u16;
    let columns = ArgumentColumns {
        name: names.clamp(4, (area.body.width / 3).max(8)),
        bar: geometry::argument_bar(area.body.width),
    };
    let arguments = &model.arguments;
    for (line, at, selected) in
        pane::visible(area.body, arguments.state.cursor.offset, arguments.state.cursor.selected, arguments.rows.len())
    {
        let (position, positions) = &arguments.rows[at];
        let row = pane::row(model, Pane::Arguments, area.body, line, selected, buffer);
        argument(model, definition, *position, positions, &columns, row);
        if selected {
            pane::selection(model, Pane::Arguments, area.body, line, buffer);
        }
    }
    let border = if model.focus == Pane::Arguments { roles.border_focused } else { roles.border };
    scroll_mark(buffer, area.frame, area.body, arguments.state.cursor.offset, arguments.rows.len(), border);
    if let Some(position) = arguments.selected() {
        detail(model, definition, position, area.foot, buffer);
    }
    cursor
}

/// Draws the start page of what is selected in the pane of modules, as far as it fits.
fn start(model: &Model, rows: &[PageItem], area: &PaneArea, buffer: &mut Buffer) -> Option<Position> {
    let name = match (&model.catalog, model.start_topic()) {
        (Some(catalog), Some(Topic::Module(id))) => catalog.index.module(id).fqn.to_string(),
        (Some(catalog), _) => name_of_all(&catalog.index).to_owned(),
        (None, _) => String::new(),
    };
    let key = model.keymap.first(Command::Page).map_or(String::new(), |key| format!("{key} opens it"));
    let cursor = pane::frame(model, Pane::Arguments, area, buffer, &name, &key);
    let inner = Rect {
        x: area.frame.x + 1,
        y: area.frame.y + 1,
        width: area.frame.width.saturating_sub(2),
        height: area.frame.height.saturating_sub(2),
    };
    page::plain(model, rows, 0, inner, buffer);
    cursor
}

/// The depth up to which properties of objects are indented.
pub(super) const MAX_INDENTED: usize = 4;

struct ArgumentColumns {
    name: u16,
    bar: u16,
}

/// Draws the symbol and its place, its calls by origin, and the numbers of its calls that pass a spread, are ambiguous,
/// or have an unknown receiver.
fn head(model: &Model, index: &Index, definition: &Definition, label: &str, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let usage = &definition.usage;
    let mut row = RowPainter::new(buffer, area, 0);
    row.gap(1).margin(1);
    let uses = match (definition.kind.is_callable(), definition.kind.is_readable(), usage.uses()) {
        (false, false, _) => String::new(),
        (true, _, 0) => "not called".to_owned(),
        (false, true, 0) => "not read".to_owned(),
        _ => uses_in_words(Uses { calls: usage.total_calls, reads: usage.total_reads }),
    };
    row.right(&uses, roles.text).margin(1);
    row.left(definition.kind.word(), glyph(roles, definition.kind).1).gap(1).left(label, roles.text);
    if let Some(own) = Catalog::defining_name(definition) {
        row.gap(1).left(own, roles.dim);
    }
    let mut row = RowPainter::new(buffer, area, 1);
    row.gap(1).margin(1);
    if let Some(file) = index.source_of(definition) {
        row.left(&format!("{}:{}", file.path, definition.place.line), roles.dim).gap(2);
    }
    let ledger = usage.ledger;
    let unknown =
        [(ledger.spread, "spread"), (ledger.ambiguous, "ambiguous"), (ledger.unknown_receiver, "on unknown receivers")];
    let unknown = unknown.into_iter().filter(|(calls, _)| *calls > 0);
    let mut words = calls_by_origin(usage, &index.weights);
    words.extend(unknown.map(|(calls, words)| format!("{} {words}", grouped(calls as usize))));
    // If there is no room for all words, `…` stands for those at the end.
    let mut text = words.join(" · ");
    while words.len() > 1 && width(&text) > row.room() as usize {
        words.pop();
        text = format!("{}…", words.join(" · "));
    }
    row.right(&text, roles.dim);
}

/// The reason why the list is empty.
fn empty_message(model: &Model, definition: &Definition) -> &'static [&'static str] {
    if model.arguments.state.filter.is_on() {
        return &["no argument matches", "Esc clears the filter"];
    }
    match (definition.kind, &definition.signature) {
        (DefinitionKind::Class, None) => &["its constructor is not in these sources", "its arguments are not known"],
        (DefinitionKind::Interface | DefinitionKind::TypeAlias, _) => &["a type: it is named, not called"],
        (kind, _) if !kind.is_callable() => &["a value: it is read, not called"],
        _ => &["takes no arguments"],
    }
}

fn argument(
    model: &Model,
    definition: &Definition,
    position: usize,
    positions: &[u32],
    columns: &ArgumentColumns,
    mut row: RowPainter<'_>,
) {
    let roles = &model.theme.roles;
    let Some(signature) = definition.signature.as_ref().filter(|s| position < s.parameters.len()) else { return };
    let parameter = &signature.parameters[position];
    let usage = &definition.usage;
    let override_kind = model.overrides.of(definition, Some(position));
    let (mark, mark_style) = match override_kind {
        Some(override_kind) => override_mark(roles, override_kind),
        None => (if parameter.required { legend::REQUIRED } else { " " }, roles.required),
    };
    row.left(mark, mark_style).gap(1);
    let (count, known) = usage.passed_and_known(position);
    let style = if count == 0 { roles.dim } else { roles.text };
    let style = if override_kind == Some(OverrideKind::Banned) { struck(style) } else { style };
    let end = row.x().saturating_add(columns.name);
    let room = row.room().saturating_sub(columns.name);
    row.margin(room).name(&label(model, definition, signature, position), positions, style, roles.found);
    row.widen(room);
    row.gap(end.saturating_sub(row.x()) + 1);
    let share = Share { part: count, whole: known, is_unknown: usage.total_calls > 0 };
    share.draw(model, columns.bar, style, &mut row);
    row.gap(2);
    if let Some(mark) = mark_of_upgrade(model, position) {
        let (text, style) = upgrade_mark(roles, mark);
        row.left(&text, style).gap(1);
    }
    // The companion is the parameter that is most often passed together with this one. Nearly every call passes the
    // required ones, so only optional ones are informative here.
    let other = model.arguments.companions.get(position).and_then(|companions| companions.optional);
    if let Some(companion) = companion(definition, position, other).filter(|_| row.room() >= 44) {
        row.right(&format!("with {companion}"), roles.dim).margin(2);
    }
    if let Some(annotation) = &parameter.annotation {
        row.left(annotation, roles.dim);
    }
    if let Some(default) = &parameter.default {
        row.left(if parameter.annotation.is_some() { " = " } else { "= " }, roles.dim).left(default, roles.dim);
    }
}

/// What another version of the package does to the uses of a parameter of the selected symbol.
fn mark_of_upgrade(model: &Model, position: usize) -> Option<UpgradeMark> {
    model.upgrade.shown(model.catalog.as_ref()?)?.of_parameter(model.definition()?, position)
}

/// The name in the list: a property is indented below its object; in a filtered list it has its full label.
fn label(model: &Model, definition: &Definition, signature: &Signature, position: usize) -> String {
    if model.arguments.state.filter.is_on() {
        return signature.shown_label(position).into();
    }
    let object = |at: usize| signature.parameters.get(at).and_then(|parameter| parameter.object).map(usize::from);
    match std::iter::successors(object(position), |&at| object(at)).take(MAX_INDENTED).count() {
        0 => definition.label_of_parameter(position).into(),
        depth => format!("{}{}", "  ".repeat(depth), signature.parameters[position].name),
    }
}

/// A companion of the parameter at `position`, with the share of that parameter's calls that pass both.
fn companion(definition: &Definition, position: usize, other: Option<(usize, u32)>) -> Option<String> {
    let (other, calls) = other?;
    let name = definition.signature.as_ref().map(|s| s.shown_label(other))?;
    let (count, _) = definition.usage.passed_and_known(position);
    // A parameter that is never passed with this one is not shown as a companion.
    let share = share_text(calls, count).filter(|_| calls > 0)?;
    Some(format!("{name} {share}"))
}

/// Draws the selected parameter in three lines below a horizontal rule.
fn detail(model: &Model, definition: &Definition, position: usize, area: Rect, buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let Some(signature) = definition.signature.as_ref().filter(|s| position < s.parameters.len()) else { return };
    let parameter = &signature.parameters[position];
    let rule = "─".repeat(usize::from(area.width.saturating_sub(2)));
    RowPainter::new(buffer, area, 0).gap(1).margin(1).left(&rule, roles.border);
    let mut row = RowPainter::new(buffer, area, 1);
    row.gap(1).margin(1).left(&written(definition, signature, position), roles.text);
    if parameter.required {
        row.gap(2).left("required", roles.required);
    }
    RowPainter::new(buffer, area, 2).gap(1).margin(1).left(&passed(definition, position), roles.dim);
    let others = model.arguments.companions.get(position).copied().unwrap_or_default();
    RowPainter::new(buffer, area, 3).gap(1).margin(1).left(&companions(definition, position, others), roles.dim);
}

fn written(definition: &Definition, signature: &Signature, position: usize) -> String {
    let parameter = &signature.parameters[position];
    let mut text = definition.label_of_parameter(position).to_string();
    if let Some(annotation) = &parameter.annotation {
        text += ": ";
        text += annotation;
    }
    if let Some(default) = &parameter.default {
        text += " = ";
        text += default;
    }
    text
}

/// The number of calls that pass the parameter, and the number of calls for which that is unknown.
fn passed(definition: &Definition, position: usize) -> String {
    let usage = &definition.usage;
    let Some(row) = usage.parameters.get(position) else { return String::new() };
    if usage.total_calls == 0 {
        return "no call of it was found".to_owned();
    }
    let (count, known) = usage.passed_and_known(position);
    let mut parts = Vec::new();
    if known == 0 {
        parts.push("not known: every call may pass it unseen".to_owned());
    } else {
        let calls = if known == 1 { "1 call".to_owned() } else { format!("{} calls", grouped(known as usize)) };
        parts.push(format!("passed in {} of {calls}", grouped(count as usize)));
        if row.unknown > 0 {
            parts.push(format!("{} unknown", grouped(row.unknown as usize)));
        }
    }
    if row.positional > 0 {
        parts.push(format!("by position {}", grouped(row.positional as usize)));
    }
    parts.join(" · ")
}

/// The companions of the parameter, and its most common values.
fn companions(definition: &Definition, position: usize, companions: Companions) -> String {
    let mut parts = Vec::new();
    if let Some(first) = companion(definition, position, companions.first) {
        let optional = companions.optional.filter(|optional| Some(*optional) != companions.first);
        let then = companion(definition, position, optional).map_or(String::new(), |other| format!(", {other}"));
        parts.push(format!("most often with {first}{then}"));
    }
    if let Some(row) = definition.usage.parameters.get(position).filter(|row| !row.values.is_empty()) {
        let values = row.values.iter().map(|(value, calls)| format!("{value} ×{}", grouped(*calls as usize)));
        parts.push(values.collect::<Vec<_>>().join("  "));
    }
    parts.join(" · ")
}
