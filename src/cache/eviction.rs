//! Eviction: removes packs that were not used for a month, then the least recently used packs until the others fit. The
//! index and the corpus beside a pack are removed with it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use super::{ENDING, INDEX_ENDING, corpus};

/// The file extensions of the files that stand beside a pack of the same name.
const COMPANIONS: [&str; 2] = [INDEX_ENDING, corpus::ENDING];

/// A pack that was not used for this time is removed.
const MAX_IDLE: Duration = Duration::from_hours(30 * 24);

/// The greatest number of packs that are kept. A run that parses a new file opens the most recently used of them.
pub(super) const MAX_PACKS: usize = 512;

/// A pack on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PackFile {
    /// The time of its last change. A run that finds all facts in the pack sets this time too.
    pub(super) last_use: SystemTime,
    pub(super) path: PathBuf,
    /// The size of the pack and of its companion files.
    pub(super) bytes: u64,
    /// True if an index is stored next to the pack.
    pub(super) has_index: bool,
}

/// The packs in a folder, and the files beside them.
pub(super) fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    paths.filter(|path| {
        path.extension().is_some_and(|ending| ending == ENDING || COMPANIONS.iter().any(|own| ending == *own))
    })
}

/// The packs in a folder, last used first.
pub(super) fn packs(folder: &Path) -> Vec<PackFile> {
    let packs =
        files(folder).filter(|path| path.extension().is_some_and(|ending| ending == ENDING)).filter_map(|path| {
            let metadata = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
            let size = |ending| fs::symlink_metadata(path.with_extension(ending)).ok().map(|file| file.len());
            let bytes = metadata.len() + COMPANIONS.into_iter().filter_map(size).sum::<u64>();
            let has_index = size(INDEX_ENDING).is_some();
            Some(PackFile { last_use: metadata.modified().ok()?, path, bytes, has_index })
        });
    let mut packs: Vec<PackFile> = packs.collect();
    packs.sort_by(|a, b| b.last_use.cmp(&a.last_use).then_with(|| a.path.cmp(&b.path)));
    packs
}

/// Removes packs until the others are at most [`MAX_PACKS`] and have at most `max_bytes` together. Another process may
/// evict at the same time, so a pack that no longer exists is no error.
pub(super) fn evict(folder: &Path, max_bytes: u64) {
    let now = SystemTime::now();
    let (mut kept, mut bytes) = (0, 0);
    for pack in packs(folder) {
        let is_idle = now.duration_since(pack.last_use).is_ok_and(|idle| idle > MAX_IDLE);
        if is_idle || kept == MAX_PACKS || bytes + pack.bytes > max_bytes {
            for ending in COMPANIONS {
                let _ = fs::remove_file(pack.path.with_extension(ending));
            }
            let _ = fs::remove_file(pack.path);
        } else {
            kept += 1;
            bytes += pack.bytes;
        }
    }
    // Files whose pack another process has removed meanwhile.
    for path in files(folder).filter(|path| !path.with_extension(ENDING).exists()) {
        let _ = fs::remove_file(path);
    }
}
