//! Finds names in the whole index.

use std::sync::Arc;

use apidisc::search::{HitsSoFar, Query, SearchHits, Searcher};

use crate::tui::{message::Message, model::Catalog};

/// The largest number of hits in an answer. Users do not scroll further.
const LIMIT: usize = 1000;

/// A request to find names. A newer job replaces this one, even while it runs.
#[derive(Clone, Debug)]
pub struct FindJob {
    /// The number of the request; every answer contains it.
    pub ticket: u64,
    /// The query as it was typed: words and filters.
    pub typed: String,
    /// The index.
    pub catalog: Arc<Catalog>,
}

impl FindJob {
    /// An answer with the final hits if `is_complete`, else with the best hits found so far.
    pub fn answer(&self, hits: SearchHits, is_complete: bool) -> Message {
        Message::Found { ticket: self.ticket, hits, is_complete }
    }
}

/// Keeps the searcher of the newest index between two searches.
#[derive(Default)]
pub struct SearcherCache {
    newest: Option<(u64, Searcher)>,
}

impl SearcherCache {
    /// The searcher of an index; collects the names of the index if they are not in the cache.
    pub fn searcher(&mut self, catalog: &Catalog) -> &mut Searcher {
        if self.newest.as_ref().is_none_or(|(generation, _)| *generation != catalog.generation) {
            // The old searcher is dropped first: two searchers of a large index would take much memory.
            self.newest = None;
        }
        &mut self.newest.get_or_insert_with(|| (catalog.generation, Searcher::new(catalog))).1
    }
}

/// Answers with [`Message::Found`]. `observe` receives the hits found so far; if it returns false, the search ends with
/// `None`.
pub fn find(
    searchers: &mut SearcherCache,
    job: &FindJob,
    observe: &mut dyn FnMut(HitsSoFar<'_>) -> bool,
) -> Option<Message> {
    let query = Query::parse(&job.typed);
    let hits = searchers.searcher(&job.catalog).search(&job.catalog, &query, LIMIT, observe)?;
    Some(job.answer(hits, true))
}
