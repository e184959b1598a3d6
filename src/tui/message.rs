//! Messages to `update`: events of the terminal, and reports and answers of worker threads.

use std::{sync::Arc, time::Duration};

use super::{
    input::{KeyPress, Mouse},
    jobs::Answer,
    model::{
        ApiCatalog, Catalog, FetchProgress, ReadUpgrade, SavedProfile, UpgradeQuestion, UsedPackages, VersionPlace,
        ask::AskNews, page::CallExplanation,
    },
};
use crate::requests::NewEntries;

/// An event of the terminal, or a report or answer of a worker thread.
#[derive(Debug)]
pub enum Message {
    /// A key was pressed.
    Key(KeyPress),
    /// Text was pasted.
    Paste(String),
    /// A mouse event.
    Mouse(Mouse),
    /// The terminal has a new size: columns, rows.
    Resize(u16, u16),
    /// The progress of fetching sources; `None` once each source is fetched or has failed.
    Fetching(Option<FetchProgress>),
    /// Indexing has found this number of files to parse.
    Walked(usize),
    /// More files have been parsed.
    Parsed {
        /// Files parsed so far.
        done: usize,
        /// All files.
        total: usize,
        /// Call sites found so far.
        calls: usize,
        /// The parsed share of all sources by size, from 0 to 1.
        share: f64,
        /// The time since indexing began.
        elapsed: Duration,
    },
    /// The files parsed so far are being linked to make a partial index. Parsing continues, but its progress is not
    /// reported until the partial index is made.
    Linking,
    /// Indexing was cancelled.
    Stopped {
        /// Files parsed so far.
        done: usize,
        /// All files.
        total: usize,
    },
    /// The sources have not changed since they were indexed.
    Unchanged,
    /// Changed files have been indexed again.
    FilesReread {
        /// The number of files that are new or whose content differs.
        files: usize,
        /// The number of files that no longer exist.
        gone: usize,
    },
    /// The files cannot be watched for changes, for this reason.
    NotWatched(String),
    /// An answer of a background job.
    Answered(Answer),
    /// A new index, whole or partial.
    Indexed(Arc<Catalog>),
    /// The answer to `Effect::ReadPackages`: the packages that the code uses, or the reason why there are none.
    PackagesRead(Result<Arc<UsedPackages>, String>),
    /// The answer to `Effect::Explain`: how a call is resolved, or the reason why that cannot be said.
    Explained {
        /// The ticket of the request.
        ticket: u64,
        /// The explanation.
        result: Result<CallExplanation, String>,
    },
    /// An answer to `Effect::Upgrade`: the places that a typed text may name.
    VersionsListed {
        /// The text.
        typed: String,
        /// The places.
        places: Vec<VersionPlace>,
    },
    /// An answer to `Effect::Upgrade`: the comparison, or the reason why there is none.
    UpgradeRead {
        /// What was asked.
        question: UpgradeQuestion,
        /// The comparison.
        read: Result<Arc<ReadUpgrade>, String>,
    },
    /// Indexing failed, for this reason.
    NotIndexed(String),
    /// The API documents were read. There may be none.
    DocumentsRead(Arc<ApiCatalog>),
    /// Files of the API documents have changed since they were read.
    DocumentsChanged,
    /// The API documents that the command line names cannot be read, for this reason.
    DocumentsNotRead(String),
    /// The answer to `Effect::ReadProfiles`: the profiles of the repository, by name.
    ProfilesRead(Vec<SavedProfile>),
    /// An answer to `Effect::WatchRequests`.
    RequestsRead {
        /// The entries that were added since the last answer. The first answer has all entries of the log.
        news: NewEntries,
        /// The present time in milliseconds since 1970.
        now: u64,
    },
    /// An answer to `Effect::Ask`.
    Ask(AskNews),
    /// The answer to `Effect::Copy`.
    Copied {
        /// A description of the copied text.
        description: String,
        /// The name of the clipboard that received it, or the reason why copying failed.
        result: Result<String, String>,
    },
    /// The answer to `Effect::Write`.
    Written {
        /// The path as it was typed.
        path: String,
        /// The result.
        outcome: WriteOutcome,
    },
    /// The answer to `Effect::Save`.
    Saved {
        /// The profile's name.
        name: String,
        /// The result.
        outcome: SaveOutcome,
    },
    /// The answer to `Effect::Edit`: the editor was closed, or could not be opened for this reason.
    Edited(Result<(), String>),
    /// The toast with this ticket has been shown long enough.
    ToastExpired(u64),
    /// Mistakes in the configuration.
    Complaints(Vec<String>),
    /// A worker panicked with this message, which is a bug of this program.
    WorkerFailed(String),
}

/// The result of writing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteOutcome {
    /// The file was written, with this number of bytes.
    Done(usize),
    /// The file exists already; nothing was written.
    Exists,
    /// The file could not be written, for this reason.
    Failed(String),
}

/// The result of saving a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    /// The profile was saved in this file.
    Done(String),
    /// This file exists already; nothing was written.
    Exists(String),
    /// The file could not be written, for this reason.
    Failed(String),
}
