//! The definitions of the selected module, most called first.

use ratatui::{
    buffer::Buffer,
    layout::Position,
    style::{Modifier, Style},
};
use unicode_segmentation::UnicodeSegmentation as _;

use super::{api, message, pane};
use crate::tui::{
    geometry::Pane,
    layout::Areas,
    model::{Catalog, Model, OverrideKind, UpgradeMark, legend},
    theme::Roles,
    widgets::{grouped, scroll_mark, short},
};
use apidisc::{breaks::report::Verdict, index::Scope, program::DefinitionKind};

pub(super) fn draw(model: &Model, areas: &Areas, buffer: &mut Buffer) -> Option<Position> {
    if let Some((api, document)) = model.document() {
        return api::parts(model, api, document, areas, buffer);
    }
    let area = areas.pane(Pane::Symbols);
    let roles = &model.theme.roles;
    let symbols = &model.symbols;
    let (title, right) = match symbols.base.len() {
        0 => ("Symbols".to_owned(), ""),
        number => (format!("Symbols {}", grouped(number)), "uses"),
    };
    let cursor = pane::frame(model, Pane::Symbols, area, buffer, &title, right);
    let Some(catalog) = &model.catalog else { return cursor };
    let scope = model.modules.scope().unwrap_or(Scope::Repository);
    if symbols.rows.is_empty() {
        let lines: &[&str] = match (symbols.state.filter.is_on(), model.has_private) {
            (true, _) if symbols.state.filter.matches.is_some() => &["no symbol matches", "Esc clears the filter"],
            (true, _) => &[],
            (false, _) if catalog.index.modules.is_empty() => &[],
            (false, false) => &["nothing public here", "a shows private definitions"],
            (false, true) => &["nothing is defined here"],
        };
        message(model, area.body, buffer, lines);
        return cursor;
    }
    for (line, position, selected) in
        pane::visible(area.body, symbols.state.cursor.offset, symbols.state.cursor.selected, symbols.rows.len())
    {
        let entry = &symbols.rows[position];
        let definition = catalog.index.definition(entry.id);
        let uses = catalog.index.uses_within(entry.id);
        let is_counted = uses > 0 || definition.kind.is_callable() || definition.kind.is_readable();
        let mut row = pane::row(model, Pane::Symbols, area.body, line, selected, buffer);
        if is_counted && uses > 0 {
            row.right(&short(uses as usize), roles.count).margin(2);
        }
        if let Some(mark) = model.upgrade.shown(catalog).and_then(|marks| marks.of_definition(entry.id)) {
            let (text, style) = upgrade_mark(roles, mark);
            row.right(&text, style).margin(1);
        }
        row.gap(entry.depth.saturating_mul(2));
        if !symbols.state.filter.is_on() {
            row.left(pane::disclosure(entry.disclosure), roles.dim);
        }
        let (glyph, style) = glyph(roles, definition.kind);
        row.left(glyph, style).gap(1);
        let override_kind = model.overrides.of(definition, None);
        if let Some((mark, style)) = override_kind.map(|override_kind| override_mark(roles, override_kind)) {
            row.left(mark, style).gap(1);
        }
        let label = catalog.label(entry.id, entry.depth > 0);
        let name = if is_counted { pane::name_style(model, uses) } else { roles.text };
        let name = if override_kind == Some(OverrideKind::Banned) { struck(name) } else { name };
        let (in_label, in_own) = pane::split(&entry.positions, label.graphemes(true).count() as u32 + 1);
        row.name(&label, in_label, name, roles.found);
        if let Some(own) = Catalog::defining_name(definition).filter(|_| entry.depth == 0) {
            row.gap(1).matched(own, &in_own, roles.dim, roles.found);
        }
        if entry.depth == 0 && definition.parent.is_none() && row.room() >= 6 {
            row.gap(1).left(catalog.home(definition, scope), roles.dim);
        }
        if selected {
            pane::selection(model, Pane::Symbols, area.body, line, buffer);
        }
    }
    let border = if model.focus == Pane::Symbols { roles.border_focused } else { roles.border };
    scroll_mark(buffer, area.frame, area.body, symbols.state.cursor.offset, symbols.rows.len(), border);
    cursor
}

/// The mark of a pin or ban.
pub(super) fn override_mark(roles: &Roles, override_kind: OverrideKind) -> (&'static str, Style) {
    match override_kind {
        OverrideKind::Pinned => (legend::PINNED, roles.success),
        OverrideKind::Banned => (legend::BANNED, roles.error),
    }
}

/// The mark of what another version of the package does to uses: its sign, and their number.
pub(super) fn upgrade_mark(roles: &Roles, mark: UpgradeMark) -> (String, Style) {
    let style = match mark.verdict {
        Verdict::Break => roles.error,
        Verdict::Silent | Verdict::Deprecated => roles.unknown,
        Verdict::Moved | Verdict::Unknown | Verdict::Ok => roles.dim,
    };
    (format!("{}{}", legend::verdict_sign(mark.verdict), short(mark.uses as usize)), style)
}

/// The style of a banned name.
pub(super) fn struck(style: Style) -> Style {
    style.add_modifier(Modifier::CROSSED_OUT)
}

/// A letter for the kind of a definition, with its style.
pub(super) fn glyph(roles: &Roles, kind: DefinitionKind) -> (&'static str, Style) {
    let style = match kind {
        DefinitionKind::Class
        | DefinitionKind::Interface
        | DefinitionKind::TypeAlias
        | DefinitionKind::Enum
        | DefinitionKind::Namespace => roles.class,
        DefinitionKind::Function
        | DefinitionKind::Method
        | DefinitionKind::ClassMethod
        | DefinitionKind::StaticMethod => roles.function,
        DefinitionKind::Property | DefinitionKind::Attribute | DefinitionKind::Constant => roles.value,
    };
    (legend::sign(kind), style)
}
