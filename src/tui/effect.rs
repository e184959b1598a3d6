//! What the model asks the runtime to do. Every answer comes back as a [`super::message::Message`].

use std::{ops::Range, sync::Arc};

use compact_str::CompactString;

use super::{
    catalog::Catalog,
    geometry::Pane,
    model::{PreviewRequest, Settings, StubText, page::SourcePlace, tuning::CurveRequest},
    search::FilterCandidates,
};
use apidisc::{
    delivery::profile::StubRequest,
    overrides::Overrides,
    program::{CallId, FileId},
    usage::Weights,
};

/// Work outside the core.
#[derive(Debug)]
pub enum Effect {
    /// Make a stub. A newer one replaces it while it waits.
    Deliver {
        /// Comes back with the answer.
        ticket: u64,
        /// The index.
        catalog: Arc<Catalog>,
        /// What of it, and how.
        request: PreviewRequest,
        /// What is pinned and banned.
        overrides: Arc<Overrides>,
    },
    /// Count the calls of an index by other weights. A newer one replaces it while it waits.
    Count {
        /// Comes back with the answer.
        ticket: u64,
        /// The index.
        catalog: Arc<Catalog>,
        /// How often the calls of each origin count.
        weights: Weights,
    },
    /// Trace the curve of coverage against tokens. A newer one replaces it.
    Trace {
        /// Comes back with the answers.
        ticket: u64,
        /// The index.
        catalog: Arc<Catalog>,
        /// What of it, and counted how.
        ground: CurveRequest,
        /// What is pinned and banned.
        overrides: Arc<Overrides>,
    },
    /// Find out what a notch less and a notch more would change. A newer one replaces it.
    Weigh {
        /// Comes back with the answer.
        ticket: u64,
        /// The index.
        catalog: Arc<Catalog>,
        /// What of it, and counted how.
        ground: CurveRequest,
        /// What is pinned and banned.
        overrides: Arc<Overrides>,
        /// The present setting.
        settings: Settings,
    },
    /// Put the exhaustive stub beside the present one. A newer one replaces it.
    Compare {
        /// Comes back with the answer.
        ticket: u64,
        /// The index.
        catalog: Arc<Catalog>,
        /// What of it, and how.
        request: PreviewRequest,
        /// What is pinned and banned.
        overrides: Arc<Overrides>,
    },
    /// Measure the present setting on calls that its stub was not cut from. A newer one replaces it.
    HoldOut {
        /// Comes back with the answers.
        ticket: u64,
        /// The index.
        catalog: Arc<Catalog>,
        /// What is cut.
        cut: Box<StubRequest>,
    },
    /// Nobody looks at the curve any more: end what is being measured for it.
    StopTuning,
    /// Find what matches a pattern. A newer one for the same pane replaces it.
    Match {
        /// Comes back with the answer.
        ticket: u64,
        /// The list that asks.
        pane: Pane,
        /// What was typed.
        pattern: String,
        /// The index.
        catalog: Arc<Catalog>,
        /// What to look through.
        candidates: FilterCandidates,
    },
    /// Find what was typed among all names. A newer one replaces it.
    Find {
        /// Comes back with the answer.
        ticket: u64,
        /// Words and filters.
        typed: String,
        /// The index.
        catalog: Arc<Catalog>,
    },
    /// Make all names of an index ready to be found.
    Gather(Arc<Catalog>),
    /// Colour some lines of a document. A newer one replaces it.
    Highlight {
        /// The ticket of the document.
        ticket: u64,
        /// The document.
        stub: Arc<StubText>,
        /// The lines.
        lines: Range<usize>,
    },
    /// Put a stub on the clipboard.
    Copy(Arc<StubText>),
    /// Write a stub to a file, whole or not at all.
    Write {
        /// As it was typed.
        path: String,
        /// The stub.
        stub: Arc<StubText>,
        /// Replace what is there.
        overwrite: bool,
    },
    /// Save a profile in the repository, whole or not at all.
    Save {
        /// Its name.
        name: String,
        /// The text of its file.
        text: String,
        /// Replace the one of that name.
        overwrite: bool,
    },
    /// Open a file of the sources in the person's editor.
    Edit {
        /// The index.
        catalog: Arc<Catalog>,
        /// The file.
        file: FileId,
        /// The line, from 1.
        line: u32,
    },
    /// Read the source around a place. A newer one replaces it.
    Read {
        /// Comes back with the answer.
        ticket: u64,
        /// The index.
        catalog: Arc<Catalog>,
        /// The place.
        shows: SourcePlace,
    },
    /// Find out when files were changed last. A newer one replaces it.
    Date {
        /// Comes back with the answer.
        ticket: u64,
        /// The index.
        catalog: Arc<Catalog>,
        /// Paths of its files.
        paths: Vec<CompactString>,
    },
    /// Find the shortest of some calls in the sources.
    Quote {
        /// Comes back with the answer.
        ticket: u64,
        /// The index.
        catalog: Arc<Catalog>,
        /// The calls.
        calls: Vec<CallId>,
    },
    /// Read calls as they stand in the sources. A newer one replaces it.
    Word {
        /// The index.
        catalog: Arc<Catalog>,
        /// The calls.
        calls: Vec<CallId>,
    },
    /// Index what has changed.
    Reindex,
    /// End what is being indexed.
    StopIndexing,
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Send `ToastExpired` with this ticket when it has been seen.
    Expire(u64),
    /// Free this somewhere else: dropping a large index takes longer than a frame.
    Discard(Arc<Catalog>),
    /// Give the terminal to the shell until that lets the explorer go on.
    Suspend,
    /// Leave.
    Quit,
}
