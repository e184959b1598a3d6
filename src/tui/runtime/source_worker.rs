//! The thread that reads the sources.

use std::io;

use super::{
    source_files::SourceFiles,
    worker::{OutputSender, Worker},
};
use crate::tui::{
    jobs::{self, ReadCallsJob, ReadCardJob, ReadExcerptJob},
    model::Catalog,
};
use apidisc::source::{self, SourceText};

/// A job of the thread.
pub(super) enum SourceJob {
    Excerpt(ReadExcerptJob),
    Card(ReadCardJob),
    Calls(ReadCallsJob),
}

/// Starts the thread.
pub(super) fn spawn(files: SourceFiles, output: OutputSender) -> io::Result<Worker<SourceJob>> {
    Worker::spawn("sources", output.clone(), move |job, queue| {
        // Only the newest waiting job of each kind is done.
        let (mut excerpt, mut card, mut calls) = (None, None, None);
        for job in std::iter::once(job).chain(queue.take_all()) {
            match job {
                SourceJob::Excerpt(job) => excerpt = Some(job),
                SourceJob::Card(job) => card = Some(job),
                SourceJob::Calls(job) => calls = Some(job),
            }
        }
        if let Some(job) = excerpt {
            jobs::read_excerpt(&open(&files, &job.catalog), &job, &mut |message| output.message(message));
        }
        if let Some(job) = card {
            output.message(jobs::read_card(&open(&files, &job.catalog), &job));
        }
        if let Some(job) = calls {
            output.message(jobs::read_calls(&open(&files, &job.catalog), &job));
        }
    })
}

/// A function that reads a file of an index by its path.
fn open(files: &SourceFiles, catalog: &Catalog) -> impl Fn(&str) -> Option<SourceText> {
    let source = files.source(&catalog.index);
    move |path| source::reread(source.as_ref()?, path)
}
