//! Reads the files of packages in waves, and follows the names that are needed of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use compact_str::{CompactString, format_compact};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::{
    super::{facts_store::FactsStore, parsed_file::Unit},
    MAX_BYTES, MAX_FILES,
    package_file::{self, ReadFiles},
};
use apidisc_base::language::{Language, Origin};
use apidisc_environment::node::{self, NodePackages, Package};
use apidisc_facts::{source::NODE_MODULES, syntax::typescript::facts::FileFacts};
use apidisc_link::typescript::{
    InstalledModules, SourceFile,
    needs::{FollowedFile, ModuleNeed, NeededNames, UsedNames},
};

/// The greatest number of directives of a file that are followed.
const MAX_REFERENCES: usize = 500;

/// A file that imports.
#[derive(Clone)]
pub(super) struct Importer {
    /// The path in the index.
    pub(super) path: CompactString,
    pub(super) place: Place,
}

/// The place of an importing file on the disk.
#[derive(Clone)]
pub(super) enum Place {
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

/// A file of a package to read.
struct NewFile {
    package: Arc<Package>,
    /// The path in the package.
    inner: CompactString,
    /// The names that the file may export, if nothing else is needed of it.
    starred: Option<Vec<CompactString>>,
}

impl NewFile {
    fn new(package: Arc<Package>, inner: CompactString) -> Self {
        Self { package, inner, starred: Some(Vec::new()) }
    }

    fn add(&mut self, names: &NeededNames) {
        match (names, &mut self.starred) {
            (NeededNames::Starred(name), Some(starred)) => starred.push(name.clone()),
            _ => self.starred = None,
        }
    }

    /// True if the text of the file shows that it exports none of the names: it neither has one of them, nor exports
    /// everything of another module.
    fn is_futile(&self, text: &str) -> bool {
        let has = |name: &CompactString| text.contains(name.as_str());
        self.starred.as_ref().is_some_and(|names| !text.contains("export *") && !names.iter().any(has))
    }
}

pub(super) struct PackageReader<'r> {
    pub(super) packages: NodePackages,
    /// By path in the index.
    loaded: FxHashMap<CompactString, Loaded>,
    /// By the folder of a package: the name of its folder in paths of the index, and its version.
    pub(super) prefixes: FxHashMap<PathBuf, (CompactString, String)>,
    /// The files that were not parsed, by path in the index: they export none of the names that were looked for.
    futile: FxHashSet<CompactString>,
    pub(super) modules: InstalledModules,
    used: UsedNames,
    store: Option<&'r dyn FactsStore>,
    files: &'r mut ReadFiles,
    /// The packages that other packages import, each with those that import it.
    pub(super) reached: BTreeMap<CompactString, BTreeSet<CompactString>>,
    /// The packages whose declarations name a module that is not there.
    pub(super) incomplete: FxHashSet<CompactString>,
    pub(super) bytes: u64,
}

impl<'r> PackageReader<'r> {
    /// A reader for code below `tops` that uses these names. What is read is added to `files`.
    pub(super) fn new<'t>(
        tops: impl IntoIterator<Item = &'t Path>,
        used: UsedNames,
        store: Option<&'r dyn FactsStore>,
        files: &'r mut ReadFiles,
    ) -> Self {
        Self {
            packages: NodePackages::new(tops),
            loaded: FxHashMap::default(),
            futile: FxHashSet::default(),
            prefixes: FxHashMap::default(),
            modules: InstalledModules::default(),
            used,
            store,
            files,
            reached: BTreeMap::new(),
            incomplete: FxHashSet::default(),
            bytes: 0,
        }
    }

    /// The files that were read, sorted by path, and the path of each in the index and on this machine.
    pub(super) fn take_files(&mut self) -> (Vec<SourceFile>, Vec<(CompactString, PathBuf)>) {
        let mut files = Vec::new();
        let mut places = Vec::new();
        for Loaded { file, place, .. } in std::mem::take(&mut self.loaded).into_values() {
            let (Some(file), Place::Installed(package, inner)) = (file, place) else { continue };
            places.push((file.path.clone(), package.root.join(inner.as_str())));
            files.push(file);
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        (files, places)
    }

    /// Reads what is needed, and all that this needs in turn.
    pub(super) fn read_all(&mut self, mut wanted: Vec<(Importer, ModuleNeed)>) {
        let mut seen: FxHashSet<(CompactString, CompactString, NeededNames)> = FxHashSet::default();
        let mut referenced: Vec<Referenced> = Vec::new();
        loop {
            let mut needed: BTreeMap<(CompactString, CompactString), Vec<NeededNames>> = BTreeMap::new();
            let mut new: BTreeMap<CompactString, NewFile> = BTreeMap::new();
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
                if !self.loaded.contains_key(&path) {
                    new.entry(path.clone()).or_insert_with(|| NewFile::new(package, inner)).add(&names);
                }
                needed.entry((path, specifier)).or_default().push(names);
            }
            // A file that a directive names has the names of the file that has the directive.
            for (path, package, inner, specifier, names) in referenced.drain(..) {
                let is_new = |names: &NeededNames| seen.insert((path.clone(), specifier.clone(), names.clone()));
                let names: Vec<NeededNames> = names.into_iter().filter(is_new).collect();
                if !names.is_empty() {
                    if !self.loaded.contains_key(&path) {
                        let file = new.entry(path.clone()).or_insert_with(|| NewFile::new(package, inner));
                        for names in &names {
                            file.add(names);
                        }
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

    /// The facts of a file that was read, and its place.
    pub(super) fn loaded_file(&self, path: &str) -> Option<(&FileFacts, Place)> {
        let Loaded { file, place, .. } = self.loaded.get(path)?;
        Some((&file.as_ref()?.facts, place.clone()))
    }

    /// True for a file that was not parsed, since it can export none of the names that were looked for in it.
    pub(super) fn is_futile(&self, path: &str) -> bool {
        self.futile.contains(path) && !self.loaded.contains_key(path)
    }

    /// The file of a package that a specifier names: its path in the index, the package, and its path there.
    pub(super) fn resolve(
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
                if found.package.name != package.name {
                    let importers = self.reached.entry(found.package.name.as_str().into()).or_default();
                    importers.insert(package.name.as_str().into());
                }
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

    /// Reads and parses files on all threads. A file that can export none of the names that are looked for in it is not
    /// parsed, and not kept.
    fn load(&mut self, files: BTreeMap<CompactString, NewFile>) {
        let room = MAX_FILES.saturating_sub(self.loaded.len());
        let files: Vec<(CompactString, NewFile)> = files.into_iter().take(room).collect();
        let store = self.store;
        let read = |(path, new): (CompactString, NewFile)| {
            let mut is_futile = false;
            let take = |text: &str| {
                is_futile = new.is_futile(text);
                (!is_futile).then(|| references(text))
            };
            let file = package_file::read(store, &new.package.root, &new.inner, Language::TypeScript, take);
            (path, new, file, is_futile)
        };
        let read: Vec<_> = files.into_par_iter().map(read).collect();
        for (path, NewFile { package, inner, .. }, file, is_futile) in read {
            let size = file.size;
            let content = self.files.add(file);
            if is_futile {
                self.futile.insert(path);
                continue;
            }
            self.bytes += size;
            let (facts, references) = content.unzip();
            let file = facts.filter(|_| self.bytes <= MAX_BYTES).and_then(Unit::into_typescript).map(|mut file| {
                file.path.clone_from(&path);
                file.origin = Origin::Src;
                file.is_installed = true;
                file
            });
            let place = Place::Installed(package, inner);
            let references = references.unwrap_or_default();
            self.loaded.insert(path, Loaded { file, place, followed: FollowedFile::default(), references });
        }
    }
}
