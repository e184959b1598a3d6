//! The thread that finds by meaning. It keeps the corpus of the newest index, so that a keystroke costs only the search.
//! Names are found on another thread and never wait for this one.

use std::io;

use super::{
    source_files::SourceFiles,
    worker::{OutputSender, SupersedingWorker},
};
use crate::tui::jobs::{self, DiscoverJob, NewestCorpus};

/// A request to the thread.
pub(super) enum DiscoverRequest {
    Discover(DiscoverJob),
    /// There is a new index: forget the corpus of the old one.
    Forget,
}

/// Starts the thread.
pub(super) fn spawn(
    files: SourceFiles,
    newest: NewestCorpus,
    output: OutputSender,
) -> io::Result<SupersedingWorker<DiscoverRequest>> {
    SupersedingWorker::spawn("discover", output.clone(), move |request, _, latest| match request {
        DiscoverRequest::Forget => newest.clear(),
        DiscoverRequest::Discover(job) => {
            if latest.is_superseded(0, job.ticket) {
                return;
            }
            let source = files.source(&job.catalog.index);
            output.message(jobs::discover(&newest, source.as_ref(), &job));
        }
    })
}
