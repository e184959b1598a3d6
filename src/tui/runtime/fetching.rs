//! Fetches sources on a thread, while those that are there are indexed, and then indexes all.

use std::{
    io,
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::{Duration, Instant},
};

use super::{
    indexing::{Indexer, Indexing},
    source_files::SourceFiles,
};
use crate::{
    clones::{Fetching, Report},
    tui::{message::Message, model::FetchProgress},
};
use apidisc::source::Source;

/// The time after which the sources that are there are indexed without the others. Earlier clones are opened sooner.
const AT_ONCE: Duration = Duration::from_millis(300);
/// The time between two messages about the progress, which also show the time that has passed.
const INTERVAL: Duration = Duration::from_millis(250);

/// An event of the thread that fetches.
enum FetchEvent {
    /// git works on a source: the URL of the source, and the step of git, such as `Receiving objects: 40%`.
    Progress(String, String),
    /// A remark.
    Note(String),
    /// The source with this URL is fetched, or cannot be.
    Done(String),
    /// Everything is done.
    Finished(Result<Source, String>),
}

/// Starts to fetch, and the thread that waits for it.
pub(super) fn spawn(fetching: Fetching, indexing: Indexing, files: SourceFiles, indexer: Indexer) -> io::Result<()> {
    let Fetching { urls, meanwhile, fetch } = fetching;
    let (sender, events) = mpsc::channel();
    thread::Builder::new().name("fetch".to_owned()).spawn(move || {
        let result = fetch(&|url, report| send(&sender, url, report));
        // Sending fails only if the explorer ends.
        let _ = sender.send(FetchEvent::Finished(result));
    })?;
    let progress =
        FetchProgress { sources: urls.into_iter().map(|url| (url, String::new())).collect(), elapsed: Duration::ZERO };
    let mut waiting = Waiting { progress, indexing, indexer, files };
    thread::Builder::new().name("fetch-progress".to_owned()).spawn(move || {
        if let Err(why) = waiting.run(meanwhile, &events) {
            waiting.indexing.output.message(Message::Fetching(None));
            waiting.indexing.output.message(Message::NotIndexed(why));
        }
    })?;
    Ok(())
}

fn send(sender: &Sender<FetchEvent>, url: &str, report: Report<'_>) {
    let _ = sender.send(match report {
        Report::Progress(step) => FetchEvent::Progress(url.to_owned(), step.to_owned()),
        Report::Note(text) => FetchEvent::Note(format!("{url}: {text}")),
        Report::Done => FetchEvent::Done(url.to_owned()),
    });
}

/// The thread that waits for sources.
struct Waiting {
    progress: FetchProgress,
    indexing: Indexing,
    indexer: Indexer,
    files: SourceFiles,
}

impl Waiting {
    fn run(&mut self, meanwhile: Source, events: &Receiver<FetchEvent>) -> Result<(), String> {
        let begin = Instant::now();
        // Without any source nothing is indexed meanwhile.
        let has_some = meanwhile.parts().any(|(_, part)| !matches!(part, Source::Missing { .. }));
        let mut meanwhile = Some(meanwhile).filter(|_| has_some);
        let mut next = begin + AT_ONCE;
        loop {
            match events.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(FetchEvent::Finished(result)) => {
                    let source = result?;
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

    /// Indexes a source. `is_all` is true if nothing is being fetched any more, which the model learns after the last
    /// event of the earlier live index and before the first one of the new one.
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
