//! Finds the files of a source.
//!
//! Symbolic links are never followed, so the walk cannot run in a cycle. A file that git tracks is found even if an
//! ignore file names it. A folder that a person names is walked whatever ignore files say of it: if they leave nothing
//! of it, as the `*` in a virtual environment's own `.gitignore` does, the folder is walked again without them.

use std::{
    fs::FileType,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use compact_str::CompactString;
use ignore::WalkBuilder;
use rustc_hash::FxHashSet;

use super::{FileEntry, Source, git, ignored::Ignored, path_text::relative};
use crate::{
    diagnostic::{Diagnostic, Problem},
    files::{FileError, FileKind, Root},
    language::Language,
};

/// Folders that are never walked, regardless of ignore files: installed packages, caches and data of tools.
const SKIPPED_FOLDERS: &[&str] = &[
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
    SITE_PACKAGES,
    "node_modules",
    ".yarn",
    ".cache",
    ".parcel-cache",
    ".turbo",
    ".next",
    ".nuxt",
    ".output",
    ".svelte-kit",
];

/// The folder of a Python installation that holds the installed packages.
const SITE_PACKAGES: &str = "site-packages";

/// Folders of build products, unless they are Python packages.
const PRODUCT_FOLDERS: &[&str] = &["build", "dist"];

/// Why a source cannot be walked.
#[derive(Debug)]
pub(crate) enum WalkError {
    NotFound,
    Unreadable(std::io::Error),
}

/// The files and folders of a source. The files are sorted by path, without duplicates.
#[derive(Debug, Default)]
pub(crate) struct WalkedSource {
    /// The files of a known language.
    pub(crate) found: Vec<FileEntry>,
    /// `package.json`, `tsconfig.json`, `jsconfig.json` and variants of them, which decide how TypeScript imports are
    /// resolved. Empty if the source has no TypeScript or JavaScript.
    pub(crate) project: Vec<FileEntry>,
    /// The folders that were walked, as paths on this machine.
    pub(crate) folders: Vec<PathBuf>,
}

/// Finds the files of a source.
pub(crate) fn walk(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Result<WalkedSource, WalkError> {
    let mut walked = WalkedSource::default();
    match source {
        Source::Memory { files, .. } => {
            for (path, bytes) in files {
                walked.add(CompactString::new(path), || bytes.len() as u64);
            }
        }
        Source::Folder(root) => walk_folder(root, &mut walked, diagnostics)?,
    }
    walked.remove_compiled();
    for found in [&mut walked.found, &mut walked.project] {
        found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        found.dedup_by(|a, b| a.path == b.path);
    }
    Ok(walked)
}

impl WalkedSource {
    fn add(&mut self, path: CompactString, size: impl FnOnce() -> u64) {
        match FileRole::of(&path) {
            Some(FileRole::Source(language)) => self.found.push(FileEntry { path, size: size(), language }),
            Some(FileRole::Project(language)) => self.project.push(FileEntry { path, size: size(), language }),
            None => {}
        }
    }

    /// Removes two kinds of files:
    ///
    /// - files that a compiler has written beside their sources, such as `a.js` and `a.d.ts` beside `a.ts`;
    /// - project files of a language, if no other file of that language is left.
    fn remove_compiled(&mut self) {
        let module = |f: &FileEntry| f.language.module_of_file(&f.path, |_| false);
        let has_compiler = |language: Language| !language.output_folders().is_empty();
        let is_source = |f: &FileEntry| !f.language.may_be_compiled(&f.path);
        let sources = self.found.iter().filter(|f| has_compiler(f.language) && is_source(f));
        let sources: FxHashSet<String> = sources.map(module).collect();
        self.found.retain(|f| !has_compiler(f.language) || is_source(f) || !sources.contains(&module(f)));
        let found = &self.found;
        self.project.retain(|p| found.iter().any(|f| f.language == p.language));
    }
}

/// The role of a file in an index.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileRole {
    /// A file of code.
    Source(Language),
    /// A file such as `package.json`, which decides how imports are resolved.
    Project(Language),
}

impl FileRole {
    /// The role of a file by its name; `None` for a file that is not indexed.
    fn of(path: &str) -> Option<Self> {
        let source = Language::of_path(path).map(Self::Source);
        source.or_else(|| Language::of_project_file(path).map(Self::Project))
    }

    fn language(self) -> Language {
        match self {
            Self::Source(language) | Self::Project(language) => language,
        }
    }
}

/// True if a change at `path` may change the index: it may be a source file, a project file, an ignore file or a
/// folder.
pub fn may_affect_index(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    FileRole::of(name).is_some() || matches!(name, ".gitignore" | ".ignore") || !name.contains('.')
}

fn walk_folder(root: &Path, walked: &mut WalkedSource, diagnostics: &mut Vec<Diagnostic>) -> Result<(), WalkError> {
    let meta = std::fs::metadata(root).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => WalkError::NotFound,
        _ => WalkError::Unreadable(error),
    })?;
    if meta.is_file() {
        let path = root.file_name().map(|n| CompactString::from(n.to_string_lossy())).unwrap_or_default();
        let language = Language::of_path(&path).unwrap_or_default();
        walked.found.push(FileEntry { path, size: meta.len(), language });
        walked.folders.extend(root.parent().map(Path::to_owned));
        return Ok(());
    }
    std::fs::read_dir(root).map_err(WalkError::Unreadable)?;
    let is_installed = is_installed(root);
    let mut problems = Vec::new();
    let ignored = Ignored::new(root, !is_installed);
    walk_entries(root, is_installed, ignored, walked, &mut problems);
    if !is_installed {
        add_tracked(root, walked, &mut problems);
    }
    if walked.found.is_empty() {
        *walked = WalkedSource::default();
        problems.clear();
        walk_entries(root, is_installed, Ignored::nothing(root), walked, &mut problems);
    }
    diagnostics.append(&mut problems);
    Ok(())
}

/// True for a folder that holds installed packages or lies in one: below `node_modules`, or in a virtual environment of
/// Python. Installed packages consist of build products, so these are walked if a person names such a folder.
fn is_installed(root: &Path) -> bool {
    let Ok(root) = root.canonicalize() else { return false };
    root.iter().any(|part| part == "node_modules" || part == SITE_PACKAGES)
        || root.ancestors().any(|folder| folder.join("pyvenv.cfg").is_file())
}

/// Adds the files and folders below `root` that `ignored` and the rules of this module leave.
fn walk_entries(
    root: &Path,
    is_installed: bool,
    ignored: Ignored,
    walked: &mut WalkedSource,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let ignored = Arc::new(Mutex::new(ignored));
    let rules = Arc::clone(&ignored);
    let walker = WalkBuilder::new(root)
        .standard_filters(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            let is_dir = entry.file_type().is_some_and(|t| t.is_dir());
            let mut rules = rules.lock().unwrap_or_else(PoisonError::into_inner);
            if rules.is_ignored(entry.path(), entry.depth(), is_dir) {
                return false;
            }
            if is_dir && is_skipped(entry.path(), is_installed) {
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
            && (is_installed || !is_build_output(&path))
        {
            if kind.is_file() {
                walked.add(path, || entry.metadata().map_or(0, |m| m.len()));
            } else if FileRole::of(&path).is_some()
                && let Some(error) = why_left_out(&real_root, entry.path(), kind)
            {
                diagnostics.push(Diagnostic { path, problem: Problem::Unreadable, message: error.to_string() });
            }
        }
    }
    diagnostics.append(&mut ignored.lock().unwrap_or_else(PoisonError::into_inner).diagnostics);
}

/// Why an entry with the name of a source file is left out, if its code is lost by that. It is not lost if the entry is
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

/// True for a folder that is not walked. Folders of build products and of installed Python packages are walked if
/// `keeps_products`.
fn is_skipped(path: &Path, keeps_products: bool) -> bool {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
    (SKIPPED_FOLDERS.contains(&name) && !(keeps_products && name == SITE_PACKAGES))
        || (!keeps_products && PRODUCT_FOLDERS.contains(&name) && !path.join("__init__.py").exists())
        || path.join("pyvenv.cfg").exists()
}

/// True for a file in a folder of build output, by the rules of its language.
fn is_build_output(path: &str) -> bool {
    let folders = FileRole::of(path).map_or(&[][..], |role| role.language().output_folders());
    path.rsplit('/').skip(1).any(|folder| folders.contains(&folder))
}

/// Adds the files that git tracks and the walk did not find, for example because an ignore file names them. Compiled
/// files and files in skipped folders are not added.
fn add_tracked(root: &Path, walked: &mut WalkedSource, diagnostics: &mut Vec<Diagnostic>) {
    // An unfit `.git` has been reported with its excludes.
    let (Ok(Some(folder)), Ok(handle)) = (git::find(root), Root::open(root)) else { return };
    let known = walked.found.iter().chain(&walked.project).map(|f| f.path.clone());
    let known: FxHashSet<CompactString> = known.collect();
    let mut report = |path: &str, message: String| {
        diagnostics.push(Diagnostic { path: path.into(), problem: Problem::Unreadable, message });
    };
    let read = folder.tracked(|path| {
        if known.contains(path)
            || FileRole::of(path).is_none()
            || (is_build_output(path) && FileRole::of(path).is_some_and(|role| role.language().may_be_compiled(path)))
        {
            return;
        }
        let keeps_products = FileRole::of(path).is_some_and(|kind| !kind.language().output_folders().is_empty());
        let mut folders = Path::new(path).ancestors().skip(1).filter(|folder| folder.file_name().is_some());
        if folders.any(|folder| is_skipped(&root.join(folder), keeps_products)) {
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
    let message = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    Diagnostic { path: path.unwrap_or_default(), problem: Problem::Unreadable, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(root: &Path) -> Vec<String> {
        let walked = walk(&Source::Folder(root.to_owned()), &mut Vec::new()).expect("a folder");
        walked.found.into_iter().map(|f| f.path.to_string()).collect()
    }

    fn write(root: &Path, files: &[(&str, &str)]) {
        for (file, text) in files {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
    }

    fn track(root: &Path, files: &[&str]) {
        let repository = git2::Repository::init(root).expect("a repository");
        let mut index = repository.index().expect("an index");
        for file in files {
            index.add_path(Path::new(file)).expect("added");
        }
        index.write().expect("written");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_whose_name_is_not_utf_8_is_found_and_read() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
        let root = tempfile::tempdir().expect("a folder");
        std::fs::write(root.path().join(OsStr::from_bytes(b"n\xff.py")), "x = 1\n").expect("a file");
        assert_eq!(paths(root.path()), ["n\\xff.py"]);
        let source = Source::Folder(root.path().to_owned());
        assert_eq!(super::super::reread(&source, "n\\xff.py").map(|text| text.source).as_deref(), Some("x = 1\n"));
    }

    #[test]
    fn build_products_and_virtual_environments_are_left_out_but_packages_of_that_name_are_not() {
        let root = tempfile::tempdir().expect("a folder");
        let files = ["build/lib/a.py", "src/build/__init__.py", "src/build/b.py", "env/pyvenv.cfg", "env/c.py"];
        write(root.path(), &files.map(|file| (file, "")));
        write(root.path(), &["d.pyi", "e.txt", "out/f.py"].map(|file| (file, "")));
        assert_eq!(paths(root.path()), ["d.pyi", "out/f.py", "src/build/__init__.py", "src/build/b.py"]);
    }

    #[test]
    fn a_tracked_file_is_found_although_it_is_ignored() {
        let root = tempfile::tempdir().expect("a folder");
        write(root.path(), &[(".gitignore", "lib/\n"), ("lib/tracked.py", ""), ("lib/other.py", ""), ("a.py", "")]);
        track(root.path(), &["lib/tracked.py"]);
        assert_eq!(paths(root.path()), ["a.py", "lib/tracked.py"]);
    }

    #[test]
    #[cfg(unix)]
    fn tracked_code_behind_a_link_is_left_out_and_reported() {
        let (root, outside) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        write(root.path(), &[("src/a.py", ""), ("b.py", "")]);
        write(outside.path(), &[("a.py", "")]);
        track(root.path(), &["src/a.py"]);
        std::fs::remove_dir_all(root.path().join("src")).expect("removed");
        std::os::unix::fs::symlink(outside.path(), root.path().join("src")).expect("a link");
        let mut diagnostics = Vec::new();
        let walked = walk(&Source::Folder(root.path().to_owned()), &mut diagnostics).expect("a folder");
        assert_eq!(walked.found.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(), ["b.py"]);
        assert_eq!(diagnostics.iter().map(|d| d.path.as_str()).collect::<Vec<_>>(), ["src/a.py"]);
    }

    /// The crate `ignore` reads the ignore files by itself here.
    #[test]
    fn ignore_files_have_the_rules_of_the_crate_that_matches_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = [
            (".gitignore", "# rules\n*.gen.py\r\n/top.py\ndeep/**/x.py\n!kept.gen.py\nlogs/\n\\!odd.py\n[a-\n"),
            (".ignore", "!top2.py\nnever/\n"),
            ("root/.gitignore", "top2.py\nb/*\n!b/keep.py\n  \ntrail.py   \n"),
            ("root/.git/info/exclude", "excluded.py\n/b/keep2.py\n"),
            ("root/b/.ignore", "keep2.py\n!other.py\n"),
            ("root/inner/.git/HEAD", ""),
            ("root/inner/.gitignore", "own.py\n"),
            ("root/inner/.ignore", "\u{feff}bom.py\n"),
        ];
        write(folder.path(), &files);
        let names = [
            "top.py",
            "top2.py",
            "a.gen.py",
            "kept.gen.py",
            "keep.py",
            "keep2.py",
            "other.py",
            "excluded.py",
            "own.py",
        ];
        let more = ["bom.py", "trail.py", "!odd.py", "logs/a.py", "never/a.py", "deep/y/x.py", "x.py"];
        for place in ["root", "root/b", "root/b/c", "root/inner", "root/inner/b", "root/deep"] {
            for name in names.iter().chain(&more) {
                write(folder.path(), &[(&format!("{place}/{name}"), "")]);
            }
        }
        let mut left_out = 0;
        for below in ["root", "root/inner", "root/b", "root/inner/b", ""] {
            let root = folder.path().join(below);
            let by_crate = WalkBuilder::new(&root).hidden(false).build().flatten();
            let mut expected: Vec<String> = by_crate
                .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "py"))
                .filter_map(|entry| relative(&root, entry.path()).map(String::from))
                .collect();
            expected.sort();
            assert_eq!(paths(&root), expected, "{below}");
            left_out += 6 * 16 - expected.len();
        }
        assert!(left_out > 50, "{left_out}");
    }

    #[test]
    fn in_folders_of_build_products_only_tracked_typescript_sources_are_found() {
        let root = tempfile::tempdir().expect("a folder");
        let tracked = ["dist/a.ts", "dist/a2.js", "dist/b.d.ts", "packages/x/build/c.tsx", "coverage/e.js"];
        write(root.path(), &tracked.map(|file| (file, "")));
        write(root.path(), &["out/f.ts", "node_modules/x/g.ts", ".next/h.js", "i.mjs"].map(|file| (file, "")));
        track(root.path(), &tracked);
        assert_eq!(paths(root.path()), ["dist/a.ts", "i.mjs", "packages/x/build/c.tsx"]);
    }

    #[test]
    fn compiled_files_beside_their_sources_are_left_out() {
        let root = tempfile::tempdir().expect("a folder");
        let files =
            ["a.ts", "a.js", "a.d.ts", "b.js", "b.d.ts", "c/a.js", "d.tsx", "d.jsx", "a.test.js", "e.mts", "e.mjs"];
        write(root.path(), &files.map(|file| (file, "")));
        assert_eq!(paths(root.path()), ["a.test.js", "a.ts", "b.d.ts", "b.js", "c/a.js", "d.tsx", "e.mts"]);
    }

    #[test]
    fn an_installed_package_that_the_user_names_is_found_with_its_build_products() {
        let root = tempfile::tempdir().expect("a folder");
        let package = "node_modules/@x/http";
        write(root.path(), &[(".gitignore", "node_modules\ndist\n*.d.ts\n")]);
        track(root.path(), &[]);
        let files = ["dist/client.d.ts", "dist/client.js", "package.json", "node_modules/y/a.js"];
        write(&root.path().join(package), &files.map(|file| (file, "")));
        assert!(paths(root.path()).is_empty());
        assert_eq!(paths(&root.path().join(package)), ["dist/client.d.ts", "dist/client.js"]);
    }

    #[test]
    fn a_folder_that_a_person_names_is_found_although_ignore_files_name_all_of_it() {
        let root = tempfile::tempdir().expect("a folder");
        write(root.path(), &[(".gitignore", "/out/*\n*.log.py\n"), (".git/HEAD", ""), ("out/a.py", "")]);
        write(root.path(), &[("own/.gitignore", "*\n"), ("own/b.py", ""), ("some/c.log.py", ""), ("some/d.py", "")]);
        assert_eq!(paths(root.path()), ["some/d.py"]);
        assert_eq!(paths(&root.path().join("out")), ["a.py"]);
        assert_eq!(paths(&root.path().join("own")), ["b.py"]);
        assert_eq!(paths(&root.path().join("some")), ["d.py"]);
    }

    #[test]
    fn an_environment_that_a_person_names_is_found_with_its_packages() {
        let root = tempfile::tempdir().expect("a folder");
        let package = ".venv/lib/python3.12/site-packages/httpx";
        write(root.path(), &[(".venv/.gitignore", "*\n"), (".venv/pyvenv.cfg", ""), ("a.py", "")]);
        write(&root.path().join(package), &[("__init__.py", ""), ("build/b.py", ""), ("__pycache__/c.py", "")]);
        assert_eq!(paths(root.path()), ["a.py"]);
        let installed = "lib/python3.12/site-packages/httpx";
        let expected = ["__init__.py", "build/b.py"];
        assert_eq!(paths(&root.path().join(".venv")), expected.map(|file| format!("{installed}/{file}")));
        assert_eq!(paths(&root.path().join(package)), expected);
    }

    #[test]
    fn project_files_are_found_only_beside_typescript_sources() {
        let root = tempfile::tempdir().expect("a folder");
        let project = ["jsconfig.json", "package.json", "packages/x/tsconfig.build.json", "tsconfig.json"];
        write(root.path(), &project.map(|file| (file, "{}")));
        write(root.path(), &[("a.py", ""), ("data.json", "{}")]);
        let project_files = || {
            let walked = walk(&Source::Folder(root.path().to_owned()), &mut Vec::new()).expect("a folder");
            walked.project.into_iter().map(|f| f.path.to_string()).collect::<Vec<_>>()
        };
        assert!(project_files().is_empty());
        write(root.path(), &[("b.ts", "")]);
        assert_eq!(project_files(), project);
    }
}
