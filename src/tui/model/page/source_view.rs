//! The source text beside a page.

use super::SourcePlace;
use crate::tui::{model::Excerpt, widgets::width};

/// The source text of the selected row.
#[derive(Debug, Default)]
pub struct SourceView {
    /// The place to show, with the generation of its index.
    pub wanted: Option<(u64, SourcePlace)>,
    /// The ticket of the request.
    pub ticket: u64,
    /// The last answer, which may belong to another row, or the reason why there is none.
    pub shown: Option<Result<Excerpt, String>>,
    /// Lines scrolled from the initial position.
    pub scroll: isize,
    /// Columns scrolled to the right of the initial position.
    pub columns: usize,
    /// True if the source has the whole screen, and the keys that move scroll it.
    pub is_zoomed: bool,
}

impl SourceView {
    /// The width of the widest line, in columns.
    pub fn widest_line(&self) -> usize {
        let Some(Ok(excerpt)) = &self.shown else { return 0 };
        excerpt.lines.iter().map(|line| width(line)).max().unwrap_or(0)
    }

    /// Scrolls by lines within the excerpt, of which `height` lines are visible. If lines are wrapped, the last line
    /// may be the first visible one.
    pub fn scroll_by(&mut self, lines: isize, height: usize, is_wrapped: bool) {
        let Some(Ok(excerpt)) = &self.shown else { return };
        let initial = excerpt.initial_top(height);
        let last = excerpt.lines.len().saturating_sub(if is_wrapped { 1 } else { height });
        let top = initial.saturating_add_signed(self.scroll).min(last).saturating_add_signed(lines).min(last);
        self.scroll = top.cast_signed() - initial.cast_signed();
    }
}
