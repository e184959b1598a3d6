//! The files of git beside a source: where they are, the checked-out commit, and the paths that git tracks.
//!
//! A repository may be hostile, so git's files are read as any other file of a source: regular files only, without
//! links, up to a size. The settings of git are not read here, so a path in them, such as `core.worktree` or
//! `include.path`, has no effect.

use std::{
    fs,
    path::{Path, PathBuf},
};

use apidisc_base::files::{FileError, Root};

/// The size limit of `.git/index`; an entry has about 100 bytes.
const MAX_INDEX_BYTES: u64 = 64 << 20;

/// The size limit of `packed-refs`.
const MAX_REFS_BYTES: u64 = 16 << 20;

/// The size limit of files of one line: `.git`, `commondir`, `HEAD` and refs.
const MAX_LINE_BYTES: u64 = 4096;

/// The size limit of the settings of a repository.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

/// The largest number of files in git's folder for which the history is read.
const MAX_ENTRIES: usize = 1 << 20;

/// The greatest length of a chain of symbolic refs.
const MAX_SYMBOLIC_REFS: usize = 5;

/// The folders of git that belong to a working tree.
#[derive(Debug)]
pub(super) struct GitFolder {
    /// The folder with `HEAD` and `index`.
    pub(super) own: PathBuf,
    /// The folder with `refs` and `objects`. It differs from `own` in a linked worktree.
    pub(super) common: PathBuf,
    /// True for a linked worktree, whose `.git` is a file.
    pub(super) is_linked: bool,
}

/// Finds git's folder of the working tree whose top is `top`; `None` if the working tree has no such folder.
///
/// # Errors
/// One line, if `.git` is a link or names a folder that does not belong to this working tree.
pub(super) fn find(top: &Path) -> Result<Option<GitFolder>, String> {
    let path = top.join(".git");
    let Ok(metadata) = fs::symlink_metadata(&path) else { return Ok(None) };
    if metadata.is_dir() {
        return Ok(Some(GitFolder { own: path.clone(), common: path, is_linked: false }));
    }
    let text = Root::open(top).map_err(FileError::Io).and_then(|top| line(&top, ".git"));
    let text = text.map_err(|error| error.to_string())?;
    let Some(named) = text.strip_prefix("gitdir:").map(str::trim) else {
        return Err("it does not say `gitdir:`; make the working tree anew with git".to_owned());
    };
    let foreign = || format!("{named} is no folder of git for this working tree; run `git worktree repair`");
    let own = top.join(named).canonicalize().map_err(|_| foreign())?;
    let folder = Root::open(&own).map_err(|_| foreign())?;
    let is_top = |path: &str| matches!((own.join(path).canonicalize(), top.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if let Ok(common) = line(&folder, "commondir") {
        // In a linked worktree, the file `gitdir` names the `.git` file that points to this folder.
        let back = line(&folder, "gitdir").map_err(|_| foreign())?;
        let common = own.join(common).canonicalize().map_err(|_| foreign())?;
        let is_ours = Path::new(&back).parent().and_then(Path::to_str).is_some_and(is_top);
        return if is_ours { Ok(Some(GitFolder { own, common, is_linked: true })) } else { Err(foreign()) };
    }
    // A submodule, or a repository with a separate folder, names the working tree in its settings.
    let settings = folder.read_text(Path::new("config"), MAX_CONFIG_BYTES).map_err(|_| foreign())?;
    let mut worktrees = settings.lines().filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        name.trim().eq_ignore_ascii_case("worktree").then(|| value.trim().trim_matches('"'))
    });
    if worktrees.next_back().is_some_and(is_top) {
        Ok(Some(GitFolder { common: own.clone(), own, is_linked: false }))
    } else {
        Err(foreign())
    }
}

impl GitFolder {
    /// The folder of a bare repository, or git's folder itself; `None` if `folder` lacks the entries of such a folder.
    pub(super) fn bare(folder: &Path) -> Option<Self> {
        let looks_so = folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir();
        looks_so.then(|| Self { own: folder.to_owned(), common: folder.to_owned(), is_linked: false })
    }

    /// The repository, for reading its history with libgit2; `None` if libgit2 could block, or could read files outside
    /// the repository.
    ///
    /// libgit2 opens git's files by itself. So every file that it may open is checked to be a regular file, and the
    /// settings may not include files.
    pub(super) fn history(&self) -> Option<git2::Repository> {
        let own = Root::open(&self.own).ok()?;
        let common = Root::open(&self.common).ok()?;
        let includes = |root: &Root| {
            let Ok(text) = root.read_text(Path::new("config"), MAX_CONFIG_BYTES) else { return false };
            text.to_ascii_lowercase().contains("[include")
        };
        let mut entries = MAX_ENTRIES;
        let is_plain = is_plain(&self.own, &mut entries)
            && (!self.is_linked || is_plain(&self.common, &mut entries))
            && own.file(Path::new("objects/info/alternates")).is_err()
            && common.file(Path::new("objects/info/alternates")).is_err()
            && !includes(&own)
            && !includes(&common);
        let flags = git2::RepositoryOpenFlags::NO_SEARCH | git2::RepositoryOpenFlags::NO_DOTGIT;
        is_plain.then(|| git2::Repository::open_ext(&self.own, flags, [] as [&Path; 0]).ok()).flatten()
    }

    /// The checked-out commit in hexadecimal; `None` before the first commit.
    pub(super) fn head(&self) -> Option<String> {
        let (own, common) = (Root::open(&self.own).ok()?, Root::open(&self.common).ok()?);
        let mut text = line(&own, "HEAD").ok()?;
        for _ in 0..MAX_SYMBOLIC_REFS {
            let Some(name) = text.strip_prefix("ref:").map(str::trim) else { break };
            text = line(&own, name).or_else(|_| line(&common, name)).ok().or_else(|| packed(&common, name))?;
        }
        let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
        is_hash.then_some(text)
    }

    /// Calls `add` with the path of each regular file that git tracks.
    pub(super) fn tracked(&self, add: impl FnMut(&str)) -> Result<(), String> {
        let index = Root::open(&self.own).map_err(FileError::Io);
        match index.and_then(|own| own.read(Path::new("index"), MAX_INDEX_BYTES)) {
            Ok(bytes) => super::git_index::paths(&bytes, add)
                .ok_or_else(|| "it is damaged; run `rm .git/index && git reset`".to_owned()),
            Err(error) if error.is_not_found() => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// True if a folder of git contains regular files and folders only. Hooks are not read by libgit2.
fn is_plain(folder: &Path, entries: &mut usize) -> bool {
    let Ok(list) = fs::read_dir(folder) else { return false };
    list.flatten().all(|entry| {
        *entries = entries.saturating_sub(1);
        let Ok(kind) = entry.file_type() else { return false };
        *entries > 0
            && (kind.is_file() || entry.file_name() == "hooks" || (kind.is_dir() && is_plain(&entry.path(), entries)))
    })
}

/// The first line of a file.
fn line(root: &Root, path: &str) -> Result<String, FileError> {
    let text = root.read_text(Path::new(path), MAX_LINE_BYTES)?;
    Ok(text.lines().next().unwrap_or_default().trim_end().to_owned())
}

/// The value of a ref in `packed-refs`.
fn packed(common: &Root, name: &str) -> Option<String> {
    let text = common.read_text(Path::new("packed-refs"), MAX_REFS_BYTES).ok()?;
    let mut refs = text.lines().filter_map(|line| line.split_once(' '));
    refs.find(|(_, packed)| *packed == name).map(|(hash, _)| hash.to_owned())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn git(folder: &Path, words: &[&str]) -> String {
        let who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"];
        let output = Command::new("git").arg("-C").arg(folder).args(who).args(words).output().expect("git");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("a text").trim().to_owned()
    }

    fn tracked(folder: &GitFolder) -> Vec<String> {
        let mut paths = Vec::new();
        folder.tracked(|path| paths.push(path.to_owned())).expect("an index");
        paths
    }

    #[test]
    fn head_and_tracked_paths_are_those_of_git_in_each_form_of_a_repository() {
        let folder = tempfile::tempdir().expect("a folder");
        let main = folder.path().join("main");
        fs::create_dir_all(main.join("pkg")).expect("a folder");
        git(&main, &["init", "-q", "-b", "trunk"]);
        let found = || find(&main).expect("a repository").expect("a repository");
        assert_eq!((found().head(), tracked(&found())), (None, vec![]));
        fs::write(main.join("pkg/a.py"), "").expect("a file");
        fs::write(main.join("pkg/a long name of a file with blanks.py"), "").expect("a file");
        git(&main, &["add", "."]);
        git(&main, &["commit", "-qm", "one"]);
        let expected = ["pkg/a long name of a file with blanks.py", "pkg/a.py"];
        for step in ["", "pack-refs --all", "checkout -q --detach", "update-index --index-version 4"] {
            if !step.is_empty() {
                git(&main, &step.split(' ').collect::<Vec<_>>());
            }
            assert_eq!(found().head(), Some(git(&main, &["rev-parse", "HEAD"])), "{step}");
            assert_eq!(tracked(&found()), expected, "{step}");
        }
        git(&main, &["worktree", "add", "-q", "../linked"]);
        git(&main, &["submodule", "--quiet", "add", "../main", "inner"]);
        for path in [folder.path().join("linked"), main.join("inner")] {
            let found = find(&path).expect("a repository").expect("a repository");
            assert_eq!(found.head(), Some(git(&path, &["rev-parse", "HEAD"])));
            assert_eq!(tracked(&found), expected);
        }
    }

    #[test]
    fn a_git_file_that_names_the_repository_of_another_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let (theirs, ours) = (folder.path().join("theirs"), folder.path().join("ours"));
        fs::create_dir_all(&theirs).expect("a folder");
        fs::create_dir_all(&ours).expect("a folder");
        git(&theirs, &["init", "-q"]);
        for text in ["gitdir: ../theirs/.git", "gitdir: /", "gitdir: nowhere", "nothing"] {
            fs::write(ours.join(".git"), text).expect("a file");
            assert!(find(&ours).is_err(), "{text}");
        }
    }
}
