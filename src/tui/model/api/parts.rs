//! The list of the parts of a document: its operations, the most called first, then its schemas and other components.

use super::ApiCatalog;
use crate::tui::model::ListState;

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartRow {
    /// The position of the part's chunk.
    pub at: u32,
    /// Characters of its text that match the filter; see [`ApiCatalog::search_text`].
    pub positions: Vec<u32>,
}

/// The list of parts.
#[derive(Debug, Default)]
pub struct PartList {
    /// The content of the list: the generation of the documents, and the position of the document.
    pub of: Option<(u64, usize)>,
    /// The rows from top to bottom.
    pub rows: Vec<PartRow>,
    /// The selection, the scroll offset and the filter.
    pub state: ListState,
    /// True if the user chose the selected part; false for the row that is selected by default.
    pub is_chosen: bool,
    /// The path of the listed document.
    place: Option<String>,
    /// The id of the selected part, which stays valid when the documents are read again.
    anchor: Option<String>,
}

impl PartList {
    /// The selected row.
    pub fn selected(&self) -> Option<&PartRow> {
        self.rows.get(self.state.cursor.selected)
    }

    /// Remembers the selected row by its id, to find it again in the next documents.
    pub fn remember(&mut self, api: &ApiCatalog) {
        if self.of.is_none_or(|(generation, _)| generation != api.generation) {
            return;
        }
        if let Some(row) = self.selected() {
            self.anchor = self.is_chosen.then(|| api.apis.documents.chunks.chunk(row.at).id.clone());
        }
    }

    /// Selects a part of the document that is listed already, or will be after the next update.
    pub fn reveal(&mut self, api: &ApiCatalog, at: u32) {
        self.anchor = Some(api.apis.documents.chunks.chunk(at).id.clone());
        self.is_chosen = true;
        self.state.is_stale = true;
    }

    /// Removes the filter and keeps the selection.
    pub fn clear_filter(&mut self, api: &ApiCatalog) {
        self.state.filter.clear();
        if let Some(at) = self.selected().map(|row| row.at) {
            self.reveal(api, at);
        }
        self.state.is_stale = true;
    }

    /// Lists another document, or the same one as it was read again.
    pub fn list(&mut self, api: &ApiCatalog, document: usize) {
        let place = api.modules.get(document).map(|module| module.path.to_string());
        if self.place != place {
            self.place = place;
            self.anchor = None;
            self.is_chosen = false;
            self.state.reset();
        }
        self.of = Some((api.generation, document));
        self.state.replace_items();
    }

    /// Builds the rows and restores the selection.
    pub fn rebuild(&mut self, api: &ApiCatalog) {
        self.state.is_stale = false;
        self.rows.clear();
        if let (true, Some(matches)) = (self.state.filter.is_on(), &self.state.filter.matches) {
            self.rows.extend(
                matches.iter().map(|found| PartRow { at: found.candidate as u32, positions: found.positions.clone() }),
            );
        } else if let Some(module) = self.of.and_then(|(_, document)| api.modules.get(document)) {
            self.rows.extend(module.parts.iter().map(|at| PartRow { at: *at, positions: Vec::new() }));
        }
        let anchored = self.anchor.as_ref().and_then(|id| api.apis.documents.chunks.find(id));
        let row = anchored.and_then(|at| self.rows.iter().position(|row| row.at == at));
        self.state.select_after_rebuild(row.unwrap_or(0));
    }
}
