//! The tree of modules with the number of calls of each.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::{message, pane, symbols::upgrade_mark};
use crate::tui::{
    command::Command,
    geometry::Pane,
    layout::Areas,
    model::{Disclosure, IndexingState, Model, name_of_all},
    widgets::{scroll_mark, short},
};
use apidisc::{
    index::{Index, Module, Scope},
    source::Origin,
};

pub(super) fn draw(model: &Model, areas: &Areas, buffer: &mut Buffer) -> Option<Position> {
    let area = areas.pane(Pane::Modules);
    let roles = &model.theme.roles;
    let title = if model.shows_packages() { "Packages" } else { "Modules" };
    let cursor =
        pane::frame(model, Pane::Modules, area, buffer, title, if model.catalog.is_some() { "uses" } else { "" });
    let Some(catalog) = &model.catalog else {
        match &model.indexing {
            IndexingState::Failed(why) => message(model, area.body, buffer, &[why]),
            _ if model.fetching.is_some() => message(model, area.body, buffer, &["cloning…"]),
            _ => message(model, area.body, buffer, &["indexing…"]),
        }
        return cursor;
    };
    let modules = &model.modules;
    if modules.is_empty() {
        message(model, area.body, buffer, &["no module matches", "all symbols are shown", "Esc clears the filter"]);
        return cursor;
    }
    for (line, position, selected) in
        pane::visible(area.body, modules.state.cursor.offset, modules.state.cursor.selected, modules.len())
    {
        if modules.has_passage && position + 1 == modules.len() {
            passage(model, area.body, (line, selected), buffer);
            continue;
        }
        let Some(entry) = modules.rows.get(position) else {
            document(model, position - modules.rows.len(), area.body, (line, selected), buffer);
            continue;
        };
        let mut row = pane::row(model, Pane::Modules, area.body, line, selected, buffer);
        if let Scope::Module(id) = entry.scope {
            let module = catalog.index.module(id);
            if module.uses() > 0 {
                row.right(&short(module.uses() as usize), roles.count).margin(1);
            }
            if let Some(mark) = model.upgrade.shown(catalog).and_then(|marks| marks.of_module(id)) {
                let (text, style) = upgrade_mark(roles, mark);
                row.right(&text, style).margin(1);
            }
            let own = catalog.origin(id) == Origin::Src && module.uses() > 0;
            let style = if own { roles.text } else { roles.dim };
            // Rows of a filtered list and top-level rows show the full name, others the last part.
            let flat = modules.state.filter.is_on() && modules.state.filter.matches.is_some();
            let whole = flat || module.parent.is_none();
            let name = if whole { &module.fqn } else { last_part(&catalog.index, module) };
            row.gap(entry.depth.saturating_mul(2));
            if !flat {
                row.left(pane::disclosure(entry.disclosure), roles.dim);
            }
            if whole {
                row.matched_tail(name, &entry.positions, style, roles.found);
            } else {
                row.left(name, style);
            }
            // The version of a package stands beside its name, where there is room.
            let version = model.packages.read().filter(|_| catalog.index.is_of_packages());
            if let Some(version) =
                version.and_then(|read| read.versions.get(&id)).filter(|v| row.room() > v.len() as u16 + 1)
            {
                row.gap(1).left(version, roles.dim);
            }
        } else {
            let uses = catalog.total_uses().total() as usize;
            if uses > 0 {
                row.right(&short(uses), roles.count).margin(1);
            }
            row.left(name_of_all(&catalog.index), roles.text);
        }
        if selected {
            pane::selection(model, Pane::Modules, area.body, line, buffer);
        }
    }
    if catalog.index.complete && catalog.index.files.is_empty() && catalog.index.modules.is_empty() {
        let below =
            ratatui::layout::Rect { y: area.body.y + 1, height: area.body.height.saturating_sub(1), ..area.body };
        message(model, below, buffer, &["no Python or TypeScript files here"]);
    }
    let border = if model.focus == Pane::Modules { roles.border_focused } else { roles.border };
    scroll_mark(buffer, area.frame, area.body, modules.state.cursor.offset, modules.len(), border);
    cursor
}

/// Draws the row that leads to the packages, or back to the code.
fn passage(model: &Model, body: Rect, (line, selected): (u16, bool), buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let mut row = pane::row(model, Pane::Modules, body, line, selected, buffer);
    let key = model.keymap.first(Command::Packages).map_or(String::new(), |key| format!(" ({key})"));
    if model.shows_packages() {
        row.left(&format!("the code again{key}"), roles.accent);
    } else if let Some(used) = model.packages.read() {
        let calls = used.calls();
        if calls > 0 {
            row.right(&short(calls as usize), roles.count).margin(1);
        }
        row.left(&format!("{}{key}", used.in_words()), roles.accent);
    }
    if selected {
        pane::selection(model, Pane::Modules, body, line, buffer);
    }
}

/// Draws the row of an API document: its path, the title of the API, and the calls of its operations.
fn document(model: &Model, at: usize, body: Rect, (line, selected): (u16, bool), buffer: &mut Buffer) {
    let roles = &model.theme.roles;
    let entry = &model.modules.documents[at];
    let Some(module) = model.api.catalog.as_ref().and_then(|api| api.modules.get(entry.at)) else { return };
    let mut row = pane::row(model, Pane::Modules, body, line, selected, buffer);
    if module.calls > 0 {
        row.right(&short(module.calls as usize), roles.count).margin(1);
    }
    if !model.modules.state.filter.is_on() {
        row.left(pane::disclosure(Disclosure::Leaf), roles.dim);
    }
    row.matched_tail(&module.path, &entry.positions, roles.text, roles.found);
    if row.room() >= 6 {
        row.gap(2).left(&module.title, roles.dim);
    }
    if selected {
        pane::selection(model, Pane::Modules, body, line, buffer);
    }
}

fn last_part<'i>(index: &Index, module: &'i Module) -> &'i str {
    module.parent.map_or(&module.fqn, |above| &module.fqn[index.module(above).fqn.len() + 1..])
}
