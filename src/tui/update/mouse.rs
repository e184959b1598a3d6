//! The mouse: a press selects a row and focuses its pane, a press on the selected row opens or closes it, the wheel
//! scrolls, a double click opens what is selected, and the buttons in the first and last row of the screen can be
//! pressed.

use ratatui::layout::{Margin, Position};

use super::{agents, ask, browse, finder, origins, overlay, page, picker, profile, settings, text_overlay, tuning};
use crate::tui::{
    command::Command,
    effect::Effect,
    geometry::{self, Pane},
    input::{Mouse, MouseAction},
    layout,
    model::{Front, Model, Origins, Overlay, page::PageItem, tuning::TuningTab},
};

const WHEEL_ROWS: isize = 3;

pub(super) fn mouse(model: &mut Model, mut mouse: Mouse, effects: &mut Vec<Effect>) {
    let areas = layout::areas(model);
    let is_double = mouse.action == MouseAction::DoublePress;
    if is_double {
        mouse.action = MouseAction::Press;
    }
    // The footer shows the hints of the overlay: a press on one is a press of its key.
    if let (Some(areas), Some(_), MouseAction::Press) = (&areas, &model.overlay, mouse.action)
        && let Some(hint) = areas.hint(model, mouse.column, mouse.row)
    {
        if let Some(key) = model.keymap.keys(hint).first() {
            super::commands::press(model, *key, effects);
        }
        return;
    }
    match model.overlay {
        Some(Overlay::Text(_)) => return over_text(model, mouse),
        Some(Overlay::Picker(_)) => return over_picker(model, mouse, effects),
        Some(Overlay::Find(_)) => return over_finder(model, mouse, effects),
        Some(Overlay::Origins(_)) => return over_origins(model, mouse, effects),
        Some(Overlay::Write(_)) => return over_prompt(model, mouse, effects),
        Some(Overlay::Save(_)) => return over_save(model, mouse),
        None => {}
    }
    let Some(areas) = areas else { return };
    if mouse.action == MouseAction::Press
        && let Some(command) = areas.button(model, mouse.column, mouse.row)
    {
        return super::commands::run_clicked(model, command, effects);
    }
    match model.front() {
        Front::Page => return over_page(model, mouse, effects),
        Front::Agents => return over_agents(model, mouse, effects),
        Front::Ask => return over_ask(model, mouse, effects),
        Front::Tuning => return over_tuning(model, mouse, effects),
        Front::Panes => {}
    }
    match (mouse.action, model.drag) {
        (MouseAction::Drag, Some(drag)) => {
            return model.arrangement.drag(&areas.frames, drag, mouse.column, mouse.row);
        }
        (MouseAction::Drag | MouseAction::Release, _) => return model.drag = None,
        (MouseAction::Press, _) => model.drag = areas.frames.grab(mouse.column, mouse.row),
        _ => {}
    }
    let Some((pane, row)) = areas.hit(mouse.column, mouse.row) else { return };
    match mouse.action {
        MouseAction::Press if is_double && row.is_some() => super::commands::run(model, Command::Enter, effects),
        MouseAction::Press => press(model, pane, row),
        MouseAction::WheelUp => wheel(model, pane, -WHEEL_ROWS),
        MouseAction::WheelDown => wheel(model, pane, WHEEL_ROWS),
        MouseAction::WheelLeft if pane == Pane::Preview => {
            model.preview.first_column = model.preview.first_column.saturating_sub(4);
        }
        MouseAction::WheelRight if pane == Pane::Preview => model.preview.first_column += 4,
        _ => {}
    }
}

fn over_text(model: &mut Model, mouse: Mouse) {
    match mouse.action {
        MouseAction::WheelUp => text_overlay::scroll(model, -WHEEL_ROWS),
        MouseAction::WheelDown => text_overlay::scroll(model, WHEEL_ROWS),
        MouseAction::Press => {
            let Some(Overlay::Text(text)) = &model.overlay else { return };
            let frame = geometry::text_overlay(model.size, text.kind.lines(model).len());
            // The title names the key that closes the text: a press there closes it, too.
            let is_inside = frame.inner(Margin::new(0, 1)).contains(Position::new(mouse.column, mouse.row));
            if !is_inside {
                model.overlay = None;
            }
        }
        _ => {}
    }
}

/// A press selects a row, a press on the selected row follows its link; tabs and the close hint can be pressed; the
/// wheel scrolls the source if the mouse is over it, else the list.
fn over_page(model: &mut Model, mouse: Mouse, effects: &mut Vec<Effect>) {
    let Some(catalog) = model.catalog.clone() else { return };
    let Some(page) = &model.page else { return };
    let (area, at) = (page.subject.area(model.size), Position::new(mouse.column, mouse.row));
    let tab = layout::page_tabs(model, page).into_iter().find(|(.., tab)| tab.contains(at));
    let is_wrapped = model.wraps_source;
    let Some(page) = &mut model.page else { return };
    let rows = match mouse.action {
        MouseAction::WheelUp => -WHEEL_ROWS,
        MouseAction::WheelDown => WHEEL_ROWS,
        _ => 0,
    };
    if page.source_view.is_zoomed {
        page.source_view.scroll_by(rows, page::visible_lines(area.frame.union(area.detail)), is_wrapped);
    } else if rows != 0 && area.detail.contains(at) {
        page.source_view.scroll_by(rows, page::visible_lines(area.detail), is_wrapped);
    } else if rows != 0 {
        page.cursor.scroll(rows);
    } else if mouse.action != MouseAction::Press {
    } else if let Some((subject, ..)) = tab {
        page::show_tab(page, subject);
    } else if geometry::close_hint(area.frame).contains(at) {
        model.page = None;
    } else if area.list.contains(at) {
        let row = page.cursor.offset + usize::from(mouse.row - area.list.y);
        if !page.items.get(row).is_some_and(PageItem::is_choice) {
        } else if page.cursor.selected == row {
            page::follow(model, &catalog, effects);
        } else {
            page.cursor.select(row);
        }
    }
}

/// A press selects a row, a press on the selected row opens or follows it; the close hint can be pressed; the wheel
/// scrolls the answer if the mouse is over it, else the list.
fn over_agents(model: &mut Model, mouse: Mouse, effects: &mut Vec<Effect>) {
    let (area, at) = (geometry::page(model.size), Position::new(mouse.column, mouse.row));
    let Some(agents) = &mut model.agents else { return };
    let rows = match mouse.action {
        MouseAction::WheelUp => -WHEEL_ROWS,
        MouseAction::WheelDown => WHEEL_ROWS,
        _ => 0,
    };
    if rows != 0 && area.detail.contains(at) {
        agents::scroll(agents, rows);
    } else if rows != 0 {
        agents.cursor.scroll(rows);
    } else if mouse.action != MouseAction::Press {
    } else if geometry::close_hint(area.frame).contains(at) {
        model.agents = None;
    } else if area.list.contains(at) {
        let row = agents.cursor.offset + usize::from(mouse.row - area.list.y);
        if agents.cursor.selected == row {
            agents::follow(model, effects);
        } else if let Some(row) = agents.rows.get(row).copied() {
            agents.select(row);
        }
    }
}

/// A press selects a row, a press on the selected row follows it; a press on the line of the question begins to type;
/// the close hint can be pressed; the wheel scrolls.
fn over_ask(model: &mut Model, mouse: Mouse, effects: &mut Vec<Effect>) {
    let (area, at) = (geometry::ask(model.size), Position::new(mouse.column, mouse.row));
    let page = &mut model.ask;
    match mouse.action {
        MouseAction::WheelUp => page.scroll(-WHEEL_ROWS),
        MouseAction::WheelDown => page.scroll(WHEEL_ROWS),
        MouseAction::Press if geometry::close_hint(area.frame).contains(at) => {
            super::commands::run(model, Command::Clear, effects);
        }
        MouseAction::Press if area.list.contains(at) => {
            let row = page.cursor.offset + usize::from(mouse.row - area.list.y);
            if page.is_chosen && page.cursor.selected == row {
                ask::follow(model, effects);
            } else if row < page.rows.len() {
                page.is_typing = false;
                page.select(row);
            }
        }
        MouseAction::Press if mouse.row == area.input.y => page.is_typing = true,
        _ => {}
    }
}

/// A press selects a row, a press on the selected row follows its link; tabs and the close hint can be pressed. On the
/// curve, the wheel changes the setting by one step, and a press or drag moves it to the column of the mouse. Elsewhere
/// the wheel scrolls.
fn over_tuning(model: &mut Model, mouse: Mouse, effects: &mut Vec<Effect>) {
    let (area, at) = (geometry::tuning(model.size), Position::new(mouse.column, mouse.row));
    let tab = layout::tuning_tabs(model).into_iter().find(|(_, at_tab)| at_tab.contains(at));
    let (Some(catalog), Some(tuning)) = (model.catalog.clone(), &mut model.tuning) else { return };
    let frame = if tuning.tab == TuningTab::Comparison { area.whole } else { area.curve };
    match mouse.action {
        MouseAction::WheelUp if tuning.tab == TuningTab::Comparison => tuning::scroll(tuning, -WHEEL_ROWS),
        MouseAction::WheelDown if tuning.tab == TuningTab::Comparison => tuning::scroll(tuning, WHEEL_ROWS),
        MouseAction::WheelUp if area.curve.contains(at) => settings::step(model, true, effects),
        MouseAction::WheelDown if area.curve.contains(at) => settings::step(model, false, effects),
        MouseAction::WheelUp if area.stub.contains(at) => wheel(model, Pane::Preview, -WHEEL_ROWS),
        MouseAction::WheelDown if area.stub.contains(at) => wheel(model, Pane::Preview, WHEEL_ROWS),
        MouseAction::WheelUp => tuning.cursor.scroll(-WHEEL_ROWS),
        MouseAction::WheelDown => tuning.cursor.scroll(WHEEL_ROWS),
        MouseAction::Press if geometry::close_hint(frame).contains(at) => model.tuning = None,
        MouseAction::Press | MouseAction::Drag if tuning.tab == TuningTab::Curve && area.plot.contains(at) => {
            tuning::move_setting_to(model, mouse.column);
        }
        MouseAction::Press if tuning.tab == TuningTab::Curve && area.list.contains(at) => {
            let row = tuning.cursor.offset + usize::from(mouse.row - area.list.y);
            if !tuning.items.get(row).is_some_and(PageItem::is_choice) {
            } else if tuning.cursor.selected == row {
                tuning::follow(model, &catalog, effects);
            } else {
                tuning.cursor.select(row);
            }
        }
        MouseAction::Press => tuning.tab = tab.map_or(tuning.tab, |(tab, _)| tab),
        _ => {}
    }
}

/// A press on the line below the name saves the profile; a press outside the prompt or on its upper border closes it.
fn over_save(model: &mut Model, mouse: Mouse) {
    let frame = layout::save_prompt(model);
    if mouse.action != MouseAction::Press {
    } else if !frame.contains(Position::new(mouse.column, mouse.row)) || mouse.row == frame.y {
        model.overlay = None;
    } else if mouse.row == frame.y + 2 {
        profile::accept(model);
    }
}

/// A press on the line below the path writes the stub; a press outside the prompt or on its upper border closes it.
fn over_prompt(model: &mut Model, mouse: Mouse, effects: &mut Vec<Effect>) {
    let Some(Overlay::Write(prompt)) = &model.overlay else { return };
    let frame = geometry::prompt(model.size, &prompt.command);
    if mouse.action != MouseAction::Press {
        return;
    }
    if !frame.contains(Position::new(mouse.column, mouse.row)) || mouse.row == frame.y {
        model.overlay = None;
    } else if mouse.row == frame.y + 2 {
        overlay::accept(model, effects);
    }
}

/// A press on a button raises or lowers the weight of its row; a press on another place in a row selects the row or, if
/// it is selected, toggles its weight; a press outside the list or on its upper border closes the list; the wheel
/// scrolls.
fn over_origins(model: &mut Model, mouse: Mouse, effects: &mut Vec<Effect>) {
    let area = layout::origins(model);
    let groups = model.call_groups();
    let Some(Overlay::Origins(Origins { cursor })) = &mut model.overlay else { return };
    let at = Position::new(mouse.column, mouse.row);
    match mouse.action {
        MouseAction::Press => {}
        MouseAction::WheelUp => return cursor.scroll(-WHEEL_ROWS),
        MouseAction::WheelDown => return cursor.scroll(WHEEL_ROWS),
        _ => return,
    }
    if !area.frame.contains(at) || mouse.row == area.frame.y {
        model.overlay = None;
    } else if area.list.contains(at) {
        let row = cursor.offset + usize::from(mouse.row - area.list.y);
        let Some(group) = groups.get(row) else { return };
        let again = cursor.selected == row;
        cursor.select(row);
        if area.less.contains(at) || area.more.contains(at) {
            origins::step_weight(model, group, area.more.contains(at), effects);
        } else if again {
            origins::switch(model, group, effects);
        }
    }
}

/// A press accepts the row, a press outside closes the picker, the wheel scrolls.
fn over_picker(model: &mut Model, mouse: Mouse, effects: &mut Vec<Effect>) {
    let Some(Overlay::Picker(picker)) = &mut model.overlay else { return };
    let area = layout::picker(model.size, picker);
    let at = Position::new(mouse.column, mouse.row);
    match mouse.action {
        MouseAction::WheelUp => picker.cursor.scroll(-WHEEL_ROWS),
        MouseAction::WheelDown => picker.cursor.scroll(WHEEL_ROWS),
        MouseAction::Press if area.body.contains(at) => {
            let row = picker.cursor.offset + usize::from(mouse.row - area.body.y);
            if row < picker.rows.len() {
                picker.cursor.select(row);
                picker::accept(model, effects);
            }
        }
        MouseAction::Press if !area.frame.contains(at) => picker::close(model),
        _ => {}
    }
}

/// A press accepts the row, a press on the upper border closes the finder, the wheel scrolls.
fn over_finder(model: &mut Model, mouse: Mouse, effects: &mut Vec<Effect>) {
    let Some(Overlay::Find(finder)) = &mut model.overlay else { return };
    let area = geometry::finder(model.size);
    let list = area.list;
    match mouse.action {
        MouseAction::WheelUp => finder.cursor.scroll(-WHEEL_ROWS),
        MouseAction::WheelDown => finder.cursor.scroll(WHEEL_ROWS),
        MouseAction::Press if list.contains(Position::new(mouse.column, mouse.row)) => {
            let rows = geometry::finder_rows(list, finder.hits.len(), finder.meaning.len());
            let (names, at) = (finder.hits.len(), Position::new(mouse.column, mouse.row));
            let row = if rows.meaning.contains(at) {
                let offset = finder.meaning_offset(rows.meaning.height.into());
                Some(names + offset + usize::from(mouse.row - rows.meaning.y)).filter(|row| *row < finder.len())
            } else {
                let row = finder.cursor.offset + usize::from(mouse.row - list.y);
                Some(row).filter(|row| rows.names.contains(at) && *row < names)
            };
            if let Some(row) = row {
                finder.cursor.select(row);
                finder::accept(model, effects);
            }
        }
        // The upper border names the key that closes the finder.
        MouseAction::Press if mouse.row == area.frame.y => model.overlay = None,
        _ => {}
    }
}

fn press(model: &mut Model, pane: Pane, row: Option<usize>) {
    if model.focus != pane {
        browse::focus(model, pane);
    }
    let (Some(row), Some(catalog)) = (row, model.catalog.clone()) else { return };
    let (cursor, len) = browse::cursor(model, pane);
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
            Pane::Symbols if model.is_in_document() => {}
            Pane::Symbols => {
                let _ = model.symbols.set_open(&catalog, row, true) || model.symbols.set_open(&catalog, row, false);
            }
            Pane::Preview => page::open_selected(model),
            Pane::Arguments => {}
        }
    }
}

fn wheel(model: &mut Model, pane: Pane, rows: isize) {
    browse::cursor(model, pane).0.scroll(rows);
}
