//! The thread that builds an index, waits for changes, and builds it again.

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use apidisc::{
    index::Index,
    indexer::{BuildOutcome, Builder},
    source::Source,
};

use super::{
    build_reporter::{BuildReporter, Interrupts, Publisher},
    debounce::{ThreadRequest, settle},
    event::LiveEvent,
    watcher::Watcher,
};
use crate::{
    cache::{Cache, SourceCache},
    threads,
};

/// The time without a request after which a changed index and the facts of changed files are written to the cache.
const IDLE: Duration = Duration::from_secs(5);

/// An index that is kept up to date on a thread of its own. Dropping the live index ends the thread soon;
/// [`LiveIndex::stop`] waits for its end.
pub struct LiveIndex {
    requests: Sender<ThreadRequest>,
    interrupts: Arc<Interrupts>,
    newest: Arc<Mutex<Option<Arc<Index>>>>,
    document_changes: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl LiveIndex {
    /// Starts to index a source. `listener` is called on the thread of the live index, with every event in order; it
    /// may send the events to a channel. Facts of files are read from `cache` and written to it. If `is_watching` is
    /// true, a folder is indexed again when its files change.
    ///
    /// # Errors
    /// An error if the system cannot start the thread.
    pub fn start(
        source: Source,
        cache: Option<Cache>,
        is_watching: bool,
        listener: impl FnMut(LiveEvent) + Send + 'static,
    ) -> io::Result<Self> {
        let (requests, queue) = mpsc::channel();
        let interrupts: Arc<Interrupts> = Arc::default();
        let newest: Arc<Mutex<Option<Arc<Index>>>> = Arc::default();
        let changes = (is_watching && source.parts().any(|(_, part)| matches!(part, Source::Folder(_))))
            .then(|| requests.clone());
        let document_changes: Arc<AtomicU64> = Arc::default();
        let publisher = Publisher { newest: Arc::clone(&newest), listener };
        let mut indexing = IndexingThread {
            builder: Builder::new(source.clone()),
            has_facts: false,
            has_unsaved: false,
            source,
            cache,
            publisher,
            interrupts: Arc::clone(&interrupts),
            document_changes: Arc::clone(&document_changes),
        };
        let thread = thread::Builder::new().name("indexer".to_owned()).spawn(move || {
            threads::lower_priority();
            let result = threads::catch_panic(|| indexing.run(changes, &queue));
            if let Err(message) = result {
                indexing.publisher.report(LiveEvent::Panicked(message));
            }
        })?;
        Ok(Self { requests, interrupts, newest, document_changes, thread: Some(thread) })
    }

    /// The newest index, which may be a partial one; `None` before the first.
    pub fn newest(&self) -> Option<Arc<Index>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of events so far that may affect the API documents in the watched folders.
    pub fn document_changes(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.document_changes)
    }

    /// Requests a build, even if no change was noticed.
    pub fn rebuild(&self) {
        // Sending fails only if the thread has ended.
        let _ = self.requests.send(ThreadRequest::Rebuild);
    }

    /// Cancels the current build. If it is the first build, a partial index is made of the files parsed so far.
    pub fn cancel(&self) {
        self.interrupts.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Ends the thread and waits for its end; no event comes after that. The listener must not call this function,
    /// because the thread would wait for itself.
    pub fn stop(mut self) {
        self.request_stop();
        if let Some(thread) = self.thread.take() {
            // The result is ignored: the thread returns none, and has reported its panics.
            let _ = thread.join();
        }
    }

    fn request_stop(&self) {
        self.interrupts.is_stopped.store(true, Ordering::Relaxed);
        let _ = self.requests.send(ThreadRequest::Stop);
    }
}

impl Drop for LiveIndex {
    fn drop(&mut self) {
        self.request_stop();
    }
}

/// The state of the indexing thread.
struct IndexingThread<L> {
    source: Source,
    cache: Option<Cache>,
    builder: Builder,
    /// True if `builder` has the facts of an earlier build.
    has_facts: bool,
    /// True if the last index of `builder`, and perhaps facts of files, have not been written to the cache.
    has_unsaved: bool,
    publisher: Publisher<L>,
    interrupts: Arc<Interrupts>,
    document_changes: Arc<AtomicU64>,
}

impl<L: FnMut(LiveEvent)> IndexingThread<L> {
    /// Builds, then waits for requests until a stop is requested. If there is a sender `changes`, the sources are
    /// watched, and the watcher sends its requests to `changes`.
    fn run(&mut self, changes: Option<Sender<ThreadRequest>>, queue: &Receiver<ThreadRequest>) {
        let mut is_complete = self.build(true);
        let mut watcher = changes.and_then(|changes| self.watch(changes, &mut is_complete));
        if watcher.is_none() {
            self.free_facts();
        }
        while let Some(request) = self.next_request(queue) {
            let request = if is_complete { self.settle_and_decompress(request, queue) } else { settle(request, queue) };
            let is_requested = match request {
                ThreadRequest::Stop => return,
                ThreadRequest::Rebuild => true,
                // After a cancelled build only an explicit request builds again.
                ThreadRequest::Changed if !is_complete => continue,
                ThreadRequest::Changed => false,
            };
            is_complete = self.build(is_requested);
            match watcher.as_mut().map(|watcher| self.watch_new_folders(watcher, &mut is_complete)) {
                Some(Ok(())) => {}
                Some(Err(why)) => {
                    watcher = None;
                    self.publisher.report(LiveEvent::NotWatched(why.to_string()));
                }
                None => self.free_facts(),
            }
        }
    }

    /// Watches the folders of the last build. New folders are watched only from now on, and their files may have
    /// changed since the walk, so the sources are built again, until a build finds no new folder. A cancelled build is
    /// not repeated; `is_complete` then becomes false.
    fn watch_new_folders(&mut self, watcher: &mut Watcher, is_complete: &mut bool) -> notify::Result<()> {
        while watcher.watch_only(self.builder.folders())? {
            self.document_changes.fetch_add(1, Ordering::Release);
            if !*is_complete {
                break;
            }
            *is_complete = self.build(false);
        }
        Ok(())
    }

    /// Waits for a request. If none comes for [`IDLE`], the facts that are not in the cache are written to it. `None`
    /// if the sender is gone, so that no request can come.
    fn next_request(&mut self, queue: &Receiver<ThreadRequest>) -> Option<ThreadRequest> {
        if self.has_unsaved {
            match queue.recv_timeout(IDLE) {
                Err(RecvTimeoutError::Timeout) => self.save(),
                request => return request.ok(),
            }
        }
        queue.recv().ok()
    }

    /// Waits until changes have settled, and meanwhile decompresses the facts that the next build begins with.
    fn settle_and_decompress(&mut self, first: ThreadRequest, queue: &Receiver<ThreadRequest>) -> ThreadRequest {
        thread::scope(|scope| {
            // If the system cannot start a thread, the build decompresses the facts.
            let _ = thread::Builder::new().spawn_scoped(scope, || self.builder.decompress());
            settle(first, queue)
        })
    }

    /// Starts to watch the folders of the first build. If that build is complete, builds again; `is_complete` then
    /// tells whether the last build is complete, too.
    fn watch(&mut self, changes: Sender<ThreadRequest>, is_complete: &mut bool) -> Option<Watcher> {
        let on_change = move || {
            let _ = changes.send(ThreadRequest::Changed);
        };
        let watcher = Watcher::new(on_change, Arc::clone(&self.document_changes));
        // No folder was watched during the first build, so all are new.
        let watched = watcher.and_then(|mut watcher| {
            self.watch_new_folders(&mut watcher, is_complete)?;
            Ok(watcher)
        });
        watched.map_err(|why| self.publisher.report(LiveEvent::NotWatched(why.to_string()))).ok()
    }

    /// Frees the facts of files: without a watcher the next build is not expected soon.
    fn free_facts(&mut self) {
        self.builder = Builder::new(self.source.clone());
        (self.has_facts, self.has_unsaved) = (false, false);
    }

    /// Writes the last index and its facts to the cache.
    fn save(&mut self) {
        let kept = self.cache.as_ref().and_then(|cache| cache.open(&self.source));
        if let (Some(kept), Some(index)) = (kept, self.publisher.newest()) {
            kept.save(&mut self.builder, &index);
        }
        self.has_unsaved = false;
    }

    /// Builds once. Returns false if the build was cancelled.
    fn build(&mut self, is_requested: bool) -> bool {
        self.interrupts.is_cancelled.store(false, Ordering::Relaxed);
        let cache = self.cache.as_ref().filter(|_| !self.has_facts);
        let kept = cache.and_then(|cache| cache.open(&self.source));
        self.builder.set_store(kept.as_ref().map(SourceCache::store));
        let mut reporter = BuildReporter::new(&mut self.publisher, &self.interrupts, is_requested);
        let built = match self.builder.build(&mut |progress| reporter.observe(progress)) {
            Ok(built) => built,
            Err(why) => {
                self.publisher.report(LiveEvent::Failed(why));
                return true;
            }
        };
        let (is_new, is_cancelled) =
            (matches!(built, BuildOutcome::Index { .. }), matches!(built, BuildOutcome::Cancelled));
        reporter.finish(built);
        self.builder.set_store(None);
        self.has_facts = !is_cancelled && self.builder.has_facts();
        if is_new {
            self.builder.compress();
            match (kept, self.publisher.newest()) {
                (Some(kept), Some(index)) => kept.save(&mut self.builder, &index),
                _ => self.has_unsaved |= self.cache.is_some(),
            }
        }
        !is_cancelled
    }
}
