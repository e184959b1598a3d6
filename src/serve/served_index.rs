//! The index from which requests are answered: built in the background from the first request on, then kept up to date.

use std::{
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, SystemTime},
};

use apidisc::{
    answers::SymbolTable,
    discover::Corpus,
    environment::python::EnvironmentSetting,
    http::UsedApis,
    index::Index,
    source::{AllowedFiles, Source},
    usage::Weights,
};
use tokio::sync::watch;

use super::{
    OpenSources,
    served_documents::{ServedDocuments, has_documents},
    served_packages::{AskedPackages, Asker, ServedPackages},
};
use crate::{
    cache::Corpora,
    live::{LiveEvent, LiveIndex, PackerCache},
};

/// The age at which an index whose files are not watched is built again for a request, and documents are compared.
pub(super) const UNWATCHED_AGE: Duration = Duration::from_secs(2);

/// The state of the index.
#[derive(Clone)]
pub(super) enum ServedState {
    /// No request has come yet.
    NotStarted,
    /// The sources are opened and built for the first time, or for the first time after a failure.
    Building(BuildProgress),
    /// There is an index.
    Ready(Snapshot),
    /// The sources could not be opened, or the last build failed. The text is the reason.
    Failed(Arc<str>),
}

/// The progress of a first build.
#[derive(Clone, Copy, Default)]
pub(super) struct BuildProgress {
    /// The number of files parsed so far.
    pub(super) done: usize,
    /// The number of all files; 0 while they are still being searched for.
    pub(super) total: usize,
}

/// An index with its sources, its weights and the time of its build.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub(super) index: Arc<Index>,
    /// The symbols of the index.
    pub(super) symbols: Arc<SymbolTable>,
    /// The corpus that `discover` searches, made at the first search.
    corpus: Arc<OnceLock<Corpus>>,
    corpora: Corpora,
    /// The packages that the code uses, indexed at the first question about them.
    packages: Arc<AskedPackages>,
    environment: Arc<EnvironmentSetting>,
    pub(super) source: Arc<Source>,
    /// The files of secrets that tools may show.
    pub(super) allowed: Arc<AllowedFiles>,
    documents: Arc<ServedDocuments>,
    /// The documents of the last request, with their uses in this index.
    uses: Arc<Mutex<Option<UsedApis>>>,
    /// The factor by which the calls of each source are multiplied.
    pub(super) weights: Weights,
    /// A number that no other index of the server has.
    pub(super) generation: u64,
    /// The number of builds so far, including those that found no change.
    builds: u64,
    /// The time of the last build.
    pub(super) time: SystemTime,
    /// False if the server does not learn of changed files.
    is_watched: bool,
}

/// A handle to the index; clones share it.
#[derive(Clone)]
pub(super) struct ServedIndex(Arc<Shared>);

struct Shared {
    open: OpenSources,
    corpora: Corpora,
    /// The source of API documents; `None` for the sources of the index.
    docs: Option<Source>,
    /// The files of secrets that tools may show.
    allowed: Arc<AllowedFiles>,
    /// Where packages are looked for.
    environment: Arc<EnvironmentSetting>,
    note: fn(&str),
    live: Mutex<Option<LiveIndex>>,
    state: watch::Sender<ServedState>,
    /// True if there are API documents, once that is known.
    has_documents: watch::Sender<Option<bool>>,
    /// The number of times that the sources were opened. Events of an earlier opening are ignored.
    starts: AtomicU64,
    builds: AtomicU64,
    /// The packers of the scopes that were requested last.
    packers: PackerCache,
}

impl ServedIndex {
    pub(super) fn new(
        open: OpenSources,
        corpora: Corpora,
        docs: Option<Source>,
        allowed: AllowedFiles,
        environment: EnvironmentSetting,
        note: fn(&str),
    ) -> Self {
        Self(Arc::new(Shared {
            open,
            corpora,
            docs,
            allowed: Arc::new(allowed),
            environment: Arc::new(environment),
            note,
            live: Mutex::default(),
            state: watch::Sender::new(ServedState::NotStarted),
            has_documents: watch::Sender::new(None),
            starts: AtomicU64::new(0),
            builds: AtomicU64::new(0),
            packers: PackerCache::default(),
        }))
    }

    pub(super) fn packers(&self) -> &PackerCache {
        &self.0.packers
    }

    /// True if the source has API documents. Waits for a short time while that is not known.
    pub(super) async fn has_documents(&self) -> bool {
        self.start();
        has_documents(self.0.has_documents.subscribe()).await
    }

    /// A receiver of the state and its changes.
    pub(super) fn states(&self) -> watch::Receiver<ServedState> {
        self.0.state.subscribe()
    }

    /// Opens the sources and starts the first build, in the background, if this has not been done yet or if it has
    /// failed.
    pub(super) fn start(&self) {
        let is_new = self.0.state.send_if_modified(|state| {
            let is_idle = matches!(state, ServedState::NotStarted | ServedState::Failed(_));
            if is_idle {
                *state = ServedState::Building(BuildProgress::default());
            }
            is_idle
        });
        if !is_new {
            return;
        }
        let start = self.0.starts.fetch_add(1, Ordering::Relaxed) + 1;
        let shared = Arc::clone(&self.0);
        let started = thread::Builder::new().name("opener".to_owned()).spawn(move || {
            if let Err(error) = shared.open(start) {
                shared.has_documents.send_if_modified(|has| has.replace(has.unwrap_or_default()).is_none());
                shared.fail(start, &format!("{error:#}"));
            }
        });
        if let Err(error) = started {
            self.0.fail(start, &error.to_string());
        }
    }

    /// The index, up to date. Waits for a first build, whose progress `report` receives, and for another build if the
    /// files are not watched and the index is old.
    ///
    /// # Errors
    /// The reason for which there is no index.
    pub(super) async fn snapshot<F: Future<Output = ()>>(
        &self,
        report: impl Fn(BuildProgress) -> F,
    ) -> Result<Snapshot, Arc<str>> {
        self.start();
        let mut states = self.states();
        loop {
            let state = states.borrow_and_update().clone();
            match state {
                ServedState::Ready(snapshot) if snapshot.is_trusted() => return Ok(snapshot),
                ServedState::Ready(snapshot) => return self.rebuilt(&snapshot).await,
                ServedState::Failed(why) => return Err(why),
                ServedState::Building(progress) => report(progress).await,
                ServedState::NotStarted => {}
            }
            if states.changed().await.is_err() {
                return Err("the index has ended".into());
            }
        }
    }

    /// Requests another build, waits until a build later than that of `before` has ended, and returns the index.
    ///
    /// # Errors
    /// The reason for which the build failed.
    pub(super) async fn rebuilt(&self, before: &Snapshot) -> Result<Snapshot, Arc<str>> {
        let mut states = self.states();
        if let Some(live) = self.0.live.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            live.rebuild();
        }
        loop {
            match &*states.borrow_and_update() {
                ServedState::Ready(snapshot) if snapshot.builds > before.builds => return Ok(snapshot.clone()),
                ServedState::Failed(why) => return Err(Arc::clone(why)),
                _ => {}
            }
            if states.changed().await.is_err() {
                return Err("the index has ended".into());
            }
        }
    }
}

impl Snapshot {
    /// The corpus that `discover` searches.
    pub(super) fn corpus(&self) -> &Corpus {
        self.corpus.get_or_init(|| self.corpora.get(&self.source, &self.symbols))
    }

    /// The installed packages that the code uses. `asker` is the request that asks.
    ///
    /// # Errors
    /// The reason for which they are not known.
    pub(super) fn packages(&self, asker: &Arc<Asker>) -> Result<Arc<ServedPackages>, String> {
        self.packages.get(self, asker)
    }

    /// The packages, if an earlier request has asked about them.
    pub(super) fn known_packages(&self) -> Option<Arc<ServedPackages>> {
        self.packages.known()
    }

    pub(super) fn corpora(&self) -> &Corpora {
        &self.corpora
    }

    /// Where packages are looked for.
    pub(super) fn environment(&self) -> &EnvironmentSetting {
        &self.environment
    }

    /// The API documents as their files are now, those of `--docs` or those in the sources, with their uses. There may
    /// be none.
    ///
    /// # Errors
    /// If their source cannot be walked.
    pub(super) fn documents(&self) -> Result<UsedApis, String> {
        let documents = self.documents.current(self.is_watched)?;
        let mut last = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = last.as_ref().filter(|last| Arc::ptr_eq(&last.documents, &documents)) {
            return Ok(last.clone());
        }
        Ok(last.insert(UsedApis::new(documents, &self.index)).clone())
    }

    /// True if the files are watched, or if the index is younger than [`UNWATCHED_AGE`].
    fn is_trusted(&self) -> bool {
        self.is_watched || SystemTime::now().duration_since(self.time).is_ok_and(|age| age < UNWATCHED_AGE)
    }
}

impl Shared {
    /// Opens the sources and starts to index them.
    fn open(self: &Arc<Self>, start: u64) -> anyhow::Result<()> {
        let (source, weights) = (self.open)()?;
        let (shared, shared_source) = (Arc::clone(self), Arc::new(source.clone()));
        let mut is_watched = true;
        // The documents of `--docs` are not watched.
        let documents = Arc::new(ServedDocuments::new(self.docs.as_ref().unwrap_or(&source).clone()));
        let of_index = Arc::clone(&documents);
        let live = LiveIndex::start(source, self.corpora.cache.clone(), true, move |event| {
            if shared.starts.load(Ordering::Relaxed) != start {
                return;
            }
            match event {
                LiveEvent::Walked { files } => shared.progress(BuildProgress { done: 0, total: files }),
                LiveEvent::Parsed { done, total, .. } => shared.progress(BuildProgress { done, total }),
                LiveEvent::Finished { index, .. } => {
                    shared.publish(&index, &shared_source, &of_index, &weights, is_watched);
                }
                LiveEvent::Unchanged { .. } => shared.touch(),
                LiveEvent::Failed(why) => shared.fail(start, &why.to_string()),
                LiveEvent::Panicked(why) => shared.fail(start, &format!("indexing failed: {why}")),
                LiveEvent::NotWatched(why) => {
                    is_watched = false;
                    (shared.note)(&format!("changes of files are not noticed as they happen: {why}"));
                    shared.state.send_if_modified(|state| match state {
                        ServedState::Ready(snapshot) => {
                            snapshot.is_watched = false;
                            true
                        }
                        _ => false,
                    });
                }
                LiveEvent::Linking | LiveEvent::Partial(_) | LiveEvent::Cancelled { .. } => {}
            }
        })?;
        if self.docs.is_none() {
            documents.count_changes(live.document_changes());
        }
        *self.live.lock().unwrap_or_else(PoisonError::into_inner) = Some(live);
        let has_documents = documents.current(true).is_ok_and(|index| !index.api.is_empty());
        self.has_documents.send_replace(Some(has_documents));
        Ok(())
    }

    fn progress(&self, progress: BuildProgress) {
        self.state.send_if_modified(|state| {
            let is_first = matches!(state, ServedState::Building(_));
            if is_first {
                *state = ServedState::Building(progress);
            }
            is_first
        });
    }

    fn publish(
        &self,
        index: &Arc<Index>,
        source: &Arc<Source>,
        documents: &Arc<ServedDocuments>,
        weights: &Weights,
        is_watched: bool,
    ) {
        let index = if weights.are_default() {
            Arc::clone(index)
        } else {
            match index.weighted(weights.clone()) {
                Ok(weighted) => Arc::new(weighted),
                Err(why) => {
                    self.state.send_replace(ServedState::Failed(why.to_string().into()));
                    return;
                }
            }
        };
        let builds = self.builds.fetch_add(1, Ordering::Relaxed) + 1;
        self.state.send_replace(ServedState::Ready(Snapshot {
            symbols: Arc::new(SymbolTable::new(Arc::clone(&index))),
            corpus: Arc::default(),
            corpora: self.corpora.clone(),
            packages: Arc::default(),
            environment: Arc::clone(&self.environment),
            index,
            documents: Arc::clone(documents),
            uses: Arc::default(),
            source: Arc::clone(source),
            allowed: Arc::clone(&self.allowed),
            weights: weights.clone(),
            generation: builds,
            builds,
            time: SystemTime::now(),
            is_watched,
        }));
    }

    /// Records a build that found no change.
    fn touch(&self) {
        let count = self.builds.fetch_add(1, Ordering::Relaxed) + 1;
        self.state.send_if_modified(|state| match state {
            ServedState::Ready(snapshot) => {
                (snapshot.builds, snapshot.time) = (count, SystemTime::now());
                true
            }
            _ => false,
        });
    }

    /// Records a failure, unless the sources have been opened again since the opening with the number `start`. The next
    /// request opens them anew, since the watcher of a removed folder does not notice a new folder with the same name.
    fn fail(&self, start: u64, why: &str) {
        if self.starts.load(Ordering::Relaxed) == start {
            self.state.send_replace(ServedState::Failed(why.into()));
        }
    }
}
