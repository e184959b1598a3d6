//! The filter of a list: the pattern, and the matches.

use std::sync::Arc;

use tui_input::Input;

use apidisc::program::DefinitionId;

/// A filter.
#[derive(Debug, Default)]
pub struct ListFilter {
    /// The pattern as it is typed.
    pub input: Input,
    /// The ticket of the last request; answers with another ticket are dropped.
    pub ticket: u64,
    /// The last answer; it stays until the next one arrives or the list changes.
    pub matches: Option<Vec<FilterMatch>>,
    /// True if the next answer is the first one for this pattern. The best match of this answer is then selected.
    pub fresh: bool,
    /// True if the pattern or the list has changed since the last request.
    pub stale: bool,
}

impl ListFilter {
    /// The pattern; empty if there is no filter.
    pub fn pattern(&self) -> &str {
        self.input.value()
    }

    /// True if there is a pattern.
    pub fn is_on(&self) -> bool {
        !self.pattern().is_empty()
    }

    /// Notes that the pattern has changed.
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

/// A row that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterMatch {
    /// The position of a module or definition in the index, or of a parameter in its signature.
    pub row: usize,
    /// The positions of the characters of the row's label that match, ascending; empty beyond the first few hundred
    /// matches.
    pub positions: Vec<u32>,
}

/// The rows that a filter searches.
#[derive(Clone, Debug)]
pub enum FilterCandidates {
    /// Every module's name; [`FilterMatch::row`] is the module's position in the index.
    Modules,
    /// These definitions and their members; [`FilterMatch::row`] is the definition's position in the index.
    Symbols {
        /// The definitions, most called first.
        base: Arc<[DefinitionId]>,
        /// True if private members are searched too.
        private: bool,
    },
    /// The parameters of a definition; [`FilterMatch::row`] is the position in its signature.
    Parameters(DefinitionId),
}
