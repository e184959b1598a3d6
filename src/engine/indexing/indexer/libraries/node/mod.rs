//! Reads what a program needs of the declarations of installed npm packages.
//!
//! ```text
//! imports of the program → the file of each package → the names that its declarations need → …
//! ```
//!
//! Files are read in waves until no file needs another one.

mod names;
mod reader;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::{super::facts_store::FactsStore, CalledNames, LibrarySettings, ProgramFolder, package_file::ReadFiles};
use crate::packages::InstalledModule;
use apidisc_environment::{
    listing,
    node::{self, package_of_specifier, types_package},
};
use apidisc_facts::source::Roots;
use apidisc_link::{
    linked::Content,
    project_file::ProjectFile,
    typescript::{
        InstalledModules, SourceFile,
        needs::{self, ModuleNeed, NeededNames, UsedNames, WrittenName},
    },
};
pub use names::ExportState;
use reader::{Importer, PackageReader, Place};

/// The packages that describe the platform: what they declare is the standard library, and no package of the program.
const PLATFORM_TYPES: [&str; 3] = ["node", "bun", "deno"];

/// What was found of the npm packages that a program imports.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct NodeLibraries {
    /// The packages that the program imports and that are installed or that it depends on, without those of the program
    /// itself; each with the number of files that import it. Sorted by name.
    pub imported: Vec<(CompactString, u32)>,
    /// The version of each package that is installed and imported, or of which files were read; empty if it is not
    /// known. Files of the program may import different versions, which are separated by commas.
    pub versions: BTreeMap<CompactString, String>,
    /// The packages that declarations of other packages import, each with those that import it.
    pub reached: BTreeMap<CompactString, BTreeSet<CompactString>>,
    /// The installed packages whose declarations name a module that is not there: what a build generates.
    pub incomplete: FxHashSet<CompactString>,
    /// The file by which Yarn's Plug'n'Play finds packages in archives, which are not read, if a source has one.
    pub archives: Option<PathBuf>,
    /// For each call whose callee begins with an imported name: the specifier of the import and the names that the
    /// callee writes, such as `zod#z.object`. By the path of the file, and by line and column of the call.
    pub called: CalledNames,
    /// The names of packages that files write, by the path of the file.
    pub written: FxHashMap<CompactString, Vec<WrittenName>>,
    /// Whether the packages have these names. A name is missing if that is not known, or if packages of several
    /// versions say different things.
    pub names: FxHashMap<CompactString, ExportState>,
    /// For each package, the files that its declarations mean by the names of other packages: paths in the index, by
    /// specifier.
    pub between: BTreeMap<CompactString, BTreeMap<CompactString, CompactString>>,
    /// The files of packages that were read: the path in the index, and the path on this machine.
    pub files: Vec<(CompactString, PathBuf)>,
    /// Their size in bytes.
    pub bytes: u64,
}

impl NodeLibraries {
    /// True for a specifier of a package that the program imports and that is not installed.
    pub(super) fn is_absent(&self, specifier: &str) -> bool {
        let Some((name, _)) = package_of_specifier(specifier) else { return false };
        let is_imported = self.imported.binary_search_by(|(known, _)| known.as_str().cmp(name)).is_ok();
        let is_installed = |name: &str| self.versions.contains_key(name);
        is_imported && !is_installed(name) && !types_package(name).is_some_and(|types| is_installed(&types))
    }
}

/// Reads the files of packages that `program` needs, and appends them to it. What is read is added to `files`.
pub(super) fn read(
    settings: &LibrarySettings,
    store: Option<&dyn FactsStore>,
    files: &mut ReadFiles,
    project: &[ProjectFile],
    roots: &Roots,
    program: &mut Vec<SourceFile>,
) -> (NodeLibraries, InstalledModules) {
    // For each source, its folder on this machine.
    let folders: Vec<Option<PathBuf>> = settings.programs.iter().map(real_folder).collect();
    let folder_of = |path: &str| settings.position(path).and_then(|at| folders[at].as_deref());
    let is_code = |file: &&SourceFile| file.content == Content::Code && folder_of(&file.path).is_some();
    if !program.iter().any(|file| is_code(&file)) {
        return Default::default();
    }
    let mut used = UsedNames::default();
    program.iter().filter(is_code).for_each(|file| used.add_file(file));
    let importers: Vec<(&SourceFile, Vec<ModuleNeed>)> =
        program.par_iter().filter(is_code).map(|file| (file, needs::imports(file))).collect();
    let archives = folders.iter().flatten().find_map(|folder| node::plug_and_play(folder, listing::top_folder(folder)));
    let tops = folders.iter().flatten().map(|folder| listing::top_folder(folder));
    let mut reader = PackageReader::new(tops, used, store, files);
    settings.replaced.iter().for_each(|folder| reader.packages.replace(folder));
    let called = importers.iter().map(|(file, _)| (file.path.clone(), needs::called_imports(file))).collect();
    let mut wanted = Vec::new();
    let manifests = || project.iter().filter(|file| file.path.ends_with("package.json"));
    let mut depends: FxHashSet<String> = manifests().flat_map(|file| node::dependencies(&file.text)).collect();
    // A package of the sources is no dependency of theirs, although examples and other packages beside it depend on it.
    manifests().filter_map(|file| node::name(&file.text)).for_each(|own| {
        depends.remove(&own);
    });
    let mut imported: BTreeMap<&str, u32> = BTreeMap::new();
    let mut versions: BTreeMap<CompactString, BTreeSet<String>> = BTreeMap::new();
    for (file, needs) in &importers {
        let Some(folder) = folder_of(&file.path) else { continue };
        let inner = roots.split(&file.path).1;
        let folder = Arc::new(folder.join(inner).parent().map(Path::to_owned).unwrap_or_default());
        let mut packages: FxHashSet<&str> = FxHashSet::default();
        for need in needs {
            let Some((name, _)) = package_of_specifier(&need.specifier) else { continue };
            let package = reader.packages.package(&folder, name);
            let is_installed = package.is_some();
            if let Some(package) = package {
                versions.entry(name.into()).or_default().insert(package.version.clone());
            }
            if (is_installed || depends.contains(name)) && packages.insert(name) {
                *imported.entry(name).or_default() += 1;
            }
            let importer = Importer { path: file.path.clone(), place: Place::Own(Arc::clone(&folder)) };
            wanted.push((importer, need.clone()));
        }
    }
    let imported = imported.into_iter().map(|(name, files)| (name.into(), files)).collect();
    let globals: FxHashSet<CompactString> = importers.iter().flat_map(|(file, _)| needs::global_names(file)).collect();
    let mut globals: Vec<CompactString> = globals.into_iter().collect();
    globals.sort_unstable();
    for (manifest, types) in global_types(project) {
        let Some(folder) = folder_of(manifest) else { continue };
        let folder = Arc::new(folder.join(roots.split(manifest).1).parent().map(Path::to_owned).unwrap_or_default());
        let importer = Importer { path: manifest.clone(), place: Place::Own(folder) };
        wanted.extend(globals.iter().map(|name| {
            let names = NeededNames::Global(name.clone());
            (importer.clone(), ModuleNeed { specifier: types.as_str().into(), names })
        }));
    }
    reader.read_all(wanted);
    let folders = importers.iter().filter_map(|(file, _)| {
        let folder = folder_of(&file.path)?;
        Some((*file, Arc::new(folder.join(roots.split(&file.path).1).parent()?.to_owned())))
    });
    let (written, names) = written_names(&mut reader, folders);
    let (files, places) = reader.take_files();
    let PackageReader { modules, bytes, prefixes, reached, incomplete, .. } = reader;
    for (name, version) in prefixes.into_values() {
        versions.entry(name).or_insert_with(|| [version].into());
    }
    let joined = |versions: BTreeSet<String>| versions.into_iter().collect::<Vec<_>>().join(", ");
    let versions = versions.into_iter().map(|(name, versions)| (name, joined(versions))).collect();
    let libraries = NodeLibraries {
        imported,
        versions,
        reached,
        incomplete,
        archives,
        called,
        written,
        names,
        between: between(&modules),
        files: places,
        bytes,
    };
    program.extend(files);
    (libraries, modules)
}

/// What the declarations of each package mean by the names of other packages.
fn between(modules: &InstalledModules) -> BTreeMap<CompactString, BTreeMap<CompactString, CompactString>> {
    let mut found: BTreeMap<CompactString, BTreeMap<CompactString, CompactString>> = BTreeMap::new();
    for (from, specifier, target) in modules.iter().filter(|(_, specifier, _)| !specifier.starts_with('.')) {
        if let Some(package) = InstalledModule::of_file(from) {
            let of_package = found.entry(package.name().into()).or_default();
            let known = of_package.entry(specifier.into()).or_insert_with(|| target.into());
            // Of several versions the one that sorts first, whatever the order of the table.
            if target < known.as_str() {
                *known = target.into();
            }
        }
    }
    found
}

/// The names of packages that files of the program write, each file with its folder, and whether the packages have
/// them.
fn written_names<'f>(
    reader: &mut PackageReader<'_>,
    files: impl Iterator<Item = (&'f SourceFile, Arc<PathBuf>)>,
) -> (FxHashMap<CompactString, Vec<WrittenName>>, FxHashMap<CompactString, ExportState>) {
    let mut written = FxHashMap::default();
    let mut states: FxHashMap<CompactString, Option<ExportState>> = FxHashMap::default();
    let mut seen: FxHashSet<(Arc<PathBuf>, CompactString)> = FxHashSet::default();
    for (file, folder) in files {
        let mut names = needs::written_names(file);
        names.retain(|written| package_of_specifier(split_name(&written.name).0).is_some());
        let importer = Importer { path: file.path.clone(), place: Place::Own(Arc::clone(&folder)) };
        for WrittenName { name, .. } in &names {
            if !seen.insert((Arc::clone(&folder), name.clone())) {
                continue;
            }
            let (specifier, path) = split_name(name);
            let state = reader.export_state(&importer, specifier, &path);
            let known = states.entry(name.clone()).or_insert_with(|| state.clone());
            if *known != state {
                *known = None;
            }
        }
        if !names.is_empty() {
            written.insert(file.path.clone(), names);
        }
    }
    let names = states.into_iter().filter_map(|(name, state)| Some((name, state?)));
    (written, names.collect())
}

/// The module and the names of a [`WrittenName`].
fn split_name(name: &str) -> (&str, Vec<&str>) {
    let (specifier, path) = name.rsplit_once('#').unwrap_or((name, ""));
    (specifier, path.split('.').filter(|name| !name.is_empty()).collect())
}

/// The folder of a source, without symbolic links.
fn real_folder(program: &ProgramFolder) -> Option<PathBuf> {
    let project = program.project.as_ref()?;
    Some(listing::real_path(project).unwrap_or_else(|| project.clone()))
}

/// The packages that declare global names for a project: those of `@types` on which its `package.json` files depend,
/// and those that its configurations list as `types`. Each with the file that names it. The platform itself is not
/// read.
fn global_types(project: &[ProjectFile]) -> Vec<(&CompactString, String)> {
    let mut all = Vec::new();
    for file in project {
        if file.path.ends_with("package.json") {
            let depends = node::dependencies(&file.text).into_iter();
            all.extend(depends.filter(|name| name.starts_with("@types/")).map(|name| (&file.path, name)));
        } else {
            all.extend(node::listed_types(&file.text).into_iter().map(|name| (&file.path, name)));
        }
    }
    all.retain(|(_, name)| !PLATFORM_TYPES.contains(&name.trim_start_matches("@types/")));
    all
}
