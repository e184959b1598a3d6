//! Finding anything: what is typed, what matches, and what the highlighted one is like.

use tui_input::Input;

use super::{Cursor, page::PageItem};
use crate::tui::catalog::Topic;
use crate::tui::{find::Hit, input::KeyPress};

/// The finder.
#[derive(Debug)]
pub struct Finder {
    /// What is typed.
    pub input: Input,
    /// The best matches; those of an older pattern until the new ones come.
    pub hits: Vec<Hit>,
    /// How many there are in all.
    pub total: usize,
    /// Where one is.
    pub cursor: Cursor,
    /// The ticket of the last question.
    pub ticket: u64,
    /// The ticket of the last answer.
    pub answered: u64,
    /// Another question has to be asked: the pattern or the index is new.
    pub is_stale: bool,
    /// The next answer is to a new pattern: its best match is selected.
    pub is_fresh: bool,
    /// The highlighted one is to be gone to as soon as the answer is there; what is pressed in the meantime is for where
    /// that leads.
    pub accepted: Option<Vec<KeyPress>>,
    /// What the preview is of, and how wide it is.
    pub shown: Option<(u64, Topic, u16)>,
    /// What is known of the highlighted one.
    pub preview: Vec<PageItem>,
}

impl Finder {
    /// Nothing typed yet.
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
            accepted: None,
            shown: None,
            preview: Vec::new(),
        }
    }

    /// The answer to the last question is not there yet.
    pub fn is_waiting(&self) -> bool {
        self.is_stale || self.answered != self.ticket
    }

    /// What is seen was found by what is typed, though more may be found.
    pub fn is_seen(&self) -> bool {
        !self.is_stale && !self.is_fresh && !self.hits.is_empty()
    }

    /// The highlighted one.
    pub fn selected(&self) -> Option<&Hit> {
        self.hits.get(self.cursor.selected)
    }

    /// The pattern has changed.
    pub fn changed(&mut self) {
        self.is_stale = true;
        self.is_fresh = true;
    }

    /// The index is another: what was found belongs to the old one.
    pub fn outdated(&mut self) {
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
