//! Finds the files of a source.
//!
//! Links are never followed, so that no circle can be walked. What git tracks is found even where an
//! ignore file names it.

use std::path::{Path, PathBuf};

use compact_str::CompactString;
use ignore::WalkBuilder;
use rustc_hash::FxHashSet;

use super::{Found, Source};
use crate::engine::{
    diagnostic::{Diagnostic, Problem},
    index::Language,
};

/// Folders that hold other people's code or build products, whatever ignore files say.
const SKIPPED: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    ".eggs",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "__pycache__",
    "node_modules",
    "site-packages",
];

/// Folders of build products, unless they are packages of that name.
const PRODUCTS: &[&str] = &["build", "dist"];

/// Why a source cannot be walked.
#[derive(Debug)]
pub(crate) enum WalkError {
    NotFound,
    Unreadable(std::io::Error),
}

/// Every file of a known language, by path.
pub(crate) fn walk(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Result<Vec<Found>, WalkError> {
    let mut found = match source {
        Source::Memory { files, .. } => files
            .iter()
            .filter(|(path, _)| language(Path::new(path)).is_some())
            .map(|(path, bytes)| Found { path: CompactString::new(path), size: bytes.len() as u64 })
            .collect(),
        Source::Folder(root) => walk_folder(root, diagnostics)?,
    };
    found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    found.dedup_by(|a, b| a.path == b.path);
    Ok(found)
}

fn walk_folder(root: &Path, diagnostics: &mut Vec<Diagnostic>) -> Result<Vec<Found>, WalkError> {
    let meta = std::fs::metadata(root).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => WalkError::NotFound,
        _ => WalkError::Unreadable(error),
    })?;
    if meta.is_file() {
        let name = root.file_name().map(|n| CompactString::from(n.to_string_lossy())).unwrap_or_default();
        return Ok(vec![Found { path: name, size: meta.len() }]);
    }
    std::fs::read_dir(root).map_err(WalkError::Unreadable)?;
    let mut found = Vec::new();
    let walker = WalkBuilder::new(root)
        .hidden(false)
        .follow_links(false)
        .filter_entry(|entry| {
            let is_dir = entry.file_type().is_some_and(|t| t.is_dir());
            entry.depth() == 0 || !is_dir || !is_skipped(entry.path())
        })
        .build();
    for entry in walker {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                diagnostics.push(walk_problem(root, &error));
                continue;
            }
        };
        if !entry.file_type().is_some_and(|t| t.is_file()) || language(entry.path()).is_none() {
            continue;
        }
        if let Some(path) = relative(root, entry.path()) {
            let size = entry.metadata().map_or(0, |m| m.len());
            found.push(Found { path, size });
        }
    }
    add_tracked(root, &mut found);
    Ok(found)
}

fn is_skipped(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
    SKIPPED.contains(&name)
        || (PRODUCTS.contains(&name) && !path.join("__init__.py").exists())
        || path.join("pyvenv.cfg").exists()
}

/// Adds what git tracks though an ignore file names it.
fn add_tracked(root: &Path, found: &mut Vec<Found>) {
    let Some(index) = git2::Repository::open(root).ok().and_then(|r| r.index().ok()) else { return };
    let known: FxHashSet<CompactString> = found.iter().map(|f| f.path.clone()).collect();
    for entry in index.iter() {
        let Ok(path) = std::str::from_utf8(&entry.path) else { continue };
        let full = root.join(path);
        if known.contains(path) || language(&full).is_none() {
            continue;
        }
        let mut folders = Path::new(path).ancestors().skip(1).filter(|folder| folder.file_name().is_some());
        if folders.any(|folder| is_skipped(&root.join(folder))) {
            continue;
        }
        if let Ok(meta) = std::fs::symlink_metadata(&full)
            && meta.is_file()
        {
            found.push(Found { path: CompactString::new(path), size: meta.len() });
        }
    }
}

fn relative(root: &Path, path: &Path) -> Option<CompactString> {
    let parts: PathBuf = path.strip_prefix(root).ok()?.to_path_buf();
    let mut text = CompactString::default();
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            text.push('/');
        }
        text.push_str(&part.to_string_lossy());
    }
    Some(text)
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
    let message = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    Diagnostic { path: path.unwrap_or_default(), problem: Problem::Unreadable, message }
}

/// The language of a file, by its name.
pub(crate) fn language(path: &Path) -> Option<Language> {
    match path.extension()?.to_str()? {
        "py" | "pyi" | "ipynb" => Some(Language::Python),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(root: &Path) -> Vec<String> {
        let found = walk(&Source::Folder(root.to_owned()), &mut Vec::new()).expect("a folder");
        found.into_iter().map(|f| f.path.to_string()).collect()
    }

    #[test]
    fn products_and_environments_are_left_out_but_packages_of_their_name_are_not() {
        let root = tempfile::tempdir().expect("a folder");
        for file in [
            "build/lib/a.py",
            "src/build/__init__.py",
            "src/build/b.py",
            "env/pyvenv.cfg",
            "env/c.py",
            "d.pyi",
            "e.txt",
        ] {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, "").expect("a file");
        }
        assert_eq!(paths(root.path()), ["d.pyi", "src/build/__init__.py", "src/build/b.py"]);
    }

    #[test]
    fn what_git_tracks_is_found_though_it_is_ignored() {
        let root = tempfile::tempdir().expect("a folder");
        let repository = git2::Repository::init(root.path()).expect("a repository");
        for (file, text) in [(".gitignore", "lib/\n"), ("lib/tracked.py", ""), ("lib/other.py", ""), ("a.py", "")] {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let mut index = repository.index().expect("an index");
        index.add_path(Path::new("lib/tracked.py")).expect("added");
        index.write().expect("written");
        assert_eq!(paths(root.path()), ["a.py", "lib/tracked.py"]);
    }
}
