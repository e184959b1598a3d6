//! What can happen to the model.

use std::{sync::Arc, time::Duration};

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    catalog::Catalog,
    find::Found,
    geometry::Pane,
    input::{KeyPress, Mouse},
    model::{
        CallLine, Excerpt, PreviewRequest, Quote, StubText,
        tuning::{HeldOut, Neighbours, StubComparison},
    },
    search::FilterMatch,
    theme::SyntaxRuns,
};
use apidisc::{
    delivery::{DeliveryError, curve::Curve},
    index::{NoCallSites, Scope},
    program::CallId,
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
    /// The walk is over: so many files.
    Walked(usize),
    /// Some more files are parsed.
    Parsed {
        /// Files done.
        done: usize,
        /// All files.
        total: usize,
        /// Call sites found so far.
        calls: usize,
        /// How much of all sources that is by size, from 0 to 1.
        share: f64,
        /// Since the beginning.
        elapsed: Duration,
    },
    /// What is parsed so far is linked, to be shown; parsing goes on after that.
    Linking,
    /// Indexing was stopped after so many files; what was read is there.
    Stopped {
        /// Files done.
        done: usize,
        /// All files.
        total: usize,
    },
    /// Everything is as it was when it was indexed.
    Unchanged,
    /// Some files had changed.
    Reread {
        /// So many are read again.
        files: usize,
        /// So many are no longer there.
        gone: usize,
    },
    /// Changes are not noticed, and why.
    NotWatched(String),
    /// A new index, whole or partial.
    Indexed(Arc<Catalog>),
    /// The answer to `Effect::Count`.
    Counted {
        /// The ticket of the question.
        ticket: u64,
        /// The same index with its calls counted so.
        result: Result<Arc<Catalog>, NoCallSites>,
    },
    /// There will be no index, and why.
    NotIndexed(String),
    /// The answer to `Effect::Match`.
    Matched {
        /// The list it is for.
        pane: Pane,
        /// The ticket of the question.
        ticket: u64,
        /// What matches, best first.
        matches: Vec<FilterMatch>,
    },
    /// The answer to `Effect::Find`.
    Found {
        /// The ticket of the question.
        ticket: u64,
        /// What matches.
        found: Found,
        /// False where the search goes on.
        is_whole: bool,
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
    /// How many tokens everything takes.
    Measured {
        /// Of which index.
        generation: u64,
        /// Of what.
        scope: Scope,
        /// Counted by.
        encoding: Encoding,
        /// The exhaustive stub's tokens.
        tokens: usize,
    },
    /// An answer to `Effect::Trace`: the curve as far as it is known.
    Traced {
        /// The ticket of the question.
        ticket: u64,
        /// The curve.
        curve: Curve,
    },
    /// The answer to `Effect::Weigh`.
    Weighed {
        /// The ticket of the question.
        ticket: u64,
        /// What a notch costs and gives.
        steps: Box<Neighbours>,
    },
    /// The answer to `Effect::Compare`.
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
    /// The answer to `Effect::Read`; twice, without colours and with them.
    Read {
        /// The ticket of the question.
        ticket: u64,
        /// The source, or why it cannot be read.
        result: Result<Excerpt, String>,
    },
    /// The answer to `Effect::Quote`.
    Quoted {
        /// The ticket of the question.
        ticket: u64,
        /// The call, or why it cannot be read.
        result: Result<Quote, String>,
    },
    /// The answer to `Effect::Word`.
    Worded {
        /// Of which index.
        generation: u64,
        /// The calls; without words where they cannot be read.
        call_lines: Vec<(CallId, Option<CallLine>)>,
    },
    /// The answer to `Effect::Date`.
    Dated {
        /// The ticket of the question.
        ticket: u64,
        /// By path, seconds since 1970; nothing of a file whose last change is not known.
        changed: Arc<FxHashMap<CompactString, i64>>,
    },
    /// The stub is on the clipboard by that way, or is not.
    Copied {
        /// How many tokens it has.
        tokens: usize,
        /// The way's name, or what went wrong.
        result: Result<String, String>,
    },
    /// The answer to `Effect::Write`.
    Written {
        /// The path as it was given.
        path: String,
        /// What became of it.
        outcome: WriteOutcome,
    },
    /// The answer to `Effect::Save`.
    Saved {
        /// The profile's name.
        name: String,
        /// Where it is now, or what became of it.
        outcome: SaveOutcome,
    },
    /// The editor is closed; an error where it could not be opened.
    Edited(Result<(), String>),
    /// A toast has been seen long enough.
    ToastExpired(u64),
    /// Mistakes in the configuration.
    Complaints(Vec<String>),
    /// A worker failed in a way that is a bug of this program.
    WorkerFailed(String),
}

/// What became of a file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteOutcome {
    /// So many bytes.
    Done(usize),
    /// It is there already; nothing was written.
    Exists,
    /// It could not be, and why.
    Failed(String),
}

/// What became of a profile to be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    /// It is in that file.
    Done(String),
    /// There is one of that name; nothing was written.
    Exists(String),
    /// It could not be, and why.
    Failed(String),
}
