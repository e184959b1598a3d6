//! Paths within a project, the files below a folder, and the files that are not shown.

use std::path::{Component, Path, PathBuf};

use apidisc::source::{holds_secret, is_secret_name};
use globset::{GlobBuilder, GlobMatcher};
use ignore::{DirEntry, WalkBuilder};

use super::Project;

/// Folders that hold no code of the project.
const SKIPPED: [&str; 4] = ["__pycache__", "node_modules", "venv", "target"];

/// The size limit of a hidden file whose text is read before it is listed, in bytes.
const MAX_SETTING: u64 = 64 << 10;

/// Files that stand at the root of a project.
pub(super) const MARKERS: [&str; 8] =
    [".git", "pyproject.toml", "setup.py", "requirements.txt", ".gitignore", "package.json", "Cargo.toml", "go.mod"];

impl Project {
    /// A path that a model wrote, relative to the project. Empty for the project itself.
    pub(super) fn relative(&self, written: &str) -> Result<PathBuf, String> {
        let path = Path::new(written.trim());
        let path = path.strip_prefix(&self.path).unwrap_or(path);
        let mut relative = PathBuf::new();
        for component in path.components() {
            match component {
                Component::Normal(name) => relative.push(name),
                Component::CurDir => {}
                Component::ParentDir if relative.pop() => {}
                _ => {
                    return Err(format!(
                        "{written} is outside of the project; write a path below its root, like src/a.py"
                    ));
                }
            }
        }
        Ok(relative)
    }

    /// A folder that a model wrote, relative to the project.
    pub(super) fn folder(&self, written: &str) -> Result<PathBuf, String> {
        let relative = self.relative(written)?;
        let mut path = self.path.clone();
        for name in relative.components() {
            path.push(name);
            let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
            if !is_folder {
                return Err(format!("{written} is no folder of the project"));
            }
        }
        Ok(relative)
    }

    /// The nearest folder, from `relative` upwards, that has a file of [`MARKERS`]; else the project itself.
    pub(super) fn marked_folder(&self, relative: &Path) -> PathBuf {
        let is_marked = |folder: &&Path| MARKERS.iter().any(|marker| self.path.join(folder).join(marker).exists());
        relative.ancestors().find(is_marked).unwrap_or(Path::new("")).to_owned()
    }

    /// The walk below a folder, without what ignore files name and folders without code of the project. Ignore files
    /// above the project count up to the top of its repository.
    fn walk(&self, folder: &Path, is_wanted: impl Fn(&DirEntry) -> bool + Send + Sync + 'static) -> WalkBuilder {
        let is_in_repository = self.path.ancestors().any(|folder| folder.join(".git").exists());
        let mut walk = WalkBuilder::new(self.path.join(folder));
        walk.follow_links(false).require_git(is_in_repository).parents(is_in_repository).git_global(false);
        walk.filter_entry(move |entry| {
            entry.file_name().to_str().is_none_or(|name| !SKIPPED.contains(&name)) && is_wanted(entry)
        });
        walk
    }

    /// The reason for which a file of this name is not shown to the model.
    pub(super) fn refusal_by_name(&self, relative: &Path) -> Option<&'static str> {
        let path = slashed(relative);
        (is_secret_name(&path) && !self.allowed.contains(&path)).then_some("files of this name hold secrets")
    }

    /// The reason for which a file with this text is not shown to the model.
    pub(super) fn refusal_by_text(&self, relative: &Path, text: &str) -> Option<&'static str> {
        let path = slashed(relative);
        if self.allowed.contains(&path) {
            None
        } else if holds_secret(&path, text) {
            Some("it holds a key, a password or a token")
        } else if !self.is_walked(relative) {
            Some("an ignore file names it, or its folder holds no code of the project")
        } else {
            None
        }
    }

    /// True for a file that the walk of the whole project finds, hidden or not.
    fn is_walked(&self, relative: &Path) -> bool {
        let file = self.path.join(relative);
        let on_the_way = file.clone();
        let mut walk = self.walk(Path::new(""), move |entry| on_the_way.starts_with(entry.path()));
        walk.hidden(false).build().flatten().any(|entry| entry.path() == file)
    }

    /// True for a hidden file, such as `.npmrc`, whose text holds a key, a password or a token, as far as is known.
    fn is_secret_setting(&self, entry: &DirEntry, path: &str) -> bool {
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        // A file that is too large to be looked at, or that cannot be read, may hold one.
        let holds_secret =
            || self.root.read_text(Path::new(path), MAX_SETTING).map_or(true, |text| holds_secret(path, &text));
        is_hidden && entry.file_type().is_some_and(|kind| kind.is_file()) && holds_secret()
    }

    /// The files below a folder that match a pattern, and the folders for `with_folders`, sorted by path. Hidden
    /// folders, ignored files, folders without code of the project, and files of secrets are left out. At most `most`
    /// paths; the number is that of all.
    pub(super) fn files(&self, below: &Below<'_>, most: usize) -> (Vec<String>, usize) {
        let mut walk = self.walk(below.folder, |entry| entry.depth() == 0 || !is_hidden_folder(entry));
        let walk = walk.hidden(false).max_depth(below.depth).sort_by_file_name(Ord::cmp).build();
        let (mut found, mut total) = (Vec::new(), 0);
        for entry in walk.flatten().filter(|entry| entry.depth() > 0) {
            let Some(kind) = entry.file_type() else { continue };
            let is_shown = kind.is_file() || kind.is_dir() && below.with_folders;
            let Ok(path) = entry.path().strip_prefix(&self.path) else { continue };
            if !is_shown || !below.pattern.is_match(path) {
                continue;
            }
            let path = slashed(path);
            if !self.allowed.contains(&path) && (is_secret_name(&path) || self.is_secret_setting(&entry, &path)) {
                continue;
            }
            total += 1;
            if found.len() < most {
                found.push(if kind.is_dir() { path + "/" } else { path });
            }
        }
        (found, total)
    }
}

/// True for a folder whose name begins with a dot.
fn is_hidden_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir()) && entry.file_name().to_string_lossy().starts_with('.')
}

/// A path with `/` between its parts.
fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// A list of files to make.
pub(super) struct Below<'a> {
    pub(super) folder: &'a Path,
    pub(super) pattern: GlobMatcher,
    /// The greatest number of folders between the folder and a file, plus one; `None` for no limit.
    pub(super) depth: Option<usize>,
    /// True if folders are listed, too.
    pub(super) with_folders: bool,
}

/// A pattern as in a shell: `*.py` for files of that name anywhere, `src/**/*.py` for paths.
pub(super) fn pattern(written: &str) -> Result<GlobMatcher, String> {
    let anywhere = if written.contains('/') { written.to_owned() } else { format!("**/{written}") };
    let glob = GlobBuilder::new(&anywhere).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| format!("{written} is no pattern: {}", error.kind()))
}
