//! The times at which files were last changed: from the history of their git repository, else from the file system.

use std::{fs, path::Path, time::UNIX_EPOCH};

use compact_str::CompactString;
use git2::{DiffOptions, Oid, Repository, Sort};
use rustc_hash::FxHashMap;

use super::{Source, git};

/// The number of commits of the history that are read. A file that none of them changed has no known time.
const MAX_COMMITS: usize = 20_000;

/// The times of the last changes of one source's files. The part of the history that was read is remembered until the
/// `HEAD` of the repository moves.
#[derive(Debug, Default)]
pub struct LastChanged {
    head: Option<Oid>,
    /// Seconds since 1970 by path from the root of the repository.
    times: FxHashMap<CompactString, i64>,
    /// True if no further commits are to be read: the end of the history or [`MAX_COMMITS`] was reached.
    is_complete: bool,
}

impl LastChanged {
    /// The time of the last change of each of `paths`, in seconds since 1970; a path without a known time is left out.
    /// A file that no repository tracks has the modification time of the file system.
    ///
    /// `is_replaced` is called once per commit. If it returns true, the caller no longer needs the answer, and `None`
    /// is returned.
    pub fn times(
        &mut self,
        source: &Source,
        paths: &[CompactString],
        is_replaced: &dyn Fn() -> bool,
    ) -> Option<FxHashMap<CompactString, i64>> {
        let Source::Folder(root) = source else { return Some(FxHashMap::default()) };
        let mut times = FxHashMap::default();
        let mut untracked = paths.to_vec();
        if let Some((repository, prefix)) = enclosing_repository(root) {
            let full = |path: &str| CompactString::from(format!("{prefix}{path}"));
            let wanted: Vec<CompactString> = untracked.iter().map(|path| full(path)).collect();
            // An unreadable history counts as an empty one.
            if self.read_history(&repository, &wanted, is_replaced).unwrap_or(false) {
                return None;
            }
            let head = repository.head().and_then(|head| head.peel_to_tree()).ok();
            let is_tracked = |path: &str| head.as_ref().is_some_and(|tree| tree.get_path(Path::new(path)).is_ok());
            untracked.retain(|path| {
                let full = full(path);
                match self.times.get(&full) {
                    Some(time) if is_tracked(&full) => {
                        times.insert(path.clone(), *time);
                        false
                    }
                    _ => !is_tracked(&full),
                }
            });
        }
        for path in untracked {
            let file = if root.is_file() { root.clone() } else { root.join(path.as_str()) };
            let modified = fs::metadata(file).and_then(|meta| meta.modified()).ok();
            let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            if let Some(since) = since {
                times.insert(path, i64::try_from(since.as_secs()).unwrap_or(i64::MAX));
            }
        }
        Some(times)
    }

    /// Reads the history from the newest commit on, until the times of all `wanted` paths are known. Returns true if
    /// `is_replaced` has ended the reading.
    fn read_history(
        &mut self,
        repository: &Repository,
        wanted: &[CompactString],
        is_replaced: &dyn Fn() -> bool,
    ) -> Result<bool, git2::Error> {
        let head = repository.head()?.peel_to_commit()?.id();
        if self.head != Some(head) {
            *self = Self { head: Some(head), ..Self::default() };
        }
        let mut missing = wanted.iter().filter(|path| !self.times.contains_key(*path)).count();
        if missing == 0 || self.is_complete {
            return Ok(false);
        }
        let mut walk = repository.revwalk()?;
        walk.set_sorting(Sort::TIME)?;
        walk.push(head)?;
        for id in walk.take(MAX_COMMITS) {
            if is_replaced() {
                return Ok(true);
            }
            let commit = repository.find_commit(id?)?;
            // A merge commit changes nothing itself: the changes are in the merged commits.
            if commit.parent_count() > 1 {
                continue;
            }
            let before = commit.parent(0).and_then(|parent| parent.tree()).ok();
            let mut options = DiffOptions::new();
            options.skip_binary_check(true);
            let diff = repository.diff_tree_to_tree(before.as_ref(), Some(&commit.tree()?), Some(&mut options))?;
            for delta in diff.deltas() {
                let Some(path) = delta.new_file().path().and_then(Path::to_str) else { continue };
                if !self.times.contains_key(path) {
                    self.times.insert(path.into(), commit.time().seconds());
                    missing -= usize::from(wanted.iter().any(|wanted| wanted == path));
                }
            }
            if missing == 0 {
                return Ok(false);
            }
        }
        self.is_complete = true;
        Ok(false)
    }
}

/// The repository that contains a folder, and the path from the root of the repository to that folder. The path is
/// empty or ends in a slash.
fn enclosing_repository(root: &Path) -> Option<(Repository, String)> {
    let root = root.canonicalize().ok()?;
    let folder = if root.is_file() { root.parent()? } else { &root };
    let top = folder.ancestors().find(|top| top.join(".git").symlink_metadata().is_ok())?;
    let repository = git::find(top).ok()??.history()?;
    let inside = folder.strip_prefix(top).ok()?.to_str()?.replace('\\', "/");
    let prefix = if inside.is_empty() { inside } else { format!("{inside}/") };
    Some((repository, prefix))
}

#[cfg(test)]
mod tests {
    use git2::{IndexAddOption, Signature, Time};

    use super::*;

    struct TestRepository(Repository, tempfile::TempDir);

    impl TestRepository {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            Self(Repository::init(folder.path()).expect("a repository"), folder)
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.1.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }

        fn commit(&self, seconds: i64) {
            let mut index = self.0.index().expect("an index");
            index.add_all(["."], IndexAddOption::DEFAULT, None).expect("added");
            index.write().expect("written");
            let tree = self.0.find_tree(index.write_tree().expect("a tree")).expect("a tree");
            let who = Signature::new("a", "a@example.org", &Time::new(seconds, 0)).expect("a name");
            let parent = self.0.head().ok().and_then(|head| head.peel_to_commit().ok());
            let parents: Vec<_> = parent.iter().collect();
            self.0.commit(Some("HEAD"), &who, &who, "change", &tree, &parents).expect("a commit");
        }

        fn times(&self, last_changed: &mut LastChanged, below: &str, paths: &[&str]) -> Vec<Option<i64>> {
            let source = Source::Folder(self.1.path().join(below));
            let names: Vec<CompactString> = paths.iter().map(|path| CompactString::from(*path)).collect();
            let found = last_changed.times(&source, &names, &|| false).expect("it is not replaced");
            names.iter().map(|path| found.get(path).copied()).collect()
        }
    }

    #[test]
    fn the_time_of_a_tracked_file_is_that_of_the_last_commit_that_changed_it() {
        let history = TestRepository::new();
        history.write("src/a.py", "1");
        history.write("src/b.py", "1");
        history.commit(1_000);
        history.write("src/b.py", "2");
        history.commit(2_000);
        let mut last_changed = LastChanged::default();
        assert_eq!(history.times(&mut last_changed, "", &["src/b.py", "src/a.py"]), [Some(2_000), Some(1_000)]);
        assert_eq!(history.times(&mut last_changed, "src", &["b.py", "a.py"]), [Some(2_000), Some(1_000)]);
        // A new commit is read, and an untracked file has the time of the file system.
        history.write("src/a.py", "2");
        history.commit(3_000);
        history.write("src/new.py", "1");
        let [a, new, gone] = history.times(&mut last_changed, "src", &["a.py", "new.py", "gone.py"])[..] else {
            panic!("three")
        };
        assert_eq!((a, gone), (Some(3_000), None));
        assert!(new.is_some_and(|new| new > 3_000));
    }

    #[test]
    fn without_a_repository_times_come_from_the_file_system() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.py"), "1").expect("a file");
        let found =
            LastChanged::default().times(&Source::Folder(folder.path().to_owned()), &["a.py".into()], &|| false);
        assert!(found.is_some_and(|found| found.contains_key("a.py")));
        let memory = Source::Memory { name: "m".to_owned(), files: Vec::new() };
        assert_eq!(LastChanged::default().times(&memory, &["a.py".into()], &|| false), Some(FxHashMap::default()));
    }

    #[test]
    fn a_replaced_request_returns_nothing() {
        let history = TestRepository::new();
        history.write("a.py", "1");
        history.commit(1_000);
        let source = Source::Folder(history.1.path().to_owned());
        assert_eq!(LastChanged::default().times(&source, &["a.py".into()], &|| true), None);
    }
}
