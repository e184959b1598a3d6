//! The environments of Python in which the packages of a program are installed: one for each of its sources.
//!
//! A module has one meaning in an index. It is read from the environment of the first source that imports it and whose
//! environment holds it; a module that only packages import, from the first environment that holds it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use compact_str::CompactString;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{LibrarySettings, MANIFEST, members::Members};
use apidisc_environment::{
    listing,
    python::{
        Distribution, Distributions, Environment, EnvironmentSetting, InstalledModule, InstalledModules, Search, search,
    },
};

use apidisc_link::python::LinkFile;

/// The environments of the sources of a program.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Environments {
    of_sources: Vec<SourceEnvironment>,
    /// For each module that a source imports: the position of the source whose environment the module is read from.
    read_of: FxHashMap<CompactString, usize>,
}

/// The environment of one source.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct SourceEnvironment {
    /// The folder of the source in paths of the index; empty for an only source.
    pub source: CompactString,
    /// The option or setting by which a person names the environment; a message about it begins with this.
    pub named_by: String,
    /// The search.
    pub search: Search,
    /// The modules that the source imports, that the program does not define and that the standard library does not
    /// have, by the first part of their names; sorted.
    pub imported: Vec<CompactString>,
    /// The modules of the program that the source imports although its environment holds a package of the name; sorted.
    pub hidden: Vec<CompactString>,
}

/// Two sources whose environments hold a module in different versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherVersion {
    /// The name of the package.
    pub package: String,
    /// The version that is read.
    pub read: String,
    /// The source that imports another version.
    pub source: CompactString,
    /// That version.
    pub other: String,
}

impl Environments {
    /// Searches the environments of the sources of `settings`, which import these modules. `own` has the modules of the
    /// program itself that a source imports.
    pub(super) fn search(
        settings: &LibrarySettings,
        imported: Vec<BTreeSet<CompactString>>,
        own: &[BTreeSet<CompactString>],
    ) -> Self {
        let mut environments = Self::default();
        let is_python = |folder: &&PathBuf| !listing::is_file(&folder.join(MANIFEST));
        let replaced: Vec<PathBuf> = settings.replaced.iter().filter(is_python).cloned().collect();
        for ((program, imported), own) in settings.programs.iter().zip(imported).zip(own) {
            let names: Vec<&str> = imported.iter().map(CompactString::as_str).collect();
            let mut search = match (&program.project, &program.environment) {
                (Some(project), setting) => {
                    search(project, listing::top_folder(project), setting, &settings.shell, &names)
                }
                // Nothing is beside a source that lies elsewhere; a folder that a person names is on this machine.
                (None, EnvironmentSetting::Folder(folder)) => {
                    search(folder, folder, &program.environment, &settings.shell, &names)
                }
                (None, _) => Search::default(),
            };
            search.put_first(&replaced);
            let modules = search.taken.as_ref().map(|(_, modules)| modules);
            let is_held = |name: &&CompactString| modules.is_some_and(|modules| modules.is_installed(name));
            let hidden = own.iter().filter(is_held).cloned().collect();
            for name in imported.iter().filter(|name| modules.is_some_and(|modules| modules.holds(name))) {
                environments.read_of.entry(name.clone()).or_insert(environments.of_sources.len());
            }
            environments.of_sources.push(SourceEnvironment {
                source: program.source.clone(),
                named_by: program.named_by.clone(),
                imported: imported.into_iter().collect(),
                hidden,
                search,
            });
        }
        environments
    }

    /// The environments, in the order of the sources.
    pub fn iter(&self) -> impl Iterator<Item = &SourceEnvironment> {
        self.of_sources.iter()
    }

    /// The environments that were taken, with their modules.
    pub fn taken(&self) -> impl Iterator<Item = (&Environment, &InstalledModules)> {
        self.of_sources.iter().filter_map(SourceEnvironment::taken)
    }

    /// The places of a module, the one that an import takes first.
    pub fn modules(&self, name: &str) -> &[InstalledModule] {
        self.holder(name).and_then(|at| self.of_sources[at].taken()).map_or(&[], |(_, modules)| modules.get(name))
    }

    /// The distributions that bring these modules.
    pub fn distributions<'m>(&self, modules: impl Iterator<Item = &'m str>) -> Distributions {
        let mut by_source: Vec<Vec<&str>> = vec![Vec::new(); self.of_sources.len()];
        for module in modules {
            if let Some(at) = self.holder(module) {
                by_source[at].push(module);
            }
        }
        let mut found = Distributions::default();
        for (source, modules) in self.of_sources.iter().zip(by_source).filter(|(_, modules)| !modules.is_empty()) {
            found.extend(source.taken().map(|(environment, _)| Distributions::of(environment, modules)));
        }
        found
    }

    /// The distributions that an environment names and of whose modules it has none, by the module that a source
    /// imports.
    pub fn incomplete(&self) -> BTreeMap<CompactString, Distribution> {
        let mut found = BTreeMap::new();
        for source in &self.of_sources {
            let Some((environment, _)) = source.taken() else { continue };
            let is_absent = |name: &&CompactString| self.holder(name).is_none();
            let names: Vec<&CompactString> = source.imported.iter().filter(is_absent).collect();
            if !names.is_empty() {
                found.extend(Distributions::named(environment, names));
            }
        }
        found
    }

    /// The packages that sources import and of which another version is read than the one in their environment.
    pub fn other_versions(&self) -> Vec<OtherVersion> {
        let mut others = Vec::new();
        for (at, source) in self.of_sources.iter().enumerate() {
            let Some((environment, modules)) = source.taken() else { continue };
            let is_elsewhere = |name: &&CompactString| {
                let place = |of: &[InstalledModule]| of.first().map(|module| module.path.clone());
                self.holder(name).is_some_and(|holder| holder != at)
                    && modules.holds(name)
                    && place(modules.get(name)) != place(self.modules(name))
            };
            let names: Vec<&str> = source.imported.iter().filter(is_elsewhere).map(CompactString::as_str).collect();
            if names.is_empty() {
                continue;
            }
            let (there, read) =
                (Distributions::of(environment, names.clone()), self.distributions(names.iter().copied()));
            for name in names {
                let (Some(other), Some(read)) = (there.of_module(name).first(), read.of_module(name).first()) else {
                    continue;
                };
                if other.version != read.version {
                    others.push(OtherVersion {
                        package: read.name.clone(),
                        read: read.version.clone(),
                        source: source.source.clone(),
                        other: other.version.clone(),
                    });
                }
            }
        }
        others
    }

    /// The parts of the program that are installed editably in its environments. For each source `own` has the modules
    /// of the program that it imports, and `files` are the files of the program.
    pub(super) fn members(
        &self,
        settings: &LibrarySettings,
        own: &[BTreeSet<CompactString>],
        files: &[LinkFile],
    ) -> Members {
        let mut members = Members::default();
        for ((source, program), own) in self.of_sources.iter().zip(&settings.programs).zip(own) {
            if let (Some((environment, modules)), Some(project)) = (source.taken(), &program.project) {
                members.add(&program.source, project, environment, modules);
                members.add_by_name(environment, own, files);
            }
        }
        members
    }

    /// The position of the source from whose environment a module is read.
    fn holder(&self, name: &str) -> Option<usize> {
        let first = || self.of_sources.iter().position(|source| source.taken().is_some_and(|(_, m)| m.holds(name)));
        self.read_of.get(name).copied().or_else(first)
    }
}

impl SourceEnvironment {
    /// The environment that was taken, with its modules.
    pub fn taken(&self) -> Option<(&Environment, &InstalledModules)> {
        self.search.taken.as_ref().map(|(environment, modules)| (environment, modules))
    }
}
