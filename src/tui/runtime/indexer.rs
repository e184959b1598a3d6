//! The thread that indexes, decides when a partial index is worth showing, and indexes again what has changed.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    counter::Generations,
    priority,
    watcher::Watcher,
    worker::{Post, guarded},
};
use crate::tui::{catalog::Catalog, message::Message, options::Content};
use apidisc::{
    control::Control,
    index::Index,
    indexer::{Builder, Built, Progress},
    source::Source,
};

/// The first partial index comes after this time, each further one after twice the time of the last.
const FIRST_SNAPSHOT: Duration = Duration::from_millis(150);
/// Progress is told this often: more would only be drawn over.
const PROGRESS: Duration = Duration::from_millis(50);
/// Indexing again after a change is told of only where it takes longer than this.
const QUIETLY: Duration = Duration::from_millis(400);
/// Whoever saves one file often saves more, and an editor takes several steps: changes are waited for until none
/// comes for the first of these times, and no longer than the second.
const SETTLED: Duration = Duration::from_millis(80);
const SETTLING: Duration = Duration::from_millis(400);

/// What the thread is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ask {
    /// Something has changed.
    Changed,
    /// A person wants it.
    Again,
}

/// Asks the thread.
pub(super) struct Indexer {
    asks: mpsc::Sender<Ask>,
    stop: Arc<AtomicBool>,
}

impl Indexer {
    /// Indexes again.
    pub(super) fn again(&self) {
        let _ = self.asks.send(Ask::Again);
    }

    /// Ends what is being indexed; what is read by then is shown.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Starts it.
pub(super) fn spawn(
    content: Content,
    is_watching: bool,
    generations: Generations,
    post: Post,
) -> std::io::Result<Indexer> {
    let (asks, queue) = mpsc::channel();
    let stop = Arc::new(AtomicBool::new(false));
    let indexer = Indexer { asks: asks.clone(), stop: Arc::clone(&stop) };
    thread::Builder::new().name("indexer".to_owned()).spawn(move || {
        priority::make_way();
        let done = guarded(&post, || match content {
            Content::Source(source) => {
                let is_watching = is_watching && matches!(source, Source::Folder(_));
                let watcher = is_watching.then_some(asks);
                let builder = Builder::new(source.clone());
                Thread { source, builder, post: post.clone(), stop, generations, is_published: false }
                    .work(watcher, &queue);
            }
            Content::Index(index) => post.message(Message::Indexed(Arc::new(Catalog::new(index, generations.next())))),
        });
        if !done {
            post.message(Message::NotIndexed("the indexer failed; this is a bug of apidisc-tui".to_owned()));
        }
    })?;
    Ok(indexer)
}

struct Thread {
    source: Source,
    builder: Builder,
    post: Post,
    stop: Arc<AtomicBool>,
    generations: Generations,
    /// Some index is shown, maybe a partial one.
    is_published: bool,
}

impl Thread {
    /// Indexes, then waits for reasons to do it again. `changes` is where a watcher reports.
    fn work(mut self, changes: Option<mpsc::Sender<Ask>>, queue: &mpsc::Receiver<Ask>) {
        let mut is_whole = self.index(true);
        let mut watcher = changes.and_then(|changes| self.watch(changes));
        if watcher.is_none() {
            self.forget();
        }
        while let Ok(ask) = queue.recv() {
            let is_asked = if is_whole { self.settle(ask, queue) } else { settle(ask, queue) };
            // What was stopped goes on when a person says so.
            if !is_whole && !is_asked {
                continue;
            }
            is_whole = self.index(is_asked);
            let is_followed = watcher.as_mut().map(|watcher| watcher.follow(self.builder.folders()));
            match is_followed {
                // Between the walk and the watch of a new folder something may have changed in it.
                Some(Ok(true)) => is_whole = self.index(false) && is_whole,
                Some(Ok(false)) => {}
                Some(Err(why)) => {
                    watcher = None;
                    self.not_watched(&why);
                }
                None => self.forget(),
            }
        }
    }

    /// Waits until changes have settled, and unpacks meanwhile what indexing them begins with. True where a person has
    /// asked.
    fn settle(&mut self, ask: Ask, queue: &mpsc::Receiver<Ask>) -> bool {
        thread::scope(|scope| {
            // Without a thread for it the build unpacks.
            let _ = thread::Builder::new().spawn_scoped(scope, || self.builder.wake());
            settle(ask, queue)
        })
    }

    fn watch(&mut self, changes: mpsc::Sender<Ask>) -> Option<Watcher> {
        let watcher = Watcher::new(move || {
            let _ = changes.send(Ask::Changed);
        });
        let followed = watcher.and_then(|mut watcher| {
            let is_new = watcher.follow(self.builder.folders())?;
            Ok((watcher, is_new))
        });
        match followed {
            Ok((watcher, is_new)) => {
                // Something may have changed since it was read for the first index.
                if is_new {
                    self.index(false);
                }
                Some(watcher)
            }
            Err(why) => {
                self.not_watched(&why);
                None
            }
        }
    }

    fn not_watched(&self, why: &notify::Error) {
        self.post.message(Message::NotWatched(why.to_string()));
    }

    /// Frees the facts: nothing will be indexed soon again.
    fn forget(&mut self) {
        self.builder = Builder::new(self.source.clone());
    }

    /// Indexes what has changed; false where it was stopped.
    fn index(&mut self, is_asked: bool) -> bool {
        self.stop.store(false, Ordering::Relaxed);
        let is_first = !self.is_published;
        let mut reporter = Reporter {
            post: self.post.clone(),
            stop: Arc::clone(&self.stop),
            start: Instant::now(),
            snapshot_at: if is_first { FIRST_SNAPSHOT } else { Duration::MAX },
            progress_at: if is_asked { Duration::ZERO } else { QUIETLY },
            is_shown: false,
            is_first,
            generations: &self.generations,
            is_published: &mut self.is_published,
            done: 0,
            total: 0,
        };
        match self.builder.build(&mut |progress| reporter.observe(progress)) {
            Ok(Built::Index { index, parsed, gone }) => {
                reporter.publish(*index);
                if !is_first {
                    self.post.message(Message::Reread { files: parsed, gone });
                }
                self.builder.rest();
            }
            Ok(Built::Unchanged) => {
                self.post.message(Message::Unchanged);
                if is_asked {
                    self.post.message(Message::Reread { files: 0, gone: 0 });
                }
            }
            Ok(Built::Cancelled) => {
                let (done, total) = (reporter.done, reporter.total);
                self.post.message(Message::Stopped { done, total });
                return false;
            }
            Err(why) => self.post.message(Message::NotIndexed(why.to_string())),
        }
        true
    }
}

/// Waits until changes have settled. True where a person has asked.
fn settle(first: Ask, queue: &mpsc::Receiver<Ask>) -> bool {
    let start = Instant::now();
    let mut is_asked = first == Ask::Again;
    while !is_asked && start.elapsed() < SETTLING {
        match queue.recv_timeout(SETTLED) {
            Ok(ask) => is_asked = ask == Ask::Again,
            Err(_) => break,
        }
    }
    is_asked | queue.try_iter().any(|ask| ask == Ask::Again)
}

struct Reporter<'a> {
    post: Post,
    stop: Arc<AtomicBool>,
    start: Instant,
    snapshot_at: Duration,
    progress_at: Duration,
    /// Some progress has been told.
    is_shown: bool,
    is_first: bool,
    generations: &'a Generations,
    is_published: &'a mut bool,
    done: usize,
    total: usize,
}

impl Reporter<'_> {
    fn observe(&mut self, progress: Progress) -> Control {
        let now = self.start.elapsed();
        match progress {
            Progress::Walked { files, .. } => {
                self.total = files;
                if now >= self.progress_at {
                    self.is_shown = true;
                    self.post.message(Message::Walked(files));
                }
            }
            Progress::Parsed { done, total, calls, share } => {
                (self.done, self.total) = (done, total);
                if now >= self.progress_at || (done == total && self.is_shown) {
                    self.is_shown = true;
                    self.progress_at = now + PROGRESS;
                    self.post.message(Message::Parsed { done, total, calls, share, elapsed: now });
                }
                let is_stopped = self.stop.load(Ordering::Relaxed);
                if done < total && (now >= self.snapshot_at || (is_stopped && self.is_first)) {
                    self.snapshot_at = Duration::MAX;
                    self.post.message(Message::Linking);
                    return Control::Snapshot;
                }
            }
            Progress::Partial(index) => {
                self.publish(*index);
                self.snapshot_at = self.start.elapsed() * 2;
            }
        }
        if self.stop.load(Ordering::Relaxed) { Control::Cancel } else { Control::Continue }
    }

    fn publish(&mut self, index: Index) {
        *self.is_published = true;
        let catalog = Catalog::new(Arc::new(index), self.generations.next());
        self.post.message(Message::Indexed(Arc::new(catalog)));
    }
}
