//! The mouse: a press selects and focuses, a second press opens or closes, the wheel scrolls what is under it.

use super::{browse, overlay};
use crate::tui::{
    input::{Mouse, MouseAction},
    layout,
    model::{Model, Overlay, Pane},
};

const WHEEL_ROWS: isize = 3;

pub(super) fn mouse(model: &mut Model, mouse: Mouse) {
    match model.overlay {
        Some(Overlay::Page { page, line }) => {
            match mouse.action {
                MouseAction::WheelUp => overlay::turn(model, page, line, -WHEEL_ROWS),
                MouseAction::WheelDown => overlay::turn(model, page, line, WHEEL_ROWS),
                MouseAction::Press => model.overlay = None,
                _ => {}
            }
            return;
        }
        Some(Overlay::Write(_)) => return,
        None => {}
    }
    let Some(areas) = layout::areas(model) else { return };
    let Some((pane, row)) = areas.hit(mouse.column, mouse.row) else { return };
    match mouse.action {
        MouseAction::Press => press(model, pane, row),
        MouseAction::WheelUp => wheel(model, pane, -WHEEL_ROWS),
        MouseAction::WheelDown => wheel(model, pane, WHEEL_ROWS),
        MouseAction::WheelLeft if pane == Pane::Preview => {
            model.preview.column = model.preview.column.saturating_sub(4);
        }
        MouseAction::WheelRight if pane == Pane::Preview => model.preview.column += 4,
        MouseAction::WheelLeft | MouseAction::WheelRight => {}
    }
}

fn press(model: &mut Model, pane: Pane, row: Option<usize>) {
    if model.focus != pane {
        browse::focus(model, pane);
    }
    let (Some(row), Some(catalog)) = (row, model.catalog.clone()) else { return };
    let Some((cursor, len)) = browse::cursor(model, pane) else { return };
    let row = cursor.offset + row;
    if row >= len {
        return;
    }
    let again = cursor.selected == row;
    cursor.select(row);
    browse::chosen(model, pane);
    if again {
        match pane {
            Pane::Modules => {
                let _ = model.modules.set_open(&catalog, row, true) || model.modules.set_open(&catalog, row, false);
            }
            Pane::Symbols => {
                let _ = model.symbols.set_open(&catalog, row, true) || model.symbols.set_open(&catalog, row, false);
            }
            Pane::Arguments | Pane::Preview => {}
        }
    }
}

fn wheel(model: &mut Model, pane: Pane, rows: isize) {
    match browse::cursor(model, pane) {
        Some((cursor, _)) => cursor.scroll(rows),
        None => model.preview.line = model.preview.line.saturating_add_signed(rows),
    }
}
