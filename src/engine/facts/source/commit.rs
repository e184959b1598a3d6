//! A commit of a git repository as a source. It is read from its objects, and nothing is checked out.
//!
//! The files are the same that a walk of the working tree would find if the working tree were equal to the commit.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use compact_str::CompactString;
use git2::{ObjectType, Oid, Repository};
use rustc_hash::FxHashMap;

use super::{
    git::{self, GitFolder},
    git_objects::{ObjectBudget, ObjectReader, Stop},
    walk::{WalkedSource, Wanted, is_build_output, is_skipped_folder},
};
use apidisc_base::diagnostic::{Diagnostic, Problem};

/// The budget for listing the files of a commit.
pub(super) const BUDGET: ObjectBudget = ObjectBudget { objects: 1_000_000, bytes: 1 << 30 };
/// The largest number of files.
pub(super) const MAX_FILES: usize = 2_000_000;
/// The longest path in bytes. Common file systems have no longer one.
pub(super) const MAX_PATH_BYTES: usize = 4096;
/// The greatest length of a chain of tags that point to tags.
const MAX_TAGS: usize = 5;
/// The size in bytes of the largest tag that is read.
const MAX_TAG_BYTES: usize = 1 << 20;
/// The least number of hexadecimal digits that name a commit.
const MIN_DIGITS: usize = 7;

/// A commit of a repository on this machine.
#[derive(Clone)]
pub struct Commit {
    inner: Arc<Inner>,
}

struct Inner {
    url: String,
    folder: PathBuf,
    id: Oid,
    /// Open handles of the repository that no thread is using. Two threads cannot share a handle.
    idle: Mutex<Vec<Repository>>,
    /// The objects of the files that are indexed, by path.
    blobs: OnceLock<FxHashMap<CompactString, Oid>>,
    /// The objects of the files of data, by path.
    data: OnceLock<FxHashMap<CompactString, Oid>>,
}

impl fmt::Debug for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commit").field("url", &self.inner.url).field("id", &self.inner.id).finish_non_exhaustive()
    }
}

impl Commit {
    /// The commit that `revision` names in the repository whose working tree, or whose own folder, is `folder`: a
    /// branch, a tag, or a commit by its first seven digits or more. `url` is the name of the source in the index.
    ///
    /// # Errors
    /// One line that names the missing object, and how to mend it.
    pub fn open(folder: &Path, url: &str, revision: &str) -> Result<Self, String> {
        let found = git::find(folder).map_err(|why| format!("its .git cannot be used: {why}"))?;
        let own = found
            .or_else(|| GitFolder::bare(folder))
            .ok_or("it is no git repository; name the folder that holds .git")?;
        let repository = own.history().ok_or(
            "its git folder has links, pipes, included settings or objects that lie elsewhere; make a plain clone of it",
        )?;
        let id = resolve(&repository, revision).ok_or_else(|| {
            format!("it has no branch, tag or commit `{revision}`; see `git branch -a` and `git tag`")
        })?;
        Self::checked(url, repository, id)
    }

    /// The commit `id` of a repository.
    fn checked(url: &str, repository: Repository, id: Oid) -> Result<Self, String> {
        let inner = Inner {
            url: url.to_owned(),
            folder: repository.path().to_owned(),
            id,
            idle: Mutex::new(vec![repository]),
            blobs: OnceLock::new(),
            data: OnceLock::new(),
        };
        let commit = Self { inner: Arc::new(inner) };
        commit
            .with_repository(|repository| repository.find_commit(id).and_then(|commit| commit.tree()).map(|_| ()))?
            .map_err(|_| format!("commit {id} is not there in full; fetch it again"))?;
        Ok(commit)
    }

    /// The commit `steps` before this one, along first parents.
    ///
    /// # Errors
    /// If the history that is there is shorter.
    pub fn ancestor(&self, steps: usize) -> Result<Self, String> {
        let repository = self.another_handle()?;
        let mut id = self.inner.id;
        for step in 0..steps {
            let parent = repository.find_commit(id).and_then(|commit| commit.parent_id(0));
            id = parent.map_err(|_| format!("{step} commits are there before {}, not {steps}", self.inner.id))?;
        }
        Self::checked(&self.inner.url, repository, id)
    }

    /// The newest commit that both this commit and `other` come from.
    ///
    /// # Errors
    /// If the history that is there has no such commit.
    pub fn merge_base(&self, other: &Self) -> Result<Self, String> {
        let repository = self.another_handle()?;
        let id = repository.merge_base(self.inner.id, other.inner.id);
        let id = id.map_err(|_| "the two revisions have no commit in common; name both with `..`".to_owned())?;
        Self::checked(&self.inner.url, repository, id)
    }

    /// The name of the source in the index.
    pub fn url(&self) -> &str {
        &self.inner.url
    }

    /// The hash of the commit in hexadecimal.
    pub fn id(&self) -> String {
        self.inner.id.to_string()
    }

    /// Finds the files of the commit.
    pub fn walk(&self, walked: &mut WalkedSource, diagnostics: &mut Vec<Diagnostic>) -> Result<(), String> {
        let (mut blobs, mut problems) = (FxHashMap::default(), Vec::new());
        let listed = self.with_repository(|repository| {
            let mut budget = BUDGET;
            let mut objects = ObjectReader::new(repository, &mut budget, &|| false).ok_or(Stop::Unreadable)?;
            let root = objects.commit(self.inner.id)?.tree_id();
            list(&mut objects, root, walked.wanted, &mut |path, entry| match entry {
                ListedFile::Blob(id) => {
                    let size = repository.odb().and_then(|odb| odb.read_header(id)).map_or(0, |(size, _)| size as u64);
                    walked.add(path.clone(), || size);
                    blobs.insert(path, id);
                }
                ListedFile::Problem(message) => {
                    problems.push(Diagnostic { path, problem: Problem::Unreadable, message: message.to_owned() });
                }
            })
        })?;
        listed.map_err(|stop| self.unlisted(stop))?;
        diagnostics.append(&mut problems);
        // A second walk finds the same files.
        let _ = if walked.wanted == Wanted::Data { &self.inner.data } else { &self.inner.blobs }.set(blobs);
        Ok(())
    }

    /// The reason why the files of the commit cannot be listed.
    pub(super) fn unlisted(&self, stop: Stop) -> String {
        match stop {
            Stop::Limit => "it has more files and folders than are read".to_owned(),
            Stop::Unreadable | Stop::Replaced => {
                let id = self.inner.id;
                format!(
                    "commit {id} is damaged or not there in full; fetch it again, with --refresh if it is a source by URL"
                )
            }
        }
    }

    /// The id of the commit's object.
    pub(super) fn object_id(&self) -> Oid {
        self.inner.id
    }

    /// The id of the object of a file that the walk has found.
    pub(super) fn object(&self, path: &str) -> Option<Oid> {
        [&self.inner.blobs, &self.inner.data].into_iter().find_map(|found| found.get()?.get(path).copied())
    }

    /// The bytes of a file that the walk has found. A file above `limit` bytes is an error.
    pub fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, String> {
        let id = self.object(path).ok_or("the commit has no such file")?;
        let read = self.with_repository(|repository| {
            let odb = repository.odb()?;
            // The size is read from the header first, so that a few compressed bytes are never expanded to gigabytes.
            let (size, kind) = odb.read_header(id)?;
            if kind != ObjectType::Blob || size as u64 > limit {
                return Err(git2::Error::from_str("its object is too large"));
            }
            Ok(odb.read(id)?.data().to_vec())
        })?;
        read.map_err(|_: git2::Error| {
            format!(
                "its object {id} is missing or damaged; fetch the commit again, with --refresh if it is a source by URL"
            )
        })
    }

    /// A handle of the repository.
    fn another_handle(&self) -> Result<Repository, String> {
        let opened = GitFolder::bare(&self.inner.folder).and_then(|folder| folder.history());
        opened.ok_or_else(|| "the repository is no longer there".to_owned())
    }

    /// Runs `work` with a repository that no other thread uses.
    pub(super) fn with_repository<T>(&self, work: impl FnOnce(&Repository) -> T) -> Result<T, String> {
        let idle = || self.inner.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let repository = taken.map_or_else(|| self.another_handle(), Ok)?;
        let result = work(&repository);
        idle().push(repository);
        Ok(result)
    }
}

/// A file of a tree: the object of a file that is indexed, or the reason why the file cannot be indexed.
enum ListedFile {
    Blob(Oid),
    Problem(&'static str),
}

/// A folder that is still to be listed.
struct Pending {
    path: String,
    tree: Oid,
    /// True below a folder of build output, where only files that no compiler writes are indexed.
    is_product: bool,
}

/// Calls `add` for each file of a tree that is indexed, and for each file that cannot be indexed.
fn list(
    objects: &mut ObjectReader<'_>,
    root: Oid,
    wanted: Wanted,
    add: &mut dyn FnMut(CompactString, ListedFile),
) -> Result<(), Stop> {
    let mut pending = vec![Pending { path: String::new(), tree: root, is_product: false }];
    let mut files = 0;
    while let Some(Pending { path: folder, tree, is_product }) = pending.pop() {
        let tree = objects.tree(tree)?;
        for entry in &tree {
            let Ok(name) = entry.name() else { continue };
            if is_odd_name(name) || folder.len() + name.len() >= MAX_PATH_BYTES {
                continue;
            }
            let path = format!("{folder}{name}");
            match (entry.kind(), entry.filemode()) {
                (Some(ObjectType::Tree), _) => {
                    let below = objects.tree(entry.id())?;
                    let has = |file: &str| below.get_name(file).is_some();
                    let in_package = || tree.get_name("__init__.py").is_some();
                    if is_skipped_folder(name, has, in_package, true) {
                        continue;
                    }
                    let is_product = is_product || is_skipped_folder(name, has, in_package, false);
                    pending.push(Pending { path: path + "/", tree: entry.id(), is_product });
                }
                (Some(ObjectType::Blob), mode) => {
                    let Some(role) = wanted.role(&path) else { continue };
                    let may_be_compiled = role.language().is_none_or(|language| language.may_be_compiled(&path));
                    let keeps_products = role.language().is_some_and(|language| !language.output_folders().is_empty());
                    if is_build_output(&path) && may_be_compiled || is_product && !keeps_products {
                        continue;
                    }
                    files += 1;
                    if files > MAX_FILES {
                        return Err(Stop::Limit);
                    }
                    let is_link = mode & 0o170_000 == 0o120_000;
                    if is_link {
                        add(path.into(), ListedFile::Problem("it is a link, and links are not followed"));
                    } else {
                        add(path.into(), ListedFile::Blob(entry.id()));
                    }
                }
                // A submodule is another repository.
                _ => {}
            }
        }
    }
    Ok(())
}

/// True for the name of a tree's entry that git refuses, but that a hostile tree may have.
pub(super) fn is_odd_name(name: &str) -> bool {
    name.is_empty() || name == "." || name == ".." || name.contains(['/', '\\', '\0'])
}

/// The commit that a branch, a tag or the digits of a commit name.
fn resolve(repository: &Repository, revision: &str) -> Option<Oid> {
    let prefixes = ["refs/heads/", "refs/tags/", "refs/remotes/origin/", ""];
    let named = || {
        let full = |prefix: &str| format!("{prefix}{revision}");
        prefixes.iter().find_map(|prefix| repository.refname_to_id(&full(prefix)).ok())
    };
    let is_hash = (MIN_DIGITS..=40).contains(&revision.len()) && revision.bytes().all(|b| b.is_ascii_hexdigit());
    let odb = repository.odb().ok()?;
    let by_digits = || {
        let padded = format!("{revision:0<40}");
        odb.exists_prefix(Oid::from_str(&padded).ok()?, revision.len()).ok()
    };
    let mut id = named().or_else(|| if is_hash { by_digits() } else { None })?;
    for _ in 0..MAX_TAGS {
        match odb.read_header(id).ok()? {
            (_, ObjectType::Commit) => return Some(id),
            (size, ObjectType::Tag) if size <= MAX_TAG_BYTES => id = repository.find_tag(id).ok()?.target_id(),
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use git2::{IndexAddOption, Signature};

    use super::*;
    use crate::source::{Source, reread, walk};

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn commit(repository: &Repository, branch: &str) -> Oid {
        let mut index = repository.index().expect("an index");
        index.add_all(["."], IndexAddOption::FORCE, None).expect("added");
        index.write().expect("written");
        let tree = repository.find_tree(index.write_tree().expect("a tree")).expect("a tree");
        let who = Signature::now("a", "a@example.org").expect("a name");
        repository.commit(Some(&format!("refs/heads/{branch}")), &who, &who, "x", &tree, &[]).expect("a commit")
    }

    fn paths(source: &Source) -> Vec<CompactString> {
        walk(source, &mut Vec::new()).expect("a source").found.into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn a_commit_has_the_files_of_its_working_tree() {
        let folder = tempfile::tempdir().expect("a folder");
        let repository = Repository::init(folder.path()).expect("a repository");
        for path in [
            "pkg/__init__.py",
            "pkg/a.py",
            "build/made.py",
            "dist/__init__.py",
            "dist/real.py",
            "node_modules/x/i.js",
            ".gitignore",
            "lib/out/kept.ts",
            "lib/out/made.js",
            "docs/a.md",
            "picture.png",
            "env/pyvenv.cfg",
            "env/x.py",
            "package.json",
        ] {
            write(folder.path(), path, "x = 1\n");
        }
        let id = commit(&repository, "one");
        let whole = paths(&Source::Folder(folder.path().to_owned()));
        let source = Source::Commit(Commit::open(folder.path(), "r", "one").expect("a commit"));
        assert_eq!(paths(&source), whole);
        assert!(whole.contains(&"pkg/a.py".into()) && whole.contains(&"lib/out/kept.ts".into()), "{whole:?}");
        // Later changes of the working tree do not matter.
        write(folder.path(), "pkg/a.py", "y = 2\n");
        assert_eq!(reread(&source, "pkg/a.py").map(|text| text.source).as_deref(), Some("x = 1\n"));
        assert!(reread(&source, "../pkg/a.py").is_none());
        for name in [&id.to_string()[..8], "refs/heads/one"] {
            assert!(Commit::open(folder.path(), "r", name).is_ok_and(|commit| commit.id() == id.to_string()), "{name}");
        }
        let gone = Commit::open(folder.path(), "r", "gone").expect_err("no branch");
        assert!(gone.contains("no branch, tag or commit `gone`"), "{gone}");
    }

    #[test]
    fn a_damaged_repository_is_one_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let repository = Repository::init(folder.path()).expect("a repository");
        write(folder.path(), "a.py", "x = 1\n");
        write(folder.path(), "b.py", "y = 1\n");
        commit(&repository, "one");
        let blob = repository.blob(b"x = 1\n").expect("a blob").to_string();
        fs::remove_file(repository.path().join("objects").join(&blob[..2]).join(&blob[2..])).expect("removed");
        let source = Source::Commit(Commit::open(folder.path(), "r", "one").expect("a commit"));
        assert_eq!(paths(&source).len(), 2);
        assert!(reread(&source, "a.py").is_none() && reread(&source, "b.py").is_some());
        // A tree that is cut off.
        let tree = repository.revparse_single("refs/heads/one^{tree}").expect("a tree").id().to_string();
        let path = repository.path().join("objects").join(&tree[..2]).join(&tree[2..]);
        fs::remove_file(&path).expect("removed");
        let error = Commit::open(folder.path(), "r", "one").expect_err("a damaged commit");
        assert!(error.contains("not there in full") && !error.contains('\n'), "{error}");
    }

    #[test]
    fn names_that_lead_out_of_the_source_and_case_twins_are_harmless() {
        let folder = tempfile::tempdir().expect("a folder");
        let repository = Repository::init(folder.path()).expect("a repository");
        let database = repository.odb().expect("a database");
        let blob = database.write(ObjectType::Blob, b"x = 1\n").expect("a blob");
        let tree = |entries: &[(&str, &str, Oid)]| {
            let bytes =
                |(mode, name, id): &(&str, &str, Oid)| [format!("{mode} {name}\0").as_bytes(), id.as_bytes()].concat();
            database.write(ObjectType::Tree, &entries.iter().flat_map(bytes).collect::<Vec<u8>>()).expect("a tree")
        };
        let inner = tree(&[("100644", "a.py", blob)]);
        let root = tree(&[
            ("100644", "../b.py", blob),
            ("40000", "..", inner),
            ("100644", "/c.py", blob),
            ("100644", "A.py", blob),
            ("100644", "a.py", blob),
            ("40000", ".git", inner),
        ]);
        let text = format!("tree {root}\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nx");
        let id = database.write(ObjectType::Commit, text.as_bytes()).expect("a commit").to_string();
        let source = Source::Commit(Commit::open(folder.path(), "r", &id).expect("a commit"));
        assert_eq!(paths(&source), ["A.py", "a.py"]);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let repository = Repository::init(folder.path()).expect("a repository");
        write(folder.path(), "a.py", "x = 1\n");
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("b.py")).expect("a link");
        commit(&repository, "one");
        let source = Source::Commit(Commit::open(folder.path(), "r", "one").expect("a commit"));
        let mut diagnostics = Vec::new();
        let found = walk(&source, &mut diagnostics).expect("a source").found;
        assert_eq!(found.len(), 1);
        assert!(diagnostics.iter().any(|problem| problem.path == "b.py"), "{diagnostics:?}");
    }
}
