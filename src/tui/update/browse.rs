//! Runs commands in the panes: moving by rows, pages of rows and focus, opening and closing, and what acts on the
//! selection.

use super::{delivery, filter, first_call, index, packages, page, settings};
use crate::tui::{
    command::Command,
    effect::Effect,
    geometry::Pane,
    layout,
    model::{AfterDelivery, Cursor, Model, OverrideKind},
};

/// Runs a command that [`Front::Panes`](crate::tui::model::Front::Panes) receives.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    match command {
        Command::Up => step(model, -1),
        Command::Down => step(model, 1),
        Command::PageUp => step_pages(model, -1),
        Command::PageDown => step_pages(model, 1),
        Command::First => step(model, isize::MIN),
        Command::Last => step(model, isize::MAX),
        Command::Enter | Command::Right | Command::Toggle
            if model.focus == Pane::Modules && model.modules.is_passage_selected() =>
        {
            packages::turn_over(model, effects);
        }
        Command::Left => left(model),
        Command::Right => right(model),
        Command::NextPane => focus(model, neighbour(model.focus, 1)),
        Command::PreviousPane => focus(model, neighbour(model.focus, 3)),
        Command::Toggle => toggle(model),
        Command::Enter if model.focus == Pane::Modules => focus(model, Pane::Symbols),
        Command::Enter if delivery::is_match_pending(model) => {
            model.preview.after_delivery = Some(AfterDelivery::OpenPage);
        }
        Command::Enter | Command::Page => page::open_selected(model),
        Command::Recipes | Command::Calls => page::open_related(model, command),
        Command::Filter => filter::begin(model),
        Command::Clear if !model.filter(model.focus).is_on() && index::is_busy(model) => {
            effects.push(Effect::StopIndexing);
        }
        Command::Clear => filter::clear(model, model.focus),
        Command::Stop => index::stop(model, effects),
        Command::Quit => effects.push(Effect::Quit),
        Command::Copy => delivery::copy(model),
        Command::CopyCall => first_call::copy(model, effects),
        Command::Write => delivery::ask_for_path(model),
        Command::Edit => delivery::edit(model, effects),
        Command::Pin => settings::toggle_override(model, OverrideKind::Pinned, effects),
        Command::Ban => settings::toggle_override(model, OverrideKind::Banned, effects),
        Command::Private => settings::toggle_private(model, effects),
        // No list of the panes has an order of its own.
        _ => {}
    }
}

/// Gives a pane the focus. The stub follows the list that had the focus last.
pub(super) fn focus(model: &mut Model, pane: Pane) {
    model.focus = pane;
    model.editing = None;
    match pane {
        Pane::Modules => model.subject = Pane::Modules,
        Pane::Symbols | Pane::Arguments => model.subject = Pane::Symbols,
        Pane::Preview => {}
    }
}

fn neighbour(pane: Pane, distance: usize) -> Pane {
    Pane::ALL[(pane.position() + distance) % 4]
}

/// The number of visible rows of a pane.
pub(super) fn height(model: &Model, pane: Pane) -> usize {
    layout::areas(model).map_or(0, |areas| usize::from(areas.pane(pane).body.height))
}

/// The cursor of a pane, and its number of rows or lines.
pub(super) fn cursor(model: &mut Model, pane: Pane) -> (&mut Cursor, usize) {
    match pane {
        Pane::Modules => {
            let len = model.modules.len();
            (&mut model.modules.state.cursor, len)
        }
        Pane::Symbols if model.is_in_document() => (&mut model.api.parts.state.cursor, model.api.parts.rows.len()),
        Pane::Arguments if model.is_in_document() => {
            (&mut model.api.arguments.state.cursor, model.api.arguments.rows.len())
        }
        Pane::Symbols => (&mut model.symbols.state.cursor, model.symbols.rows.len()),
        Pane::Arguments => (&mut model.arguments.state.cursor, model.arguments.rows.len()),
        Pane::Preview => {
            let len = model.preview.stub().map_or(0, |stub| stub.lines.len());
            (&mut model.preview.cursor, len)
        }
    }
}

/// Moves the selection by `rows`.
pub(super) fn step(model: &mut Model, rows: isize) {
    let focus = model.focus;
    let (cursor, len) = cursor(model, focus);
    cursor.step(rows, len);
    chosen(model, focus);
}

/// Moves by whole pages that overlap in one row.
pub(super) fn step_pages(model: &mut Model, pages: isize) {
    let rows = isize::try_from(height(model, model.focus).max(2) - 1).unwrap_or(1);
    step(model, rows * pages);
}

/// Records that the user chose the selected row in the list of symbols. This row is restored when the index changes.
/// The stub follows the list.
pub(super) fn chosen(model: &mut Model, pane: Pane) {
    if pane == Pane::Symbols {
        if model.is_in_document() {
            model.api.parts.is_chosen = true;
        } else {
            model.symbols.is_chosen = true;
        }
        model.subject = Pane::Symbols;
    }
}

fn toggle(model: &mut Model) {
    let Some(catalog) = model.catalog.clone() else { return };
    match model.focus {
        Pane::Modules => {
            let row = model.modules.state.cursor.selected;
            if !model.modules.set_open(&catalog, row, true) {
                model.modules.set_open(&catalog, row, false);
            }
        }
        Pane::Symbols if model.is_in_document() => {}
        Pane::Symbols => {
            let row = model.symbols.state.cursor.selected;
            model.symbols.is_chosen = true;
            if !model.symbols.set_open(&catalog, row, true) {
                model.symbols.set_open(&catalog, row, false);
            }
        }
        Pane::Arguments | Pane::Preview => {}
    }
}

fn left(model: &mut Model) {
    let Some(catalog) = model.catalog.clone() else { return };
    match model.focus {
        Pane::Modules => {
            if !model.modules.set_open(&catalog, model.modules.state.cursor.selected, false)
                && let Some(row) = model.modules.parent_row(&catalog)
            {
                model.modules.state.cursor.select(row);
            }
        }
        Pane::Symbols if model.is_in_document() => focus(model, Pane::Modules),
        Pane::Symbols => {
            if model.symbols.set_open(&catalog, model.symbols.state.cursor.selected, false) {
                model.symbols.is_chosen = true;
            } else if let Some(row) = model.symbols.parent_row() {
                model.symbols.state.cursor.select(row);
            } else {
                focus(model, Pane::Modules);
            }
        }
        Pane::Arguments => focus(model, Pane::Symbols),
        Pane::Preview if model.preview.first_column > 0 => {
            model.preview.first_column = model.preview.first_column.saturating_sub(8);
        }
        Pane::Preview => focus(model, if model.subject == Pane::Modules { Pane::Modules } else { Pane::Arguments }),
    }
}

fn right(model: &mut Model) {
    let Some(catalog) = model.catalog.clone() else { return };
    match model.focus {
        Pane::Modules => {
            if !model.modules.set_open(&catalog, model.modules.state.cursor.selected, true) {
                focus(model, Pane::Symbols);
            }
        }
        Pane::Symbols => focus(model, Pane::Arguments),
        Pane::Arguments => focus(model, Pane::Preview),
        Pane::Preview => model.preview.first_column += 8,
    }
}
