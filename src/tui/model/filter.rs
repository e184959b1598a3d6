//! The filter of a list: the pattern, and the matches.

use tui_input::Input;

use crate::tui::search::FilterMatch;

/// A filter.
#[derive(Debug, Default)]
pub struct ListFilter {
    /// The pattern as it is typed.
    pub input: Input,
    /// The ticket of the last request; answers with another ticket are dropped.
    pub ticket: u64,
    /// The last answer; it stays until the next one arrives.
    pub matches: Option<Vec<FilterMatch>>,
    /// The next answer is the first for this pattern: its best match gets selected.
    pub fresh: bool,
    /// The pattern or the list has changed since the last request.
    pub stale: bool,
}

impl ListFilter {
    /// The pattern; empty where there is no filter.
    pub fn pattern(&self) -> &str {
        self.input.value()
    }

    /// True if there is a pattern.
    pub fn is_on(&self) -> bool {
        !self.pattern().is_empty()
    }

    /// Takes note of a changed pattern.
    pub fn changed(&mut self) {
        self.fresh = true;
        self.stale = true;
    }

    /// Drops the matches, since the list has changed.
    pub fn outdated(&mut self) {
        self.matches = None;
        self.stale = self.is_on();
    }

    /// Removes the filter.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
