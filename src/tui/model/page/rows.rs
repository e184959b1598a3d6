//! Moves the selection in a list in which only some rows can be selected.

use super::PageItem;
use crate::tui::model::Cursor;

/// The selected row.
pub(in crate::tui) fn selected<'a>(items: &'a [PageItem], cursor: &Cursor) -> Option<&'a PageItem> {
    items.get(cursor.selected).filter(|item| item.is_choice())
}

/// Moves the selection by `rows` selectable rows. From the first row up and from the last row down, scrolls by one row
/// instead.
pub(in crate::tui) fn step(items: &[PageItem], cursor: &mut Cursor, rows: isize) {
    let choices: Vec<usize> = choices(items).collect();
    let here = choices.partition_point(|row| *row < cursor.selected);
    let next = here.saturating_add_signed(rows).min(choices.len().saturating_sub(1));
    match choices.get(next) {
        Some(row) if *row != cursor.selected => cursor.select(*row),
        _ => cursor.scroll(rows.signum()),
    }
}

/// Moves the selection by about `rows` rows, selectable or not, to the selectable row nearest to the target. If there
/// is no selectable row in this direction, scrolls by `rows` rows instead.
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

/// Scrolls the selected row into view, together with the rows directly above it that cannot be selected, such as its
/// heading, if all of them fit.
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
