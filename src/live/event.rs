//! The events that a live index reports.

use std::{sync::Arc, time::Duration};

use apidisc::{index::Index, indexer::BuildError};

/// A report of a [`LiveIndex`](super::LiveIndex) to its listener.
#[derive(Debug)]
pub enum LiveEvent {
    /// A build has found all files.
    Walked {
        /// The number of files of a known language.
        files: usize,
    },
    /// A build has parsed some more files; reported at most every 50 ms, and once more when all files are parsed.
    Parsed {
        /// The number of files parsed so far, including unchanged files whose facts are reused.
        done: usize,
        /// The number of all files.
        total: usize,
        /// The number of call sites found so far.
        calls: usize,
        /// The size of the files parsed so far as a share of the size of all files, from 0 to 1.
        share: f64,
        /// The time since the build began.
        elapsed: Duration,
    },
    /// A build links the files that it has parsed so far to a partial index; then it continues to parse.
    Linking,
    /// A partial index, before the first whole one.
    Partial(Arc<Index>),
    /// A whole index.
    Finished {
        /// The index, which is now the newest one.
        index: Arc<Index>,
        /// The number of files that differ from the previous index; `None` for the first index.
        changed: Option<ChangedFiles>,
    },
    /// A build found that the sources have not changed since the last whole index.
    Unchanged {
        /// The build was requested with [`LiveIndex::rebuild`](super::LiveIndex::rebuild), not caused by an event of
        /// the file system.
        is_requested: bool,
    },
    /// A build was cancelled. File events are ignored until a rebuild is requested.
    Cancelled {
        /// The number of files parsed so far.
        done: usize,
        /// The number of all files.
        total: usize,
    },
    /// A build failed.
    Failed(BuildError),
    /// The live index does not watch files, or has stopped to. The text is the reason.
    NotWatched(String),
    /// The thread of the live index has panicked, which is a bug. The text is the message of the panic.
    Panicked(String),
}

/// Counts of files that differ between two indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangedFiles {
    /// Files that are new or whose content differs.
    pub parsed: usize,
    /// Files that no longer exist.
    pub removed: usize,
}
