//! Import roots: the folders from which the dotted names of modules begin.
//!
//! # How a module is named
//!
//! The name of a module is the one by which other files import it. These rules say which folder it begins at; the first
//! one that applies decides:
//!
//! 1. What the imports of the sources say. An import that leads to a module says that the folder before its first name
//!    is an import root for what has this name in the folder. Of several folders, most files decide. A folder inside a
//!    package is taken only if several files, and most of those that import the module, begin there.
//! 2. What project files say: see [`super::project_files`].
//! 3. The layout: the path below the first folder `src` or `site-packages` that is no package, else the whole path.
//!
//! If two modules get the same name, or one gets the name that another has by its layout, an import may mean either of
//! them, and each keeps the name of its layout. The FQN of a definition always has the name of the layout; the others
//! are its aliases, which are preferred where names are shown.
//!
//! # Where an import is looked for
//!
//! [`ModuleTree::resolve_absolute`](super::modules::ModuleTree::resolve_absolute) tries in this order: the roots of the
//! layout around the file, and the others; the standard library, which is outside the sources; the folder of the file,
//! which Python puts on its path if the file is a script, and the folders above it; the roots and packages that project
//! files name; packages and portions of namespace packages (PEP 420) anywhere, the nearest first.

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    linker::Linker,
    program::LinkFile,
    project_files::{PackageFolder, package_folders},
};
use crate::{
    linked::Content,
    paths::{child, folder_of, within},
    project_file::ProjectFile,
};
use apidisc_base::language::Language;
use apidisc_facts::{
    source::Origin,
    syntax::python::facts::{BindingKind, FileFacts},
};

/// The number of files that have to begin an import in a folder inside a package, before the folder is taken for a
/// root.
const MIN_FILES_IN_PACKAGE: u32 = 3;

/// The folders that the project files name.
#[derive(Debug, Default)]
pub(super) struct ProjectRoots {
    /// Import roots and the folders of packages, in the order of the files.
    folders: Vec<PackageFolder>,
    /// Per first part of a name, the packages with such names.
    packages: FxHashMap<CompactString, SmallVec<[PackageFolder; 1]>>,
}

impl ProjectRoots {
    /// `is_folder` returns true for the folders of the sources.
    pub(super) fn new(project: &[ProjectFile], is_folder: impl Fn(&str) -> bool) -> Self {
        let folders = package_folders(project, is_folder);
        let mut packages: FxHashMap<CompactString, SmallVec<[PackageFolder; 1]>> = FxHashMap::default();
        for package in folders.iter().filter(|package| !package.name.is_empty()) {
            let top = package.name.split('/').next().unwrap_or_default();
            packages.entry(top.into()).or_default().push(package.clone());
        }
        Self { folders, packages }
    }

    /// The import roots.
    pub(super) fn roots(&self) -> impl Iterator<Item = &CompactString> {
        self.folders.iter().filter(|folder| folder.name.is_empty()).map(|root| &root.folder)
    }

    /// The paths that a dotted name, written as a path, has in the packages whose folders are named.
    pub(super) fn paths_of(&self, name: &str) -> impl Iterator<Item = CompactString> {
        let top = name.split('/').next().unwrap_or_default();
        let packages = self.packages.get(top).into_iter().flatten();
        packages.filter_map(move |package| Some(child_path(&package.folder, within(name, &package.name)?)))
    }

    /// The name of the module at a path, written as a path: that of the innermost folder around it.
    fn name_of(&self, path: &str) -> Option<CompactString> {
        let around = self.folders.iter().filter_map(|folder| Some((folder, within(path, &folder.folder)?)));
        let (folder, below) = around.max_by_key(|(folder, _)| (folder.folder.len(), folder.name.len()))?;
        Some(child_path(&folder.name, below)).filter(|name| !name.is_empty())
    }
}

/// A path below a folder; the folder itself if `below` is empty.
fn child_path(folder: &str, below: &str) -> CompactString {
    if below.is_empty() { folder.into() } else { child(folder, below) }
}

/// The numbers of files that import something by a path: per path of the first part of an import, such as `backend/app`
/// for `import app.core` that leads to `backend/app/core.py`.
type FilesByTop = FxHashMap<CompactString, u32>;

impl Linker<'_> {
    /// Pairs of a name by which files import a module, and the name of the module, if the two differ: `app.core` and
    /// `backend.app.core` if `backend` is an import root. The pairs are sorted. Only modules of the library, and the
    /// packages around them, have such names.
    pub(super) fn import_names(&self) -> Vec<(CompactString, CompactString)> {
        let files_by_top = self.files_by_top();
        let mut names: Vec<(CompactString, CompactString)> = Vec::new();
        let code = || self.program.files.iter().filter(|file| file.content == Content::Code);
        for file in code().filter(|file| file.origin == Origin::Src) {
            let import_path = file.import_path();
            let path = stem(&import_path);
            let Some(name) = self.imported_as(&files_by_top, path) else { continue };
            let name: CompactString = name.replace('/', ".").into();
            if name != file.module {
                add_packages_around(&name, &file.module, &mut names);
                names.push((name, file.module.clone()));
            }
        }
        names.sort();
        names.dedup();
        let of_files: FxHashSet<&str> = code().map(|file| file.module.as_str()).collect();
        let mut known: Vec<(CompactString, CompactString)> = Vec::with_capacity(names.len());
        for same in names.chunk_by(|a, b| a.0 == b.0) {
            if let [(name, module)] = same
                && !of_files.contains(name.as_str())
            {
                known.push((name.clone(), module.clone()));
            }
        }
        known
    }

    /// The name by which files import the module at a path, written as a path.
    fn imported_as(&self, files_by_top: &FilesByTop, path: &str) -> Option<CompactString> {
        let tops = path.match_indices('/').map(|(end, _)| &path[..end]).chain([path]);
        let voted: SmallVec<[(&str, u32); 4]> = tops.filter_map(|top| Some((top, *files_by_top.get(top)?))).collect();
        let total: u32 = voted.iter().map(|(_, files)| files).sum();
        let is_root = |&(top, files): &(&str, u32)| {
            let in_package = self.program.modules.is_package(folder_of(top));
            !in_package || files >= MIN_FILES_IN_PACKAGE && files * 2 > total
        };
        let best = voted.iter().copied().filter(is_root).max_by_key(|&(top, files)| (files, top.len()));
        if let Some((top, _)) = best {
            return Some(within(path, folder_of(top))?.into());
        }
        let projects = self.program.modules.projects();
        projects.name_of(path).filter(|name| name.split('/').all(is_identifier))
    }

    fn files_by_top(&self) -> FilesByTop {
        let mut files_by_top = FilesByTop::default();
        let mut tops: FxHashSet<CompactString> = FxHashSet::default();
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for file in self.program.files {
            seen.clear();
            for (dotted, name) in absolute_imports(&file.facts) {
                if seen.insert(dotted) {
                    tops.extend(self.top_of_import(file, dotted, name));
                }
            }
            for top in tops.drain() {
                *files_by_top.entry(top).or_default() += 1;
            }
        }
        files_by_top
    }

    /// The path of the first part of an import that leads to a module, or to a module `name` in a namespace package.
    fn top_of_import(&self, file: &LinkFile, dotted: &str, name: Option<&str>) -> Option<CompactString> {
        let modules = &self.program.modules;
        let node = modules.resolve_absolute(file, dotted)?;
        if !modules.has_file(node) && name.is_none_or(|name| modules.child(node, name).is_none()) {
            return None;
        }
        let path = &modules.get(node).path;
        let below: String = dotted.replace('.', "/");
        let root = path.strip_suffix(below.as_str()).filter(|root| root.is_empty() || root.ends_with('/'))?;
        let top = dotted.split('.').next().unwrap_or_default();
        Some(path[..root.len() + top.len()].into())
    }
}

/// Adds the names of the packages around a module, as far as they are the packages by whose names it is imported.
fn add_packages_around(name: &str, module: &str, to: &mut Vec<(CompactString, CompactString)>) {
    let (mut name, mut module) = (name, module);
    while let (Some(package), Some(of_module)) = (name.rsplit_once('.'), Language::Python.parent_module(module)) {
        let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        if last(package.0) != last(of_module) || package.0 == of_module {
            return;
        }
        to.push((package.0.into(), of_module.into()));
        (name, module) = (package.0, of_module);
    }
}

/// The path of a file without its ending; of a package, the path of its folder.
fn stem(path: &str) -> &str {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    stem.strip_suffix("/__init__").unwrap_or(stem)
}

/// The modules that a file imports by absolute names; for `from module import name` with the name.
fn absolute_imports(facts: &FileFacts) -> impl Iterator<Item = (&str, Option<&str>)> {
    facts.bindings.iter().filter_map(|binding| match binding.kind {
        BindingKind::ImportFrom { level: 0, module, name } => Some((facts.name(module), Some(facts.name(name)))),
        BindingKind::ImportStar { level: 0, module } | BindingKind::Import { module, .. } => {
            Some((facts.name(module), None))
        }
        _ => None,
    })
}

fn is_identifier(name: &str) -> bool {
    let starts = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    starts && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}
