//! Reads git repositories whose objects nobody has checked.
//!
//! A small repository may describe an enormous one: a tree may contain the same subtree twice, forty levels deep, and a
//! few compressed bytes may become gigabytes. So each object is read only if its size, which its header names, is within
//! a budget.

use std::{
    fs,
    path::{Path, PathBuf},
};

use git2::{Commit, ObjectType, Odb, Oid, Repository, Tree};

/// The size in bytes of the largest commit or tree that is read. The largest folders of known repositories have trees
/// of 2 MB.
const MAX_OBJECT_BYTES: usize = 16 << 20;

/// The work that may still be done on the objects of a repository.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    /// The number of commits and trees that may be read.
    pub(super) objects: usize,
    /// The number of bytes that these may have together.
    pub(super) bytes: usize,
}

/// Why reading ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The caller no longer needs the answer.
    Replaced,
    /// A budget is used up.
    Limit,
    /// The object does not exist, is broken or larger than [`MAX_OBJECT_BYTES`].
    Unreadable,
}

/// Reads commits and trees of a repository within a budget.
pub(super) struct ObjectReader<'r> {
    repository: &'r Repository,
    database: Odb<'r>,
    budget: &'r mut Budget,
    is_replaced: &'r dyn Fn() -> bool,
}

impl<'r> ObjectReader<'r> {
    /// A reader that asks `is_replaced` before each object and charges each object to `budget`.
    pub(super) fn new(
        repository: &'r Repository,
        budget: &'r mut Budget,
        is_replaced: &'r dyn Fn() -> bool,
    ) -> Option<Self> {
        Some(Self { repository, database: repository.odb().ok()?, budget, is_replaced })
    }

    /// The commit with this id.
    pub(super) fn commit(&mut self, id: Oid) -> Result<Commit<'r>, Stop> {
        self.charge(id, ObjectType::Commit)?;
        self.repository.find_commit(id).map_err(|_| Stop::Unreadable)
    }

    /// The tree with this id.
    pub(super) fn tree(&mut self, id: Oid) -> Result<Tree<'r>, Stop> {
        self.charge(id, ObjectType::Tree)?;
        self.repository.find_tree(id).map_err(|_| Stop::Unreadable)
    }

    /// Pays for an object before it is read.
    fn charge(&mut self, id: Oid, expected: ObjectType) -> Result<(), Stop> {
        if (self.is_replaced)() {
            return Err(Stop::Replaced);
        }
        self.budget.objects = self.budget.objects.checked_sub(1).ok_or(Stop::Limit)?;
        let (size, kind) = self.database.read_header(id).map_err(|_| Stop::Unreadable)?;
        if kind != expected || size > MAX_OBJECT_BYTES {
            return Err(Stop::Unreadable);
        }
        self.budget.bytes = self.budget.bytes.checked_sub(size).ok_or(Stop::Limit)?;
        Ok(())
    }
}

/// The size in bytes of the largest configuration file that is read.
const MAX_CONFIG_BYTES: u64 = 1 << 20;
/// The size in bytes of the largest index file that is read. The index of the largest known repositories has 100 MB.
const MAX_INDEX_BYTES: u64 = 512 << 20;
/// The number of files that a configuration may include.
const MAX_INCLUDED: usize = 16;

/// The repository whose root is `root`.
pub(super) fn open(root: &Path) -> Option<Repository> {
    discover_folder(root)?;
    Repository::open(root).ok()
}

/// The repository that contains `folder`.
pub(super) fn discover(folder: &Path) -> Option<Repository> {
    Repository::open(discover_folder(folder)?).ok()
}

/// The index of a repository: the files that git tracks.
pub(super) fn index(repository: &Repository) -> Option<git2::Index> {
    is_readable(&repository.path().join("index"), MAX_INDEX_BYTES).then(|| repository.index().ok())?
}

/// The `.git` folder of the repository that contains `folder`. `None` if opening the repository could take unbounded
/// time.
fn discover_folder(folder: &Path) -> Option<PathBuf> {
    let git = Repository::discover_path(folder, std::iter::empty::<&Path>()).ok()?;
    // A linked working tree shares the configuration of its main repository.
    let common = fs::read_to_string(git.join("commondir")).ok().map(|path| git.join(path.trim_end()));
    let configs = [Some(git.join("config")), Some(git.join("config.worktree")), common.map(|git| git.join("config"))];
    configs.into_iter().flatten().all(|config| is_bounded_config(&config, true)).then_some(git)
}

/// True if reading a configuration file is bounded work: the file includes few files, and these include none. Files
/// that include each other are read in exponential time.
fn is_bounded_config(config: &Path, may_include: bool) -> bool {
    if !config.exists() {
        return true;
    }
    if !is_readable(config, MAX_CONFIG_BYTES) {
        return false;
    }
    let Ok(bytes) = fs::read(config) else { return true };
    let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
    if !text.contains("include") {
        return true;
    }
    // Paths keep their letter case, so they are taken from the original text.
    let text = String::from_utf8_lossy(&bytes);
    let mut included = 0;
    may_include
        && text.lines().all(|line| {
            let line = line.rsplit_once(']').map_or(line, |(_, line)| line);
            let Some((key, path)) = line.split_once('=') else { return true };
            if !key.trim().eq_ignore_ascii_case("path") {
                return true;
            }
            included += 1;
            let path = path.trim().trim_matches('"');
            let is_of_user = path.starts_with("~/") && !path.contains("..");
            let folder = config.parent().unwrap_or(Path::new("."));
            included <= MAX_INCLUDED
                && !path.contains(['\\', '#', ';'])
                && (is_of_user || is_bounded_config(&folder.join(path), false))
        })
}

/// True if nothing is at `path`, or a regular file of at most `limit` bytes. Reading a pipe would never end.
fn is_readable(path: &Path, limit: u64) -> bool {
    fs::metadata(path).map_or(true, |meta| meta.is_file() && meta.len() <= limit)
}

/// The id of the commit that is checked out. No object is read, except for the header of the commit.
pub(super) fn head(repository: &Repository) -> Option<Oid> {
    let id = repository.head().ok()?.target()?;
    let (_, kind) = repository.odb().ok()?.read_header(id).ok()?;
    (kind == ObjectType::Commit).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_that_includes_itself_is_not_read() {
        let root = tempfile::tempdir().expect("a folder");
        Repository::init(root.path()).expect("a repository");
        let config = root.path().join(".git/config");
        let plain = fs::read_to_string(&config).expect("a configuration");
        let is_open = |text: &str| {
            fs::write(&config, format!("{plain}{text}")).expect("written");
            open(root.path()).is_some()
        };
        assert!(is_open(""));
        // libgit2 follows ten levels: it would read the file 40^10 times.
        assert!(!is_open(&"[include] path = config\n".repeat(40)));
        assert!(!is_open("[Include \"x\"]\n\tpath=\"../.git/config\"\n"));
        assert!(!is_open("[include]\npath = con\\\nfig\n"));
        fs::write(root.path().join("more"), "[user]\nname = a\n").expect("written");
        assert!(is_open("[include]\n\tpath = ../more\n[includeIf \"gitdir:/x/\"]\n\tpath = ~/.more\n"));
        fs::write(root.path().join("more"), "[include]\npath = more\n").expect("written");
        assert!(!is_open("[include]\n\tpath = ../more\n"));
    }

    #[test]
    fn the_commit_that_is_checked_out_is_known_without_reading_it() {
        let root = tempfile::tempdir().expect("a folder");
        let repository = Repository::init(root.path()).expect("a repository");
        assert_eq!(head(&repository), None);
        let blob = repository.blob(b"no commit").expect("a blob");
        let mut name = repository.path().to_path_buf();
        name.push("HEAD");
        fs::write(&name, format!("{blob}\n")).expect("written");
        assert_eq!(head(&repository), None);
        // References that lead in a circle.
        fs::write(&name, "ref: refs/heads/a\n").expect("written");
        fs::write(repository.path().join("refs/heads/a"), "ref: refs/heads/b\n").expect("written");
        fs::write(repository.path().join("refs/heads/b"), "ref: refs/heads/a\n").expect("written");
        assert_eq!(head(&repository), None);
    }
}
