//! A share of calls: a bar, and the percentage or the reason why there is none.

use ratatui::style::Style;

use crate::tui::{
    model::Model,
    widgets::{RowPainter, share_text},
};

/// A number of calls among those of which it is known whether they count.
#[derive(Clone, Copy)]
pub(super) struct Share {
    /// The calls that count.
    pub(super) part: u32,
    /// The calls of which that is known.
    pub(super) whole: u32,
    /// True if the share is not known although there are calls.
    pub(super) is_unknown: bool,
}

impl Share {
    /// Draws the bar in `cells` cells, and the percentage in `style` behind it.
    pub(super) fn draw(self, model: &Model, cells: u16, style: Style, row: &mut RowPainter<'_>) {
        let roles = &model.theme.roles;
        if let Some(share) = share_text(self.part, self.whole) {
            row.bar(cells, f64::from(self.part) / f64::from(self.whole), roles.bar, roles.bar_track);
            row.left(&format!("{share:>5}"), style);
        } else {
            row.bar(cells, 0.0, roles.bar, roles.bar_track);
            let (mark, style) = if self.is_unknown { ("    ?", roles.unknown) } else { ("    –", roles.dim) };
            row.left(mark, style);
        }
    }
}
