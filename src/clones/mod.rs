//! Clones of remote repositories in the cache folder, made by the user's own git and read from their objects.
//!
//! ```text
//! clones/HASH OF THE URL/COMMIT.git       a bare clone of one commit; never changed once it has this name
//! clones/HASH OF THE URL/BRANCH.ref       the commit of a branch; its time is that of the last look-up
//! ```
//!
//! A clone is made in a temporary folder and then renamed, so that no process sees an incomplete clone. Of two
//! processes that make the same clone, the second one uses the clone of the first.
//!
//! **Architecture invariant.** Only this module runs git.

mod credentials;
mod git;
mod runs;
#[cfg(test)]
mod tests;

use std::{
    fmt, fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, SystemTime},
};

use apidisc::{
    Fetch, Location, RemoteUrl,
    files::RegularFile,
    hash::ContentHash,
    source::{Commit, Source},
};

use crate::{places::Places, writing};
use git::Git;
pub use git::version as git_version;
pub use runs::Runs;

/// The time after which a branch is looked up again.
const MAX_AGE: Duration = Duration::from_hours(1);
/// The time after which a clone of an older commit is removed. Until then a process may still read it.
const MAX_CLONE_AGE: Duration = Duration::from_hours(24);
/// The greatest number of repositories that are fetched at the same time.
const MAX_FETCHES: usize = 4;
/// The branch that is used if none is given and the repository has a branch of this name.
const DEFAULT_BRANCH: &str = "main";
/// The size limit of a file that names a commit.
const MAX_REF_BYTES: u64 = 1000;

/// When the branches of remote repositories are looked up again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BranchRefresh {
    /// If the last look-up was more than an hour ago.
    #[default]
    Hourly,
    /// On every run.
    Always,
    /// Never: an earlier clone is used.
    Never,
}

/// The clones of a user.
#[derive(Clone, Debug)]
pub struct Clones {
    folder: PathBuf,
    refresh: BranchRefresh,
    runs: Option<Arc<Runs>>,
}

/// A report of fetching one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report<'a> {
    /// The step that git is performing.
    Progress(&'a str),
    /// A remark for the user, reported after the fetch.
    Note(&'a str),
    /// The source is fetched, or fetching it has failed.
    Done,
}

/// A function that is called with the URL of a source and a report of the fetch, from several threads.
pub type Observer<'a> = &'a (dyn Fn(&str, Report<'_>) + Sync);

/// Sources of which some have to be fetched before they can be indexed.
pub struct Fetching {
    /// The URLs of the sources that have to be fetched, in the order in which the fetches begin.
    pub urls: Vec<String>,
    /// All sources, for use until the fetch is done. A source that has to be fetched is [`Source::Missing`].
    pub meanwhile: Source,
    /// Fetches, and returns all sources. A source that cannot be fetched is [`Source::Missing`]. May be called several
    /// times.
    pub fetch: FetchAll,
    /// The runs of git that `fetch` starts.
    pub runs: Arc<Runs>,
}

/// A function that fetches sources. Its error is one line, if the list of sources cannot be used.
pub type FetchAll = Arc<dyn Fn(Observer<'_>) -> Result<Source, String> + Send + Sync>;

impl fmt::Debug for Fetching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetching").field("urls", &self.urls).finish_non_exhaustive()
    }
}

impl Clones {
    /// The clones in the cache folder of this user; `None` without a home folder.
    pub fn of_user(refresh: BranchRefresh) -> Option<Self> {
        Some(Self::new(&Places::find()?, refresh))
    }

    /// The clones in the cache folder that `places` names.
    pub fn new(places: &Places, refresh: BranchRefresh) -> Self {
        Self { folder: places.cache.join("clones"), refresh, runs: None }
    }

    /// Registers the runs of git in `runs`, which may stop them.
    #[must_use]
    pub fn with_runs(self, runs: Arc<Runs>) -> Self {
        Self { runs: Some(runs), ..self }
    }

    /// Fetches several sources at once. A source that cannot be fetched does not stop the others.
    pub fn fetch(&self, wanted: &[Fetch], observe: Observer<'_>) -> Vec<Result<Source, String>> {
        let next = Mutex::new(0..wanted.len());
        let results: Mutex<Vec<Option<Result<Source, String>>>> = Mutex::new(wanted.iter().map(|_| None).collect());
        thread::scope(|scope| {
            for _ in 0..MAX_FETCHES.min(wanted.len()) {
                scope.spawn(|| {
                    loop {
                        let Some(at) = next.lock().ok().and_then(|mut next| next.next()) else { return };
                        let fetched = self.fetch_one(&wanted[at], observe);
                        observe(&wanted[at].location.shown(), Report::Done);
                        if let Ok(mut results) = results.lock() {
                            results[at] = Some(fetched);
                        }
                    }
                });
            }
        });
        let results = results.into_inner().unwrap_or_default();
        results.into_iter().map(|result| result.unwrap_or_else(|| Err("it was not fetched".to_owned()))).collect()
    }

    fn fetch_one(&self, Fetch { location, branch }: &Fetch, observe: Observer<'_>) -> Result<Source, String> {
        let commit = match location {
            Location::Path(path) => Commit::open(path, &location.shown(), branch.as_deref().unwrap_or("HEAD"))?,
            Location::Remote(url) => self.remote(url, branch.as_deref(), observe)?,
        };
        Ok(Source::Commit(commit))
    }

    /// The commit of a branch, a tag or a hash in a remote repository. Clones the commit if there is no clone of this
    /// commit yet.
    fn remote(&self, url: &RemoteUrl, branch: Option<&str>, observe: Observer<'_>) -> Result<Commit, String> {
        let folder = self.folder.join(ContentHash::of(url.shown().as_bytes()).to_string());
        let known =
            folder.join(ContentHash::of(branch.unwrap_or_default().as_bytes()).to_string()).with_extension("ref");
        let last = read_ref(&known).and_then(|(id, age)| Some((open(&folder, url, &id).ok()?, age)));
        let is_commit = branch.is_some_and(|name| name.len() == 40 && name.bytes().all(|b| b.is_ascii_hexdigit()));
        let last = match (last, self.refresh) {
            (Some((commit, _)), BranchRefresh::Never) => return Ok(commit),
            (Some((commit, age)), BranchRefresh::Hourly) if is_commit || age < MAX_AGE => return Ok(commit),
            (None, BranchRefresh::Never) => return Err("it was never cloned; run once without --offline".to_owned()),
            (last, _) => last.map(|(commit, _)| commit),
        };
        if let Some(why) = credentials::problem(url) {
            return Err(why.to_owned());
        }
        if let Some(note) = credentials::note(url) {
            observe(url.shown(), Report::Note(note));
        }
        create(&folder)?;
        let progress = |line: &str| observe(url.shown(), Report::Progress(line));
        let git = Git { folder: &folder, url, runs: self.runs.as_deref(), observe: &progress };
        let found = match look_up(&git, url, branch, is_commit) {
            Ok(found) => found?,
            Err(why) => {
                let last = last.ok_or_else(|| with_remedy(&why))?;
                observe(url.shown(), Report::Note(&format!("{why}; the commit of the last time is used")));
                return Ok(last);
            }
        };
        // libgit2 shares open packs by their paths. While a damaged clone is open, a new clone at its path would be
        // read through the damaged pack.
        drop(last);
        if self.refresh == BranchRefresh::Always {
            remove_if_damaged(&git, &place(&folder, &found.id));
        }
        let commit = match open(&folder, url, &found.id) {
            Ok(commit) => commit,
            Err(_) => clone(&git, &folder, url, &found).map_err(|why| with_remedy(&why))?,
        };
        let written = writing::replace_in_cache(&known, |out| out.write_all(commit.id().as_bytes()));
        written.map_err(|error| format!("{} cannot be written: {error}", known.display()))?;
        remove_old(&folder, &commit.id());
        Ok(commit)
    }
}

/// The reason why a repository cannot be cloned, with a remedy.
fn with_remedy(why: &str) -> String {
    format!("{why}; check the URL, the network and your access with `git ls-remote`, and try again")
}

/// The commit that a remote repository has under a name.
struct RemoteRef {
    /// The hash of the commit, or of the tag that refers to the commit.
    id: String,
    /// The branch or tag to clone; `None` for the branch that the repository has checked out, and for a commit.
    name: Option<String>,
    is_commit: bool,
}

/// Looks up a branch or tag. The outer error is an error of the network; the inner error says that the name does not
/// exist.
fn look_up(
    git: &Git<'_>,
    url: &RemoteUrl,
    branch: Option<&str>,
    is_commit: bool,
) -> Result<Result<RemoteRef, String>, String> {
    if let (Some(id), true) = (branch, is_commit) {
        return Ok(Ok(RemoteRef { id: id.to_ascii_lowercase(), name: None, is_commit }));
    }
    let wanted = branch.unwrap_or(DEFAULT_BRANCH);
    let (head, tag) = (format!("refs/heads/{wanted}"), format!("refs/tags/{wanted}"));
    let peeled = format!("{tag}^{{}}");
    let text = git.run(["ls-remote", "--", url.shown(), "HEAD", &head, &tag, &peeled])?;
    let id_of = |name: &str| {
        let mut rows = text.lines().filter_map(|line| line.split_once('\t'));
        let id = rows.find(|(_, found)| *found == name).map(|(id, _)| id.to_owned())?;
        (id.len() == 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(id)
    };
    let named = id_of(&head).or_else(|| if branch.is_some() { id_of(&peeled).or_else(|| id_of(&tag)) } else { None });
    let by_name = |id| RemoteRef { id, name: Some(wanted.to_owned()), is_commit: false };
    let default = || id_of("HEAD").map(|id| RemoteRef { id, name: None, is_commit: false });
    Ok(match (named.map(by_name), branch) {
        (Some(found), _) => Ok(found),
        (None, None) => default().ok_or_else(|| "the repository is empty; name another one".to_owned()),
        (None, Some(name)) => {
            Err(format!("it has no branch or tag `{name}` (any more); name another one, or a commit by its 40 digits"))
        }
    })
}

/// Clones one commit into a temporary folder, and gives the folder its name.
fn clone(git: &Git<'_>, folder: &Path, url: &RemoteUrl, found: &RemoteRef) -> Result<Commit, String> {
    let temporary = tempfile::Builder::new().prefix(".new-").tempdir_in(folder);
    let temporary = temporary.map_err(|error| format!("{} cannot be written: {error}", folder.display()))?;
    let bare = temporary.path().join("bare");
    let target = bare.to_string_lossy().into_owned();
    if found.is_commit {
        git.run(["init", "--quiet", "--bare", "--template=", "--", &target])?;
        let place = format!("--git-dir={target}");
        git.run([&place, "fetch", "--progress", "--depth=1", "--no-tags", "--", url.shown(), &found.id])?;
    } else {
        let mut words =
            vec!["clone", "--progress", "--bare", "--depth=1", "--single-branch", "--no-tags", "--template="];
        words.extend(found.name.as_ref().map(|_| "--branch"));
        words.extend(found.name.as_deref());
        words.extend(["--", url.shown(), &target]);
        git.run(words)?;
    }
    // The branch may have moved since it was looked up.
    let revision = if found.is_commit { found.id.as_str() } else { "HEAD" };
    let cloned = Commit::open(&bare, url.shown(), revision)?;
    let place = place(folder, &cloned.id());
    if open(folder, url, &cloned.id()).is_err() {
        // Removes the remainder of a damaged clone.
        let _ = fs::remove_dir_all(&place);
    }
    if let Err(error) = fs::rename(&bare, &place)
        && !place.is_dir()
    {
        return Err(format!("{} cannot be written: {error}", place.display()));
    }
    open(folder, url, &cloned.id())
}

/// Removes a clone whose pack is damaged. Opening a clone does not find all damage: only this function verifies the
/// checksums of the pack, which takes long, since the whole pack is read.
fn remove_if_damaged(git: &Git<'_>, clone: &Path) {
    let Ok(entries) = fs::read_dir(clone.join("objects/pack")) else { return };
    let paths = entries.flatten().map(|entry| entry.path());
    let indexes = paths.filter(|path| path.extension().is_some_and(|ending| ending == "idx"));
    let indexes: Vec<String> = indexes.map(|path| path.to_string_lossy().into_owned()).collect();
    let words = ["verify-pack", "--"].into_iter().chain(indexes.iter().map(String::as_str));
    if indexes.is_empty() || git.run(words).is_err() {
        // A clone that cannot be removed causes an error when the clone is made anew.
        let _ = fs::remove_dir_all(clone);
    }
}

fn place(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.git"))
}

/// The clone of a commit; an error if there is none.
fn open(folder: &Path, url: &RemoteUrl, id: &str) -> Result<Commit, String> {
    Commit::open(&place(folder, id), url.shown(), id)
}

/// The commit in a file, and how long ago it was looked up.
fn read_ref(path: &Path) -> Option<(String, Duration)> {
    let text = RegularFile::open(path).ok()?.read(MAX_REF_BYTES).ok()?;
    let id = String::from_utf8(text).ok()?;
    let is_hash = id.len() == 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let modified = fs::metadata(path).ok()?.modified().ok()?;
    // A time in the future counts as the present, so that it causes no look-up.
    let age = SystemTime::now().duration_since(modified).unwrap_or_default();
    is_hash.then_some((id, age))
}

fn create(folder: &Path) -> Result<(), String> {
    writing::create_folder(folder).map_err(|error| error.to_string())
}

/// Removes the clones of commits that no branch names any more, and unfinished clones, if they are older than
/// [`MAX_CLONE_AGE`].
fn remove_old(folder: &Path, current: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let is_ref = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "ref");
    let named: Vec<String> =
        entries.iter().filter(is_ref).filter_map(|path| read_ref(path)).map(|(id, _)| id).collect();
    for path in &entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let id = name.strip_suffix(".git");
        let is_clone = id.is_some_and(|id| id != current && !named.iter().any(|named| named == id));
        let modified = fs::metadata(path).and_then(|meta| meta.modified()).ok();
        let age = modified.and_then(|time| SystemTime::now().duration_since(time).ok()).unwrap_or_default();
        if (is_clone || name.starts_with(".new-")) && age > MAX_CLONE_AGE {
            // Another process may remove it at the same time.
            let _ = fs::remove_dir_all(path);
        }
    }
}
