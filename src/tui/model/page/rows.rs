//! Moves the selection in a list in which only some rows can be selected.

use super::PageItem;
use crate::tui::model::Cursor;

/// Moves the selection by `rows` selectable rows; at the end of the list it scrolls the list instead.
pub(in crate::tui) fn step(items: &[PageItem], cursor: &mut Cursor, rows: isize) {
    let choices: Vec<usize> = choices(items).collect();
    let here = choices.partition_point(|row| *row < cursor.selected);
    let next = here.saturating_add_signed(rows).min(choices.len().saturating_sub(1));
    match choices.get(next) {
        Some(row) if *row != cursor.selected => cursor.select(*row),
        _ => cursor.scroll(rows.signum()),
    }
}

/// Moves the selection by `rows` rows of any kind, to the nearest selectable row.
pub(in crate::tui) fn move_rows(items: &[PageItem], cursor: &mut Cursor, rows: isize) {
    let target = cursor.selected.saturating_add_signed(rows);
    let selected = cursor.selected;
    let next = if rows < 0 {
        choices(items).filter(|row| *row < selected).min_by_key(|row| row.abs_diff(target))
    } else {
        choices(items).filter(|row| *row > selected).min_by_key(|row| row.abs_diff(target))
    };
    match next {
        Some(row) => cursor.select(row),
        None => cursor.scroll(rows),
    }
}

/// Scrolls the selected row into view, with the heading above it.
pub(in crate::tui) fn settle(items: &[PageItem], cursor: &mut Cursor, height: usize) {
    cursor.settle(items.len(), height);
    let selected = cursor.selected;
    let above = items[..selected.min(items.len())].iter().rev().take_while(|item| !item.is_choice());
    let lead = selected - above.count();
    if cursor.is_following() && lead < cursor.offset && selected < lead + height {
        cursor.offset = lead;
    }
}

fn choices(items: &[PageItem]) -> impl Iterator<Item = usize> + '_ {
    items.iter().enumerate().filter(|(_, item)| item.is_choice()).map(|(row, _)| row)
}
