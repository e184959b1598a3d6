//! Passes effects to the threads that carry them out.

use std::{
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

use super::{
    ask_worker::AskWorkers,
    discover_worker::{self, DiscoverRequest},
    documents_worker::{self, PartJob},
    fetching::Fetcher,
    find_worker::{self, FindRequest},
    held_out_worker::{self, HeldOutRequest},
    indexing::{self, Indexer},
    output_worker::{self, OutputJob},
    request_worker::{self, WatchJob},
    source_files::SourceFiles,
    source_worker::{self, SourceJob},
    tuning_worker::{self, TuningRequest},
    worker::{OutputSender, SupersedingWorker, Worker},
};
use crate::{
    cache::Corpora,
    live::{LiveIndex, PackerCache},
    requests::LogFolder,
    tui::{
        effect::Effect,
        jobs::{
            self, DateFilesJob, DeliverJob, FilterListJob, HighlightJob, NewestCorpus, ReadDocumentsJob, RecountJob,
        },
        options::{Assistant, Content},
    },
};
use apidisc::{discover::WordModel, index::Index, program::FileId, search::LabelMatcher, source::LastChanged};

/// The time for which a toast is shown.
const TOAST: Duration = Duration::from_secs(4);

/// An effect that only the drawing thread can carry out.
pub(super) enum DrawingThreadEffect {
    Quit,
    Edit(Arc<Index>, FileId, u32),
    /// Open a file of API documents by its path.
    EditDocument(Arc<Index>, String, u32),
    CaptureMouse(bool),
    Suspend,
}

/// Numbers the indexes that all threads make.
#[derive(Clone, Default)]
pub(super) struct GenerationCounter(Arc<AtomicU64>);

impl GenerationCounter {
    /// A number that no index had before.
    pub(super) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// The inputs with which the workers start.
pub(super) struct WorkerInputs {
    pub(super) content: Content,
    /// The model of word vectors, by which searches compare meanings.
    pub(super) model: Arc<dyn WordModel>,
    /// The language model that answers questions; `None` if none is set.
    pub(super) assistant: Option<Assistant>,
    /// The file in which conversations are kept; `None` if conversations are not kept.
    pub(super) conversations: Option<PathBuf>,
    /// The log of the requests of agents; `None` if requests are not logged.
    pub(super) request_log: Option<LogFolder>,
    /// The file or folder of the API documents; `None` to find the documents in the sources.
    pub(super) documents: Option<PathBuf>,
    /// True if the sources are indexed again when they change.
    pub(super) is_watching: bool,
}

/// All worker threads.
pub(super) struct Workers {
    delivery: Worker<DeliverJob>,
    tuning: Worker<TuningRequest>,
    held_out: Worker<HeldOutRequest>,
    list_filter: SupersedingWorker<FilterListJob>,
    recount: Worker<RecountJob>,
    find: SupersedingWorker<FindRequest>,
    discover: SupersedingWorker<DiscoverRequest>,
    ask: AskWorkers,
    documents: Worker<ReadDocumentsJob>,
    parts: Worker<PartJob>,
    highlight: Worker<HighlightJob>,
    output: Worker<OutputJob>,
    sources: Worker<SourceJob>,
    dates: SupersedingWorker<DateFilesJob>,
    requests: Worker<WatchJob>,
    indexer: Indexer,
    /// Fetches remote sources; `None` if there are none.
    fetcher: Option<Fetcher>,
    /// The time at which the toast expires, and its ticket.
    pub(super) toast: Option<(Instant, u64)>,
}

impl Workers {
    /// Starts the threads.
    pub(super) fn start(inputs: WorkerInputs, files: &SourceFiles, output: &OutputSender) -> io::Result<Self> {
        let WorkerInputs { content, model, assistant, conversations, request_log, documents, is_watching } = inputs;
        let newest = NewestCorpus::new(Corpora { cache: content.cache().cloned(), model });
        let generations = GenerationCounter::default();
        let packers = PackerCache::default();
        let (indexer, fetcher) =
            indexing::start(content, files.clone(), is_watching, generations.clone(), output.clone())?;
        Ok(Self {
            delivery: spawn_delivery(packers.clone(), output.clone())?,
            tuning: tuning_worker::spawn(packers, output.clone())?,
            held_out: held_out_worker::spawn(output.clone())?,
            list_filter: spawn_list_filter(output.clone())?,
            recount: spawn_recount(generations.clone(), output.clone())?,
            find: find_worker::spawn(output.clone())?,
            discover: discover_worker::spawn(files.clone(), newest.clone(), output.clone())?,
            ask: AskWorkers::start(assistant, newest, files.clone(), conversations, output)?,
            documents: documents_worker::spawn(
                files.clone(),
                documents,
                is_watching,
                generations.clone(),
                output.clone(),
            )?,
            parts: documents_worker::spawn_parts(output.clone())?,
            highlight: spawn_highlight(output.clone())?,
            output: output_worker::spawn(files.profiles(), output.clone())?,
            dates: spawn_dates(files.clone(), output.clone())?,
            requests: request_worker::spawn(request_log, output.clone())?,
            sources: source_worker::spawn(files.clone(), output.clone())?,
            indexer,
            fetcher,
            toast: None,
        })
    }

    /// Stops the programs that threads have started. The threads end with the process.
    pub(super) fn stop_programs(&self) {
        if let Some(fetcher) = &self.fetcher {
            fetcher.stop();
        }
    }

    /// Passes an effect to its thread; returns an effect that only the drawing thread can carry out.
    pub(super) fn perform(&mut self, effect: Effect) -> Option<DrawingThreadEffect> {
        match effect {
            Effect::Deliver(job) => self.delivery.send(job),
            Effect::Recount(job) => self.recount.send(job),
            Effect::TraceCurve(job) => self.tuning.send(TuningRequest::TraceCurve(job)),
            Effect::PriceNeighbours(job) => self.tuning.send(TuningRequest::PriceNeighbours(job)),
            Effect::CompareStubs(job) => self.tuning.send(TuningRequest::CompareStubs(job)),
            Effect::HoldOut(job) => self.held_out.send(HeldOutRequest::Measure(job)),
            Effect::StopTuning => {
                self.tuning.send(TuningRequest::Stop);
                self.held_out.send(HeldOutRequest::Stop);
            }
            Effect::WatchRequests => self.requests.send(WatchJob::Watch),
            Effect::StopWatchingRequests => self.requests.send(WatchJob::Stop),
            Effect::FilterList(job) => self.list_filter.supersede(job.pane.position(), job.ticket, job),
            Effect::Find(job) => self.find.supersede(0, job.ticket, FindRequest::Find(job)),
            Effect::Discover(job) => self.discover.supersede(0, job.ticket, DiscoverRequest::Discover(job)),
            Effect::Ask(request) => self.ask.perform(request),
            Effect::PrepareSearch(catalog) => {
                self.find.send(FindRequest::Prepare(catalog));
                self.discover.send(DiscoverRequest::Forget);
            }
            Effect::ReadDocuments(job) => self.documents.send(job),
            Effect::DeliverPart(job) => self.parts.send(PartJob::Deliver(job)),
            Effect::ReadArguments(job) => self.parts.send(PartJob::Arguments(job)),
            Effect::ReadPart(job) => self.parts.send(PartJob::Excerpt(job)),
            Effect::FreeDocuments(documents) => self.output.send(OutputJob::FreeDocuments(documents)),
            Effect::Highlight(job) => self.highlight.send(job),
            Effect::ReadExcerpt(job) => self.sources.send(SourceJob::Excerpt(job)),
            Effect::ReadCard(job) => self.sources.send(SourceJob::Card(job)),
            Effect::ReadCalls(job) => self.sources.send(SourceJob::Calls(job)),
            Effect::DateFiles(job) => self.dates.supersede(0, job.ticket, job),
            Effect::Copy { text, description } => self.output.send(OutputJob::Copy { text, description }),
            Effect::Write { path, stub, overwrite } => {
                self.output.send(OutputJob::Write { path, stub, overwrite });
            }
            Effect::Save { name, text, overwrite } => self.output.send(OutputJob::Save { name, text, overwrite }),
            Effect::ReadProfiles => self.output.send(OutputJob::ReadProfiles),
            Effect::FreeCatalog(catalog) => self.output.send(OutputJob::Free(catalog)),
            Effect::ExpireToast(ticket) => self.toast = Some((Instant::now() + TOAST, ticket)),
            Effect::Reindex => {
                // Once a source is fetched, everything is indexed again.
                if !self.fetcher.as_ref().is_some_and(Fetcher::retry) {
                    self.indexer.with(LiveIndex::rebuild);
                }
            }
            Effect::StopIndexing => self.indexer.with(LiveIndex::cancel),
            Effect::Edit { catalog, file, line } => {
                return Some(DrawingThreadEffect::Edit(Arc::clone(&catalog.index), file, line));
            }
            Effect::EditDocument { catalog, path, line } => {
                return Some(DrawingThreadEffect::EditDocument(Arc::clone(&catalog.index), path, line));
            }
            Effect::CaptureMouse(is_captured) => return Some(DrawingThreadEffect::CaptureMouse(is_captured)),
            Effect::Suspend => return Some(DrawingThreadEffect::Suspend),
            Effect::Quit => return Some(DrawingThreadEffect::Quit),
        }
        None
    }
}

fn spawn_delivery(packers: PackerCache, output: OutputSender) -> io::Result<Worker<DeliverJob>> {
    Worker::spawn("delivery", output.clone(), move |job, queue| {
        jobs::deliver(&packers, &queue.newest_or(job), &mut |message| output.message(message));
    })
}

fn spawn_list_filter(output: OutputSender) -> io::Result<SupersedingWorker<FilterListJob>> {
    let mut matcher = LabelMatcher::default();
    SupersedingWorker::spawn("list-filter", output.clone(), move |job: FilterListJob, _, latest| {
        let is_superseded = || latest.is_superseded(job.pane.position(), job.ticket);
        if let Some(answer) = jobs::filter_list(&mut matcher, &job, &is_superseded) {
            output.message(answer);
        }
    })
}

fn spawn_recount(generations: GenerationCounter, output: OutputSender) -> io::Result<Worker<RecountJob>> {
    Worker::spawn("recount", output.clone(), move |job, queue| {
        output.message(jobs::recount(&queue.newest_or(job), generations.next()));
    })
}

fn spawn_highlight(output: OutputSender) -> io::Result<Worker<HighlightJob>> {
    Worker::spawn("highlight", output.clone(), move |job, queue| {
        output.message(jobs::highlight(&queue.newest_or(job)));
    })
}

fn spawn_dates(files: SourceFiles, output: OutputSender) -> io::Result<SupersedingWorker<DateFilesJob>> {
    let mut history = LastChanged::default();
    SupersedingWorker::spawn("dates", output.clone(), move |job: DateFilesJob, queue, latest| {
        let job = queue.newest_or(job);
        let source = files.source(&job.catalog.index);
        let is_superseded = || latest.is_superseded(0, job.ticket);
        if let Some(answer) = jobs::date_files(&mut history, source.as_ref(), &job, &is_superseded) {
            output.message(answer);
        }
    })
}
