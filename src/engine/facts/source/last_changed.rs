//! The times at which files were last changed: from the history of their git repository, else from the file system.

use std::{fs, path::Path, time::UNIX_EPOCH};

use compact_str::CompactString;
use git2::Repository;
use rustc_hash::FxHashMap;

use super::{
    Source, git,
    git_objects::{self, ObjectBudget},
    history::{CommitFiles, History},
};

/// The budget for the folders of the commit that is checked out.
const HEAD_BUDGET: ObjectBudget = ObjectBudget { objects: 1_000_000, bytes: 1 << 30 };

/// The times of the last changes of one source's files. The part of the history that was read is remembered until the
/// `HEAD` of the repository moves.
#[derive(Debug, Default)]
pub struct LastChanged {
    history: Option<History>,
    /// The remembered times of each of several sources, by its folder.
    parts: FxHashMap<CompactString, LastChanged>,
}

/// The times of some files.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ChangeTimes {
    /// The time of the last change in seconds since 1970, by path from the root of the source. A path without a known
    /// time is left out.
    pub by_path: FxHashMap<CompactString, i64>,
    /// The number of tracked files without a known time, because a limit ended the reading of the history.
    pub beyond_limit: usize,
}

impl LastChanged {
    /// The times of the last changes of `paths`. A file that no repository tracks has the modification time of the file
    /// system.
    ///
    /// `is_replaced` is called before each object of the repository is read. If it returns true, the caller no longer
    /// needs the answer, and `None` is returned.
    pub fn times(
        &mut self,
        source: &Source,
        paths: &[CompactString],
        is_replaced: &dyn Fn() -> bool,
    ) -> Option<ChangeTimes> {
        let root = match source {
            Source::Folder(root) => root,
            Source::Linked(_) => return self.times_of_parts(source, paths, is_replaced),
            Source::Memory { .. } | Source::Commit(_) | Source::Missing { .. } | Source::Revised(_) => {
                return Some(ChangeTimes::default());
            }
        };
        let mut times = ChangeTimes::default();
        let mut untracked = paths.to_vec();
        if let Some((repository, prefix)) = enclosing_repository(root)
            && let Some(head) = git_objects::head(&repository)
        {
            let full = |path: &str| CompactString::from(format!("{prefix}{path}"));
            let wanted: Vec<CompactString> = untracked.iter().map(|path| full(path)).collect();
            let remembered = self.history.take().filter(|history| history.head() == head);
            let history = self.history.insert(remembered.unwrap_or_else(|| History::new(head)));
            history.read(&repository, &wanted, is_replaced).ok()?;
            let mut budget = HEAD_BUDGET;
            let mut files = CommitFiles::of_head(&repository, &mut budget, is_replaced);
            untracked.retain(|path| {
                let full = full(path);
                if !files.as_mut().is_some_and(|files| files.contains(&full)) {
                    return true;
                }
                match history.time(&full) {
                    Some(time) => _ = times.by_path.insert(path.clone(), time),
                    None => times.beyond_limit += usize::from(history.is_limited),
                }
                false
            });
            if is_replaced() {
                return None;
            }
        }
        for path in untracked {
            let file = if root.is_file() { root.clone() } else { root.join(path.as_str()) };
            let modified = fs::metadata(file).and_then(|meta| meta.modified()).ok();
            let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            if let Some(since) = since {
                times.by_path.insert(path, i64::try_from(since.as_secs()).unwrap_or(i64::MAX));
            }
        }
        Some(times)
    }
}

impl LastChanged {
    /// [`Self::times`] of several sources.
    fn times_of_parts(
        &mut self,
        source: &Source,
        paths: &[CompactString],
        is_replaced: &dyn Fn() -> bool,
    ) -> Option<ChangeTimes> {
        let mut times = ChangeTimes::default();
        for (folder, part) in source.parts() {
            let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
            let inner = paths.iter().filter_map(|path| path.strip_prefix(&*prefix).map(CompactString::from));
            let inner: Vec<CompactString> = inner.collect();
            let found = self.parts.entry(folder).or_default().times(part, &inner, is_replaced)?;
            times
                .by_path
                .extend(found.by_path.into_iter().map(|(path, time)| (format!("{prefix}{path}").into(), time)));
            times.beyond_limit += found.beyond_limit;
        }
        Some(times)
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
            names.iter().map(|path| found.by_path.get(path).copied()).collect()
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
        assert!(found.is_some_and(|found| found.by_path.contains_key("a.py")));
        let memory = Source::Memory { name: "m".to_owned(), files: Vec::new() };
        assert_eq!(LastChanged::default().times(&memory, &["a.py".into()], &|| false), Some(ChangeTimes::default()));
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
