//! The state that the lists in the panes share: the selection, the scroll offset, the filter, and what the next rebuild
//! of the rows selects.

use super::{Cursor, ListFilter};

/// The state of a list besides its rows.
#[derive(Debug, Default)]
pub struct ListState {
    /// The selection and the scroll offset.
    pub cursor: Cursor,
    /// The filter.
    pub filter: ListFilter,
    /// True if the rows must be built again.
    pub is_stale: bool,
    /// The row that the next rebuild selects.
    selects: Selects,
}

/// The row that a rebuild selects.
#[derive(Clone, Copy, Debug, Default)]
enum Selects {
    /// The item that was selected before. It stays at its place on the screen.
    #[default]
    Same,
    /// The best match of a new pattern.
    Best,
    /// An item that the user did not select in this list. The list scrolls no further than necessary.
    Revealed,
}

impl ListState {
    /// Requests a rebuild with new matches, which selects the best one if the pattern is new.
    pub fn refresh(&mut self, is_new_pattern: bool) {
        self.is_stale = true;
        if is_new_pattern {
            self.selects = Selects::Best;
        }
    }

    /// Requests a rebuild from other items. Matches of earlier items are dropped.
    pub fn replace_items(&mut self) {
        self.filter.outdated();
        self.is_stale = true;
    }

    /// Selects the first row, scrolls to it, and removes the filter.
    pub fn reset(&mut self) {
        self.cursor = Cursor::default();
        self.filter.clear();
    }

    /// Removes the filter, and requests a rebuild.
    pub fn clear_filter(&mut self) {
        self.filter.clear();
        self.is_stale = true;
    }

    /// Requests that the rows are made again, and that the list then scrolls until the selected row is visible.
    pub fn reveal(&mut self) {
        self.selects = Selects::Revealed;
        self.is_stale = true;
    }

    /// Selects a row after a rebuild. `row` is the new row of the item to select.
    pub fn select_after_rebuild(&mut self, row: usize) {
        match std::mem::take(&mut self.selects) {
            Selects::Best => self.cursor.select(0),
            Selects::Revealed => self.cursor.select(row),
            Selects::Same => self.cursor.follow(row),
        }
    }
}
