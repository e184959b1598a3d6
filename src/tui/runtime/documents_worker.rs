//! The threads of API documents: one reads them, the other one makes the texts and arguments of their parts, so that
//! nobody waits for large documents.

use std::{io, path::PathBuf};

use super::{
    source_files::SourceFiles,
    worker::{OutputSender, Worker},
    workers::GenerationCounter,
};
use crate::tui::jobs::{self, DeliverPartJob, ReadArgumentsJob, ReadDocumentsJob, ReadPartJob};
use apidisc::source::Source;

/// A job of the thread of parts.
pub(super) enum PartJob {
    Deliver(DeliverPartJob),
    Arguments(ReadArgumentsJob),
    Excerpt(ReadPartJob),
}

/// Starts the thread that reads documents: those in `named`, or else in the sources.
pub(super) fn spawn(
    files: SourceFiles,
    named: Option<PathBuf>,
    generations: GenerationCounter,
    output: OutputSender,
) -> io::Result<Worker<ReadDocumentsJob>> {
    Worker::spawn("documents", output.clone(), move |job: ReadDocumentsJob, queue| {
        // A waiting job may know that files have changed.
        let (mut newest, mut is_outdated) = (None, false);
        for job in std::iter::once(job).chain(queue.take_all()) {
            is_outdated |= job.known.is_none();
            newest = Some(job);
        }
        let Some(mut job) = newest else { return };
        if is_outdated {
            job.known = None;
        }
        let source = match &named {
            Some(path) => Some(Source::Folder(path.clone())),
            None => files.source(&job.catalog.index),
        };
        if let Some(source) = source {
            output.message(jobs::read_documents(&source, named.is_some(), generations.next(), &job));
        }
    })
}

/// Starts the thread of parts.
pub(super) fn spawn_parts(output: OutputSender) -> io::Result<Worker<PartJob>> {
    Worker::spawn("parts", output.clone(), move |job, queue| {
        // Of the texts of each kind only the newest is awaited. Arguments may be awaited by a list and by a page.
        let (mut text, mut excerpt) = (None, None);
        for job in std::iter::once(job).chain(queue.take_all()) {
            match job {
                PartJob::Deliver(job) => text = Some(job),
                PartJob::Excerpt(job) => excerpt = Some(job),
                PartJob::Arguments(job) => output.message(jobs::read_arguments(&job)),
            }
        }
        if let Some(job) = text {
            output.message(jobs::deliver_part(&job));
        }
        if let Some(job) = excerpt {
            output.message(jobs::read_part(&job));
        }
    })
}
