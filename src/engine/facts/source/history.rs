//! The history of a git repository: when each path was last changed.
//!
//! Two versions of a folder are compared by the ids of their entries, and only entries with different ids are compared
//! further. So the work grows with the changes and not with the size of the repository, and can be stopped at each
//! folder.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use compact_str::CompactString;
use git2::{ObjectType, Oid, Repository, Tree, TreeEntry};
use rustc_hash::{FxHashMap, FxHashSet};

use super::git_objects::{self, ObjectBudget, ObjectReader, Stop};

/// The number of commits that are read.
const MAX_COMMITS: usize = 20_000;
/// The longest path in bytes. Common file systems have no longer one.
const MAX_PATH_BYTES: usize = 4096;
/// The memory for paths in bytes.
const MAX_MEMORY: usize = 256 << 20;
/// The memory in bytes that a path takes beside its text.
const BYTES_PER_PATH: usize = 64;
/// The budget of one history. Reading 20,000 commits of a large repository uses a tenth of the budget.
const BUDGET: ObjectBudget = ObjectBudget { objects: 2_000_000, bytes: 4 << 30 };

/// The part of a history that has been read, from the newest commit on.
#[derive(Debug)]
pub(super) struct History {
    head: Oid,
    /// The time of the last change in seconds since 1970, by path from the root of the repository.
    times: FxHashMap<CompactString, i64>,
    /// The commits to be read next: the newest one first, then the one that was found first.
    pending: BinaryHeap<(i64, Reverse<usize>, Oid)>,
    /// The commits that are or were in `pending`.
    found: FxHashSet<Oid>,
    commits: usize,
    budget: ObjectBudget,
    memory: usize,
    /// True if a limit has ended the reading.
    pub(super) is_limited: bool,
}

/// Two versions of a folder. A version that does not exist is `None`.
struct FolderChange {
    /// The path of the folder: empty, or with a slash at its end.
    path: String,
    before: Option<Oid>,
    after: Option<Oid>,
}

impl History {
    /// A history of which nothing has been read.
    pub(super) fn new(head: Oid) -> Self {
        Self {
            head,
            times: FxHashMap::default(),
            pending: BinaryHeap::from([(i64::MAX, Reverse(0), head)]),
            found: FxHashSet::from_iter([head]),
            commits: MAX_COMMITS,
            budget: BUDGET,
            memory: MAX_MEMORY,
            is_limited: false,
        }
    }

    /// The newest commit.
    pub(super) fn head(&self) -> Oid {
        self.head
    }

    /// The time of the last change of a path, if it has been read.
    pub(super) fn time(&self, path: &str) -> Option<i64> {
        self.times.get(path).copied()
    }

    /// Reads on until the times of all `wanted` paths are known, the history ends, or a limit is reached.
    ///
    /// # Errors
    /// [`Stop::Replaced`] if `is_replaced`, which is called before each object, returns true.
    pub(super) fn read(
        &mut self,
        repository: &Repository,
        wanted: &[CompactString],
        is_replaced: &dyn Fn() -> bool,
    ) -> Result<(), Stop> {
        let mut missing: FxHashSet<&str> = wanted.iter().map(CompactString::as_str).collect();
        missing.retain(|path| !self.times.contains_key(*path));
        while !missing.is_empty() && !self.is_limited {
            let Some(next) = self.pending.pop() else { break };
            match self.read_commit(repository, next.2, &mut missing, is_replaced) {
                Ok(()) | Err(Stop::Unreadable) => {}
                Err(Stop::Limit) => self.is_limited = true,
                Err(Stop::Replaced) => {
                    self.pending.push(next);
                    return Err(Stop::Replaced);
                }
            }
        }
        Ok(())
    }

    /// Reads the changes of one commit, and adds its parents to the commits to be read.
    fn read_commit(
        &mut self,
        repository: &Repository,
        id: Oid,
        missing: &mut FxHashSet<&str>,
        is_replaced: &dyn Fn() -> bool,
    ) -> Result<(), Stop> {
        if self.commits == 0 {
            return Err(Stop::Limit);
        }
        let mut budget = self.budget.clone();
        let result = (|| {
            let mut objects = ObjectReader::new(repository, &mut budget, is_replaced).ok_or(Stop::Unreadable)?;
            let commit = objects.commit(id)?;
            // A merge commit changes nothing itself: the changes are in the merged commits.
            if commit.parent_count() <= 1 {
                let before = commit.parent_id(0).ok().and_then(|parent| objects.commit(parent).ok());
                let before = before.map(|parent| parent.tree_id());
                self.compare(&mut objects, before, commit.tree_id(), commit.time().seconds(), missing)?;
            }
            for parent in commit.parent_ids() {
                if self.found.contains(&parent) {
                    continue;
                }
                match objects.commit(parent) {
                    Ok(commit) => {
                        self.pending.push((commit.time().seconds(), Reverse(self.found.len()), parent));
                        self.found.insert(parent);
                    }
                    // The parents of a shallow clone's oldest commits do not exist.
                    Err(Stop::Unreadable) => {}
                    Err(stop) => return Err(stop),
                }
            }
            Ok(())
        })();
        self.budget = budget;
        if result != Err(Stop::Replaced) {
            self.commits -= 1;
        }
        result
    }

    /// Stores `time` as the time of every path that differs between two trees and has no newer time.
    fn compare(
        &mut self,
        objects: &mut ObjectReader<'_>,
        before: Option<Oid>,
        after: Oid,
        time: i64,
        missing: &mut FxHashSet<&str>,
    ) -> Result<(), Stop> {
        let mut changes = vec![FolderChange { path: String::new(), before, after: Some(after) }];
        let mut waiting = 0;
        while let Some(change) = changes.pop() {
            waiting -= change.path.len();
            if change.before == change.after {
                continue;
            }
            let mut tree = |id: Option<Oid>| match id.map(|id| objects.tree(id)) {
                Some(Ok(tree)) => Ok(Some(tree)),
                None | Some(Err(Stop::Unreadable)) => Ok(None),
                Some(Err(stop)) => Err(stop),
            };
            let (before, after) = (tree(change.before)?, tree(change.after)?);
            for (before, after) in changed_entries(before.as_ref(), after.as_ref()) {
                let Some(name) = after.as_ref().or(before.as_ref()).and_then(|entry| entry.name().ok()) else {
                    continue;
                };
                if change.path.len() + name.len() >= MAX_PATH_BYTES {
                    continue;
                }
                let path = format!("{}{name}", change.path);
                if [&before, &after].into_iter().flatten().any(|entry| !is_folder(entry)) {
                    if !self.times.contains_key(path.as_str()) {
                        self.memory = self.memory.checked_sub(path.len() + BYTES_PER_PATH).ok_or(Stop::Limit)?;
                        self.times.insert(path.as_str().into(), time);
                        missing.remove(path.as_str());
                    }
                } else {
                    let id = |entry: Option<TreeEntry<'_>>| entry.map(|entry| entry.id());
                    let change = FolderChange { path: path + "/", before: id(before), after: id(after) };
                    waiting += change.path.len();
                    if waiting > MAX_MEMORY {
                        return Err(Stop::Limit);
                    }
                    changes.push(change);
                }
            }
        }
        Ok(())
    }
}

/// The entries that differ between two versions of a folder. The entries of a tree are sorted.
fn changed_entries<'t>(
    before: Option<&'t Tree<'_>>,
    after: Option<&'t Tree<'_>>,
) -> impl Iterator<Item = (Option<TreeEntry<'t>>, Option<TreeEntry<'t>>)> {
    let mut before = before.into_iter().flat_map(Tree::iter).peekable();
    let mut after = after.into_iter().flat_map(Tree::iter).peekable();
    std::iter::from_fn(move || {
        loop {
            let order = match (before.peek(), after.peek()) {
                (None, None) => return None,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(before), Some(after)) => sort_key(before).cmp(sort_key(after)),
            };
            let pair = match order {
                Ordering::Less => (before.next(), None),
                Ordering::Greater => (None, after.next()),
                Ordering::Equal => (before.next(), after.next()),
            };
            let is_same = matches!(&pair, (Some(before), Some(after))
                if before.id() == after.id() && before.filemode() == after.filemode());
            if !is_same {
                return Some(pair);
            }
        }
    })
}

/// The bytes by which git sorts the entries of a tree: the name of a folder ends in a slash.
fn sort_key<'e>(entry: &'e TreeEntry<'_>) -> impl Iterator<Item = u8> + 'e {
    entry.name_bytes().iter().copied().chain(is_folder(entry).then_some(b'/'))
}

fn is_folder(entry: &TreeEntry<'_>) -> bool {
    entry.kind() == Some(ObjectType::Tree)
}

/// The files that a commit contains, of which the folders are read as they are needed.
pub(super) struct CommitFiles<'r> {
    objects: ObjectReader<'r>,
    /// The trees that have been read, by path; the root has an empty path.
    folders: FxHashMap<String, Option<Tree<'r>>>,
}

impl<'r> CommitFiles<'r> {
    /// The files of the commit that is checked out.
    pub(super) fn of_head(
        repository: &'r Repository,
        budget: &'r mut ObjectBudget,
        is_replaced: &'r dyn Fn() -> bool,
    ) -> Option<Self> {
        let head = git_objects::head(repository)?;
        let mut objects = ObjectReader::new(repository, budget, is_replaced)?;
        let root = objects.commit(head).ok()?.tree_id();
        let root = objects.tree(root).ok()?;
        Some(Self { objects, folders: FxHashMap::from_iter([(String::new(), Some(root))]) })
    }

    /// True if the commit contains this path.
    pub(super) fn contains(&mut self, path: &str) -> bool {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        self.read_folder(folder);
        self.folders.get(folder).and_then(Option::as_ref).is_some_and(|tree| tree.get_name(name).is_some())
    }

    /// Reads a folder and those above it.
    fn read_folder(&mut self, folder: &str) {
        let ends = folder.match_indices('/').map(|(at, _)| at).chain([folder.len()]);
        let mut above = "";
        for end in ends {
            let path = &folder[..end];
            if !self.folders.contains_key(path) {
                let name = path[above.len()..].trim_start_matches('/');
                let parent = self.folders.get(above).and_then(Option::as_ref);
                let id = parent.and_then(|tree| tree.get_name(name)).filter(is_folder).map(|entry| entry.id());
                let tree = id.and_then(|id| self.objects.tree(id).ok());
                self.folders.insert(path.to_owned(), tree);
            }
            above = path;
        }
    }
}

#[cfg(test)]
mod tests;
