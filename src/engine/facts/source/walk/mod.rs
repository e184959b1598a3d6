//! Finds the files of a source.
//!
//! Symbolic links are never followed, so the walk cannot run in a cycle. A file that git tracks is found even if an
//! ignore file names it.
//!
//! A folder that a person names is read as if it stood alone: no ignore file, repository or name of a folder above it
//! has a say. It is always walked: if its own ignore files exclude everything in it, as the `*` in the `.gitignore` of
//! a virtual environment does, the folder is walked again without these rules.

mod skipped;
#[cfg(test)]
mod tests;

use std::{
    fs::FileType,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use compact_str::CompactString;
use ignore::WalkBuilder;
use rustc_hash::FxHashSet;

pub(super) use skipped::is_skipped_folder;
use skipped::{is_installed, is_published, is_skipped};

use super::{
    FileEntry, Source, git, ignored::Ignored, large, path_text::relative, revised::RevisedSource,
    secrets::is_secret_name,
};
use crate::documents::{Format, Translations};
use apidisc_base::{
    diagnostic::{Diagnostic, Problem},
    files::{FileError, FileKind, Root},
    language::Language,
};

/// The greatest number of folders around a file below the root of its source. The paths of a chain of nested folders,
/// and the names of the modules in it, grow with the square of its length.
pub(super) const MAX_FOLDERS: usize = 128;

/// Why a source cannot be walked, in one line that says how to mend it.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// The path does not exist.
    #[error("{0} does not exist; name a folder that holds source code")]
    NotFound(String),
    /// The path cannot be opened.
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, std::io::Error),
    /// The source could not be fetched.
    #[error("{0}: {1}")]
    Missing(String, String),
}

/// The files that a walk is to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Files of a known language, project files, and documents that quote code.
    #[default]
    Code,
    /// Files of data, which may describe an API: JSON and YAML.
    Data,
}

/// The files and folders of a source. The files are sorted by path, without duplicates.
#[derive(Debug, Default)]
pub struct WalkedSource {
    /// The files that are found.
    pub(super) wanted: Wanted,
    /// The files of a known language, and documents.
    pub found: Vec<FileEntry>,
    /// The files that decide how imports are resolved: `package.json`, `tsconfig.json`, `jsconfig.json` and variants of
    /// them, if the source has TypeScript or JavaScript; `pyproject.toml` and `setup.cfg`, if it has
    /// Python. A file of code that does so, `setup.py`, is in `found` alone.
    pub project: Vec<FileEntry>,
    /// The folders that were walked, as paths on this machine.
    pub folders: Vec<PathBuf>,
    /// The first path below more than [`MAX_FOLDERS`] folders.
    pub(super) too_deep: Option<CompactString>,
}

/// Finds the files of a source.
pub fn walk(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Result<WalkedSource, WalkError> {
    let mut walked = walk_for(Wanted::Code, source, diagnostics)?;
    large::keep_within_budget(&mut walked.found, diagnostics);
    Ok(walked)
}

/// Finds the JSON and YAML files of a source, sorted by path. If the source is a single file, it is found whatever its
/// name is.
pub fn walk_data(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Result<Vec<FileEntry>, WalkError> {
    walk_for(Wanted::Data, source, diagnostics).map(|walked| walked.found)
}

pub(super) fn walk_for(
    wanted: Wanted,
    source: &Source,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<WalkedSource, WalkError> {
    let mut walked = WalkedSource { wanted, ..WalkedSource::default() };
    match source {
        Source::Memory { files, .. } => {
            for (path, bytes) in files {
                walked.add(CompactString::new(path), || bytes.len() as u64);
            }
        }
        Source::Folder(root) => walk_folder(root, &mut walked, diagnostics)?,
        Source::Commit(commit) => {
            let missing = |why| WalkError::Missing(commit.url().to_owned(), why);
            commit.walk(&mut walked, diagnostics).map_err(missing)?;
        }
        Source::Missing { url, why } => return Err(WalkError::Missing(url.clone(), why.clone())),
        Source::Linked(linked) => walked = linked.walk(wanted, diagnostics)?,
        Source::Revised(revised) => {
            walked = walk_for(wanted, &revised.code, diagnostics)?;
            let users = walk_for(wanted, &revised.users, diagnostics)?;
            let code = RevisedSource::kept(walked.found, false);
            walked.found = code.chain(RevisedSource::kept(users.found, true)).collect();
        }
    }
    if !matches!(source, Source::Linked(_)) && wanted == Wanted::Code {
        walked.remove_compiled();
        walked.remove_translations();
    }
    if let Some(path) = walked.too_deep.take() {
        let message = format!("folders are nested deeper than {MAX_FOLDERS}; what is in deeper folders is not read");
        diagnostics.push(Diagnostic { path, problem: Problem::TooDeep, message });
    }
    for found in [&mut walked.found, &mut walked.project] {
        found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        found.dedup_by(|a, b| a.path == b.path);
    }
    Ok(walked)
}

impl WalkedSource {
    /// Adds a file if the walk wants it. A file of secrets is left out, so that no answer quotes it.
    pub(super) fn add(&mut self, path: CompactString, size: impl FnOnce() -> u64) {
        if is_secret_name(&path) {
            return;
        }
        if path.matches('/').count() > MAX_FOLDERS {
            if self.wanted.role(&path).is_some() {
                self.too_deep.get_or_insert(path);
            }
            return;
        }
        match self.wanted.role(&path) {
            Some(role @ (FileRole::Source(_) | FileRole::Document)) => {
                self.found.push(FileEntry { path, size: size(), language: role.language() });
            }
            Some(role @ FileRole::Project(_)) => {
                self.project.push(FileEntry { path, size: size(), language: role.language() });
            }
            None => {}
        }
    }

    /// Removes the documents that are translations of other documents.
    fn remove_translations(&mut self) {
        let documents = self.found.iter().filter(|f| f.language.is_none()).map(|f| f.path.as_str());
        let translations = Translations::new(documents);
        let kept: Vec<bool> =
            self.found.iter().map(|f| f.language.is_some() || !translations.contains(&f.path)).collect();
        let mut kept = kept.into_iter();
        self.found.retain(|_| kept.next().unwrap_or(true));
    }

    /// Removes three kinds of files:
    ///
    /// - files that a compiler has written beside their sources, such as `a.js` and `a.d.ts` beside `a.ts`;
    /// - project files of a language, if no other file of that language is left;
    /// - documents, if no file of code is left.
    fn remove_compiled(&mut self) {
        let compiled = |f: &FileEntry| f.language.filter(|language| !language.output_folders().is_empty());
        let module = |f: &FileEntry, language: Language| language.module_of_file(&f.path, |_| false);
        let is_source = |f: &FileEntry, language: Language| !language.may_be_compiled(&f.path);
        let sources = self.found.iter().filter_map(|f| Some((f, compiled(f)?))).filter(|(f, by)| is_source(f, *by));
        let sources: FxHashSet<String> = sources.map(|(f, language)| module(f, language)).collect();
        self.found.retain(|f| compiled(f).is_none_or(|by| is_source(f, by) || !sources.contains(&module(f, by))));
        if self.found.iter().all(|f| f.language.is_none()) {
            self.found.clear();
        }
        let found = &self.found;
        self.project.retain(|p| found.iter().any(|f| f.language == p.language));
    }
}

/// The role of a file in an index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FileRole {
    /// A file of code.
    Source(Language),
    /// A file such as `package.json` that is no code and decides how imports are resolved.
    Project(Language),
    /// A text that may quote code.
    Document,
}

impl Wanted {
    /// The role of a file by its name; `None` for a file that the walk does not want.
    pub(super) fn role(self, path: &str) -> Option<FileRole> {
        // Yarn writes tables of packages into `.pnp.cjs` and its like.
        if path.rsplit('/').next().is_some_and(|name| name.starts_with(".pnp.")) {
            return None;
        }
        match self {
            Self::Code => FileRole::of(path),
            Self::Data => {
                let (_, ending) = path.rsplit_once('.')?;
                let is_data = ["json", "yaml", "yml"].iter().any(|data| ending.eq_ignore_ascii_case(data));
                is_data.then_some(FileRole::Document)
            }
        }
    }
}

impl FileRole {
    /// The role of a file by its name; `None` for a file that is not indexed.
    pub(super) fn of(path: &str) -> Option<Self> {
        let source = Language::of_path(path).map(Self::Source);
        let source = source.or_else(|| Language::of_project_file(path).map(Self::Project));
        let is_document = || Format::of_document(path).is_some() && !Format::is_repetition(path);
        source.or_else(|| is_document().then_some(Self::Document))
    }

    pub(super) fn language(self) -> Option<Language> {
        match self {
            Self::Source(language) | Self::Project(language) => Some(language),
            Self::Document => None,
        }
    }
}

/// True if a change at `path` may change the index: it may be a source file, a project file, an ignore file or a
/// folder.
pub fn may_affect_index(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    FileRole::of(name).is_some() || matches!(name, ".gitignore" | ".ignore") || !name.contains('.')
}

/// True if a change at `path` may change the API documents of a source: it may be an API document, a file to which an
/// API document refers, an ignore file or a folder.
pub fn may_affect_documents(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_code = matches!(FileRole::of(name), Some(FileRole::Source(_)));
    Wanted::Data.role(name).is_some() || (may_affect_index(path) && !is_code)
}

fn walk_folder(root: &Path, walked: &mut WalkedSource, diagnostics: &mut Vec<Diagnostic>) -> Result<(), WalkError> {
    let name = || root.display().to_string();
    let meta = std::fs::metadata(root).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => WalkError::NotFound(name()),
        _ => WalkError::Unreadable(name(), error),
    })?;
    if meta.is_file() {
        let path = root.file_name().map(|n| CompactString::from(n.to_string_lossy())).unwrap_or_default();
        let language = FileRole::of(&path).map_or(Some(Language::default()), FileRole::language);
        walked.found.push(FileEntry { path, size: meta.len(), language });
        walked.folders.extend(root.parent().map(Path::to_owned));
        return Ok(());
    }
    std::fs::read_dir(root).map_err(|error| WalkError::Unreadable(name(), error))?;
    let is_installed = is_installed(root);
    let mut problems = Vec::new();
    walk_entries(root, is_installed, Ignored::new(root), walked, &mut problems);
    if !is_installed {
        add_tracked(root, walked, &mut problems);
    }
    let again = if walked.found.is_empty() {
        Some(Ignored::nothing(root))
    } else {
        (!is_installed && is_published(root, &walked.found)).then(|| Ignored::new(root))
    };
    if let Some(ignored) = again {
        *walked = WalkedSource { wanted: walked.wanted, ..WalkedSource::default() };
        problems.clear();
        walk_entries(root, true, ignored, walked, &mut problems);
    }
    diagnostics.append(&mut problems);
    Ok(())
}

/// Adds the files and folders below `root` that neither `ignored` nor the rules of this module exclude. Build products
/// are added if `keeps_products`.
fn walk_entries(
    root: &Path,
    keeps_products: bool,
    ignored: Ignored,
    walked: &mut WalkedSource,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let ignored = Arc::new(Mutex::new(ignored));
    let rules = Arc::clone(&ignored);
    let too_deep: Arc<OnceLock<PathBuf>> = Arc::default();
    let deepest = Arc::clone(&too_deep);
    let walker = WalkBuilder::new(root)
        .standard_filters(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            let is_dir = entry.file_type().is_some_and(|t| t.is_dir());
            let mut rules = rules.lock().unwrap_or_else(PoisonError::into_inner);
            if rules.is_ignored(entry.path(), entry.depth(), is_dir) {
                return false;
            }
            if is_dir && is_skipped(entry.path(), entry.depth(), keeps_products) {
                return false;
            }
            if is_dir && entry.depth() > MAX_FOLDERS {
                deepest.get_or_init(|| entry.path().to_owned());
                return false;
            }
            if is_dir {
                rules.enter_folder(entry.path(), entry.depth());
            }
            true
        })
        .build();
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    for entry in walker {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                diagnostics.push(walk_problem(root, &error));
                continue;
            }
        };
        let Some(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            walked.folders.push(entry.into_path());
            continue;
        }
        if let Some(path) = relative(root, entry.path())
            && (keeps_products || !is_build_output(&path))
        {
            if kind.is_file() {
                walked.add(path, || entry.metadata().map_or(0, |m| m.len()));
            } else if walked.wanted.role(&path).is_some()
                && let Some(error) = why_left_out(&real_root, entry.path(), kind)
            {
                diagnostics.push(Diagnostic { path, problem: Problem::Unreadable, message: error.to_string() });
            }
        }
    }
    walked.too_deep = too_deep.get().and_then(|path| relative(root, path)).or(walked.too_deep.take());
    diagnostics.append(&mut ignored.lock().unwrap_or_else(PoisonError::into_inner).diagnostics);
}

/// The reason why an entry with the name of a source file is left out. `None` if no code is lost, because the entry is
/// a link to a file of the same source.
fn why_left_out(real_root: &Path, path: &Path, kind: FileType) -> Option<FileError> {
    if !kind.is_symlink() {
        return Some(FileError::NotRegular(FileKind::of(kind)));
    }
    match path.canonicalize() {
        Ok(target) if target.starts_with(real_root) && (target.is_file() || target.is_dir()) => None,
        _ => Some(FileError::Link),
    }
}

/// True for a file in a folder of build output, by the rules of its language.
pub(super) fn is_build_output(path: &str) -> bool {
    let folders = FileRole::of(path).and_then(FileRole::language).map_or(&[][..], Language::output_folders);
    path.rsplit('/').skip(1).any(|folder| folders.contains(&folder))
}

/// Adds the files that git tracks and the walk did not find, for example because an ignore file names them. Compiled
/// files and files in skipped folders are not added.
fn add_tracked(root: &Path, walked: &mut WalkedSource, diagnostics: &mut Vec<Diagnostic>) {
    // A `.git` that cannot be used was reported when its excludes were read.
    let (Ok(Some(folder)), Ok(handle)) = (git::find(root), Root::open(root)) else { return };
    let known = walked.found.iter().chain(&walked.project).map(|f| f.path.clone());
    let known: FxHashSet<CompactString> = known.collect();
    let wanted = walked.wanted;
    let mut report = |path: &str, message: String| {
        diagnostics.push(Diagnostic { path: path.into(), problem: Problem::Unreadable, message });
    };
    let read = folder.tracked(|path| {
        let Some(role) = wanted.role(path).filter(|_| !known.contains(path)) else { return };
        if is_build_output(path) && role.language().is_some_and(|language| language.may_be_compiled(path)) {
            return;
        }
        let keeps_products = role.language().is_some_and(|language| !language.output_folders().is_empty());
        let mut folders = Path::new(path).ancestors().skip(1).filter(|folder| folder.file_name().is_some());
        if folders.any(|folder| is_skipped(&root.join(folder), folder.components().count(), keeps_products)) {
            return;
        }
        match handle.file(Path::new(path)) {
            Ok(file) => walked.add(CompactString::new(path), || file.len()),
            Err(error) if error.is_not_found() => {}
            Err(error) => report(path, error.to_string()),
        }
    });
    if let Err(message) = read {
        report(".git/index", format!("tracked files that are ignored may be missing: {message}"));
    }
}

fn walk_problem(root: &Path, error: &ignore::Error) -> Diagnostic {
    let path = match error {
        ignore::Error::WithPath { path, .. } => relative(root, path),
        ignore::Error::WithDepth { err, .. } => match &**err {
            ignore::Error::WithPath { path, .. } => relative(root, path),
            _ => None,
        },
        _ => None,
    };
    let message = error.io_error().map_or_else(
        || error.to_string(),
        // The kind says it without the path, which stands before the message.
        |error| format!("it cannot be listed: {}; what is in it is left out", error.kind()),
    );
    Diagnostic { path: path.unwrap_or_default(), problem: Problem::Unreadable, message }
}
