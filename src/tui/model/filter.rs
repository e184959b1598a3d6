//! The filter of a list: the pattern, and the matches.

use std::sync::Arc;

use compact_str::CompactString;

use super::{ApiCatalog, ListState, Model, TextField};
use crate::tui::geometry::Pane;
use apidisc::{http::OperationArgument, program::DefinitionId};

/// A filter.
#[derive(Debug, Default)]
pub struct ListFilter {
    /// The pattern as it is typed.
    pub input: TextField,
    /// The ticket of the last request; answers with another ticket are dropped.
    pub ticket: u64,
    /// The last answer; it stays until the next one arrives or the list changes.
    pub matches: Option<Vec<FilterMatch>>,
    /// True if the next answer is the first one for this pattern. The best match of this answer is then selected.
    pub is_fresh: bool,
    /// True if the pattern or the list has changed since the last request.
    pub is_stale: bool,
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
        self.is_fresh = true;
        self.is_stale = true;
    }

    /// Drops the matches, since the list has changed.
    pub fn outdated(&mut self) {
        self.matches = None;
        self.is_stale = self.is_on();
    }

    /// Removes the filter.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// A candidate that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterMatch {
    /// The position of the candidate: see [`FilterCandidates`].
    pub candidate: usize,
    /// The positions of the characters of the candidate's label that match, ascending; empty beyond the first few
    /// hundred matches.
    pub positions: Vec<u32>,
}

/// The items that a filter searches.
#[derive(Clone, Debug)]
pub enum FilterCandidates {
    /// Every module's name, and the paths of API documents. [`FilterMatch::candidate`] is the module's position in the
    /// index; for a document it is the number of modules plus the document's position.
    Modules(Arc<[CompactString]>),
    /// These definitions and their members; [`FilterMatch::candidate`] is the definition's position in the index.
    Symbols {
        /// The definitions, most called first.
        base: Arc<[DefinitionId]>,
        /// True if private members are searched too.
        has_private: bool,
    },
    /// The parameters of a definition; [`FilterMatch::candidate`] is the position in its signature.
    Parameters(DefinitionId),
    /// The parts of the document at this position; [`FilterMatch::candidate`] is the position of the part's chunk.
    Parts(Arc<ApiCatalog>, usize),
    /// The arguments of a part; [`FilterMatch::candidate`] is the position among them.
    PartArguments(Arc<[OperationArgument]>),
}

impl Model {
    /// The state of the list in a pane. The preview has no list; its filter is that of the symbols.
    pub fn list(&self, pane: Pane) -> &ListState {
        match pane {
            Pane::Modules => &self.modules.state,
            Pane::Symbols | Pane::Preview if self.is_in_document() => &self.api.parts.state,
            Pane::Arguments if self.is_in_document() => &self.api.arguments.state,
            Pane::Symbols | Pane::Preview => &self.symbols.state,
            Pane::Arguments => &self.arguments.state,
        }
    }

    /// The state of the list in a pane, mutable.
    pub fn list_mut(&mut self, pane: Pane) -> &mut ListState {
        let is_in_document = self.is_in_document();
        match pane {
            Pane::Modules => &mut self.modules.state,
            Pane::Symbols | Pane::Preview if is_in_document => &mut self.api.parts.state,
            Pane::Arguments if is_in_document => &mut self.api.arguments.state,
            Pane::Symbols | Pane::Preview => &mut self.symbols.state,
            Pane::Arguments => &mut self.arguments.state,
        }
    }

    /// The filter of a pane.
    pub fn filter(&self, pane: Pane) -> &ListFilter {
        &self.list(pane).filter
    }

    /// The filter of a pane, mutable.
    pub fn filter_mut(&mut self, pane: Pane) -> &mut ListFilter {
        &mut self.list_mut(pane).filter
    }
}
