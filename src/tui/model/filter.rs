//! What is typed to narrow a list, and what matches it.

use tui_input::Input;

use crate::tui::search::FilterMatch;

/// The filter of one list.
#[derive(Debug, Default)]
pub struct ListFilter {
    /// What is typed.
    pub input: Input,
    /// The ticket of the last question; answers to older ones are dropped.
    pub ticket: u64,
    /// The last answer; kept while the next one is on its way.
    pub matches: Option<Vec<FilterMatch>>,
    /// The next answer is to a new pattern: its best match is selected.
    pub fresh: bool,
    /// The list that it is asked of has changed, or the pattern.
    pub stale: bool,
}

impl ListFilter {
    /// What is looked for; empty where there is no filter.
    pub fn pattern(&self) -> &str {
        self.input.value()
    }

    /// True where the list is narrowed.
    pub fn is_on(&self) -> bool {
        !self.pattern().is_empty()
    }

    /// The pattern has changed.
    pub fn changed(&mut self) {
        self.fresh = true;
        self.stale = true;
    }

    /// The list behind it is another: what matched belongs to the old one.
    pub fn outdated(&mut self) {
        self.matches = None;
        self.stale = self.is_on();
    }

    /// No filter.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
