//! Reads what a program needs of installed Python packages.
//!
//! ```text
//! imports of the program → paths such as `flask.app.Flask` → files → the names that these need → …
//! ```
//!
//! Files are read in waves until no file needs another one. What is read does not depend on the order of reading.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use compact_str::{CompactString, format_compact};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::{
    super::facts_store::FactsStore,
    CalledNames, Environments, ImportedNames, LibrarySettings, MAX_BYTES, MAX_FILES, Members, NameState,
    package_file::{self, ReadFiles},
};
use apidisc_base::language::{Language, Origin};
use apidisc_environment::{
    listing,
    python::{InstalledModule, ModuleForm, is_compiled},
};
use apidisc_facts::source::INSTALLED;
use apidisc_link::{
    linked::Content,
    python::{
        LinkFile, is_standard_library,
        needs::{self, FollowedNames, ModuleName, UsedAttributes},
    },
};

/// The greatest number of modules in which a name is looked for through `from m import *`.
const MAX_STARRED: usize = 512;
/// Modules that are never read, although they are installed: the linker knows what their names mean to type checkers.
const KNOWN_BY_NAME: [&str; 1] = ["typing_extensions"];

/// What was found of the Python packages that a program imports.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct PythonLibraries {
    /// The environments.
    pub environments: Environments,
    /// The parts of the program that are installed editably.
    pub members: Members,
    /// The modules that the program imports, that it does not define itself and that the standard library does not
    /// have, by the first part of their names; each with the number of files that import it. Sorted by name.
    pub imported: Vec<(CompactString, u32)>,
    /// For each call whose callee begins with an imported or built-in name: the dotted path that the callee names;
    /// empty for a built-in name. By the path of the file, and by line and column of the call.
    pub called: CalledNames,
    /// The names that statements `from m import name` import, and those that are read of imported modules, `m.name`.
    pub imported_names: ImportedNames,
    /// The names of modules of packages that the program writes, as dotted paths. A path that leads through a class, or
    /// into a module that was not read, is left out.
    pub names: FxHashMap<CompactString, NameState>,
    /// The files of packages that were read: the path in the index, and the path on this machine.
    pub files: Vec<(CompactString, PathBuf)>,
    /// The code that the stubs among them describe, where it is installed as well: it is no part of the index. A stub
    /// may leave out names that are there.
    pub described: Vec<(CompactString, PathBuf)>,
    /// Their size in bytes.
    pub bytes: u64,
}

impl PythonLibraries {
    /// True for a module that the program imports and of which no source or stub is installed.
    pub(super) fn is_absent(&self, module: &str) -> bool {
        let is_imported = self.imported.binary_search_by(|(name, _)| name.as_str().cmp(module)).is_ok();
        is_imported && self.environments.modules(module).iter().all(|place| place.form == ModuleForm::Compiled)
    }
}

/// A file of a package.
struct Loaded {
    file: LinkFile,
    /// The path on this machine.
    place: PathBuf,
    followed: FollowedNames,
}

/// Reads the files of packages that `program` needs, and appends them to it. The modules of the program have their
/// names. What is read is added to `files`.
pub(super) fn read(
    settings: &LibrarySettings,
    store: Option<&dyn FactsStore>,
    files: &mut ReadFiles,
    program: &mut Vec<LinkFile>,
) -> PythonLibraries {
    let own: FxHashSet<CompactString> = program.iter().map(|file| first_part(&file.module).into()).collect();
    let is_code = |file: &&LinkFile| file.content == Content::Code && file.places.is_none();
    let has_packages = |file: &&LinkFile| settings.position(&file.path).is_some();
    let code = program.par_iter().filter(is_code).filter(has_packages);
    let called = code.clone().map(|file| (file.path.clone(), needs::called_paths(file))).collect();
    let is_wanted = |module: &str| !own.contains(module) && is_read(module);
    let imported_names = code.filter_map(|file| {
        let names = needs::written_names(file).into_iter();
        let names: Vec<_> = names.filter(|(_, name)| is_wanted(first_part(name))).collect();
        (!names.is_empty()).then(|| (file.path.clone(), names))
    });
    let imported_names = imported_names.collect();
    let mut by_module: FxHashMap<CompactString, u32> = FxHashMap::default();
    // For each source: the modules that it imports of packages, and of the program.
    let mut of_sources = vec![BTreeSet::new(); settings.programs.len()];
    let mut own_of_sources = of_sources.clone();
    for file in program.iter() {
        let Some(at) = settings.position(&file.path) else { continue };
        for module in needs::imported_modules(file).into_iter().filter(|module| is_read(module)) {
            if own.contains(&module) {
                own_of_sources[at].insert(module);
            } else {
                *by_module.entry(module.clone()).or_default() += 1;
                of_sources[at].insert(module);
            }
        }
    }
    let mut imported: Vec<(CompactString, u32)> = by_module.into_iter().collect();
    imported.sort_unstable();
    let environments = Environments::search(settings, of_sources, &own_of_sources);
    let members = environments.members(settings, &own_of_sources, program);
    if environments.taken().next().is_none() || imported.is_empty() {
        return PythonLibraries {
            environments,
            members,
            imported,
            called,
            imported_names,
            ..PythonLibraries::default()
        };
    }
    let mut used = UsedAttributes::default();
    for file in program.iter().filter(has_packages) {
        used.add(file);
    }
    let wanted: Vec<FxHashSet<CompactString>> = program.par_iter().filter(has_packages).map(needs::imports).collect();
    let mut wanted: Vec<CompactString> = wanted.into_iter().flatten().collect();
    wanted.retain(|path| is_wanted(first_part(path)));
    let mut reader = PackageReader {
        environments,
        store,
        files,
        loaded: FxHashMap::default(),
        listings: FxHashMap::default(),
        bytes: 0,
    };
    reader.read_all(wanted.clone(), &used);
    let states = wanted.into_iter().filter_map(|path| Some((reader.name_state(&path)?, path)));
    let names = states.map(|(state, path)| (path, state)).collect();
    let described = reader.described();
    let PackageReader { environments, loaded, bytes, .. } = reader;
    let mut files = Vec::new();
    for Loaded { file, place, .. } in loaded.into_values().flatten() {
        files.push((file.path.clone(), place));
        program.push(file);
    }
    PythonLibraries { environments, members, imported, called, imported_names, names, files, described, bytes }
}

/// True for a module that is read from the environment.
fn is_read(module: &str) -> bool {
    !is_standard_library(module) && !KNOWN_BY_NAME.contains(&module)
}

fn first_part(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}

/// A file of a package that is there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct FoundFile {
    /// The path in the index.
    path: CompactString,
    /// The folder that the file is read below.
    root: PathBuf,
    /// The path from `root`.
    inner: CompactString,
}

struct PackageReader<'r> {
    environments: Environments,
    store: Option<&'r dyn FactsStore>,
    files: &'r mut ReadFiles,
    /// By path in the index. `None` for a file that could not be read.
    loaded: FxHashMap<CompactString, Option<Loaded>>,
    /// The names of the entries of folders that were looked at.
    listings: FxHashMap<PathBuf, FxHashSet<String>>,
    bytes: u64,
}

impl PackageReader<'_> {
    fn read_all(&mut self, mut wanted: Vec<CompactString>, used: &UsedAttributes) {
        let mut seen: FxHashSet<CompactString> = FxHashSet::default();
        while !wanted.is_empty() {
            wanted.sort_unstable();
            let mut names: FxHashMap<CompactString, Vec<CompactString>> = FxHashMap::default();
            let mut new: Vec<FoundFile> = Vec::new();
            for path in wanted.drain(..) {
                if !seen.insert(path.clone()) {
                    continue;
                }
                for (file, name) in self.find(&path) {
                    if !self.loaded.contains_key(&file.path) && !new.contains(&file) {
                        new.push(file.clone());
                    }
                    names.entry(file.path).or_default().extend(name);
                }
            }
            self.load(new);
            let mut open: Vec<(CompactString, Vec<CompactString>)> = names.into_iter().collect();
            open.sort_unstable();
            for (path, names) in open {
                if let Some(Some(Loaded { file, followed, .. })) = self.loaded.get_mut(&path) {
                    wanted.extend(followed.follow(file, &names, used));
                }
            }
            wanted.retain(|path| is_read(first_part(path)));
        }
    }

    /// Reads and parses files on all threads.
    fn load(&mut self, files: Vec<FoundFile>) {
        let room = MAX_FILES.saturating_sub(self.loaded.len());
        let store = self.store;
        let read = |found: FoundFile| {
            let file = package_file::read(store, &found.root, &found.inner, Language::Python, |_| Some(()));
            (found, file)
        };
        let read: Vec<_> = files.into_par_iter().take(room).map(read).collect();
        for (found, file) in read {
            self.bytes += file.size;
            let content = self.files.add(file).filter(|_| self.bytes <= MAX_BYTES);
            let loaded = content.and_then(|(facts, ())| facts.into_python()).map(|mut file| {
                file.path.clone_from(&found.path);
                file.module = module_of(&found.path);
                file.origin = Origin::Src;
                file.is_installed = true;
                Loaded { file, place: found.root.join(&found.inner), followed: FollowedNames::default() }
            });
            self.loaded.insert(found.path, loaded);
        }
    }

    /// The files with the code of the stubs that were read.
    fn described(&mut self) -> Vec<(CompactString, PathBuf)> {
        let mut stubs: Vec<CompactString> = self.loaded.keys().filter(|path| path.ends_with(".pyi")).cloned().collect();
        stubs.sort_unstable();
        let mut found = Vec::new();
        for stub in stubs {
            let path = CompactString::new(&stub[..stub.len() - 1]);
            let inner = path.strip_prefix(INSTALLED).unwrap_or(&path).trim_start_matches('/').to_owned();
            let first = inner.split(['/', '.']).next().unwrap_or_default();
            let places = self.environments.modules(first).to_vec();
            let mut roots = places.iter().filter_map(|place| place.path.parent());
            let (folder, name) = inner.rsplit_once('/').unwrap_or(("", &inner));
            let root = roots.find(|root| self.has(&root.join(folder), name));
            found.extend(root.map(|root| (path, root.join(&inner))));
        }
        found
    }

    /// Whether a module that was read has the name in which a dotted path ends; `None` if that cannot be told. A module
    /// that is not there takes its names along.
    fn name_state(&mut self, path: &str) -> Option<NameState> {
        let mut inner = path;
        loop {
            let (module, _) = inner.rsplit_once('.')?;
            if self.module_file(module).is_some() {
                break;
            }
            // A folder without a file of its own is a module, too; its names are modules.
            if self.is_folder(module) {
                return None;
            }
            inner = module;
        }
        let state = self.state_in_module(inner)?;
        (inner == path || state == NameState::Unbound).then_some(state)
    }

    fn module_file(&mut self, module: &str) -> Option<FoundFile> {
        self.find(module).into_iter().map(|(file, _)| file).find(|file| module_of(&file.path) == module)
    }

    /// True if the folder of a package has a folder for a module.
    fn is_folder(&mut self, module: &str) -> bool {
        let mut parts = module.split('.');
        let places = self.environments.modules(parts.next().unwrap_or_default()).to_vec();
        let inner: Vec<&str> = parts.collect();
        places.iter().any(|place| {
            let folder = inner.iter().fold(place.path.clone(), |folder, part| folder.join(part));
            !inner.is_empty() && listing::is_folder(&folder)
        })
    }

    /// Whether the module of a dotted path has the name in which the path ends.
    fn state_in_module(&mut self, path: &str) -> Option<NameState> {
        let (module, name) = path.rsplit_once('.')?;
        if self.module_file(path).is_some() {
            return Some(NameState::Bound);
        }
        // The module, and the modules of which it imports everything, directly or through others.
        let mut open = vec![CompactString::from(module)];
        let mut seen = FxHashSet::default();
        let mut state = NameState::Unbound;
        while let Some(module) = open.pop() {
            if !seen.insert(module.clone()) {
                continue;
            }
            if seen.len() > MAX_STARRED {
                return None;
            }
            let found = self.module_file(&module)?;
            let Loaded { file, .. } = self.loaded.get(&found.path)?.as_ref()?;
            match needs::module_name(file, name) {
                ModuleName::Bound => return Some(NameState::Bound),
                ModuleName::Served => state = NameState::Served,
                ModuleName::Starred(modules) => open.extend(modules),
                ModuleName::Unbound if self.has_compiled(&found, name) => return Some(NameState::Bound),
                ModuleName::Unbound => {}
            }
        }
        Some(state)
    }

    /// True if a compiled module of this name is in the folder of a package; `init` is the file of the package.
    fn has_compiled(&mut self, init: &FoundFile, name: &str) -> bool {
        let is_init = init.inner.ends_with("/__init__.py") || init.inner.ends_with("/__init__.pyi");
        let Some(folder) = init.root.join(&init.inner).parent().map(Path::to_owned).filter(|_| is_init) else {
            return false;
        };
        let is_module = |entry: &String| {
            let rest = entry.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
            rest.is_some_and(is_compiled)
        };
        self.entries(&folder).iter().any(is_module)
    }

    /// The files in which a dotted path leads, each with the name that is needed of it. A name of a package may be a
    /// module of the package, too; both are needed.
    fn find(&mut self, path: &str) -> Vec<(FoundFile, Option<CompactString>)> {
        let parts: Vec<&str> = path.split('.').collect();
        let places: Vec<InstalledModule> = self.environments.modules(parts[0]).to_vec();
        // Stubs may describe a part of a package, and a namespace package has parts in several folders: the place is
        // taken that leads furthest.
        let mut best: (usize, Vec<(FoundFile, Option<CompactString>)>) = (0, Vec::new());
        for place in places {
            let found = self.find_in(&place, &parts);
            let depth =
                found.iter().map(|(file, _)| module_of(&file.path).split('.').count()).max().unwrap_or_default();
            if depth > best.0 {
                best = (depth, found);
            }
        }
        best.1
    }

    /// The files below one place of a module in which a dotted path leads.
    fn find_in(&mut self, place: &InstalledModule, parts: &[&str]) -> Vec<(FoundFile, Option<CompactString>)> {
        let Some(root) = place.path.parent().map(Path::to_owned) else { return Vec::new() };
        let entry = place.path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let file = |inner: String, module: &[&str], extension: &str, is_package: bool| {
            let init = if is_package { "/__init__" } else { "" };
            let path = format_compact!("{INSTALLED}/{}{init}.{extension}", module.join("/"));
            FoundFile { path, root: root.clone(), inner: inner.into() }
        };
        if matches!(place.form, ModuleForm::File | ModuleForm::Compiled) {
            let Some(extension) = self.python_extension(&root, parts[0]) else { return Vec::new() };
            let name = parts.get(1).map(|name| CompactString::new(name));
            return vec![(file(format!("{}.{extension}", parts[0]), &parts[..1], extension, false), name)];
        }
        // The folder of the package, and the files that the path leads to.
        let mut folder = entry;
        let mut found = Vec::new();
        for at in 1..=parts.len() {
            let name = parts.get(at).map(|name| CompactString::new(name));
            let here = root.join(&folder);
            let init = self.python_extension(&here, "__init__");
            let next = parts.get(at).copied().unwrap_or_default();
            let is_folder = !next.is_empty() && self.has(&here, next);
            let module = if next.is_empty() { None } else { self.python_extension(&here, next) };
            let is_last = at == parts.len();
            // A name of the package itself: it ends the path, or no module of this name is there.
            if let Some(extension) =
                init.filter(|_| is_last || at + 1 == parts.len() || !(is_folder || module.is_some()))
            {
                found.push((file(format!("{folder}/__init__.{extension}"), &parts[..at], extension, true), name));
            }
            if is_last {
                break;
            }
            if is_folder {
                folder = format!("{folder}/{next}");
                continue;
            }
            if let Some(extension) = module {
                let name = parts.get(at + 1).map(|name| CompactString::new(name));
                found.push((file(format!("{folder}/{next}.{extension}"), &parts[..=at], extension, false), name));
            }
            break;
        }
        found
    }

    /// The extension of the stub or source of a module in a folder. The stub comes first.
    fn python_extension(&mut self, folder: &Path, module: &str) -> Option<&'static str> {
        ["pyi", "py"].into_iter().find(|extension| self.has(folder, &format!("{module}.{extension}")))
    }

    fn has(&mut self, folder: &Path, entry: &str) -> bool {
        self.entries(folder).contains(entry)
    }

    /// The names of the entries of a folder, which is listed once.
    fn entries(&mut self, folder: &Path) -> &FxHashSet<String> {
        let list = || listing::entries(folder).into_iter().map(|entry| entry.name).collect();
        self.listings.entry(folder.to_owned()).or_insert_with(list)
    }
}

/// The dotted name of the module of a file of a package.
fn module_of(path: &str) -> CompactString {
    let inner = path.strip_prefix(INSTALLED).unwrap_or(path).trim_start_matches('/');
    let stem = inner.rsplit_once('.').map_or(inner, |(stem, _)| stem);
    stem.strip_suffix("/__init__").unwrap_or(stem).replace('/', ".").into()
}
