//! Passes effects to the threads that carry them out.

use std::{io, path::PathBuf, sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{
    ask_worker::AskWorkers,
    documents_worker,
    explain_worker::Explainer,
    fetching::Fetcher,
    indexing::{self, Indexers},
    lanes::Lanes,
    output_worker::{self, OutputJob},
    package_worker::{self, ReadPackagesJob},
    request_worker::{self, WatchJob},
    source_files::SourceFiles,
    upgrade_worker::{Comparer, VersionPlaces},
    worker::{OutputSender, Worker},
};
use crate::{
    cache::Corpora,
    live::LiveIndex,
    requests::LogFolder,
    tui::{
        effect::Effect,
        jobs::{GenerationCounter, JobTools, Lane, NewestCorpora, ReadDocumentsJob},
        options::{Assistant, Content},
    },
};
use apidisc::{discover::WordModel, environment::python::EnvironmentSetting, index::Index, program::FileId};

/// The time for which a toast is shown.
const TOAST: Duration = Duration::from_secs(4);

/// An effect that only the drawing thread can carry out.
pub(super) enum DrawingThreadEffect {
    Quit,
    Edit(Arc<Index>, FileId, u32),
    /// Open a file of API documents by its path.
    EditDocument(Arc<Index>, String, u32),
    Suspend,
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
    /// The environment that holds the packages which the code uses.
    pub(super) environment: EnvironmentSetting,
    /// True if the sources are indexed again when they change.
    pub(super) is_watching: bool,
}

/// All worker threads.
pub(super) struct Workers {
    lanes: Lanes,
    ask: AskWorkers,
    documents: Worker<ReadDocumentsJob>,
    packages: Worker<ReadPackagesJob>,
    explainer: Explainer,
    comparer: Comparer,
    output: Worker<OutputJob>,
    requests: Worker<WatchJob>,
    indexers: Indexers,
    files: SourceFiles,
    /// The time at which the toast expires, and its ticket.
    pub(super) toast: Option<(Instant, u64)>,
}

impl Workers {
    /// Starts the threads.
    pub(super) fn start(inputs: WorkerInputs, files: &SourceFiles, output: &OutputSender) -> io::Result<Self> {
        let WorkerInputs { content, model, assistant, conversations, request_log, documents, .. } = inputs;
        let WorkerInputs { environment, is_watching, .. } = inputs;
        let newest = NewestCorpora::new(Corpora { cache: content.cache().cloned(), model });
        let generations = GenerationCounter::default();
        let cache = content.cache().cloned();
        let indexers = indexing::start(content, files.clone(), is_watching, generations.clone(), output.clone())?;
        let sources = files.clone();
        let sources = Box::new(move |index: &Index| sources.source(index));
        let tools = Arc::new(JobTools::new(newest.clone(), generations.clone(), sources));
        Ok(Self {
            lanes: Lanes::start(&tools, output)?,
            ask: AskWorkers::start(assistant, newest, files.clone(), conversations, output)?,
            packages: package_worker::spawn(
                files.clone(),
                environment.clone(),
                cache.clone(),
                generations.clone(),
                output.clone(),
            )?,
            explainer: Explainer::start(files.clone(), environment.clone(), cache.clone(), output.clone())?,
            comparer: Comparer::start(
                files.clone(),
                VersionPlaces { environment, cache, runs: Arc::default() },
                generations.clone(),
                output.clone(),
            )?,
            documents: documents_worker::spawn(files.clone(), documents, is_watching, generations, output.clone())?,
            output: output_worker::spawn(files.profiles(), output.clone())?,
            requests: request_worker::spawn(request_log, output.clone())?,
            indexers,
            files: files.clone(),
            toast: None,
        })
    }

    /// Stops the programs that threads have started. The threads end with the process.
    pub(super) fn stop_programs(&self) {
        if let Some(fetcher) = &self.indexers.fetcher {
            fetcher.stop();
        }
        self.comparer.stop_programs();
    }

    /// Passes an effect to its thread; returns an effect that only the drawing thread can carry out.
    pub(super) fn perform(&mut self, effect: Effect) -> Option<DrawingThreadEffect> {
        match effect {
            Effect::Job(job) => self.lanes.send(job),
            Effect::StopTuning => {
                self.lanes.cancel(Lane::Tuning);
                self.lanes.cancel(Lane::HeldOut);
            }
            Effect::WatchRequests => self.requests.send(WatchJob::Watch),
            Effect::StopWatchingRequests => self.requests.send(WatchJob::Stop),
            Effect::Ask(request) => self.ask.perform(request),
            Effect::ReadDocuments(job) => self.documents.send(job),
            Effect::ReadPackages(code) => self.packages.send(ReadPackagesJob { code }),
            Effect::Explain(request) => self.explainer.send(request),
            Effect::Upgrade(request) => self.comparer.send(request),
            Effect::FreeDocuments(documents) => self.output.send(OutputJob::FreeDocuments(documents)),
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
                if !self.indexers.fetcher.as_ref().is_some_and(Fetcher::retry) {
                    self.indexers.indexer.with(LiveIndex::rebuild);
                }
            }
            Effect::IndexAround { is_counted } => {
                let Indexers { indexer, around, .. } = &self.indexers;
                if let Some((around, indexing)) = around {
                    around.index(is_counted, indexer, indexing, &self.files);
                }
            }
            Effect::StopIndexing => self.indexers.indexer.with(LiveIndex::cancel),
            Effect::Edit { catalog, file, line } => {
                return Some(DrawingThreadEffect::Edit(Arc::clone(&catalog.index), file, line));
            }
            Effect::EditDocument { catalog, path, line } => {
                return Some(DrawingThreadEffect::EditDocument(Arc::clone(&catalog.index), path, line));
            }
            Effect::Suspend => return Some(DrawingThreadEffect::Suspend),
            Effect::Quit => return Some(DrawingThreadEffect::Quit),
        }
        None
    }
}
