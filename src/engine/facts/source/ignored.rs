//! The files and folders that ignore files name: `.ignore`, `.gitignore`, `.git/info/exclude` and the user's excludes.
//!
//! The rules and their order are those of the crate `ignore`, which matches the lines. The files are not read by that
//! crate, because it opens anything that has the name of an ignore file, also a pipe or a device. Here an ignore file
//! that is no readable regular file is reported and counts as empty.
//!
//! Ignore files above the root have no rules for it: a folder that a person names is read as if it stood alone.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path},
};

use super::git;
use apidisc_base::{
    diagnostic::{Diagnostic, Problem},
    files::{FileError, RegularFile, Root},
};

/// The size limit of an ignore file.
const MAX_BYTES: u64 = 256 << 10;

/// The ignore rules that hold at the present place of a walk.
#[derive(Debug)]
pub(super) struct Ignored {
    /// The root of the walk, without links.
    root: PathBuf,
    /// The root as it was given, with which paths of the walk begin.
    given: PathBuf,
    handle: Option<Root>,
    /// The user's excludes.
    global: Gitignore,
    /// The folders from the root to the present folder. Folders without rules are left out.
    levels: Vec<Level>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The rules of one folder.
#[derive(Debug)]
struct Level {
    /// The depth in the walk.
    depth: usize,
    ignore: Gitignore,
    git_ignore: Gitignore,
    git_exclude: Gitignore,
    /// True for the top of a repository. Rules of git above it do not hold below it.
    has_git: bool,
}

impl Ignored {
    /// The rules at the root of a walk.
    pub(super) fn new(given: &Path) -> Self {
        let mut ignored = Self { global: global_excludes(), ..Self::nothing(given) };
        ignored.enter(Path::new(""), 0);
        ignored
    }

    /// The rules of a walk that obeys only ignore files of folders below the root.
    pub(super) fn nothing(given: &Path) -> Self {
        let root = given.canonicalize().unwrap_or_else(|_| given.to_owned());
        Self {
            handle: Root::open(&root).ok(),
            given: given.to_owned(),
            global: Gitignore::empty(),
            levels: Vec::new(),
            diagnostics: Vec::new(),
            root,
        }
    }

    /// True if the entry at `path` is to be left out. `depth` is the number of its names below the root.
    pub(super) fn is_ignored(&mut self, path: &Path, depth: usize, is_dir: bool) -> bool {
        while self.levels.last().is_some_and(|level| level.depth >= depth) {
            self.levels.pop();
        }
        if self.levels.is_empty() {
            return false;
        }
        let whole = if self.root == self.given {
            Cow::Borrowed(path)
        } else {
            Cow::Owned(self.root.join(path.strip_prefix(&self.given).unwrap_or(path)))
        };
        let is_in_git = self.levels.iter().any(|level| level.has_git);
        let (mut ignore, mut git_ignore, mut git_exclude) = (Match::None, Match::None, Match::None);
        let mut is_above_git = false;
        for level in self.levels.iter().rev() {
            let find = |found: Match<()>, rules: &Gitignore| match found {
                Match::None => rules.matched(&whole, is_dir).map(|_| ()),
                found => found,
            };
            ignore = find(ignore, &level.ignore);
            if is_in_git && !is_above_git {
                git_ignore = find(git_ignore, &level.git_ignore);
                git_exclude = find(git_exclude, &level.git_exclude);
            }
            is_above_git |= level.has_git;
        }
        let global = if is_in_git { self.global.matched(path, is_dir).map(|_| ()) } else { Match::None };
        ignore.or(git_ignore).or(git_exclude).or(global).is_ignore()
    }

    /// Adds the rules of a folder that is walked. The next entries are in this folder or below it.
    pub(super) fn enter_folder(&mut self, path: &Path, depth: usize) {
        if let Ok(relative) = path.strip_prefix(&self.given) {
            let relative = relative.to_owned();
            self.enter(&relative, depth);
        }
    }

    fn enter(&mut self, relative: &Path, depth: usize) {
        let folder = self.root.join(relative);
        let has_git = folder.join(".git").symlink_metadata().is_ok();
        let level = Level {
            depth,
            ignore: self.read(relative, ".ignore"),
            git_ignore: self.read(relative, ".gitignore"),
            git_exclude: if has_git { self.exclude(&folder, relative) } else { Gitignore::empty() },
            has_git: has_git || folder.join(".jj").exists(),
        };
        self.push(level);
    }

    fn push(&mut self, level: Level) {
        let matchers = [&level.ignore, &level.git_ignore, &level.git_exclude];
        if level.has_git || matchers.iter().any(|matcher| !matcher.is_empty()) {
            self.levels.push(level);
        }
    }

    /// The rules in the ignore file `name` of a folder below the root.
    fn read(&mut self, relative: &Path, name: &str) -> Gitignore {
        let path = relative.join(name);
        let Some(root) = &self.handle else { return Gitignore::empty() };
        let bytes = root.read(&path, MAX_BYTES);
        self.matcher(&self.root.join(relative), &path, bytes)
    }

    /// The rules in `.git/info/exclude`, which a linked worktree shares with its repository.
    fn exclude(&mut self, folder: &Path, shown: &Path) -> Gitignore {
        let found = match git::find(folder) {
            Ok(found) => found,
            Err(message) => {
                // Below the root only the excludes are read from git.
                if folder == self.root {
                    self.report(Path::new(".git"), Problem::Unreadable, format!("git is not asked: {message}"));
                }
                None
            }
        };
        // The folder of a submodule has no excludes of its own.
        let Some(found) = found.filter(|found| found.is_linked || found.own == folder.join(".git")) else {
            return Gitignore::empty();
        };
        let bytes = Root::open(&found.common).map_err(FileError::Io);
        let bytes = bytes.and_then(|common| common.read(Path::new("info/exclude"), MAX_BYTES));
        self.matcher(folder, &shown.join(".git/info/exclude"), bytes)
    }

    /// The rules in an ignore file. A missing file has no rules; a file that cannot be read is reported, and has none
    /// either.
    fn matcher(&mut self, folder: &Path, shown: &Path, bytes: Result<Vec<u8>, FileError>) -> Gitignore {
        match bytes {
            Ok(bytes) => match rules(folder, &bytes) {
                Some(rules) => return rules,
                None => {
                    self.report(shown, Problem::Malformed, "its patterns are too complex; make them fewer".to_owned());
                }
            },
            Err(error) if error.is_not_found() => {}
            // The walk reports a folder that cannot be read.
            Err(_) if std::fs::read_dir(folder).is_err() => {}
            Err(error) => {
                let is_large = matches!(error, FileError::TooLarge { .. });
                let problem = if is_large { Problem::TooLarge } else { Problem::Unreadable };
                self.report(shown, problem, format!("its patterns do not hold: {error}"));
            }
        }
        Gitignore::empty()
    }

    fn report(&mut self, path: &Path, problem: Problem, message: String) {
        let path = path.display().to_string();
        self.diagnostics.push(Diagnostic { path: path.into(), problem, message });
    }
}

/// The rules in the lines before the first line that is not UTF-8. Lines that are not valid patterns are left out.
fn rules(folder: &Path, bytes: &[u8]) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder);
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    for line in bytes.split(|&byte| byte == b'\n') {
        let Ok(line) = std::str::from_utf8(line) else { break };
        let _ = builder.add_line(None, line.strip_suffix('\r').unwrap_or(line));
    }
    builder.build().ok()
}

/// The excludes that the user has set for all repositories (`core.excludesFile`), relative to the current folder.
fn global_excludes() -> Gitignore {
    let read = || {
        let bytes = RegularFile::open(&gitconfig_excludes_path()?).ok()?.read(MAX_BYTES).ok()?;
        rules(&Path::new(".").canonicalize().ok()?, &bytes)
    };
    read().unwrap_or_else(Gitignore::empty)
}
