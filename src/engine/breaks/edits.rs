//! What a change did to the files of a repository: lines that it left alone, and files that it moved.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};
use similar::{Algorithm, DiffOp, TextDiff};

use apidisc_facts::source::RevisedSource;

/// The greatest number of new files that are compared with a file that is gone.
const MAX_CANDIDATES: usize = 50;
/// The least part of the lines of a file that is gone which the new file has.
const LIKE: f64 = 0.5;

/// The files of a revision of a repository.
pub struct RevisionFiles<'r> {
    /// The paths of the files.
    pub paths: FxHashSet<String>,
    /// Reads a file.
    pub read: &'r dyn Fn(&str) -> Option<String>,
}

/// The difference of two revisions of a repository.
pub struct Edits<'r> {
    /// The folder of the repository in paths of the index; empty if only the repository is indexed.
    folder: String,
    old: RevisionFiles<'r>,
    new: RevisionFiles<'r>,
    /// For each file of the old revision that was asked for: its path in the new one, and the number that each line has
    /// there, from 1; 0 for a line that was changed or removed.
    files: RefCell<FxHashMap<String, Option<KeptLines>>>,
}

struct KeptLines {
    path: String,
    lines: Vec<u32>,
}

impl<'r> Edits<'r> {
    /// The change from `old` to `new`, of which the files of the repository have paths below `folder`.
    pub fn new(folder: &str, old: RevisionFiles<'r>, new: RevisionFiles<'r>) -> Self {
        Self { folder: folder.to_owned(), old, new, files: RefCell::default() }
    }

    /// True for a file that uses the code of the repository and is no part of it: a test, an example, a document, a
    /// file of another source.
    pub fn is_user(&self, path: &str) -> bool {
        self.inner(path).is_none_or(RevisedSource::is_user)
    }

    /// What a file is for, such as `tests`, or the name of another source.
    pub(crate) fn user(&self, path: &str) -> String {
        match self.inner(path) {
            Some(inner) => RevisedSource::origin(inner).word().to_owned(),
            None => path.split('/').next().unwrap_or_default().to_owned(),
        }
    }

    /// The path in the repository; `None` for a file of another source.
    fn inner<'p>(&self, path: &'p str) -> Option<&'p str> {
        if self.folder.is_empty() { Some(path) } else { path.strip_prefix(&self.folder)?.strip_prefix('/') }
    }

    /// The place of a line of the old revision in the new one. `None` for a line that the change edited or removed.
    pub fn kept(&self, path: &str, line: u32) -> Option<(String, u32)> {
        if self.inner(path).is_none() {
            return Some((path.to_owned(), line));
        }
        let mut files = self.files.borrow_mut();
        let file = files.entry(path.to_owned()).or_insert_with(|| self.kept_lines(path)).as_ref()?;
        let line = *file.lines.get(line.checked_sub(1)? as usize)?;
        (line > 0).then(|| (file.path.clone(), line))
    }

    /// The path that a file of the old revision has in the new one.
    pub fn moved(&self, path: &str) -> Option<String> {
        if self.new.paths.contains(path) {
            return Some(path.to_owned());
        }
        let text = (self.old.read)(path)?;
        let ending = |path: &str| path.rsplit_once('.').map(|(_, ending)| ending.to_owned());
        let parted =
            |path: &str| path.rsplit_once('/').map_or((String::new(), path.to_owned()), |(a, b)| (a.into(), b.into()));
        let (folder, name) = parted(path);
        let is_like = |new: &&String| !self.old.paths.contains(*new) && ending(new) == ending(path);
        let mut candidates: Vec<&String> = self.new.paths.iter().filter(is_like).collect();
        candidates.sort_unstable_by_key(|new| {
            let (new_folder, new_name) = parted(new);
            (new_name != name, new_folder != folder, *new)
        });
        let lines: FxHashSet<&str> = text.lines().map(str::trim).filter(|line| line.len() > 1).collect();
        let likeness = |new: &String| {
            let text = (self.new.read)(new).unwrap_or_default();
            let new_lines: FxHashSet<&str> = text.lines().map(str::trim).collect();
            let common = lines.intersection(&new_lines).count();
            common as f64 / lines.len().max(1) as f64
        };
        let candidates = candidates.into_iter().take(MAX_CANDIDATES).map(|new| (likeness(new), new));
        let best = candidates.filter(|(likeness, _)| *likeness >= LIKE).max_by(|a, b| a.0.total_cmp(&b.0));
        best.map(|(_, new)| new.clone())
    }

    /// True if the new revision has a file of this path with any extension: a module may have been compiled.
    pub(crate) fn has_stem(&self, path: &str) -> bool {
        let stem = |path: &str| path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_owned();
        let wanted = stem(path);
        !path.is_empty() && self.new.paths.iter().any(|path| stem(path) == wanted)
    }

    fn kept_lines(&self, path: &str) -> Option<KeptLines> {
        let new_path = self.moved(path)?;
        let (old, new) = ((self.old.read)(path)?, (self.new.read)(&new_path)?);
        let mut lines = vec![0; old.lines().count()];
        let diff = TextDiff::configure().algorithm(Algorithm::Patience).diff_lines(&old, &new);
        for operation in diff.ops() {
            if let DiffOp::Equal { old_index, new_index, len } = *operation {
                for at in 0..len {
                    if let Some(line) = lines.get_mut(old_index + at) {
                        *line = u32::try_from(new_index + at + 1).unwrap_or(0);
                    }
                }
            }
        }
        Some(KeptLines { path: new_path, lines })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_place_unless_they_were_edited() {
        let old = |path: &str| (path == "a/x.py").then(|| "one\ntwo\nthree\nfour\n".to_owned());
        let new = |path: &str| (path == "b/x.py").then(|| "zero\none\n2\nthree\nfour\n".to_owned());
        let paths = |path: &str| [path.to_owned()].into_iter().collect();
        let old = RevisionFiles { paths: paths("a/x.py"), read: &old };
        let edits = Edits::new("", old, RevisionFiles { paths: paths("b/x.py"), read: &new });
        assert_eq!(edits.kept("a/x.py", 1), Some(("b/x.py".into(), 2)));
        assert_eq!(edits.kept("a/x.py", 2), None);
        assert_eq!(edits.kept("a/x.py", 4), Some(("b/x.py".into(), 5)));
        assert_eq!((edits.kept("a/x.py", 0), edits.kept("a/x.py", 9)), (None, None));
        assert_eq!(edits.kept("gone.py", 1), None);
        assert!(edits.is_user("tests/x.py") && !edits.is_user("a/x.py"));
        let read = |_: &str| None;
        let empty = || RevisionFiles { paths: FxHashSet::default(), read: &read };
        let linked = Edits::new("kit", empty(), empty());
        assert!(linked.is_user("app/x.py") && linked.is_user("kit/tests/x.py") && !linked.is_user("kit/a/x.py"));
        assert_eq!(linked.kept("app/x.py", 3), Some(("app/x.py".into(), 3)));
    }
}
