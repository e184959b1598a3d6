//! What a change did to the files of a repository: lines that it left alone, and files that it moved.

use std::cell::{OnceCell, RefCell};

use rustc_hash::{FxHashMap, FxHashSet};
use similar::{Algorithm, DiffOp, TextDiff};

use apidisc_facts::source::RevisedSource;

/// The greatest number of new files that are compared with a file that is gone.
const MAX_CANDIDATES: usize = 50;
/// A file that is gone counts as moved to a new file that has at least this share of its lines.
const LIKE: f64 = 0.5;
/// The greatest number of lines of a text that is compared with its other revision.
const MAX_LINES: usize = 50_000;

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
    /// For each file of the old revision that was asked for: its path in the new one.
    moved: RefCell<FxHashMap<String, Option<String>>>,
    /// The paths of the new revision without their extensions.
    stems: OnceCell<FxHashSet<String>>,
}

struct KeptLines {
    path: String,
    lines: Vec<u32>,
}

impl<'r> Edits<'r> {
    /// The change from `old` to `new`, of which the files of the repository have paths below `folder`.
    pub fn new(folder: &str, old: RevisionFiles<'r>, new: RevisionFiles<'r>) -> Self {
        let (files, moved, stems) = (RefCell::default(), RefCell::default(), OnceCell::new());
        Self { folder: folder.to_owned(), old, new, files, moved, stems }
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
        if let Some(known) = self.moved.borrow().get(path) {
            return known.clone();
        }
        let found = self.likest(path);
        self.moved.borrow_mut().insert(path.to_owned(), found.clone());
        found
    }

    /// The path of the new file that is most like a file that is gone.
    fn likest(&self, path: &str) -> Option<String> {
        let text = (self.old.read)(path)?;
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
        // Of equal candidates the first is taken.
        let best = candidates.filter(|(likeness, _)| *likeness >= LIKE).min_by(|a, b| b.0.total_cmp(&a.0));
        best.map(|(_, new)| new.clone())
    }

    /// True if the new revision has a file of this path with any extension: a module may have been compiled.
    pub(crate) fn has_stem(&self, path: &str) -> bool {
        let stems = self.stems.get_or_init(|| self.new.paths.iter().map(|path| stem(path).to_owned()).collect());
        !path.is_empty() && stems.contains(stem(path))
    }

    fn kept_lines(&self, path: &str) -> Option<KeptLines> {
        let new_path = self.moved(path)?;
        let (old, new) = ((self.old.read)(path)?, (self.new.read)(&new_path)?);
        let mut lines = vec![0; old.lines().count()];
        if lines.len().max(new.lines().count()) > MAX_LINES {
            return None;
        }
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

/// The part of a path after its last point.
fn ending(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(_, ending)| ending)
}

/// A path without its extension.
fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// The folder and the name of a file.
fn parted(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_files_the_first_one_counts_as_the_moved_one() {
        let read = |_: &str| Some("one\ntwo\n".to_owned());
        let files = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
        let old = RevisionFiles { paths: files(&["a/x.py"]), read: &read };
        let new = RevisionFiles { paths: files(&["b/x.py", "b/y.py", "c/x.py"]), read: &read };
        let edits = Edits::new("", old, new);
        assert_eq!([(); 2].map(|()| edits.moved("a/x.py")), [Some("b/x.py".to_owned()), Some("b/x.py".to_owned())]);
        assert!(edits.has_stem("b/y.js") && !edits.has_stem("a/x.py") && !edits.has_stem(""));
    }

    #[test]
    fn texts_with_very_many_lines_are_not_compared() {
        let read = |_: &str| Some("line\n".repeat(MAX_LINES + 1));
        let files = || RevisionFiles { paths: ["a.py".to_owned()].into_iter().collect(), read: &read };
        assert_eq!(Edits::new("", files(), files()).kept("a.py", 1), None);
    }

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
