//! Finds names in the whole index.

use std::{sync::Arc, time::Duration};

use apidisc::search::{HitsSoFar, Query, Searcher};

use super::{Answer, BackgroundJob, JobHost, JobTools, Lane};
use crate::tui::model::Catalog;

/// The largest number of hits in an answer. Users do not scroll further.
const LIMIT: usize = 1000;
/// The time until the first intermediate answer of a long search. The rest of a 16 ms frame suffices to draw the
/// answer.
const FIRST_ANSWER: Duration = Duration::from_millis(11);
/// The time between two intermediate answers.
const ANSWER_INTERVAL: Duration = Duration::from_millis(60);

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

/// A request to collect the names of an index before they are needed.
#[derive(Clone, Debug)]
pub struct PrepareSearchJob {
    /// The index.
    pub catalog: Arc<Catalog>,
}

/// Keeps the searcher of the newest index between two searches.
#[derive(Default)]
pub(super) struct SearcherCache {
    newest: Option<(u64, Searcher)>,
}

impl SearcherCache {
    /// The searcher of an index; collects the names of the index if they are not in the cache.
    fn searcher(&mut self, catalog: &Catalog) -> &mut Searcher {
        if self.newest.as_ref().is_none_or(|(generation, _)| *generation != catalog.generation) {
            // The old searcher is dropped first: two searchers of a large index would take much memory.
            self.newest = None;
        }
        &mut self.newest.get_or_insert_with(|| (catalog.generation, Searcher::new(catalog))).1
    }
}

impl BackgroundJob for FindJob {
    fn lane(&self) -> Lane {
        Lane::Find
    }

    /// Answers with [`Answer::Found`]: during a long search from time to time with the hits found so far, and then with
    /// the best hits, unless a newer job replaces this one.
    fn run(&self, tools: &JobTools, host: &mut dyn JobHost) {
        let mut searchers = tools.searchers();
        // Collects the names first, so that this time does not count against `FIRST_ANSWER`.
        let searcher = searchers.searcher(&self.catalog);
        let mut due = host.elapsed() + FIRST_ANSWER;
        let answer = |hits, is_complete| Answer::Found { ticket: self.ticket, hits, is_complete };
        let mut observe = |mut hits: HitsSoFar<'_>| {
            if host.elapsed() >= due {
                due += ANSWER_INTERVAL;
                host.send(answer(hits.collect(), false));
            }
            !host.is_superseded()
        };
        if let Some(hits) = searcher.search(&self.catalog, &Query::parse(&self.typed), LIMIT, &mut observe) {
            host.send(answer(hits, true));
        }
    }
}

impl BackgroundJob for PrepareSearchJob {
    fn lane(&self) -> Lane {
        Lane::Find
    }

    fn slot(&self) -> Option<usize> {
        None
    }

    /// Has no answer.
    fn run(&self, tools: &JobTools, _: &mut dyn JobHost) {
        tools.searchers().searcher(&self.catalog);
    }
}
