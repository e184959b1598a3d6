//! What is typed to narrow a list, and what matches it.

use std::sync::Arc;

use tui_input::Input;

use apidisc::program::DefinitionId;

/// The filter of one list.
#[derive(Debug, Default)]
pub struct Filter {
    /// What is typed.
    pub input: Input,
    /// The ticket of the last question; answers to older ones are dropped.
    pub ticket: u64,
    /// The last answer; kept while the next one is on its way.
    pub matches: Option<Vec<Match>>,
    /// The next answer is to a new pattern: its best match is selected.
    pub fresh: bool,
    /// The list that it is asked of has changed, or the pattern.
    pub stale: bool,
}

impl Filter {
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

/// A row that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Its position among the candidates: a module's, a definition's or a parameter's.
    pub row: usize,
    /// The characters of its label that match, ascending; empty beyond the first few hundred matches.
    pub positions: Vec<u32>,
}

/// What a filter looks through.
#[derive(Clone, Debug)]
pub enum Candidates {
    /// Every module's name; `Match::row` is the module's position in the index.
    Modules,
    /// These definitions and their members; `Match::row` is the definition's position in the index.
    Symbols {
        /// In order of rank.
        base: Arc<[DefinitionId]>,
        /// Private members too.
        private: bool,
    },
    /// The parameters of a definition; `Match::row` is the position in its signature.
    Parameters(DefinitionId),
}
