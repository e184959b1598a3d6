//! The thread of the finder. It keeps the names of the newest index, so that a keystroke costs only the search.

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use super::worker::{LatestTickets, OutputSender, SupersedingWorker};
use crate::tui::{
    jobs::{self, FindJob, SearcherCache},
    model::Catalog,
};
use apidisc::search::HitsSoFar;

/// The time until the first intermediate answer of a long search. The rest of a 16 ms frame suffices to draw the
/// answer.
const FIRST_ANSWER: Duration = Duration::from_millis(11);
/// The time between two intermediate answers.
const ANSWER_INTERVAL: Duration = Duration::from_millis(60);

/// A request to the thread.
pub(super) enum FindRequest {
    Find(FindJob),
    /// Collect the names of an index before they are needed.
    Prepare(Arc<Catalog>),
}

/// Starts the thread.
pub(super) fn spawn(output: OutputSender) -> io::Result<SupersedingWorker<FindRequest>> {
    let mut searchers = SearcherCache::default();
    SupersedingWorker::spawn("find", output.clone(), move |request, _, latest| match request {
        FindRequest::Prepare(catalog) => {
            searchers.searcher(&catalog);
        }
        FindRequest::Find(job) => find(&mut searchers, &job, latest, &output),
    })
}

fn find(searchers: &mut SearcherCache, job: &FindJob, latest: &LatestTickets, output: &OutputSender) {
    let is_superseded = || latest.is_superseded(0, job.ticket);
    if is_superseded() {
        return;
    }
    // Collects the names first, so that this time does not count against `FIRST_ANSWER`.
    searchers.searcher(&job.catalog);
    let mut due = Instant::now() + FIRST_ANSWER;
    let mut observe = |mut hits: HitsSoFar<'_>| {
        if Instant::now() >= due {
            due += ANSWER_INTERVAL;
            output.message(job.answer(hits.collect(), false));
        }
        !is_superseded()
    };
    if let Some(answer) = jobs::find(searchers, job, &mut observe) {
        output.message(answer);
    }
}
