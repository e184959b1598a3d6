//! Translates the events of the live index to messages.

use std::{io, sync::Arc, thread};

use super::{worker::OutputSender, workers::GenerationCounter};
use crate::{
    live::{ChangedFiles, LiveEvent, LiveIndex},
    threads,
    tui::{message::Message, model::Catalog, options::Content},
};
use apidisc::index::Index;

/// Starts the live index of a source. An index that was read from a file is only sent to the model.
pub(super) fn start(
    content: Content,
    is_watching: bool,
    generations: GenerationCounter,
    output: OutputSender,
) -> io::Result<Option<LiveIndex>> {
    let indexed = move |index: Arc<Index>| Message::Indexed(Arc::new(Catalog::new(index, generations.next())));
    match content {
        Content::Source(source, cache) => {
            LiveIndex::start(source, cache, is_watching, move |event| translate(event, &indexed, &output)).map(Some)
        }
        Content::Index(index) => {
            thread::Builder::new().name("catalogue".to_owned()).spawn(move || {
                threads::lower_priority();
                match threads::catch_panic(|| indexed(index)) {
                    Ok(message) => output.message(message),
                    Err(what) => failed(what, &output),
                }
            })?;
            Ok(None)
        }
    }
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
