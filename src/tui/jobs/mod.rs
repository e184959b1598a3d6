//! The explorer's work outside the drawing thread, one file per job: the description of the work, and the work itself,
//! which answers with [`Answer`]s.
//!
//! A background job is an entry in the lists of this file: its module, [`Job`] with [`Job::background`], and
//! [`Answer`]. The reducer has an arm for the answer. [`Lane`] names the thread that does the job. Jobs that follow
//! files, or that a person stops, have threads of their own: see [`ask()`] and [`read_documents()`].
//!
//! Jobs start no threads and read no clock. The runtime does them on its threads; tests do them directly.

mod ask;
mod background;
mod compare_stubs;
mod count_calls;
mod date_files;
mod deliver;
mod deliver_part;
mod discover;
mod filter_list;
mod find;
mod highlight;
mod hold_out;
mod lane;
mod price_neighbours;
mod read_arguments;
mod read_calls;
mod read_card;
mod read_documents;
mod read_excerpt;
mod read_overview;
mod read_part;
mod recount;
mod tools;
mod trace_curve;

pub use ask::{AskJob, ask, colour_conversation};
pub use background::{BackgroundJob, JobHost};
pub use compare_stubs::CompareStubsJob;
pub use count_calls::CountCallsJob;
pub use date_files::DateFilesJob;
pub use deliver::DeliverJob;
pub use deliver_part::DeliverPartJob;
pub use discover::{DiscoverJob, ForgetCorpusJob, NewestCorpora};
pub use filter_list::FilterListJob;
pub use find::{FindJob, PrepareSearchJob};
pub use highlight::HighlightJob;
pub use hold_out::HoldOutJob;
pub use lane::Lane;
pub use price_neighbours::PriceNeighboursJob;
pub use read_arguments::ReadArgumentsJob;
pub use read_calls::ReadCallsJob;
pub use read_card::ReadCardJob;
pub use read_documents::{ReadDocumentsJob, read_documents};
pub use read_excerpt::ReadExcerptJob;
pub use read_overview::ReadOverviewJob;
pub use read_part::ReadPartJob;
pub use recount::RecountJob;
pub use tools::{GenerationCounter, JobTools, SourceOf};
pub use trace_curve::TraceCurveJob;

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use crate::live::PackerKey;
use crate::tui::{
    geometry::Pane,
    model::{
        CallLine, CardText, Catalog, Excerpt, FilterMatch, MeaningHit, OverviewText, PartRequest, PreviewRequest,
        StubText,
        page::CountedRows,
        tuning::{CurveRequest, HeldOut, Neighbours, StubComparison},
    },
    theme::SyntaxRuns,
};
use apidisc::{
    delivery::{DeliveryError, curve::Curve},
    http::OperationArgument,
    index::{RecountError, Scope},
    program::CallId,
    search::SearchHits,
    tokens::Encoding,
};

/// A background job.
#[derive(Debug)]
pub enum Job {
    /// Make a stub.
    Deliver(DeliverJob),
    /// Count the calls of an index again, with other weights for their origins.
    Recount(RecountJob),
    /// Trace the curve of coverage against tokens.
    TraceCurve(TraceCurveJob),
    /// Compute how the stub would change if the budget, threshold or target moved by one notch, its smallest step.
    PriceNeighbours(PriceNeighboursJob),
    /// Compare another stub with the present one.
    CompareStubs(CompareStubsJob),
    /// Measure the held-out coverage of the present setting: the share of calls that a stub covers among calls that it
    /// was not made from.
    HoldOut(HoldOutJob),
    /// Match the rows of a list against its filter.
    FilterList(FilterListJob),
    /// Find names in the whole index.
    Find(FindJob),
    /// Collect the names of an index for the finder.
    PrepareSearch(PrepareSearchJob),
    /// Find the definitions, recipes and documents that serve an intent.
    Discover(DiscoverJob),
    /// Forget the corpus in which the finder finds by meaning.
    ForgetCorpus(ForgetCorpusJob),
    /// Make the text of a part of API documents.
    DeliverPart(DeliverPartJob),
    /// Read the parameters and properties of a part of API documents.
    ReadArguments(ReadArgumentsJob),
    /// Read a part of API documents for the pane beside the page.
    ReadPart(ReadPartJob),
    /// Colour some lines of a stub.
    Highlight(HighlightJob),
    /// Read the lines of source around a place.
    ReadExcerpt(ReadExcerptJob),
    /// Read from the history of the repository when files last changed.
    DateFiles(DateFilesJob),
    /// Read the first call of a definition, and its documentation.
    ReadCard(ReadCardJob),
    /// Read the overview of the repository or of a module.
    ReadOverview(ReadOverviewJob),
    /// Read calls as they are written in the sources.
    ReadCalls(ReadCallsJob),
    /// Find what a number of the ledger counts.
    CountCalls(CountCallsJob),
}

impl Job {
    /// The job itself.
    pub fn background(&self) -> &dyn BackgroundJob {
        match self {
            Self::Deliver(job) => job,
            Self::Recount(job) => job,
            Self::TraceCurve(job) => job,
            Self::PriceNeighbours(job) => job,
            Self::CompareStubs(job) => job,
            Self::HoldOut(job) => job,
            Self::FilterList(job) => job,
            Self::Find(job) => job,
            Self::PrepareSearch(job) => job,
            Self::Discover(job) => job,
            Self::ForgetCorpus(job) => job,
            Self::DeliverPart(job) => job,
            Self::ReadArguments(job) => job,
            Self::ReadPart(job) => job,
            Self::Highlight(job) => job,
            Self::ReadExcerpt(job) => job,
            Self::DateFiles(job) => job,
            Self::ReadCard(job) => job,
            Self::ReadOverview(job) => job,
            Self::ReadCalls(job) => job,
            Self::CountCalls(job) => job,
        }
    }
}

/// An answer of a background job.
#[derive(Debug)]
pub enum Answer {
    /// The answer to `Job::Deliver`.
    Delivered {
        /// The ticket of the request.
        ticket: u64,
        /// The request.
        request: PreviewRequest,
        /// The stub, or the reason why it cannot be made.
        result: Result<Arc<StubText>, DeliveryError>,
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
    /// The answer to `Job::Recount`.
    Counted {
        /// The ticket of the request.
        ticket: u64,
        /// The index with its calls counted by the requested weights, or the error that it has no call sites.
        result: Result<Arc<Catalog>, RecountError>,
    },
    /// An answer to `Job::TraceCurve`: the curve with the points traced so far.
    Traced {
        /// The ticket of the request.
        ticket: u64,
        /// The curve.
        curve: Curve,
    },
    /// The answer to `Job::PriceNeighbours`.
    NeighboursPriced {
        /// The ticket of the request.
        ticket: u64,
        /// The settings one notch below and above the present one, with the sizes of their stubs.
        neighbours: Box<Neighbours>,
    },
    /// The answer to `Job::CompareStubs`.
    Compared {
        /// The ticket of the request.
        ticket: u64,
        /// The other stub aligned with the present one, or the reason why one of them cannot be made.
        comparison: Result<Box<StubComparison>, String>,
    },
    /// An answer to `Job::HoldOut`: first the progress, then the result.
    HeldOut {
        /// The ticket of the request.
        ticket: u64,
        /// The progress or the result.
        held_out: HeldOut,
    },
    /// The answer to `Job::FilterList`.
    Matched {
        /// The list that was filtered.
        pane: Pane,
        /// The ticket of the request.
        ticket: u64,
        /// The rows that match, best first.
        matches: Vec<FilterMatch>,
    },
    /// An answer to `Job::Find`.
    Found {
        /// The ticket of the request.
        ticket: u64,
        /// The names that match.
        hits: SearchHits,
        /// False for an intermediate answer: the search continues.
        is_complete: bool,
    },
    /// The answer to `Job::Discover`.
    FoundByMeaning {
        /// The ticket of the request.
        ticket: u64,
        /// The results, best first.
        hits: Vec<MeaningHit>,
    },
    /// The answer to `Job::DeliverPart`.
    PartDelivered {
        /// The ticket of the request.
        ticket: u64,
        /// The request.
        request: PartRequest,
        /// The text, or the reason why it cannot be made.
        result: Result<Arc<StubText>, DeliveryError>,
    },
    /// The answer to `Job::ReadArguments`.
    ArgumentsRead {
        /// The ticket of the request.
        ticket: u64,
        /// The parameters and properties, in the order of display.
        arguments: Arc<[OperationArgument]>,
    },
    /// The answer to `Job::Highlight`.
    Highlighted {
        /// The ticket of the delivery: see [`ShownStub::ticket`](crate::tui::model::ShownStub::ticket).
        ticket: u64,
        /// The number of the first line, from 0.
        first: usize,
        /// The syntax runs of each line.
        lines: Vec<SyntaxRuns>,
    },
    /// An answer to `Job::ReadExcerpt`: first without colours, then with them.
    ExcerptRead {
        /// The ticket of the request.
        ticket: u64,
        /// The source, or the reason why it cannot be read.
        result: Result<Excerpt, String>,
    },
    /// The answer to `Job::DateFiles`.
    FilesDated {
        /// The ticket of the request.
        ticket: u64,
        /// For each path, the time of the file's last change in seconds since 1970. Files whose last change is unknown
        /// are left out.
        changed: Arc<FxHashMap<CompactString, i64>>,
        /// The number of files without a known last change, because the history is larger than the limit.
        beyond_limit: usize,
    },
    /// The answer to `Job::ReadCard`.
    CardRead {
        /// The ticket of the request.
        ticket: u64,
        /// The texts.
        card: Box<CardText>,
    },
    /// The answer to `Job::ReadOverview`.
    OverviewRead {
        /// The ticket of the request.
        ticket: u64,
        /// The overview.
        text: Arc<OverviewText>,
    },
    /// The answer to `Job::CountCalls`.
    CallsCounted {
        /// The ticket of the request.
        ticket: u64,
        /// The rows of the page.
        rows: Arc<CountedRows>,
    },
    /// The answer to `Job::ReadCalls`.
    CallsRead {
        /// The generation of the index.
        generation: u64,
        /// The calls, each with its text if the source can be read.
        call_lines: Vec<(CallId, Option<CallLine>)>,
    },
}

fn packer_key(curve_request: CurveRequest) -> PackerKey {
    let CurveRequest { generation, scope, encoding, revision, .. } = curve_request;
    PackerKey { generation, scope, encoding, revision }
}
