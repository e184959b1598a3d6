//! Notices changes in the folders of a source, by events of the operating system.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode, ModifyKind},
};

use apidisc::source;

/// Watches folders until it is dropped.
pub(super) struct Watcher {
    system: RecommendedWatcher,
    /// The folders whose events count.
    folders: Arc<Mutex<HashSet<PathBuf>>>,
    /// The folders that are registered with the system.
    watched: HashSet<PathBuf>,
}

/// Linux watches single folders, so ignored folders cost nothing. Other systems watch the root with everything below
/// it, and events of ignored folders are dropped here.
const BY_FOLDER: bool = cfg!(target_os = "linux");

impl Watcher {
    /// Watches nothing yet. `on_change` is called on a thread of the watcher.
    pub(super) fn new(on_change: impl Fn() + Send + 'static) -> notify::Result<Self> {
        let folders: Arc<Mutex<HashSet<PathBuf>>> = Arc::default();
        let known = Arc::clone(&folders);
        let system = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let is_relevant = match event {
                // Events were lost: anything may have changed.
                Ok(event) if event.need_rescan() => true,
                Ok(event) => is_change(event.kind) && event.paths.iter().any(|path| is_watched(&known, path)),
                Err(_) => false,
            };
            if is_relevant {
                on_change();
            }
        })?;
        Ok(Self { system, folders, watched: HashSet::new() })
    }

    /// Watches these folders and no others. Returns true if it has begun to watch a further folder.
    pub(super) fn watch_only(&mut self, folders: &[PathBuf]) -> notify::Result<bool> {
        let folders: HashSet<PathBuf> = folders.iter().map(|folder| absolute(folder)).collect();
        let wanted: HashSet<PathBuf> = if BY_FOLDER {
            folders.clone()
        } else {
            folders.iter().min_by_key(|folder| folder.components().count()).cloned().into_iter().collect()
        };
        *self.folders.lock().unwrap_or_else(PoisonError::into_inner) = folders;
        for removed in self.watched.difference(&wanted) {
            // An error means that the folder no longer exists, so there is nothing left to do.
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

/// True for an event that may change the content of a file or the files of a folder. Reading a file is no such event.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => false,
        _ => true,
    }
}

/// True if a path may affect the index, and the path or its parent is a folder whose events count.
fn is_watched(folders: &Mutex<HashSet<PathBuf>>, path: &Path) -> bool {
    let folders = folders.lock().unwrap_or_else(PoisonError::into_inner);
    source::may_affect_index(path)
        && (path.parent().is_some_and(|folder| folders.contains(folder)) || folders.contains(path))
}

/// The path of a folder in the system's events: absolute, with links resolved.
fn absolute(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}
