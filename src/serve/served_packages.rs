//! The installed packages that the code uses: indexed at the first question about them, once for each index.
//!
//! All requests that ask in the meantime wait for the same index. Reading stops once all of them are cancelled.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use apidisc::{
    answers::SymbolTable, control::Control, discover::Corpus, indexer::Progress, packages::Dependency, source::Source,
};

use super::served_index::{BuildProgress, Snapshot};
use crate::{
    cache::Corpora,
    packages::{InstalledState, PackageIndex, environments},
};

/// The bit of a generation by which the index of packages differs from that of the code.
const OF_PACKAGES: u64 = 1 << 63;

/// A request, as reading sees it.
pub(super) struct Asker {
    /// True once the client has cancelled the request.
    pub(super) is_cancelled: Box<dyn Fn() -> bool + Send + Sync>,
    /// Reports to the client that packages are being read.
    pub(super) report: Box<dyn Fn(BuildProgress) + Send + Sync>,
}

/// The packages of an index, once a request has asked about them. Clones of a snapshot share it.
#[derive(Default)]
pub(super) struct AskedPackages {
    read: Mutex<Option<Arc<ServedPackages>>>,
    /// The requests that wait.
    waiting: Mutex<Vec<Arc<Asker>>>,
}

impl AskedPackages {
    /// The packages as they are installed now. The first request reads them, others wait for it.
    ///
    /// # Errors
    /// The reason for which they are not known.
    pub(super) fn get(&self, snapshot: &Snapshot, asker: &Arc<Asker>) -> Result<Arc<ServedPackages>, String> {
        lock(&self.waiting).push(Arc::clone(asker));
        let found = self.get_or_read(snapshot, asker);
        lock(&self.waiting).retain(|other| !Arc::ptr_eq(other, asker));
        found
    }

    /// The packages that were read already.
    pub(super) fn known(&self) -> Option<Arc<ServedPackages>> {
        self.read.try_lock().ok()?.clone()
    }

    fn get_or_read(&self, snapshot: &Snapshot, asker: &Arc<Asker>) -> Result<Arc<ServedPackages>, String> {
        let mut last = lock(&self.read);
        if let Some(known) = last.as_ref().filter(|known| known.is_current()) {
            return Ok(Arc::clone(known));
        }
        let observe = &mut |progress: Progress| {
            if let Progress::Parsed { done, total, .. } = progress {
                (asker.report)(BuildProgress { done, total });
            }
            let is_awaited = lock(&self.waiting).iter().any(|asker| !(asker.is_cancelled)());
            if is_awaited { Control::Continue } else { Control::Cancel }
        };
        Ok(Arc::clone(last.insert(Arc::new(ServedPackages::read(snapshot, observe)?))))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The packages that the code of a snapshot uses.
pub(super) struct ServedPackages {
    /// The symbols of the packages, and the index.
    pub(super) symbols: Arc<SymbolTable>,
    /// The files of the index.
    pub(super) source: Source,
    /// A number that no other index of the server has.
    pub(super) generation: u64,
    /// The state of what was installed.
    installed: InstalledState,
    corpus: OnceLock<Corpus>,
    corpora: Corpora,
}

impl ServedPackages {
    /// Indexes the packages that the code of a snapshot uses.
    ///
    /// # Errors
    /// The reason for which there is no index.
    fn read(snapshot: &Snapshot, observe: &mut dyn FnMut(Progress) -> Control) -> Result<Self, String> {
        let cache = &snapshot.corpora().cache;
        let read = PackageIndex::read(&snapshot.source, cache.as_ref(), snapshot.environment(), observe);
        let PackageIndex { index, source, installed, .. } =
            read?.ok_or_else(|| environments::why_none(snapshot.environment()))?;
        let index = if snapshot.weights.are_default() {
            index
        } else {
            index.weighted(snapshot.weights.clone()).map_err(|error| error.to_string())?
        };
        Ok(Self {
            symbols: Arc::new(SymbolTable::new(Arc::new(index))),
            source,
            installed,
            generation: snapshot.generation | OF_PACKAGES,
            corpus: OnceLock::new(),
            corpora: snapshot.corpora().clone(),
        })
    }

    /// The packages, by the number of calls.
    pub(super) fn packages(&self) -> Arc<[Dependency]> {
        self.symbols.index().packages.clone().unwrap_or_default()
    }

    /// True if nothing was installed or removed since the packages were read, as far as the times of folders tell.
    pub(super) fn is_current(&self) -> bool {
        self.installed.is_current()
    }

    /// The corpus that `discover` searches.
    pub(super) fn corpus(&self) -> &Corpus {
        self.corpus.get_or_init(|| self.corpora.get(&self.source, &self.symbols))
    }
}
