//! What jobs use beside their own description: caches that outlive a job, and the sources.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use apidisc::{
    index::Index,
    search::LabelMatcher,
    source::{self, LastChanged, Source, SourceText},
};

use super::{NewestCorpora, find::SearcherCache};
use crate::{live::PackerCache, tui::model::Catalog};

/// The source of an index, if it is known.
pub type SourceOf = dyn Fn(&Index) -> Option<Source> + Send + Sync;

/// Numbers the indexes that all threads make. Clones share the count.
#[derive(Clone, Default)]
pub struct GenerationCounter(Arc<AtomicU64>);

impl GenerationCounter {
    /// A number that no index had before.
    pub fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// The tools that the jobs of all lanes share.
pub struct JobTools {
    /// The corpora of the newest indexes.
    pub corpora: NewestCorpora,
    /// The numbers of new indexes.
    pub generations: GenerationCounter,
    /// Finds the sources.
    pub sources: Box<SourceOf>,
    pub(super) packers: PackerCache,
    matcher: Mutex<LabelMatcher>,
    searchers: Mutex<SearcherCache>,
    history: Mutex<LastChanged>,
}

impl JobTools {
    /// Tools with empty caches.
    pub fn new(corpora: NewestCorpora, generations: GenerationCounter, sources: Box<SourceOf>) -> Self {
        Self {
            corpora,
            generations,
            sources,
            packers: PackerCache::default(),
            matcher: Mutex::default(),
            searchers: Mutex::default(),
            history: Mutex::default(),
        }
    }

    /// A function that reads a file of an index by its path.
    pub(super) fn open(&self, catalog: &Catalog) -> impl Fn(&str) -> Option<SourceText> + use<> {
        let source = (self.sources)(&catalog.index);
        move |path| source::reread(source.as_ref()?, path)
    }

    /// Matches the rows of lists.
    pub(super) fn matcher(&self) -> MutexGuard<'_, LabelMatcher> {
        locked(&self.matcher)
    }

    /// The names of the newest index.
    pub(super) fn searchers(&self) -> MutexGuard<'_, SearcherCache> {
        locked(&self.searchers)
    }

    /// The history of the repository, as far as it was read.
    pub(super) fn history(&self) -> MutexGuard<'_, LastChanged> {
        locked(&self.history)
    }
}

/// Only one lane uses each of the caches, so that no job waits here.
fn locked<T>(cache: &Mutex<T>) -> MutexGuard<'_, T> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}
