//! The files of `src`, read once for every rule.

use std::{fs, path::Path};

use crate::rust;

/// One file of the crate.
#[derive(Clone)]
pub(crate) struct File {
    /// From the crate's root, such as `src/engine/link/lib.rs`.
    pub(crate) path: String,
    /// The whole text of the file.
    pub(crate) text: String,
    /// Without comments, literals and its test module.
    pub(crate) code: String,
    /// What it names, in full.
    pub(crate) paths: Vec<String>,
}

impl File {
    /// A file of that path and text.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let code = rust::code(text);
        let paths = rust::paths(&code, &module(path));
        Self { path: path.to_owned(), text: text.to_owned(), code, paths }
    }

    /// The first path of the file that is one of `forbidden` or below one of them.
    pub(crate) fn names(&self, forbidden: &[&str]) -> Option<&str> {
        let is_forbidden = |path: &&String| {
            // ratatui re-exports crossterm.
            let path = path.trim_start_matches("::").trim_start_matches("ratatui::crossterm::");
            forbidden.iter().any(|prefix| {
                let bare = prefix.strip_prefix("crossterm::").unwrap_or(prefix);
                is_at_or_below(path, prefix) || is_at_or_below(path, bare)
            })
        };
        self.paths.iter().find(is_forbidden).map(String::as_str)
    }

    /// The first of `forbidden` that occurs as an identifier.
    pub(crate) fn says<'a>(&self, forbidden: &[&'a str]) -> Option<&'a str> {
        forbidden.iter().copied().find(|word| rust::words(&self.code).any(|w| w == *word))
    }
}

/// Every Rust file below `folder`, by path; the folder must be there.
pub(crate) fn below(folder: &str) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(root, &root.join(folder), &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!files.is_empty(), "{folder} holds no Rust files");
    files
}

/// True if `path` is `above` or below it.
pub(crate) fn is_at_or_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Fails with every violation at once.
pub(crate) fn check(files: &[File], violation: impl Fn(&File) -> Option<String>) {
    let found: Vec<String> =
        files.iter().filter_map(|file| Some(format!("{}: {}", file.path, violation(file)?))).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<File>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            files.push(File::new(&name, &fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The module that a file holds, from the root of its package: the folders of the engine and the agents are packages of
/// their own.
fn module(path: &str) -> Vec<String> {
    let of_engine = path.strip_prefix("src/engine/").and_then(|inner| inner.split_once('/').map(|(_, inner)| inner));
    let inner = of_engine.or_else(|| path.strip_prefix("src/agents/")).or_else(|| path.strip_prefix("src/"));
    let parts = inner.unwrap_or(path).trim_end_matches(".rs").split('/');
    parts.filter(|part| !matches!(*part, "mod" | "lib" | "main")).map(str::to_owned).collect()
}
