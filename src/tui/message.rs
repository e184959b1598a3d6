//! Messages to the model: events of the terminal, and answers of jobs.

use std::{sync::Arc, time::Duration};

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    geometry::Pane,
    input::{KeyPress, Mouse},
    model::{
        CallLine, Catalog, Excerpt, FilterMatch, PreviewRequest, Quote, StubText,
        tuning::{HeldOut, Neighbours, StubComparison},
    },
    theme::SyntaxRuns,
};
use apidisc::{
    delivery::{DeliveryError, curve::Curve},
    index::{NoCallSites, Scope},
    program::CallId,
    search::SearchHits,
    tokens::Encoding,
};

/// An event of the terminal, or news from a worker.
#[derive(Debug)]
pub enum Message {
    /// A key was pressed.
    Key(KeyPress),
    /// Text was pasted.
    Paste(String),
    /// The mouse did something.
    Mouse(Mouse),
    /// The terminal has a new size: columns, rows.
    Resize(u16, u16),
    /// A build has found the files that it will parse, so many.
    Walked(usize),
    /// Some more files are parsed.
    Parsed {
        /// Files done.
        done: usize,
        /// All files.
        total: usize,
        /// Call sites found so far.
        calls: usize,
        /// The parsed share of all sources by size, from 0 to 1.
        share: f64,
        /// The time since the build began.
        elapsed: Duration,
    },
    /// The files parsed so far are linked to a partial index; parsing goes on after that.
    Linking,
    /// Indexing was cancelled.
    Stopped {
        /// Files done.
        done: usize,
        /// All files.
        total: usize,
    },
    /// The sources are as they were when they were indexed.
    Unchanged,
    /// A build that is not the first is done.
    FilesReread {
        /// Files that are new or whose content differs.
        files: usize,
        /// Files that no longer exist.
        gone: usize,
    },
    /// Changes of files are not noticed, and why.
    NotWatched(String),
    /// A new index, whole or partial.
    Indexed(Arc<Catalog>),
    /// The answer to `Effect::Recount`.
    Counted {
        /// The ticket of the question.
        ticket: u64,
        /// The index with its calls counted by the weights.
        result: Result<Arc<Catalog>, NoCallSites>,
    },
    /// Indexing failed, and why.
    NotIndexed(String),
    /// The answer to `Effect::FilterList`.
    Matched {
        /// The list it is for.
        pane: Pane,
        /// The ticket of the question.
        ticket: u64,
        /// The rows that match, best first.
        matches: Vec<FilterMatch>,
    },
    /// An answer to `Effect::Find`.
    Found {
        /// The ticket of the question.
        ticket: u64,
        /// The names that match.
        hits: SearchHits,
        /// False for an intermediate answer: the search goes on.
        is_complete: bool,
    },
    /// The answer to `Effect::Deliver`.
    Delivered {
        /// The ticket of the question.
        ticket: u64,
        /// What was asked for.
        request: PreviewRequest,
        /// The stub.
        result: Result<Arc<StubText>, DeliveryError>,
    },
    /// The size of a scope's exhaustive stub.
    Measured {
        /// The number of the index.
        generation: u64,
        /// The scope.
        scope: Scope,
        /// The tokenizer.
        encoding: Encoding,
        /// Its size.
        tokens: usize,
    },
    /// An answer to `Effect::TraceCurve`: the curve as far as it is known.
    Traced {
        /// The ticket of the question.
        ticket: u64,
        /// The curve.
        curve: Curve,
    },
    /// The answer to `Effect::PriceNeighbours`.
    NeighboursPriced {
        /// The ticket of the question.
        ticket: u64,
        /// The neighbours of the present setting.
        neighbours: Box<Neighbours>,
    },
    /// The answer to `Effect::CompareStubs`.
    Compared {
        /// The ticket of the question.
        ticket: u64,
        /// The exhaustive stub beside the present one, or why there is none.
        comparison: Result<StubComparison, DeliveryError>,
    },
    /// An answer to `Effect::HoldOut`: how far it is, then what came out.
    HeldOut {
        /// The ticket of the question.
        ticket: u64,
        /// What is known.
        held_out: HeldOut,
    },
    /// The answer to `Effect::Highlight`.
    Highlighted {
        /// The ticket of the document.
        ticket: u64,
        /// The first line.
        first: usize,
        /// A row a line.
        lines: Vec<SyntaxRuns>,
    },
    /// An answer to `Effect::ReadExcerpt`: without colours first, then with them.
    ExcerptRead {
        /// The ticket of the question.
        ticket: u64,
        /// The source, or why it cannot be read.
        result: Result<Excerpt, String>,
    },
    /// The answer to `Effect::ReadShortestCall`.
    ShortestCallRead {
        /// The ticket of the question.
        ticket: u64,
        /// The call, or why it cannot be read.
        result: Result<Quote, String>,
    },
    /// The answer to `Effect::ReadCalls`.
    CallsRead {
        /// The number of the index.
        generation: u64,
        /// The calls, each with its text where that can be read.
        call_lines: Vec<(CallId, Option<CallLine>)>,
    },
    /// The answer to `Effect::DateFiles`.
    FilesDated {
        /// The ticket of the question.
        ticket: u64,
        /// By path: the time of the last change in seconds since 1970. A file whose last change is not known is
        /// missing.
        changed: Arc<FxHashMap<CompactString, i64>>,
    },
    /// The answer to `Effect::Copy`.
    Copied {
        /// The size of the stub.
        tokens: usize,
        /// The name of the clipboard that has the stub, or why none has.
        result: Result<String, String>,
    },
    /// The answer to `Effect::Write`.
    Written {
        /// The path as it was given.
        path: String,
        /// Whether it was written.
        outcome: WriteOutcome,
    },
    /// The answer to `Effect::Save`.
    Saved {
        /// The profile's name.
        name: String,
        /// Whether it was saved.
        outcome: SaveOutcome,
    },
    /// The answer to `Effect::Edit`: the editor is closed, or could not be opened.
    Edited(Result<(), String>),
    /// The time of the toast with this ticket is over.
    ToastExpired(u64),
    /// Mistakes in the configuration.
    Complaints(Vec<String>),
    /// A worker panicked, which is a bug of this program; with the panic's message.
    WorkerFailed(String),
}

/// The result of writing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteOutcome {
    /// It was written, with so many bytes.
    Done(usize),
    /// The file exists already; nothing was written.
    Exists,
    /// It failed, and why.
    Failed(String),
}

/// The result of saving a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    /// It was saved in that file.
    Done(String),
    /// That file exists already; nothing was written.
    Exists(String),
    /// It failed, and why.
    Failed(String),
}
