//! Says when something in the folders of a source has changed. It sleeps in the system until that happens.

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

/// Watches folders; dropping it ends that.
pub(super) struct Watcher {
    system: RecommendedWatcher,
    folders: Arc<Mutex<HashSet<PathBuf>>>,
    /// What the system was asked to watch.
    watched: HashSet<PathBuf>,
}

/// One watch a folder where the system knows no other: what the walk ignores costs nothing then. Elsewhere the root
/// is watched with all below it, and what is ignored is sorted out here.
const BY_FOLDER: bool = cfg!(target_os = "linux");

impl Watcher {
    /// Watches nothing yet; `changed` is called from a thread of its own.
    pub(super) fn new(changed: impl Fn() + Send + 'static) -> notify::Result<Self> {
        let folders: Arc<Mutex<HashSet<PathBuf>>> = Arc::default();
        let known = Arc::clone(&folders);
        let system = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let is_news = match event {
                // Events were lost: anything may have changed.
                Ok(event) if event.need_rescan() => true,
                Ok(event) => is_change(event.kind) && event.paths.iter().any(|path| is_known(&known, path)),
                Err(_) => false,
            };
            if is_news {
                changed();
            }
        })?;
        Ok(Self { system, folders, watched: HashSet::new() })
    }

    /// Watches these folders and no others. True where some of them are new.
    pub(super) fn follow(&mut self, folders: &[PathBuf]) -> notify::Result<bool> {
        let folders: HashSet<PathBuf> = folders.iter().map(|folder| absolute(folder)).collect();
        let wanted: HashSet<PathBuf> = if BY_FOLDER {
            folders.clone()
        } else {
            folders.iter().min_by_key(|folder| folder.components().count()).cloned().into_iter().collect()
        };
        *self.folders.lock().unwrap_or_else(PoisonError::into_inner) = folders;
        for gone in self.watched.difference(&wanted) {
            // It is an error where the folder is gone, and nothing is left to do.
            let _ = self.system.unwatch(gone);
        }
        let new: Vec<PathBuf> = wanted.difference(&self.watched).cloned().collect();
        self.watched.retain(|folder| wanted.contains(folder));
        let mode = if BY_FOLDER { RecursiveMode::NonRecursive } else { RecursiveMode::Recursive };
        let mut watched = false;
        for folder in new {
            match self.system.watch(&folder, mode) {
                Ok(()) => {
                    self.watched.insert(folder);
                    watched = true;
                }
                Err(_) if !folder.exists() => {}
                Err(why) => return Err(why),
            }
        }
        Ok(watched)
    }
}

/// What may change the content of a file or the files of a folder; reading does not.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => false,
        _ => true,
    }
}

fn is_known(folders: &Mutex<HashSet<PathBuf>>, path: &Path) -> bool {
    let folders = folders.lock().unwrap_or_else(PoisonError::into_inner);
    source::may_affect_index(path)
        && (path.parent().is_some_and(|folder| folders.contains(folder)) || folders.contains(path))
}

/// As the system names it in events: with links resolved.
fn absolute(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}
