//! The filter of a list: the pattern, and the matches.

use std::sync::Arc;

use compact_str::CompactString;
use tui_input::Input;

use super::{ApiCatalog, Model};
use crate::tui::geometry::Pane;
use apidisc::{http::OperationArgument, program::DefinitionId};

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
    /// The position of a module or definition in the index, or of a parameter in its signature. Those of API documents
    /// follow those of modules. In a document: the position of a chunk, or of an argument in its list.
    pub row: usize,
    /// The positions of the characters of the row's label that match, ascending; empty beyond the first few hundred
    /// matches.
    pub positions: Vec<u32>,
}

/// The rows that a filter searches.
#[derive(Clone, Debug)]
pub enum FilterCandidates {
    /// Every module's name, and the paths of API documents; [`FilterMatch::row`] is the module's position in the index,
    /// and for a document its position behind all modules.
    Modules(Arc<[CompactString]>),
    /// These definitions and their members; [`FilterMatch::row`] is the definition's position in the index.
    Symbols {
        /// The definitions, most called first.
        base: Arc<[DefinitionId]>,
        /// True if private members are searched too.
        private: bool,
    },
    /// The parameters of a definition; [`FilterMatch::row`] is the position in its signature.
    Parameters(DefinitionId),
    /// The parts of the document at this position; [`FilterMatch::row`] is the position of the part's chunk.
    Parts(Arc<ApiCatalog>, usize),
    /// The arguments of a part; [`FilterMatch::row`] is the position among them.
    PartArguments(Arc<[OperationArgument]>),
}

impl Model {
    /// The filter of a pane. The preview has the filter of the symbols.
    pub fn filter(&self, pane: Pane) -> &ListFilter {
        match pane {
            Pane::Modules => &self.modules.filter,
            Pane::Symbols | Pane::Preview if self.is_in_document() => &self.api.parts.filter,
            Pane::Arguments if self.is_in_document() => &self.api.arguments.filter,
            Pane::Symbols | Pane::Preview => &self.symbols.filter,
            Pane::Arguments => &self.arguments.filter,
        }
    }

    /// The filter of a pane, mutable.
    pub fn filter_mut(&mut self, pane: Pane) -> &mut ListFilter {
        let is_in_document = self.is_in_document();
        match pane {
            Pane::Modules => &mut self.modules.filter,
            Pane::Symbols | Pane::Preview if is_in_document => &mut self.api.parts.filter,
            Pane::Arguments if is_in_document => &mut self.api.arguments.filter,
            Pane::Symbols | Pane::Preview => &mut self.symbols.filter,
            Pane::Arguments => &mut self.arguments.filter,
        }
    }
}
