//! Fetches remote sources on a thread while the available sources are indexed, then indexes all of them together. The
//! user may request the sources again that could not be fetched.

use std::{
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    indexing::{Indexer, Indexing},
    source_files::SourceFiles,
};
use crate::{
    clones::{FetchAll, Fetching, Report, Runs},
    tui::{message::Message, model::FetchProgress},
};
use apidisc::source::Source;

/// The time after which the available sources are indexed without the others. Opening the clones of an earlier run
/// takes less time, so that all sources are then indexed at once.
const FETCH_GRACE: Duration = Duration::from_millis(300);
/// The time between two messages about the progress, which also show the time that has passed.
const INTERVAL: Duration = Duration::from_millis(250);

/// An event of the thread that fetches.
enum FetchEvent {
    /// git works on a source: the URL of the source, and the step of git, such as `Receiving objects: 40%`.
    Progress(String, String),
    /// A remark.
    Note(String),
    /// The source with this URL has been fetched, or cannot be fetched.
    Done(String),
    /// All sources are fetched or have failed: the fetched sources, or the reason why no source could be fetched.
    Finished(Result<Source, String>),
}

/// Fetches sources, and fetches them again on request.
pub(super) struct Fetcher {
    fetch: FetchAll,
    runs: Arc<Runs>,
    /// The URLs of the sources that could not be fetched; empty while they are being fetched.
    missing: Arc<Mutex<Vec<String>>>,
    indexing: Indexing,
    indexer: Indexer,
    files: SourceFiles,
}

impl Fetcher {
    /// Starts the thread that fetches and the thread that waits for its events.
    pub(super) fn start(
        fetching: Fetching,
        indexing: Indexing,
        files: SourceFiles,
        indexer: Indexer,
    ) -> io::Result<Self> {
        let Fetching { urls, meanwhile, fetch, runs } = fetching;
        let fetcher = Self { fetch, runs, missing: Arc::default(), indexing, indexer, files };
        fetcher.run(urls, Some(meanwhile))?;
        Ok(fetcher)
    }

    /// Fetches again the sources that could not be fetched. False if every source was fetched, or if no thread can be
    /// started.
    pub(super) fn retry(&self) -> bool {
        let urls = std::mem::take(&mut *lock(&self.missing));
        !urls.is_empty() && self.run(urls, None).is_ok()
    }

    /// Stops git.
    pub(super) fn stop(&self) {
        self.runs.stop();
    }

    /// Fetches sources while `meanwhile` is indexed.
    fn run(&self, urls: Vec<String>, meanwhile: Option<Source>) -> io::Result<()> {
        let (sender, events) = mpsc::channel();
        let fetch = Arc::clone(&self.fetch);
        thread::Builder::new().name("fetch".to_owned()).spawn(move || {
            let result = fetch(&|url, report| send(&sender, url, report));
            // Sending fails only if the explorer ends.
            let _ = sender.send(FetchEvent::Finished(result));
        })?;
        let progress = FetchProgress {
            sources: urls.iter().map(|url| (url.clone(), String::new())).collect(),
            elapsed: Duration::ZERO,
        };
        let (indexing, indexer, files) = (self.indexing.clone(), self.indexer.clone(), self.files.clone());
        let missing = Arc::clone(&self.missing);
        let mut waiting = Waiting { progress, indexing, indexer, files, missing };
        thread::Builder::new().name("fetch-progress".to_owned()).spawn(move || {
            if let Err(why) = waiting.run(meanwhile, &events) {
                *lock(&waiting.missing) = urls;
                waiting.indexing.output.message(Message::Fetching(None));
                waiting.indexing.output.message(Message::NotIndexed(why));
            }
        })?;
        Ok(())
    }
}

fn lock(missing: &Mutex<Vec<String>>) -> MutexGuard<'_, Vec<String>> {
    missing.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The URLs of the sources that are missing.
fn missing_of(source: &Source) -> Vec<String> {
    let missing = source.parts().filter_map(|(_, part)| match part {
        Source::Missing { url, .. } => Some(url.clone()),
        _ => None,
    });
    missing.collect()
}

fn send(sender: &Sender<FetchEvent>, url: &str, report: Report<'_>) {
    let _ = sender.send(match report {
        Report::Progress(step) => FetchEvent::Progress(url.to_owned(), step.to_owned()),
        Report::Note(text) => FetchEvent::Note(format!("{url}: {text}")),
        Report::Done => FetchEvent::Done(url.to_owned()),
    });
}

/// The thread that waits for the events of the thread that fetches.
struct Waiting {
    progress: FetchProgress,
    indexing: Indexing,
    indexer: Indexer,
    files: SourceFiles,
    /// See [`Fetcher::missing`].
    missing: Arc<Mutex<Vec<String>>>,
}

impl Waiting {
    fn run(&mut self, meanwhile: Option<Source>, events: &Receiver<FetchEvent>) -> Result<(), String> {
        let begin = Instant::now();
        // While no source is available, nothing is indexed.
        let has_some = |source: &Source| source.parts().any(|(_, part)| !matches!(part, Source::Missing { .. }));
        let mut meanwhile = meanwhile.filter(has_some);
        let mut next = begin + FETCH_GRACE;
        loop {
            match events.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(FetchEvent::Finished(result)) => {
                    let source = result?;
                    *lock(&self.missing) = missing_of(&source);
                    self.files.replace(source.clone());
                    return self.index(source, true);
                }
                Ok(event) => self.receive(event),
                Err(RecvTimeoutError::Disconnected) => return Err("the thread that fetches has ended".to_owned()),
                Err(RecvTimeoutError::Timeout) => {
                    next = Instant::now() + INTERVAL;
                    self.progress.elapsed = begin.elapsed();
                    self.indexing.output.message(Message::Fetching(Some(self.progress.clone())));
                    if let Some(source) = meanwhile.take() {
                        self.index(source, false)?;
                    }
                }
            }
        }
    }

    /// Indexes a source. `is_all` is true if no source is being fetched any more. The model receives `is_all` after the
    /// last event of the earlier live index and before the first event of the new live index.
    fn index(&self, source: Source, is_all: bool) -> Result<(), String> {
        let started = self.indexer.replace(|| {
            if is_all {
                self.indexing.output.message(Message::Fetching(None));
            }
            self.indexing.start(source)
        });
        started.map_err(|why| format!("a thread cannot be started: {why}"))
    }

    fn receive(&mut self, event: FetchEvent) {
        let sources = &mut self.progress.sources;
        match event {
            FetchEvent::Progress(url, step) => {
                if let Some(at) = sources.iter().position(|(other, _)| *other == url) {
                    sources[at].1 = step;
                }
            }
            FetchEvent::Done(url) => {
                if let Some(at) = sources.iter().position(|(other, _)| *other == url) {
                    sources.remove(at);
                }
            }
            FetchEvent::Note(text) => self.indexing.output.message(Message::Complaints(vec![text])),
            FetchEvent::Finished(_) => {}
        }
    }
}
