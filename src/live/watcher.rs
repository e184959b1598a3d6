//! Watches the folders of a source for changes, with the file events of the operating system.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode, ModifyKind},
};

use apidisc::source;

/// Watches folders until it is dropped.
pub(super) struct Watcher {
    system: RecommendedWatcher,
    /// The folders whose events are reported.
    folders: Arc<Mutex<HashSet<PathBuf>>>,
    /// The folders that are registered with the operating system.
    watched: HashSet<PathBuf>,
}

/// True on Linux, where each folder is registered by itself, so that ignored folders need no registration. On other
/// systems only the root is registered, with everything below it, and [`is_watched`] drops the events of ignored
/// folders.
const BY_FOLDER: bool = cfg!(target_os = "linux");

impl Watcher {
    /// A watcher that watches no folder yet. It calls `on_change` on its own thread after each event that may affect
    /// the index, and counts in `document_changes` the events that may affect API documents.
    pub(super) fn new(on_change: impl Fn() + Send + 'static, document_changes: Arc<AtomicU64>) -> notify::Result<Self> {
        let folders: Arc<Mutex<HashSet<PathBuf>>> = Arc::default();
        let known = Arc::clone(&folders);
        let system = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let affects = |may_affect: fn(&Path) -> bool| match &event {
                // The system has lost events, so anything may have changed.
                Ok(event) if event.need_rescan() => true,
                Ok(event) => {
                    let mut paths = event.paths.iter().filter(|path| may_affect(path));
                    is_change(event.kind) && paths.any(|path| is_watched(&known, path))
                }
                Err(_) => false,
            };
            if affects(source::may_affect_documents) {
                document_changes.fetch_add(1, Ordering::Release);
            }
            if affects(source::may_affect_index) {
                on_change();
            }
        })?;
        Ok(Self { system, folders, watched: HashSet::new() })
    }

    /// Watches these folders and no others. Returns true if a folder was registered that was not registered before.
    pub(super) fn watch_only(&mut self, folders: &[PathBuf]) -> notify::Result<bool> {
        let folders: HashSet<PathBuf> = folders.iter().map(|folder| absolute(folder)).collect();
        let wanted: HashSet<PathBuf> = if BY_FOLDER {
            folders.clone()
        } else {
            // The roots of the sources: the folders that lie in no other one.
            let is_root = |folder: &&PathBuf| folder.ancestors().skip(1).all(|above| !folders.contains(above));
            folders.iter().filter(is_root).cloned().collect()
        };
        *self.folders.lock().unwrap_or_else(PoisonError::into_inner) = folders;
        for removed in self.watched.difference(&wanted) {
            // An error means that the folder no longer exists, and is ignored.
            let _ = self.system.unwatch(removed);
        }
        let new: Vec<PathBuf> = wanted.difference(&self.watched).cloned().collect();
        self.watched.retain(|folder| wanted.contains(folder));
        let mode = if BY_FOLDER { RecursiveMode::NonRecursive } else { RecursiveMode::Recursive };
        let mut has_begun = false;
        for folder in new {
            match self.system.watch(&folder, mode) {
                Ok(()) => {
                    self.watched.insert(folder);
                    has_begun = true;
                }
                Err(_) if !folder.exists() => {}
                Err(why) => return Err(why),
            }
        }
        Ok(has_begun)
    }
}

/// True if an event may mean that the content of a file or the list of files in a folder has changed. Opening or
/// reading a file, or changing its metadata, does not mean that.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => false,
        _ => true,
    }
}

/// True if `path` or its parent is one of `folders`.
fn is_watched(folders: &Mutex<HashSet<PathBuf>>, path: &Path) -> bool {
    let folders = folders.lock().unwrap_or_else(PoisonError::into_inner);
    path.parent().is_some_and(|folder| folders.contains(folder)) || folders.contains(path)
}

/// The path of a folder in the system's events: absolute, with links resolved.
fn absolute(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}
