//! Module resolution: finds the source file that an import specifier names. These specifiers are resolved:
//!
//! - relative paths;
//! - names that `paths` or `baseUrl` of a `tsconfig.json` map to files;
//! - names of packages of the sources, alone or with a subpath that `exports` of the `package.json` maps to a file;
//! - names that begin with `#`, which `imports` of a `package.json` maps to files.
//!
//! Resolution does not read the disk. Its input is the paths of the source files, the texts of the project files, and a
//! table of the files of installed packages. The packages of the sources are treated as installed, and come first.
//!
//! | module | purpose |
//! | --- | --- |
//! | `pattern_table`, `json` | tables of patterns with a star, JSON with comments |
//! | `file_table` | the source file of a path without an extension |
//! | `tsconfig` | the options of one configuration |
//! | `config_references` | the configurations that `extends` and `references` name |
//! | `inheritance` | the configuration that each inherited option comes from |
//! | `import_settings` | the configurations that apply to a file |
//! | `build_outputs` | the sources of build outputs |
//! | `package`, `packages` | one package, and all packages by name |
//! | `entries` | the specifiers under which other code imports a file |
//! | `written_paths` | the specifiers under which the files of an application import each other |
//! | `closed_packages` | the files of a package that no specifier reaches |
//! | `installed` | the files of installed packages that specifiers name |

mod build_outputs;
mod closed_packages;
mod config_references;
mod entries;
mod file_table;
mod import_settings;
mod inheritance;
mod installed;
mod json;
mod package;
mod packages;
mod pattern_table;
mod tsconfig;
mod written_paths;

#[cfg(test)]
mod tests;

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) use crate::paths as path;
use apidisc_base::diagnostic::Diagnostic;
use apidisc_facts::source::Roots;
use build_outputs::FileLocator;
pub(crate) use closed_packages::ClosedPackages;
use config_references::ConfigReferences;
pub(crate) use file_table::is_javascript;
use file_table::{FileTable, is_asset};
use import_settings::ImportSettingsTable;
use installed::InstalledFiles;
pub use installed::InstalledModules;
use package::PackageManifest;
use packages::PackageTable;
use path::{folder_of, is_relative, join, name_of, within};
pub(super) use pattern_table::PatternTable;
use tsconfig::{ConfigOption, TsConfig};
pub(crate) use written_paths::WrittenImport;

/// The resolution of a module specifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModuleResolution {
    /// A source file, by its position in the sorted list of paths.
    File(usize),
    /// A package outside the sources, or a file that is not a source, for example a style sheet.
    Outside,
    /// The specifier names a file of the sources that does not exist: a build generates the file, or it was deleted.
    Missing,
}

/// Resolves module specifiers.
#[derive(Debug)]
pub(crate) struct ModuleResolver {
    sources: FileLocator,
    settings: ImportSettingsTable,
    packages: PackageTable,
    installed: InstalledFiles,
    problems: Vec<Diagnostic>,
    roots: Roots,
}

impl ModuleResolver {
    /// `files` are the paths of all source files relative to the source's root, sorted and separated by `/`. `project`
    /// holds the path and the text of every `package.json`, `tsconfig*.json` and `jsconfig*.json`. Any other `.json`
    /// file in it counts only as the target of an `extends`. `roots` are those of the sources.
    pub(crate) fn new(files: &[&str], project: &[(&str, &str)], roots: &Roots) -> Self {
        let mut problems = Vec::new();
        let is_manifest = |path: &str| name_of(path) == "package.json";
        let configs = project.iter().filter(|(path, _)| !is_manifest(path));
        let configs: Vec<TsConfig> = configs.map(|(path, text)| TsConfig::read(path, text, &mut problems)).collect();
        let conditions = configs.iter().flat_map(|config| config.texts(ConfigOption::CustomConditions));
        let conditions: FxHashSet<&str> = conditions.map(CompactString::as_str).collect();
        let manifests = project.iter().filter(|(path, _)| is_manifest(path));
        let packages: Vec<PackageManifest> = manifests
            .filter_map(|(path, text)| PackageManifest::read(path, text, &conditions, &mut problems))
            .collect();
        let packages = PackageTable::new(packages, roots, &mut problems);
        let by_path: FxHashMap<&str, usize> = project
            .iter()
            .map(|(path, _)| *path)
            .filter(|path| name_of(path) != "package.json")
            .enumerate()
            .map(|(id, path)| (path, id))
            .collect();
        let references = ConfigReferences { packages: &packages, by_path: &by_path };
        let inherited =
            inheritance::inherit(&configs, |from, link| references.extended_config(from, link), &mut problems);
        for config in &configs {
            references.report_missing(config, &mut problems);
        }
        problems.sort();
        let sources = FileLocator::new(FileTable::new(files), &configs, &inherited);
        let settings = ImportSettingsTable::new(configs, &inherited);
        let installed = InstalledFiles::default();
        Self { sources, settings, packages, installed, problems, roots: roots.clone() }
    }

    /// The same resolver with the files of installed packages: those that specifiers name which nothing else resolves.
    pub(crate) fn with_installed(self, installed: &InstalledModules, files: &[&str]) -> Self {
        Self { installed: InstalledFiles::new(installed, files), ..self }
    }

    /// Resolves `specifier` in the file at position `from`.
    pub(crate) fn resolve(&self, from: usize, specifier: &str) -> ModuleResolution {
        let Some(path) = self.sources.files.path(from) else { return ModuleResolution::Missing };
        let installed = self.installed.resolve(from, specifier);
        if self.roots.is_installed(path) {
            return installed;
        }
        let resolution = if is_relative(specifier) {
            self.resolve_relative(path, specifier)
        } else {
            self.resolve_bare(path, specifier)
        };
        if matches!(installed, ModuleResolution::File(_)) && !matches!(resolution, ModuleResolution::File(_)) {
            return installed;
        }
        // If the asset had a declaration file, it was found above. The asset itself is not a source.
        if resolution == ModuleResolution::Missing && is_asset(specifier) {
            ModuleResolution::Outside
        } else {
            resolution
        }
    }

    /// The specifiers under which other code imports files of the sources, with the positions of those files. They are
    /// sorted. `imported` are the specifiers that files import. There are three kinds:
    ///
    /// - specifiers of packages that others can use, such as `@acme/http` and `@acme/http/testing`;
    /// - imported paths into packages that do not list their exports;
    /// - patterns of `paths` without a star.
    pub(crate) fn entries(&self, imported: &FxHashSet<&str>) -> Vec<(CompactString, usize)> {
        entries::entries(&self.packages, &self.settings, &self.sources, imported)
    }

    /// The specifiers under which the files of applications import each other, with the positions of those files; see
    /// [`written_paths`]. `entries` are those of [`Self::entries`], `imported` the specifiers that files import.
    pub(crate) fn written_paths<'a>(
        &self,
        imports: impl Iterator<Item = WrittenImport<'a>>,
        entries: &[(CompactString, usize)],
        imported: &FxHashSet<&str>,
        is_named: impl Fn(usize) -> bool,
    ) -> Vec<(CompactString, usize)> {
        written_paths::written_paths(self, imports, entries, imported, is_named)
    }

    /// True if the `package.json` of a file's package, the nearest one with a name, names an entry point.
    fn names_entries(&self, file: usize) -> bool {
        let package = self.packages.around(self.path(file)).find(|package| !package.name.is_empty());
        package.is_some_and(PackageManifest::names_entries)
    }

    /// The specifiers under which files of the program import files of installed packages, with the positions of those
    /// files. Sorted.
    pub(crate) fn installed_entries(&self) -> Vec<(CompactString, usize)> {
        self.installed.entries(|file| !self.is_installed(file))
    }

    /// True for a file of an installed package.
    pub(crate) fn is_installed(&self, file: usize) -> bool {
        self.roots.is_installed(self.path(file))
    }

    /// The number of files.
    fn file_count(&self) -> usize {
        self.sources.files.len()
    }

    /// The packages whose users can import no file but those that `exports` lists. `entries` are those of
    /// [`Self::entries`].
    pub(crate) fn closed_packages(&self, entries: &[(CompactString, usize)]) -> ClosedPackages {
        ClosedPackages::new(&self.packages, entries)
    }

    /// True for a file of a package that is never published: the nearest `package.json` with a name says `private`.
    /// An outermost private package with `exports` counts as published, because its build writes another
    /// `package.json`.
    pub(crate) fn is_unpublished(&self, path: &str) -> bool {
        let mut packages = self.packages.around(path).skip_while(|package| package.name.is_empty());
        let Some(package) = packages.next().filter(|package| package.is_private) else { return false };
        package.exports.is_empty() || packages.next().is_some()
    }

    /// True for a file that the `exports` of its package leave out: that of the nearest `package.json` with a name.
    pub(crate) fn is_internal(&self, file: usize, closed: &ClosedPackages) -> bool {
        let package = self.packages.around(self.path(file)).find(|package| !package.name.is_empty());
        package.is_some_and(|package| closed.hides(&package.folder, file))
    }

    /// The path of a file; empty if there is no such file.
    pub(crate) fn path(&self, file: usize) -> &str {
        self.sources.files.path(file).unwrap_or_default()
    }

    /// The name of the package that the file at a position belongs to: that of the nearest `package.json` with a name.
    pub(crate) fn package_name(&self, file: usize) -> Option<&str> {
        let mut packages = self.packages.around(self.sources.files.path(file)?);
        packages.find(|package| !package.name.is_empty()).map(|package| package.name.as_str())
    }

    /// The folder of the package that a file belongs to: that of the nearest `package.json` with a name.
    pub(crate) fn package_folder(&self, path: &str) -> Option<CompactString> {
        let package = self.packages.around(path).find(|package| !package.name.is_empty());
        package.map(|package| package.folder.clone())
    }

    /// The problems of the project files, sorted by path.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.problems
    }

    fn resolve_relative(&self, from: &str, specifier: &str) -> ModuleResolution {
        let Some(path) = join(folder_of(from), specifier) else { return ModuleResolution::Missing };
        // A path that leaves its source does not lead into another one, wherever the two lie.
        if !self.roots.are_together(from, &path) {
            return ModuleResolution::Missing;
        }
        let is_folder = specifier.ends_with(['/', '.']);
        let index = || self.sources.locate(&join(&path, "index")?);
        let file = is_folder
            .then(index)
            .flatten()
            .or_else(|| self.sources.locate(&path))
            .or_else(|| self.resolve_in_root_dirs(from, &path))
            .or_else(|| self.packages.folder(&self.sources, &path))
            .or_else(|| self.packages.source_of_output(&self.sources, &path));
        file.map_or(ModuleResolution::Missing, ModuleResolution::File)
    }

    /// Looks for `path` in the other `rootDirs`, since TypeScript merges all of them into one virtual folder.
    fn resolve_in_root_dirs(&self, from: &str, path: &str) -> Option<usize> {
        self.settings.applying_to(from).find_map(|settings| {
            let inside = settings.root_dirs.iter().filter_map(|root| within(path, root));
            let below = inside.min_by_key(|below| below.len())?;
            settings.root_dirs.iter().find_map(|root| self.sources.locate(&join(root, below)?))
        })
    }

    fn resolve_bare(&self, from: &str, specifier: &str) -> ModuleResolution {
        if specifier.is_empty() {
            return ModuleResolution::Missing;
        }
        let mut is_alias = false;
        for settings in self.settings.applying_to(from) {
            for candidate in self.settings.mapped_paths(settings, specifier) {
                if let Some(file) = self.sources.locate(&candidate.path) {
                    return ModuleResolution::File(file);
                }
                is_alias |= candidate.is_alias;
            }
        }
        let found = match specifier.as_bytes()[0] {
            b'#' => self.packages.internal(&self.sources, from, specifier),
            b'/' => ModuleResolution::Missing,
            _ => self.packages.resolve(&self.sources, from, specifier),
        };
        if is_alias && found == ModuleResolution::Outside { ModuleResolution::Missing } else { found }
    }
}
