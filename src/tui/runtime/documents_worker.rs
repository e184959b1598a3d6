//! The thread of API documents: it reads the documents, and notices when their files change.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use super::{
    source_files::SourceFiles,
    worker::{JobQueue, OutputSender, Worker},
};
use crate::tui::{
    jobs::{self, GenerationCounter, ReadDocumentsJob},
    message::Message,
    model::ApiCatalog,
};
use apidisc::source::Source;

/// The least time between two looks at the files of the documents.
const INTERVAL: Duration = Duration::from_secs(1);
/// The time that each file adds to [`INTERVAL`], so that looking at thousands of files takes no larger share of the
/// time.
const INTERVAL_OF_FILE: Duration = Duration::from_millis(2);

/// The time of the last change of a file and its length; `None` if there is no such file.
type Stamp = Option<(SystemTime, u64)>;

/// Starts the thread that reads documents: those in `named`, or else in the sources. If `is_watching`, it says when
/// their files have changed.
pub(super) fn spawn(
    files: SourceFiles,
    named: Option<PathBuf>,
    is_watching: bool,
    generations: GenerationCounter,
    output: OutputSender,
) -> io::Result<Worker<ReadDocumentsJob>> {
    Worker::spawn("documents", output.clone(), move |job: ReadDocumentsJob, queue| {
        let mut next = Some(job);
        while let Some(job) = next.take().map(|job| merged(job, queue)) {
            let source = match &named {
                Some(path) => Some(Source::Folder(path.clone())),
                None => files.source(&job.catalog.index),
            };
            let Some(source) = source else { return };
            let read = jobs::read_documents(&source, named.is_some(), generations.next(), &job);
            // The index is not held in memory while files are watched.
            drop(job);
            let paths = match &read {
                Ok(api) if is_watching => paths(&source, api),
                _ => Vec::new(),
            };
            output.message(read.map_or_else(Message::DocumentsNotRead, Message::DocumentsRead));
            if paths.is_empty() {
                return;
            }
            next = Some(watch(&paths, queue, &output));
        }
    })
}

/// The newest of the waiting jobs. An older one may know that files have changed.
fn merged(mut job: ReadDocumentsJob, queue: &mut JobQueue<ReadDocumentsJob>) -> ReadDocumentsJob {
    for newer in queue.take_all() {
        let is_outdated = job.known.is_none();
        job = newer;
        if is_outdated {
            job.known = None;
        }
    }
    job
}

/// Looks at files from time to time, and says when one of them has changed; returns the next job.
fn watch(paths: &[PathBuf], queue: &mut JobQueue<ReadDocumentsJob>, output: &OutputSender) -> ReadDocumentsJob {
    let interval = INTERVAL + INTERVAL_OF_FILE * u32::try_from(paths.len()).unwrap_or(u32::MAX);
    let look = || paths.iter().map(|path| stamp(path)).collect::<Vec<Stamp>>();
    let mut known = look();
    loop {
        if let Some(job) = queue.take_within(interval) {
            return job;
        }
        let now = look();
        if now != known {
            known = now;
            output.message(Message::DocumentsChanged);
        }
    }
}

fn stamp(path: &Path) -> Stamp {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// The files of documents in folders on this machine.
fn paths(source: &Source, api: &ApiCatalog) -> Vec<PathBuf> {
    let path = |path: &str| match source.locate(path)? {
        (Source::Folder(named), inner) if named.is_file() => Some(named.parent()?.join(inner)),
        (Source::Folder(folder), inner) => Some(folder.join(inner)),
        _ => None,
    };
    api.apis.documents.api.files.iter().filter_map(|(_, file)| path(&file.path)).collect()
}
