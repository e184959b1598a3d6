//! The thread that finds by meaning. It keeps the corpus of the newest index, so that a keystroke costs only the search.
//! Names are found on another thread and never wait for this one.

use std::io;

use super::{
    source_files::SourceFiles,
    worker::{OutputSender, SupersedingWorker},
};
use crate::tui::jobs::{self, CorpusCache, DiscoverJob};
use apidisc::source;

/// A request to the thread.
pub(super) enum DiscoverRequest {
    Discover(DiscoverJob),
    /// There is a new index: forget the corpus of the old one.
    Forget,
}

/// Starts the thread.
pub(super) fn spawn(files: SourceFiles, output: OutputSender) -> io::Result<SupersedingWorker<DiscoverRequest>> {
    let mut corpora = CorpusCache::default();
    SupersedingWorker::spawn("discover", output.clone(), move |request, _, latest| match request {
        DiscoverRequest::Forget => corpora.clear(),
        DiscoverRequest::Discover(job) => {
            if latest.is_superseded(0, job.ticket) {
                return;
            }
            let source = files.source(&job.catalog.index);
            let open = |path: &str| source::reread(source.as_ref()?, path);
            output.message(jobs::discover(&mut corpora, &open, &job));
        }
    })
}
