//! The finder: the query, the names that match, the results by meaning, and a preview of the selected hit.

use super::{ApiPart, Cursor, MeaningHit, MeaningTarget, TextField, Topic, page::PageItem};
use crate::tui::input::KeyPress;
use apidisc::search::SearchHit;

/// The beginning of a query for names of packages.
const OF_PACKAGES: &str = "pkg:";

/// The finder.
#[derive(Debug)]
pub struct Finder {
    /// The query as it is typed.
    pub input: TextField,
    /// The best hits; those of an older query until the next answer arrives.
    pub hits: Vec<SearchHit>,
    /// The number of all targets that match.
    pub total: usize,
    /// All results by meaning for the same query.
    pub by_meaning: Vec<MeaningHit>,
    /// The listed results by meaning: those without the definitions among the best names, below the names.
    pub meaning: Vec<MeaningHit>,
    /// The selected hit, by its position in `hits` and, behind them, in `meaning`. The scroll offset is that of the
    /// names.
    pub cursor: Cursor,
    /// The generation of the index that the hits are of; `None` before the first query.
    pub searched: Option<u64>,
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
    /// The inputs that `preview` was built from: the generation of the index, the topic, the width in columns.
    pub shown: Option<(u64, Topic, u16)>,
    /// The inputs that `preview` was built from if it shows a part of API documents: the part, the width in columns.
    pub shown_part: Option<(ApiPart, u16)>,
    /// The preview of the selected hit.
    pub preview: Vec<PageItem>,
}

impl Finder {
    /// A finder with an empty query.
    pub fn new() -> Self {
        Self {
            input: TextField::default(),
            hits: Vec::new(),
            total: 0,
            by_meaning: Vec::new(),
            meaning: Vec::new(),
            cursor: Cursor::default(),
            searched: None,
            ticket: 0,
            answered: 0,
            is_stale: true,
            is_fresh: true,
            keys_after_accept: None,
            shown: None,
            shown_part: None,
            preview: Vec::new(),
        }
    }

    /// The query without the prefix `pkg:`, and whether it has the prefix, so that names of packages are
    /// searched.
    pub fn query(&self) -> (&str, bool) {
        let typed = self.input.value();
        typed.trim_start().strip_prefix(OF_PACKAGES).map_or((typed, false), |rest| (rest, true))
    }

    /// True while the complete answer to the last query is outstanding.
    pub fn is_waiting(&self) -> bool {
        self.is_stale || self.answered != self.ticket
    }

    /// True if the hits on the screen belong to the present query; more may follow.
    pub fn has_current_hits(&self) -> bool {
        !self.is_stale && !self.is_fresh && !self.is_empty()
    }

    /// The selected name.
    pub fn selected(&self) -> Option<&SearchHit> {
        self.hits.get(self.cursor.selected)
    }

    /// The selected hit by meaning.
    pub fn selected_meaning(&self) -> Option<&MeaningHit> {
        self.meaning.get(self.cursor.selected.checked_sub(self.hits.len())?)
    }

    /// The number of hits of both kinds.
    pub fn len(&self) -> usize {
        self.hits.len() + self.meaning.len()
    }

    /// True without any hit.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The part of API documents that is selected.
    pub fn part(&self) -> Option<&ApiPart> {
        match &self.selected_meaning()?.target {
            MeaningTarget::Part(part) => Some(part),
            MeaningTarget::Definition(_) | MeaningTarget::Section(_) | MeaningTarget::Recipe(_) => None,
        }
    }

    /// Lists the results by meaning that do not repeat a name. Names and results by meaning arrive in any order.
    pub fn list_meaning(&mut self) {
        self.meaning = self.by_meaning.iter().filter(|hit| !hit.repeats(&self.hits)).cloned().collect();
    }

    /// The topic of the selected hit.
    pub fn topic(&self) -> Option<Topic> {
        let name = self.selected().map(|hit| Topic::from(hit.target));
        name.or_else(|| self.selected_meaning().and_then(MeaningHit::topic))
    }

    /// Clamps the selection to the hits, and scrolls a selected name into view. `height` rows show names.
    pub fn settle(&mut self, height: usize) {
        let (selected, names) = (self.cursor.selected.min(self.len().saturating_sub(1)), self.hits.len());
        self.cursor.settle(names, height);
        self.cursor.selected = selected;
    }

    /// The first visible hit by meaning, of which `height` are visible.
    pub fn meaning_offset(&self, height: usize) -> usize {
        (self.cursor.selected + 1).saturating_sub(self.hits.len() + height)
    }

    /// Notes that the query has changed.
    pub fn query_changed(&mut self) {
        self.is_stale = true;
        self.is_fresh = true;
    }

    /// Notes that the index has changed, so that the hits are out of date.
    pub fn index_changed(&mut self) {
        self.hits.clear();
        self.by_meaning.clear();
        self.meaning.clear();
        self.total = 0;
        (self.shown, self.shown_part) = (None, None);
        self.preview.clear();
        self.is_stale = true;
    }
}

impl Default for Finder {
    fn default() -> Self {
        Self::new()
    }
}
