//! Messages to `update`: events of the terminal, and reports and answers of worker threads.

use std::{sync::Arc, time::Duration};

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    geometry::Pane,
    input::{KeyPress, Mouse},
    model::{
        ApiCatalog, CallLine, CardText, Catalog, Excerpt, FetchProgress, FilterMatch, MeaningHit, PartRequest,
        PreviewRequest, SavedProfile, StubText,
        ask::AskNews,
        tuning::{HeldOut, Neighbours, StubComparison},
    },
    theme::SyntaxRuns,
};
use crate::requests::NewEntries;
use apidisc::{
    delivery::{DeliveryError, curve::Curve},
    http::OperationArgument,
    index::{RecountError, Scope},
    program::CallId,
    search::SearchHits,
    tokens::Encoding,
};

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
    /// A new index, whole or partial.
    Indexed(Arc<Catalog>),
    /// The answer to `Effect::Recount`.
    Counted {
        /// The ticket of the request.
        ticket: u64,
        /// The index with its calls counted by the requested weights, or the error that it has no call sites.
        result: Result<Arc<Catalog>, RecountError>,
    },
    /// Indexing failed, for this reason.
    NotIndexed(String),
    /// The answer to `Effect::FilterList`.
    Matched {
        /// The list that was filtered.
        pane: Pane,
        /// The ticket of the request.
        ticket: u64,
        /// The rows that match, best first.
        matches: Vec<FilterMatch>,
    },
    /// An answer to `Effect::Find`.
    Found {
        /// The ticket of the request.
        ticket: u64,
        /// The names that match.
        hits: SearchHits,
        /// False for an intermediate answer: the search continues.
        is_complete: bool,
    },
    /// The answer to `Effect::Discover`.
    FoundByMeaning {
        /// The ticket of the request.
        ticket: u64,
        /// The results, best first.
        hits: Vec<MeaningHit>,
    },
    /// The answer to `Effect::Deliver`.
    Delivered {
        /// The ticket of the request.
        ticket: u64,
        /// The request.
        request: PreviewRequest,
        /// The stub, or the reason why it cannot be made.
        result: Result<Arc<StubText>, DeliveryError>,
    },
    /// The API documents were read. There may be none.
    DocumentsRead(Arc<ApiCatalog>),
    /// Files of the API documents have changed since they were read.
    DocumentsChanged,
    /// The API documents that the command line names cannot be read, for this reason.
    DocumentsNotRead(String),
    /// The answer to `Effect::DeliverPart`.
    PartDelivered {
        /// The ticket of the request.
        ticket: u64,
        /// The request.
        request: PartRequest,
        /// The text, or the reason why it cannot be made.
        result: Result<Arc<StubText>, DeliveryError>,
    },
    /// The answer to `Effect::ReadArguments`.
    ArgumentsRead {
        /// The ticket of the request.
        ticket: u64,
        /// The parameters and properties, in the order of display.
        arguments: Arc<[OperationArgument]>,
    },
    /// The size of a scope's exhaustive stub.
    Measured {
        /// The generation of the index.
        generation: u64,
        /// The scope.
        scope: Scope,
        /// The tokenizer.
        encoding: Encoding,
        /// The size of the stub in tokens.
        tokens: usize,
    },
    /// An answer to `Effect::TraceCurve`: the curve with the points traced so far.
    Traced {
        /// The ticket of the request.
        ticket: u64,
        /// The curve.
        curve: Curve,
    },
    /// The answer to `Effect::PriceNeighbours`.
    NeighboursPriced {
        /// The ticket of the request.
        ticket: u64,
        /// The settings one notch below and above the present one, with the sizes of their stubs.
        neighbours: Box<Neighbours>,
    },
    /// The answer to `Effect::CompareStubs`.
    Compared {
        /// The ticket of the request.
        ticket: u64,
        /// The other stub aligned with the present one, or the reason why one of them cannot be made.
        comparison: Result<Box<StubComparison>, String>,
    },
    /// The answer to `Effect::ReadProfiles`: the profiles of the repository, by name.
    ProfilesRead(Vec<SavedProfile>),
    /// An answer to `Effect::HoldOut`: first the progress, then the result.
    HeldOut {
        /// The ticket of the request.
        ticket: u64,
        /// The progress or the result.
        held_out: HeldOut,
    },
    /// The answer to `Effect::Highlight`.
    Highlighted {
        /// The ticket of the delivery: see [`ShownStub::ticket`](super::model::ShownStub::ticket).
        ticket: u64,
        /// The number of the first line, from 0.
        first: usize,
        /// The syntax runs of each line.
        lines: Vec<SyntaxRuns>,
    },
    /// An answer to `Effect::ReadExcerpt`: first without colours, then with them.
    ExcerptRead {
        /// The ticket of the request.
        ticket: u64,
        /// The source, or the reason why it cannot be read.
        result: Result<Excerpt, String>,
    },
    /// The answer to `Effect::ReadCard`.
    CardRead {
        /// The ticket of the request.
        ticket: u64,
        /// The texts.
        card: Box<CardText>,
    },
    /// The answer to `Effect::ReadCalls`.
    CallsRead {
        /// The generation of the index.
        generation: u64,
        /// The calls, each with its text if the source can be read.
        call_lines: Vec<(CallId, Option<CallLine>)>,
    },
    /// The answer to `Effect::DateFiles`.
    FilesDated {
        /// The ticket of the request.
        ticket: u64,
        /// For each path, the time of the file's last change in seconds since 1970. Files whose last change is unknown
        /// are left out.
        changed: Arc<FxHashMap<CompactString, i64>>,
        /// The number of files without a known last change, because the history is larger than the limit.
        beyond_limit: usize,
    },
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
