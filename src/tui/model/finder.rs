//! The finder: the query, the hits, and a preview of the selected hit.

use tui_input::Input;

use super::{Cursor, Topic, page::PageItem};
use crate::tui::input::KeyPress;
use apidisc::search::SearchHit;

/// The finder.
#[derive(Debug)]
pub struct Finder {
    /// The query as it is typed.
    pub input: Input,
    /// The best hits; those of an older query until the next answer arrives.
    pub hits: Vec<SearchHit>,
    /// The number of all targets that match.
    pub total: usize,
    /// The selected hit.
    pub cursor: Cursor,
    /// The ticket of the last query.
    pub ticket: u64,
    /// The ticket of the last answer.
    pub answered: u64,
    /// True if the query must be sent, since its text or the index has changed.
    pub is_stale: bool,
    /// True if the next answer is the first for this query: its best hit is then selected.
    pub is_fresh: bool,
    /// The keys that were pressed after Enter, if Enter was pressed before the answer arrived. They are handled once
    /// the best hit is open. `None` if Enter was not pressed.
    pub keys_after_accept: Option<Vec<KeyPress>>,
    /// The inputs of `preview`: the generation of the index, the topic, the width in columns.
    pub shown: Option<(u64, Topic, u16)>,
    /// The preview of the selected hit.
    pub preview: Vec<PageItem>,
}

impl Finder {
    /// A finder with an empty query.
    pub fn new() -> Self {
        Self {
            input: Input::default(),
            hits: Vec::new(),
            total: 0,
            cursor: Cursor::default(),
            ticket: 0,
            answered: 0,
            is_stale: true,
            is_fresh: true,
            keys_after_accept: None,
            shown: None,
            preview: Vec::new(),
        }
    }

    /// True while the complete answer to the last query is outstanding.
    pub fn is_waiting(&self) -> bool {
        self.is_stale || self.answered != self.ticket
    }

    /// True if the hits on the screen belong to the present query; more may follow.
    pub fn has_current_hits(&self) -> bool {
        !self.is_stale && !self.is_fresh && !self.hits.is_empty()
    }

    /// The selected hit.
    pub fn selected(&self) -> Option<&SearchHit> {
        self.hits.get(self.cursor.selected)
    }

    /// Notes that the query has changed.
    pub fn query_changed(&mut self) {
        self.is_stale = true;
        self.is_fresh = true;
    }

    /// Notes that the index has changed, so that the hits are out of date.
    pub fn index_changed(&mut self) {
        self.hits.clear();
        self.total = 0;
        self.shown = None;
        self.preview.clear();
        self.is_stale = true;
    }
}

impl Default for Finder {
    fn default() -> Self {
        Self::new()
    }
}
