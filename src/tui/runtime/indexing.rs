//! Starts the live index, and translates its events to messages.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use super::{around::SourceAround, fetching::Fetcher, source_files::SourceFiles, worker::OutputSender};
use crate::{
    cache::Cache,
    live::{ChangedFiles, LiveEvent, LiveIndex},
    threads,
    tui::{jobs::GenerationCounter, message::Message, model::Catalog, options::Content},
};
use apidisc::{index::Index, source::Source};

/// The live index. There is none before sources are fetched, or if the index was read from a file.
#[derive(Clone, Default)]
pub(super) struct Indexer(Arc<Mutex<Option<LiveIndex>>>);

impl Indexer {
    /// Calls `act` with the live index, if there is one.
    pub(super) fn with(&self, act: impl FnOnce(&LiveIndex)) {
        if let Some(live_index) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            act(live_index);
        }
    }

    /// Replaces the live index, after whose end the new one is started.
    pub(super) fn replace(&self, start: impl FnOnce() -> io::Result<LiveIndex>) -> io::Result<()> {
        let old = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(old) = old {
            old.stop();
        }
        let new = start()?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(new);
        Ok(())
    }
}

/// The inputs of a live index, except its source.
#[derive(Clone)]
pub(super) struct Indexing {
    pub(super) cache: Option<Cache>,
    pub(super) is_watching: bool,
    pub(super) generations: GenerationCounter,
    pub(super) output: OutputSender,
}

impl Indexing {
    /// Starts the live index of a source.
    pub(super) fn start(&self, source: Source) -> io::Result<LiveIndex> {
        let (generations, output) = (self.generations.clone(), self.output.clone());
        let indexed = move |index: Arc<Index>| Message::Indexed(Arc::new(Catalog::new(index, generations.next())));
        let listener = move |event| translate(event, &indexed, &output);
        LiveIndex::start(source, self.cache.clone(), self.is_watching, listener)
    }
}

/// The threads that index.
pub(super) struct Indexers {
    pub(super) indexer: Indexer,
    /// Fetches remote sources; `None` if there are none.
    pub(super) fetcher: Option<Fetcher>,
    /// Indexes the repository around what is opened; `None` if there is none.
    pub(super) around: Option<(SourceAround, Indexing)>,
}

/// Starts the live index of a source, maybe after it is fetched by the fetcher that is returned. An index that was read
/// from a file is only sent to the model.
pub(super) fn start(
    content: Content,
    files: SourceFiles,
    is_watching: bool,
    generations: GenerationCounter,
    output: OutputSender,
) -> io::Result<Indexers> {
    let indexer = Indexer::default();
    let (mut fetcher, mut around) = (None, None);
    let found = SourceAround::of(&content);
    match content {
        Content::Source(source, cache) => {
            let indexing = Indexing { cache, is_watching, generations, output };
            indexer.replace(|| indexing.start(source))?;
            around = found.map(|found| (found, indexing));
        }
        Content::Fetching(fetching, cache) => {
            let indexing = Indexing { cache, is_watching, generations, output };
            fetcher = Some(Fetcher::start(fetching, indexing, files, indexer.clone())?);
        }
        Content::Index(index) => {
            thread::Builder::new().name("catalogue".to_owned()).spawn(move || {
                threads::lower_priority();
                match threads::catch_panic(|| Message::Indexed(Arc::new(Catalog::new(index, generations.next())))) {
                    Ok(message) => output.message(message),
                    Err(what) => failed(what, &output),
                }
            })?;
        }
    }
    Ok(Indexers { indexer, fetcher, around })
}

fn translate(event: LiveEvent, indexed: &impl Fn(Arc<Index>) -> Message, output: &OutputSender) {
    match event {
        LiveEvent::Walked { files } => output.message(Message::Walked(files)),
        LiveEvent::Parsed { done, total, calls, share, elapsed } => {
            output.message(Message::Parsed { done, total, calls, share, elapsed });
        }
        LiveEvent::Linking => output.message(Message::Linking),
        LiveEvent::Partial(index) => output.message(indexed(index)),
        LiveEvent::Finished { index, changed } => {
            output.message(indexed(index));
            if let Some(ChangedFiles { parsed, removed }) = changed {
                output.message(Message::FilesReread { files: parsed, gone: removed });
            }
        }
        LiveEvent::Unchanged { is_requested } => {
            output.message(Message::Unchanged);
            if is_requested {
                output.message(Message::FilesReread { files: 0, gone: 0 });
            }
        }
        LiveEvent::Cancelled { done, total } => output.message(Message::Stopped { done, total }),
        LiveEvent::Failed(why) => output.message(Message::NotIndexed(why.to_string())),
        LiveEvent::NotWatched(why) => output.message(Message::NotWatched(why)),
        LiveEvent::Panicked(what) => failed(what, output),
    }
}

fn failed(what: String, output: &OutputSender) {
    output.message(Message::WorkerFailed(what));
    output.message(Message::NotIndexed("the indexer failed; this is a bug of apidisc-tui".to_owned()));
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::unbounded_channel;

    use super::*;
    use crate::tui::runtime::worker::WorkerOutput;

    #[test]
    fn a_panic_of_the_indexing_thread_is_shown() {
        let (sender, mut outputs) = unbounded_channel();
        let indexed = |_| unreachable!("nothing is indexed");
        translate(LiveEvent::Panicked("a bug".to_owned()), &indexed, &OutputSender::new(sender));
        let Ok(WorkerOutput::Message(Message::WorkerFailed(what))) = outputs.try_recv() else { panic!("no message") };
        assert_eq!(what, "a bug");
        let Ok(WorkerOutput::Message(Message::NotIndexed(why))) = outputs.try_recv() else { panic!("no reason") };
        assert!(why.contains("the indexer failed"), "{why}");
    }
}
