//! The packages of the sources, found by name as if they were all installed.

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    ModuleResolution,
    build_outputs::FileLocator,
    file_table::is_asset,
    package::{ExportTargets, PackageManifest},
    path::{child, folders_around, is_relative, join, within},
    pattern_table::{PatternTable, substitute_star},
};
use apidisc_base::diagnostic::{Diagnostic, Problem};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::source::Roots;

/// All packages of the sources.
#[derive(Debug, Default)]
pub(super) struct PackageTable {
    /// Sorted by the components of the folder.
    all: Vec<PackageManifest>,
    by_folder: FxHashMap<CompactString, usize>,
    by_name: FxHashMap<CompactString, PackagesOfName>,
}

/// The packages with one name, as positions in [`PackageTable::all`].
#[derive(Debug)]
struct PackagesOfName {
    first: usize,
    /// For each folder that contains packages with the name: the first of these packages. Filled only if several
    /// packages have the name, as in a repository of examples.
    below: FxHashMap<CompactString, usize>,
}

impl PackageTable {
    /// Of packages with the same name in several sources, all but the first are reported in `problems`.
    pub(super) fn new(mut packages: Vec<PackageManifest>, roots: &Roots, problems: &mut Vec<Diagnostic>) -> Self {
        let source = |package: &PackageManifest| roots.position(&package.folder);
        packages.shared_sort_by(|a, b| {
            source(a).cmp(&source(b)).then_with(|| a.folder.split('/').cmp(b.folder.split('/')))
        });
        let mut table = Self::default();
        let mut repeated = FxHashSet::default();
        // The root of a workspace often has the name of its main package, and offers nothing under it.
        let offered: FxHashSet<&str> =
            packages.iter().filter(|package| package.is_offered()).map(|package| package.name.as_str()).collect();
        let is_found_by_name = |package: &PackageManifest| {
            !package.name.is_empty() && (package.is_offered() || !offered.contains(package.name.as_str()))
        };
        for (id, package) in packages.iter().enumerate() {
            table.by_folder.insert(package.folder.clone(), id);
            if is_found_by_name(package) {
                let named = PackagesOfName { first: id, below: FxHashMap::default() };
                if table.by_name.insert(package.name.clone(), named).is_some() {
                    repeated.insert(package.name.as_str());
                }
            }
        }
        report_repeated(&packages, roots, problems);
        for (id, package) in packages.iter().enumerate().rev().filter(|(_, package)| is_found_by_name(package)) {
            let Some(named) = table.by_name.get_mut(&package.name) else { continue };
            named.first = id;
            if repeated.contains(package.name.as_str()) {
                let own = std::iter::once(package.folder.as_str());
                for folder in own.chain(folders_around(&package.folder)) {
                    named.below.insert(CompactString::from(folder), id);
                }
            }
        }
        table.all = packages;
        table
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &PackageManifest> {
        self.all.iter()
    }

    /// The packages whose folders contain a file, the innermost first.
    pub(super) fn around<'t>(&'t self, file: &'t str) -> impl Iterator<Item = &'t PackageManifest> {
        folders_around(file).filter_map(|folder| self.by_folder.get(folder)).map(|&id| &self.all[id])
    }

    /// The package with a name. If several packages have the name, it is the one that shares the most folders with the
    /// importing file `from`.
    pub(super) fn find(&self, from: &str, name: &str) -> Option<&PackageManifest> {
        let named = self.by_name.get(name)?;
        let nearest = || folders_around(from).find_map(|folder| named.below.get(folder));
        let id = if named.below.is_empty() { named.first } else { *nearest().unwrap_or(&named.first) };
        Some(&self.all[id])
    }

    /// Resolves a specifier that begins with a package's name.
    pub(super) fn resolve(&self, sources: &FileLocator, from: &str, specifier: &str) -> ModuleResolution {
        let (name, below) = split_specifier(specifier);
        match self.find(from, name) {
            None => ModuleResolution::Outside,
            Some(_) if is_asset(below) => ModuleResolution::Outside,
            Some(package) if below.is_empty() => file_or_missing(main_file(sources, package)),
            Some(package) => file_or_missing(subpath_file(sources, package, below)),
        }
    }

    /// Resolves a specifier that begins with `#`, by the `imports` of the nearest package that has any.
    pub(super) fn internal(&self, sources: &FileLocator, from: &str, specifier: &str) -> ModuleResolution {
        let mut packages = self.around(from).filter(|package| !package.imports.is_empty());
        let Some(package) = packages.next() else { return ModuleResolution::Missing };
        let mut fallback = ModuleResolution::Missing;
        for target in matching_targets(&package.imports, specifier) {
            let next = if is_relative(&target) {
                file_or_missing(sources.entry(&package.folder, &target))
            } else {
                self.resolve(sources, from, &target)
            };
            match next {
                ModuleResolution::File(_) => return next,
                ModuleResolution::Outside => fallback = next,
                ModuleResolution::Missing => {}
            }
        }
        fallback
    }

    /// The file that the path of a folder with a `package.json` resolves to.
    pub(super) fn folder(&self, sources: &FileLocator, path: &str) -> Option<usize> {
        let package = &self.all[*self.by_folder.get(path)?];
        package.mains.iter().find_map(|target| sources.entry(path, target))
    }

    /// The source file that a build probably compiles to `path`, a path in an output folder of a package. `None` if the
    /// sources contain a file of this output folder.
    pub(super) fn source_of_output(&self, sources: &FileLocator, path: &str) -> Option<usize> {
        const OUTPUT_FOLDERS: &[&str] = &["build", "cjs", "dist", "esm", "lib", "out"];
        let package = folders_around(path).find(|folder| self.by_folder.contains_key(*folder))?;
        let below = within(path, package)?;
        let (folder, _) = below.split_once('/')?;
        let output_prefix = &path[..=path.len() - below.len() + folder.len()];
        let is_output = OUTPUT_FOLDERS.contains(&folder) && sources.files.with_prefix(output_prefix).next().is_none();
        is_output.then(|| sources.guess_source_of_output(package, below))?
    }
}

/// Reports the packages that others can use and that an earlier source has, too. `packages` are sorted by source.
fn report_repeated(packages: &[PackageManifest], roots: &Roots, problems: &mut Vec<Diagnostic>) {
    let mut owners: FxHashMap<&str, usize> = FxHashMap::default();
    for package in packages.iter().filter(|package| !package.name.is_empty() && !package.is_private) {
        let (name, source) = (package.name.as_str(), roots.position(&package.folder));
        let owner = *owners.entry(name).or_insert(source);
        if owner != source {
            let first = &roots.get(owner).folder;
            let message = format!("{first} defines the package {name}, too: what other sources import is that one");
            let path = child(&package.folder, "package.json");
            problems.push(Diagnostic { path, problem: Problem::Source, message });
        }
    }
}

fn file_or_missing(file: Option<usize>) -> ModuleResolution {
    file.map_or(ModuleResolution::Missing, ModuleResolution::File)
}

/// Splits a specifier into the name of a package and the subpath: `@scope/name/below`, `name/below`.
pub(super) fn split_specifier(specifier: &str) -> (&str, &str) {
    let scope = if specifier.starts_with('@') { specifier.find('/').map_or(specifier.len(), |at| at + 1) } else { 0 };
    match specifier[scope..].find('/') {
        Some(at) => (&specifier[..scope + at], &specifier[scope + at + 1..]),
        None => (specifier, ""),
    }
}

/// The targets of all patterns that match a name, with their stars replaced.
pub(super) fn matching_targets<'a>(
    patterns: &'a PatternTable<ExportTargets>,
    name: &'a str,
) -> impl Iterator<Item = CompactString> {
    patterns
        .matching(name)
        .flat_map(|(star, targets)| targets.iter().filter_map(move |target| substitute_star(target, star)))
}

/// The file that a package's name resolves to.
pub(super) fn main_file(sources: &FileLocator, package: &PackageManifest) -> Option<usize> {
    let folder = package.folder.as_str();
    let usual = ["src/index", "index", "lib/index"];
    matching_targets(&package.exports, ".")
        .find_map(|target| sources.entry(folder, &target))
        .or_else(|| package.mains.iter().find_map(|target| sources.entry(folder, target)))
        .or_else(|| usual.into_iter().find_map(|path| sources.entry(folder, path)))
}

/// The file that a subpath of a package resolves to: by `exports`, else by its path, below the folder of the package or
/// of its sources, else as a build output.
pub(super) fn subpath_file(sources: &FileLocator, package: &PackageManifest, below: &str) -> Option<usize> {
    let name = child(".", below);
    let exported = matching_targets(&package.exports, &name).find_map(|target| sources.entry(&package.folder, &target));
    exported.or_else(|| {
        let paths = [below.into(), child("src", below), child("lib", below)];
        let located = paths.iter().find_map(|path| sources.locate(&join(&package.folder, path)?));
        located.or_else(|| paths.iter().find_map(|path| sources.entry(&package.folder, path)))
    })
}
