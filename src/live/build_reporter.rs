//! The observer of one build: it reports progress, requests partial indexes and cancels.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use apidisc::{
    control::Control,
    index::Index,
    indexer::{BuildOutcome, Progress},
};

use super::event::{ChangedFiles, LiveEvent};

/// The time after which the first partial index is made. Each further partial index is made when the build has taken
/// twice as long as at the previous one.
const FIRST_PARTIAL: Duration = Duration::from_millis(75);
/// A partial index is made only if the build will take at least this much longer. If all facts are in the cache, the
/// build ends before a partial index would be made.
const MIN_TIME_LEFT: Duration = Duration::from_millis(250);
/// The time between two reports of progress. More reports would not be visible.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);
/// The progress of a build that a file event has caused is reported only once the build has taken this long.
const SILENT_REBUILD: Duration = Duration::from_millis(400);

/// Flags by which other threads interrupt the thread of a live index.
#[derive(Default)]
pub(super) struct Interrupts {
    /// True if the current build has to end.
    pub(super) is_cancelled: AtomicBool,
    /// True if the thread has to end.
    pub(super) is_stopped: AtomicBool,
}

/// Publishes indexes and passes events to the listener.
pub(super) struct Publisher<L> {
    pub(super) newest: Arc<std::sync::Mutex<Option<Arc<Index>>>>,
    pub(super) listener: L,
}

impl<L: FnMut(LiveEvent)> Publisher<L> {
    pub(super) fn report(&mut self, event: LiveEvent) {
        (self.listener)(event);
    }

    /// The newest index that has been published, which may be a partial one.
    pub(super) fn newest(&self) -> Option<Arc<Index>> {
        self.newest.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    fn publish(&mut self, index: Index) -> Arc<Index> {
        let index = Arc::new(index);
        let old = self.newest.lock().unwrap_or_else(std::sync::PoisonError::into_inner).replace(Arc::clone(&index));
        // The old index is dropped outside the lock, because freeing a large index takes long.
        drop(old);
        index
    }
}

/// Observes one build.
pub(super) struct BuildReporter<'a, L> {
    publisher: &'a mut Publisher<L>,
    interrupts: &'a Interrupts,
    start: Instant,
    partial_at: Duration,
    progress_at: Duration,
    /// True if progress has been reported. Then the progress of the last file is reported without waiting for the
    /// interval.
    has_reported: bool,
    is_first: bool,
    is_requested: bool,
    /// The answer to the report of the present partial index: [`Control::Cancel`] if the build was cancelled.
    after_partial: Control,
    done: usize,
    total: usize,
}

impl<'a, L: FnMut(LiveEvent)> BuildReporter<'a, L> {
    /// `is_requested` is false for a build that a file event has caused.
    pub(super) fn new(publisher: &'a mut Publisher<L>, interrupts: &'a Interrupts, is_requested: bool) -> Self {
        let is_first = publisher.newest().is_none();
        Self {
            publisher,
            interrupts,
            start: Instant::now(),
            partial_at: if is_first { FIRST_PARTIAL } else { Duration::MAX },
            progress_at: if is_requested { Duration::ZERO } else { SILENT_REBUILD },
            has_reported: false,
            is_first,
            is_requested,
            after_partial: Control::Continue,
            done: 0,
            total: 0,
        }
    }

    pub(super) fn observe(&mut self, progress: Progress) -> Control {
        let now = self.start.elapsed();
        let is_stopped = self.interrupts.is_stopped.load(Ordering::Relaxed);
        let is_cancelled = self.interrupts.is_cancelled.load(Ordering::Relaxed);
        match progress {
            Progress::Walked { files, .. } => {
                self.total = files;
                if now >= self.progress_at {
                    self.has_reported = true;
                    self.publisher.report(LiveEvent::Walked { files });
                }
            }
            Progress::Parsed { done, total, calls, share } => {
                (self.done, self.total) = (done, total);
                if now >= self.progress_at || (done == total && self.has_reported) {
                    self.has_reported = true;
                    self.progress_at = now + PROGRESS_INTERVAL;
                    self.publisher.report(LiveEvent::Parsed { done, total, calls, share, elapsed: now });
                }
                // If the first build is cancelled, a partial index is made of the files parsed so far.
                let left = now.as_secs_f64() * (1.0 - share) / share.max(f64::EPSILON);
                let is_due = now >= self.partial_at && left >= MIN_TIME_LEFT.as_secs_f64();
                let is_partial_wanted = is_due || (is_cancelled && self.is_first);
                if done < total && is_partial_wanted && !is_stopped {
                    self.partial_at = Duration::MAX;
                    // The first request to cancel still makes a partial index; a second request also cancels the
                    // linking of that index.
                    if self.interrupts.is_cancelled.swap(false, Ordering::Relaxed) {
                        self.after_partial = Control::Cancel;
                    }
                    self.publisher.report(LiveEvent::Linking);
                    return Control::Snapshot;
                }
            }
            Progress::Linking { .. } => {}
            Progress::Partial(index) => {
                let index = self.publisher.publish(*index);
                self.publisher.report(LiveEvent::Partial(index));
                self.partial_at = self.start.elapsed() * 2;
                if self.after_partial == Control::Cancel {
                    return Control::Cancel;
                }
            }
        }
        let is_cancelled = self.interrupts.is_cancelled.load(Ordering::Relaxed);
        if is_stopped || is_cancelled { Control::Cancel } else { Control::Continue }
    }

    /// Reports the result of the build.
    pub(super) fn finish(self, built: BuildOutcome) {
        let event = match built {
            BuildOutcome::Index { index, parsed, removed } => {
                let changed = (!self.is_first).then_some(ChangedFiles { parsed, removed });
                LiveEvent::Finished { index: self.publisher.publish(*index), changed }
            }
            BuildOutcome::Unchanged => LiveEvent::Unchanged { is_requested: self.is_requested },
            BuildOutcome::Cancelled => LiveEvent::Cancelled { done: self.done, total: self.total },
        };
        self.publisher.report(event);
    }
}
