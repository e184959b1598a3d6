//! Moving in a list of rows of which some can be chosen.

use super::PageItem;
use crate::tui::model::Cursor;

/// Moves by so many rows that can be chosen; where there is none further on, the list scrolls.
pub(in crate::tui) fn step(items: &[PageItem], cursor: &mut Cursor, rows: isize) {
    let choices: Vec<usize> = choices(items).collect();
    let here = choices.partition_point(|row| *row < cursor.selected);
    let next = here.saturating_add_signed(rows).min(choices.len().saturating_sub(1));
    match choices.get(next) {
        Some(row) if *row != cursor.selected => cursor.select(*row),
        _ => cursor.scroll(rows.signum()),
    }
}

/// Moves by so many rows, whether they can be chosen or not, to the nearest that can.
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

/// Brings the selected row into view, and the heading above it.
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
