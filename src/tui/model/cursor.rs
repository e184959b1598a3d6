//! The selection and the scroll offset of a list.

/// The selected row and the first visible row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The selected row.
    pub selected: usize,
    /// The first visible row.
    pub offset: usize,
    /// True if the selected row must be visible. False after [`Self::scroll`], until a row is selected.
    follow: bool,
}

impl Default for Cursor {
    fn default() -> Self {
        Self { selected: 0, offset: 0, follow: true }
    }
}

impl Cursor {
    /// Selects a row.
    pub fn select(&mut self, row: usize) {
        self.selected = row;
        self.follow = true;
    }

    /// Selects `row`, to which the selected item has moved. Scrolls by the same distance, so that the item stays at its
    /// place on the screen.
    pub fn follow(&mut self, row: usize) {
        if row != self.selected {
            self.offset = (self.offset + row).saturating_sub(self.selected);
            self.select(row);
        }
    }

    /// Moves the selection by `rows` rows in a list of `len` rows.
    pub fn step(&mut self, rows: isize, len: usize) {
        self.select(self.selected.saturating_add_signed(rows).min(len.saturating_sub(1)));
    }

    /// Scrolls by `rows` rows without changing the selection, which may leave the screen.
    pub fn scroll(&mut self, rows: isize) {
        self.offset = self.offset.saturating_add_signed(rows);
        self.follow = false;
    }

    /// True if the selected row must be visible. False after [`Self::scroll`], until a row is selected.
    pub fn is_following(&self) -> bool {
        self.follow
    }

    /// Clamps the selection and the scroll offset to a list of `len` rows, of which `height` are visible.
    pub fn settle(&mut self, len: usize, height: usize) {
        self.selected = self.selected.min(len.saturating_sub(1));
        if self.follow && height > 0 {
            self.offset = self.offset.clamp((self.selected + 1).saturating_sub(height), self.selected);
        }
        self.offset = self.offset.min(len.saturating_sub(height));
    }
}

#[cfg(test)]
mod tests {
    use super::Cursor;

    #[test]
    fn the_selection_stays_in_view() {
        let mut cursor = Cursor::default();
        cursor.step(7, 10);
        cursor.settle(10, 4);
        assert_eq!((cursor.selected, cursor.offset), (7, 4));
        cursor.step(-100, 10);
        cursor.settle(10, 4);
        assert_eq!((cursor.selected, cursor.offset), (0, 0));
        cursor.step(100, 10);
        cursor.settle(10, 4);
        assert_eq!((cursor.selected, cursor.offset), (9, 6));
    }

    #[test]
    fn a_moved_row_stays_at_its_place_on_the_screen() {
        let mut cursor = Cursor::default();
        cursor.select(6);
        cursor.settle(20, 4);
        cursor.follow(9);
        cursor.settle(20, 4);
        assert_eq!((cursor.selected, cursor.offset), (9, 6));
        cursor.follow(1);
        cursor.settle(20, 4);
        assert_eq!((cursor.selected, cursor.offset), (1, 0));
    }

    #[test]
    fn the_wheel_leaves_the_selection() {
        let mut cursor = Cursor::default();
        cursor.scroll(3);
        cursor.settle(10, 4);
        assert_eq!((cursor.selected, cursor.offset), (0, 3));
        cursor.scroll(300);
        cursor.settle(10, 4);
        assert_eq!((cursor.selected, cursor.offset), (0, 6));
    }

    #[test]
    fn a_list_that_shrinks_or_has_no_room() {
        let mut cursor = Cursor::default();
        cursor.select(9);
        cursor.settle(3, 2);
        assert_eq!((cursor.selected, cursor.offset), (2, 1));
        cursor.settle(0, 0);
        assert_eq!((cursor.selected, cursor.offset), (0, 0));
    }
}
