//! API documents that follow their files: they are read again when these have changed.
//!
//! Documents in watched sources are read again only after an event of the file system. The files of other documents,
//! such as those of `--docs`, are compared by content, at most every [`UNWATCHED_AGE`].

use std::{
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use apidisc::{hash::ContentHash, openapi::ApiIndex, source::Source};
use tokio::sync::watch;

use super::served_index::UNWATCHED_AGE;

/// How long the list of tools waits until it is known whether there are documents.
const PATIENCE: Duration = Duration::from_secs(3);

/// The documents, or the reason for which their source cannot be walked.
pub(super) type Documents = Result<Arc<ApiIndex>, String>;

/// The API documents of a source, read again when their files change.
pub(super) struct ServedDocuments {
    source: Source,
    /// The counter of the events that may affect the documents; not set while nobody counts the events.
    changes: OnceLock<Arc<AtomicU64>>,
    last: Mutex<Option<ReadDocuments>>,
}

/// The documents as last read.
struct ReadDocuments {
    documents: Documents,
    /// The value of the counter before the documents were read.
    changes: u64,
    /// The time at which their files were last compared, and the hash of the files at that time.
    compared: (Instant, Option<ContentHash>),
}

impl ServedDocuments {
    /// The documents of a source. Until [`Self::count_changes`] is called, a change is found by the content of the
    /// files.
    pub(super) fn new(source: Source) -> Self {
        Self { source, changes: OnceLock::new(), last: Mutex::default() }
    }

    /// From now on the documents are read again only if `changes` has grown.
    pub(super) fn count_changes(&self, changes: Arc<AtomicU64>) {
        // A live index has a single counter, so a second call changes nothing.
        let _ = self.changes.set(changes);
    }

    /// The documents as their files are now. `is_watched` is false if the counter no longer grows.
    pub(super) fn current(&self, is_watched: bool) -> Documents {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let counter = self.changes.get().filter(|_| is_watched);
        let changes = counter.map_or(0, |changes| changes.load(Ordering::Acquire));
        let is_counted = counter.is_some();
        if let Some(read) = last.as_mut().filter(|read| read.changes == changes)
            && (is_counted || read.is_unchanged(&self.source))
        {
            return read.documents.clone();
        }
        let documents = ApiIndex::read(&self.source).map(Arc::new).map_err(|error| error.to_string());
        let hash = if is_counted { None } else { content_hash(&documents, &self.source) };
        *last = Some(ReadDocuments { documents: documents.clone(), changes, compared: (Instant::now(), hash) });
        documents
    }
}

impl ReadDocuments {
    /// True if the content of the files is the content that was read. The files are compared again only if the last
    /// comparison is old.
    fn is_unchanged(&mut self, source: &Source) -> bool {
        let (time, hash) = self.compared;
        if time.elapsed() < UNWATCHED_AGE {
            return true;
        }
        let now = content_hash(&self.documents, source);
        self.compared = (Instant::now(), now);
        now.is_some() && now == hash
    }
}

fn content_hash(documents: &Documents, source: &Source) -> Option<ContentHash> {
    documents.as_ref().ok()?.api.content_hash(source).ok()
}

/// True if the source has documents. Waits until that is known, but not for long: the answer is false while sources are
/// being cloned.
pub(super) async fn has_documents(mut known: watch::Receiver<Option<bool>>) -> bool {
    let answer = tokio::time::timeout(PATIENCE, known.wait_for(Option::is_some)).await;
    matches!(answer, Ok(Ok(has)) if *has == Some(true))
}
