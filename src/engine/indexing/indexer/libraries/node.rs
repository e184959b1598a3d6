//! Reads what a program needs of the declarations of installed npm packages.
//!
//! ```text
//! imports of the program → the file of each package → the names that its declarations need → …
//! ```
//!
//! Files are read in waves until no file needs another one.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use compact_str::{CompactString, format_compact};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{CalledNames, LibrarySettings, MAX_BYTES, MAX_FILES, top_folder};
use apidisc_base::language::{Language, Origin, is_declaration_file};
use apidisc_environment::{
    listing,
    node::{self, NodePackages, Package, package_of_specifier},
    python::EnvironmentSetting,
};
use apidisc_facts::{
    source::{self, FileEntry, NODE_MODULES, Roots, Source},
    syntax::typescript::{self, Dialect},
};
use apidisc_link::{
    linked::Content,
    project_file::ProjectFile,
    typescript::{
        InstalledModules, SourceFile,
        needs::{self, FollowedFile, ModuleNeed, NeededNames, UsedNames},
    },
};

/// The greatest number of directives of a file that are followed.
const MAX_REFERENCES: usize = 500;

/// The packages that describe the platform: what they declare is the standard library, and no package of the program.
const PLATFORM_TYPES: [&str; 3] = ["node", "bun", "deno"];

/// What was found of the npm packages that a program imports.
#[derive(Debug, Default)]
pub struct NodeLibraries {
    /// The packages that the program imports and that are installed or that it depends on; each with the number of
    /// files that import it. Sorted by name.
    pub imported: Vec<(CompactString, u32)>,
    /// The version of each package that is installed and imported, or of which files were read; empty if it is not
    /// known.
    pub versions: BTreeMap<CompactString, String>,
    /// The installed packages whose declarations name a module that is not there: what a build generates.
    pub incomplete: FxHashSet<CompactString>,
    /// For each call whose callee begins with an imported name: the specifier of the import. By the path of the file,
    /// and by line and column of the call.
    pub called: CalledNames,
    /// The number of files of packages that were read.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
}

/// Reads the files of packages that `program` needs, and appends them to it.
pub(super) fn read(
    settings: &LibrarySettings,
    project: &[ProjectFile],
    roots: &Roots,
    program: &mut Vec<SourceFile>,
) -> (NodeLibraries, InstalledModules) {
    let is_code = |file: &&SourceFile| file.content == Content::Code;
    if settings.environment == EnvironmentSetting::None || !program.iter().any(|file| is_code(&file)) {
        return Default::default();
    }
    let mut used = UsedNames::default();
    program.iter().filter(is_code).for_each(|file| used.add_file(file));
    let importers: Vec<(&SourceFile, Vec<ModuleNeed>)> =
        program.par_iter().filter(is_code).map(|file| (file, needs::imports(file))).collect();
    let folder = settings.project.canonicalize().unwrap_or_else(|_| settings.project.clone());
    let mut reader = PackageReader {
        packages: NodePackages::new(top_folder(&folder)),
        loaded: FxHashMap::default(),
        prefixes: FxHashMap::default(),
        modules: InstalledModules::default(),
        used,
        incomplete: FxHashSet::default(),
        bytes: 0,
    };
    let called = importers.iter().map(|(file, _)| (file.path.clone(), needs::called_imports(file))).collect();
    let mut wanted = Vec::new();
    let manifests = project.iter().filter(|file| file.path.ends_with("package.json"));
    let depends: FxHashSet<String> = manifests.flat_map(|file| node::dependencies(&file.text)).collect();
    let mut imported: BTreeMap<&str, u32> = BTreeMap::new();
    let mut versions: BTreeMap<CompactString, String> = BTreeMap::new();
    for (file, needs) in &importers {
        let inner = roots.split(&file.path).1;
        let folder = Arc::new(folder.join(inner).parent().map(Path::to_owned).unwrap_or_default());
        let mut packages: FxHashSet<&str> = FxHashSet::default();
        for need in needs {
            let Some((name, _)) = package_of_specifier(&need.specifier) else { continue };
            let package = reader.packages.package(&folder, name);
            let is_installed = package.is_some();
            if let Some(package) = package {
                versions.entry(name.into()).or_insert_with(|| package.version.clone());
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
        let folder = Arc::new(folder.join(roots.split(manifest).1).parent().map(Path::to_owned).unwrap_or_default());
        let importer = Importer { path: manifest.clone(), place: Place::Own(folder) };
        wanted.extend(globals.iter().map(|name| {
            let names = NeededNames::Global(name.clone());
            (importer.clone(), ModuleNeed { specifier: types.as_str().into(), names })
        }));
    }
    reader.read_all(wanted);
    let PackageReader { loaded, modules, bytes, prefixes, incomplete, .. } = reader;
    let mut files: Vec<SourceFile> = loaded.into_values().filter_map(|loaded| loaded.file).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    for (name, version) in prefixes.into_values() {
        versions.entry(name).or_insert(version);
    }
    let libraries = NodeLibraries { imported, versions, incomplete, called, files: files.len(), bytes };
    program.extend(files);
    (libraries, modules)
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

/// A file that imports.
#[derive(Clone)]
struct Importer {
    /// The path in the index.
    path: CompactString,
    place: Place,
}

/// The place of an importing file on the disk.
#[derive(Clone)]
enum Place {
    /// A file of the program in this folder.
    Own(Arc<PathBuf>),
    /// A file of a package, by its path in the package.
    Installed(Arc<Package>, CompactString),
}

/// A file of a package that was read.
struct Loaded {
    /// `None` for a file that could not be read.
    file: Option<SourceFile>,
    place: Place,
    followed: FollowedFile,
    /// The files that directives at the head of the file make part of it, as specifiers.
    references: Vec<CompactString>,
}

/// A file that a directive names, with the specifier and the needed names of the file that has the directive.
type Referenced = (CompactString, Arc<Package>, CompactString, CompactString, Vec<NeededNames>);

/// The files that directives at the head of a text name, as specifiers: `/// <reference path="./a.d.ts" />`,
/// `/// <reference types="a" />`.
fn references(text: &str) -> Vec<CompactString> {
    let lines = text.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with("//"));
    let named = lines.filter_map(|line| {
        let (kind, rest) = line.strip_prefix("///")?.trim().strip_prefix("<reference")?.trim().split_once('=')?;
        let rest = rest.trim();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let path = rest[1..].split(quote).next()?;
        match kind.trim() {
            "path" if path.starts_with('.') => Some(CompactString::from(path)),
            "path" => Some(format_compact!("./{path}")),
            "types" => Some(path.into()),
            _ => None,
        }
    });
    named.take(MAX_REFERENCES).collect()
}

struct PackageReader {
    packages: NodePackages,
    /// By path in the index.
    loaded: FxHashMap<CompactString, Loaded>,
    /// By the folder of a package: the name of its folder in paths of the index, and its version.
    prefixes: FxHashMap<PathBuf, (CompactString, String)>,
    modules: InstalledModules,
    used: UsedNames,
    /// The packages whose declarations name a module that is not there.
    incomplete: FxHashSet<CompactString>,
    bytes: u64,
}

impl PackageReader {
    fn read_all(&mut self, mut wanted: Vec<(Importer, ModuleNeed)>) {
        let mut seen: FxHashSet<(CompactString, CompactString, NeededNames)> = FxHashSet::default();
        let mut referenced: Vec<Referenced> = Vec::new();
        loop {
            let mut needed: BTreeMap<(CompactString, CompactString), Vec<NeededNames>> = BTreeMap::new();
            let mut new: Vec<(CompactString, Arc<Package>, CompactString)> = Vec::new();
            for (importer, ModuleNeed { specifier, names }) in wanted.drain(..) {
                let Some((path, package, inner)) = self.resolve(&importer, &specifier) else {
                    if let Place::Installed(package, _) = &importer.place {
                        self.incomplete.insert(package.name.as_str().into());
                    }
                    continue;
                };
                self.modules.add(&importer.path, &specifier, &path);
                if !seen.insert((path.clone(), specifier.clone(), names.clone())) {
                    continue;
                }
                if !self.loaded.contains_key(&path) && !new.iter().any(|(other, ..)| *other == path) {
                    new.push((path.clone(), package, inner));
                }
                needed.entry((path, specifier)).or_default().push(names);
            }
            // A file that a directive names has the names of the file that has the directive.
            for (path, package, inner, specifier, names) in referenced.drain(..) {
                let is_new = |names: &NeededNames| seen.insert((path.clone(), specifier.clone(), names.clone()));
                let names: Vec<NeededNames> = names.into_iter().filter(is_new).collect();
                if !names.is_empty() {
                    if !self.loaded.contains_key(&path) && !new.iter().any(|(other, ..)| *other == path) {
                        new.push((path.clone(), package, inner));
                    }
                    needed.entry((path, specifier)).or_default().extend(names);
                }
            }
            self.load(new);
            for ((path, specifier), names) in needed {
                let Some(loaded) = self.loaded.get_mut(&path) else { continue };
                let Some(file) = &loaded.file else { continue };
                let needs = loaded.followed.follow(&file.facts, &specifier, &names, &mut self.used);
                let importer = Importer { path: path.clone(), place: loaded.place.clone() };
                wanted.extend(needs.into_iter().map(|need| (importer.clone(), need)));
                for reference in loaded.references.clone() {
                    let Some((path, package, inner)) = self.resolve(&importer, &reference) else { continue };
                    referenced.push((path, package, inner, specifier.clone(), names.clone()));
                }
            }
            if !wanted.is_empty() || !referenced.is_empty() {
                continue;
            }
            // Names that one file uses may name members of another one.
            let mut paths: Vec<CompactString> = self.loaded.keys().cloned().collect();
            paths.sort_unstable();
            for path in paths {
                let Some(loaded) = self.loaded.get_mut(&path) else { continue };
                let Some(file) = &loaded.file else { continue };
                let needs = loaded.followed.follow_again(&file.facts, &mut self.used);
                let importer = Importer { path, place: loaded.place.clone() };
                wanted.extend(needs.into_iter().map(|need| (importer.clone(), need)));
            }
            if wanted.is_empty() {
                break;
            }
        }
    }

    /// The file of a package that a specifier names: its path in the index, the package, and its path there.
    fn resolve(
        &mut self,
        importer: &Importer,
        specifier: &str,
    ) -> Option<(CompactString, Arc<Package>, CompactString)> {
        let (package, inner) = match &importer.place {
            Place::Installed(package, from) if node::is_relative(specifier) => {
                (Arc::clone(package), self.packages.relative(package, from, specifier)?)
            }
            Place::Installed(package, from) => {
                let file = package.root.join(from.as_str());
                let found = self.packages.declarations(file.parent()?, specifier)?;
                (found.package, found.path)
            }
            Place::Own(folder) => {
                let found = self.packages.declarations(folder, specifier)?;
                (found.package, found.path)
            }
        };
        let path = format_compact!("{NODE_MODULES}/{}/{inner}", self.prefix(&package));
        Some((path, package, inner.into()))
    }

    /// The name of the folder of a package in paths of the index: that of the package, with its version if another
    /// version of the package has the name already.
    fn prefix(&mut self, package: &Package) -> CompactString {
        if let Some((known, _)) = self.prefixes.get(&package.root) {
            return known.clone();
        }
        let is_taken = |prefix: &CompactString| self.prefixes.values().any(|(other, _)| other == prefix);
        let mut prefix = CompactString::from(package.name.as_str());
        let mut copy = 1;
        while is_taken(&prefix) {
            let version = package.version.replace(['/', '\\'], "");
            prefix = match copy {
                1 => format_compact!("{}@{version}", package.name),
                _ => format_compact!("{}@{version}+{copy}", package.name),
            };
            copy += 1;
        }
        self.prefixes.insert(package.root.clone(), (prefix.clone(), package.version.clone()));
        prefix
    }

    /// Reads and parses files on all threads.
    fn load(&mut self, files: Vec<(CompactString, Arc<Package>, CompactString)>) {
        let room = MAX_FILES.saturating_sub(self.loaded.len());
        let read = |(path, package, inner): (CompactString, Arc<Package>, CompactString)| {
            let size = listing::size(&package.root.join(inner.as_str()));
            let entry = FileEntry { path: inner.clone(), size, language: Some(Language::TypeScript) };
            let mut problems = Vec::new();
            let text = source::read(&Source::Folder(package.root.clone()), &entry, &mut problems).text;
            let references = text.as_ref().map(|text| references(&text.source)).unwrap_or_default();
            let file = text.map(|text| {
                let facts = typescript::read(&text.source, Dialect::of_path(&inner), is_declaration_file(&inner));
                SourceFile {
                    path: path.clone(),
                    origin: Origin::Src,
                    is_installed: true,
                    ..SourceFile::new(Content::Code, facts)
                }
            });
            (path, size, file, Place::Installed(package, inner), references)
        };
        let read: Vec<_> = files.into_par_iter().take(room).map(read).collect();
        for (path, size, file, place, references) in read {
            self.bytes += size;
            let file = file.filter(|_| self.bytes <= MAX_BYTES);
            self.loaded.insert(path, Loaded { file, place, followed: FollowedFile::default(), references });
        }
    }
}
