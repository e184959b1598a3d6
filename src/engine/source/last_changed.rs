//! When files were changed last: by the history of the repository that they stand in, else by the file system.

use std::{fs, path::Path, time::UNIX_EPOCH};

use compact_str::CompactString;
use git2::{DiffOptions, Oid, Repository, Sort};
use rustc_hash::FxHashMap;

use super::Source;

/// So many commits are looked through; what was not changed in any of them is older.
const MOST: usize = 20_000;

/// The last changes of files of one source. What was read of the history is kept as long as that is the same.
#[derive(Debug, Default)]
pub struct LastChanged {
    head: Option<Oid>,
    /// By path from the repository's root, seconds since 1970.
    changed: FxHashMap<CompactString, i64>,
    /// Every commit that counts was looked through.
    is_whole: bool,
}

impl LastChanged {
    /// When each of `paths` was changed last, in seconds since 1970; those that nothing is known of are left out. A file
    /// that the repository does not track, or one without a repository, tells that itself. `is_replaced` is asked now
    /// and then; `None` where it says yes.
    pub fn of(
        &mut self,
        source: &Source,
        paths: &[CompactString],
        is_replaced: &dyn Fn() -> bool,
    ) -> Option<FxHashMap<CompactString, i64>> {
        let Source::Folder(root) = source else { return Some(FxHashMap::default()) };
        let mut found = FxHashMap::default();
        let mut left = paths.to_vec();
        if let Some((repository, prefix)) = repository(root) {
            let full = |path: &str| CompactString::from(format!("{prefix}{path}"));
            let wanted: Vec<CompactString> = left.iter().map(|path| full(path)).collect();
            // An unreadable history is none.
            if self.read(&repository, &wanted, is_replaced).unwrap_or(false) {
                return None;
            }
            let head = repository.head().and_then(|head| head.peel_to_tree()).ok();
            let is_tracked = |path: &str| head.as_ref().is_some_and(|tree| tree.get_path(Path::new(path)).is_ok());
            left.retain(|path| {
                let full = full(path);
                match self.changed.get(&full) {
                    Some(time) if is_tracked(&full) => {
                        found.insert(path.clone(), *time);
                        false
                    }
                    _ => !is_tracked(&full),
                }
            });
        }
        for path in left {
            let file = if root.is_file() { root.clone() } else { root.join(path.as_str()) };
            let modified = fs::metadata(file).and_then(|meta| meta.modified()).ok();
            let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            if let Some(since) = since {
                found.insert(path, i64::try_from(since.as_secs()).unwrap_or(i64::MAX));
            }
        }
        Some(found)
    }

    /// Reads the history, the newest commit first, until all that is wanted is known. True where it was replaced.
    fn read(
        &mut self,
        repository: &Repository,
        wanted: &[CompactString],
        is_replaced: &dyn Fn() -> bool,
    ) -> Result<bool, git2::Error> {
        let head = repository.head()?.peel_to_commit()?.id();
        if self.head != Some(head) {
            *self = Self { head: Some(head), ..Self::default() };
        }
        let mut left = wanted.iter().filter(|path| !self.changed.contains_key(*path)).count();
        if left == 0 || self.is_whole {
            return Ok(false);
        }
        let mut walk = repository.revwalk()?;
        walk.set_sorting(Sort::TIME)?;
        walk.push(head)?;
        for id in walk.take(MOST) {
            if is_replaced() {
                return Ok(true);
            }
            let commit = repository.find_commit(id?)?;
            // What a merge brings was changed in a commit behind it.
            if commit.parent_count() > 1 {
                continue;
            }
            let before = commit.parent(0).and_then(|parent| parent.tree()).ok();
            let mut options = DiffOptions::new();
            options.skip_binary_check(true);
            let diff = repository.diff_tree_to_tree(before.as_ref(), Some(&commit.tree()?), Some(&mut options))?;
            for delta in diff.deltas() {
                let Some(path) = delta.new_file().path().and_then(Path::to_str) else { continue };
                if !self.changed.contains_key(path) {
                    self.changed.insert(path.into(), commit.time().seconds());
                    left -= usize::from(wanted.iter().any(|wanted| wanted == path));
                }
            }
            if left == 0 {
                return Ok(false);
            }
        }
        self.is_whole = true;
        Ok(false)
    }
}

/// The repository that a folder stands in, and what leads from its root to that folder, with a slash behind it.
fn repository(root: &Path) -> Option<(Repository, String)> {
    let root = root.canonicalize().ok()?;
    let folder = if root.is_file() { root.parent()? } else { &root };
    let repository = Repository::discover(folder).ok()?;
    let top = repository.workdir()?.canonicalize().ok()?;
    let inside = folder.strip_prefix(top).ok()?.to_str()?.replace('\\', "/");
    let prefix = if inside.is_empty() { inside } else { format!("{inside}/") };
    Some((repository, prefix))
}

#[cfg(test)]
mod tests {
    use git2::{IndexAddOption, Signature, Time};

    use super::*;

    struct History(Repository, tempfile::TempDir);

    impl History {
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

        fn ages(&self, ages: &mut LastChanged, below: &str, paths: &[&str]) -> Vec<Option<i64>> {
            let source = Source::Folder(self.1.path().join(below));
            let names: Vec<CompactString> = paths.iter().map(|path| CompactString::from(*path)).collect();
            let found = ages.of(&source, &names, &|| false).expect("nothing replaces it");
            names.iter().map(|path| found.get(path).copied()).collect()
        }
    }

    #[test]
    fn the_last_commit_that_changed_a_file_counts() {
        let history = History::new();
        history.write("src/a.py", "1");
        history.write("src/b.py", "1");
        history.commit(1_000);
        history.write("src/b.py", "2");
        history.commit(2_000);
        let mut ages = LastChanged::default();
        assert_eq!(history.ages(&mut ages, "", &["src/b.py", "src/a.py"]), [Some(2_000), Some(1_000)]);
        assert_eq!(history.ages(&mut ages, "src", &["b.py", "a.py"]), [Some(2_000), Some(1_000)]);
        // A new commit is seen, and a file that is in none tells its age itself.
        history.write("src/a.py", "2");
        history.commit(3_000);
        history.write("src/new.py", "1");
        let [a, new, gone] = history.ages(&mut ages, "src", &["a.py", "new.py", "gone.py"])[..] else {
            panic!("three")
        };
        assert_eq!((a, gone), (Some(3_000), None));
        assert!(new.is_some_and(|new| new > 3_000));
    }

    #[test]
    fn without_git_the_files_tell_it() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.py"), "1").expect("a file");
        let found = LastChanged::default().of(&Source::Folder(folder.path().to_owned()), &["a.py".into()], &|| false);
        assert!(found.is_some_and(|found| found.contains_key("a.py")));
        let memory = Source::Memory { name: "m".to_owned(), files: Vec::new() };
        assert_eq!(LastChanged::default().of(&memory, &["a.py".into()], &|| false), Some(FxHashMap::default()));
    }

    #[test]
    fn who_wants_something_else_by_now_waits_for_nothing() {
        let history = History::new();
        history.write("a.py", "1");
        history.commit(1_000);
        let source = Source::Folder(history.1.path().to_owned());
        assert_eq!(LastChanged::default().of(&source, &["a.py".into()], &|| true), None);
    }
}
