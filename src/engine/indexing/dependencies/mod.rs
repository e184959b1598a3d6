//! The packages that a program uses: which, in which version, and how much of them.

mod destinations;
mod origins;
mod uncounted;

use std::collections::BTreeMap;

use crate::{
    index::Index,
    indexer::{Libraries, Members, NodeLibraries, PythonLibraries},
    packages::{Dependency, DependencyState, InstalledModule},
};
use apidisc_base::language::Language;
use apidisc_environment::{
    node::types_package,
    python::{ModuleForm, normalized},
};
use apidisc_facts::program::{BoundParameter, DefinitionId};
use rustc_hash::FxHashSet;

pub use destinations::CallDestinations;
pub use origins::{CallOrigin, CallOrigins, WhyAbsent};
pub use uncounted::{UncountedCall, UncountedCalls, WhyUncounted};

/// The packages that a program imports or reaches, by the number of calls, then by name.
pub fn dependencies(index: &Index, libraries: &Libraries) -> Vec<Dependency> {
    let uses = uses_by_module(index);
    let mut packages = python_packages(&libraries.python, &uses);
    let mut of_node = node_packages(&libraries.node, &uses);
    note_shared_names(&mut packages, &mut of_node);
    packages.extend(of_node);
    packages.sort_by(|a, b| {
        (b.calls.cmp(&a.calls)).then(b.imported_by.cmp(&a.imported_by)).then_with(|| a.package.cmp(&b.package))
    });
    packages
}

/// Notes the names that packages of both ecosystems have.
fn note_shared_names(python: &mut [Dependency], node: &mut [Dependency]) {
    let names = |packages: &[Dependency]| -> FxHashSet<String> {
        packages.iter().map(|package| normalized(&package.package)).collect()
    };
    let (of_python, of_node) = (names(python), names(node));
    for package in python.iter_mut().chain(node) {
        let name = normalized(&package.package);
        package.shares_name = of_python.contains(&name) && of_node.contains(&name);
    }
}

fn python_packages(libraries: &PythonLibraries, uses: &UsesByModule<'_>) -> Vec<Dependency> {
    let imported = |module: &str| {
        let at = libraries.imported.binary_search_by(|(name, _)| name.as_str().cmp(module));
        at.map_or(0, |at| libraries.imported[at].1)
    };
    let mut modules: Vec<&str> = libraries.imported.iter().map(|(name, _)| name.as_str()).collect();
    modules.extend(uses.keys().filter_map(|module| match module {
        InstalledModule::Python(name) => Some(*name),
        InstalledModule::Node(_) => None,
    }));
    modules.sort_unstable();
    modules.dedup();
    let distributions = libraries.environments.distributions(modules.iter().copied());
    let incomplete = libraries.environments.incomplete();
    let mut packages: BTreeMap<String, Dependency> = BTreeMap::new();
    for module in modules {
        let missing = incomplete.get(module);
        let distribution = distributions.of_module(module).first().or(missing);
        let state = match libraries.environments.modules(module).first() {
            None if missing.is_some() => DependencyState::Incomplete,
            None => DependencyState::NotInstalled,
            Some(first) if first.form == ModuleForm::Compiled => DependencyState::Compiled,
            Some(_) => DependencyState::Installed,
        };
        let name = distribution.map_or(module, |known| known.name.as_str());
        let package = packages.entry(name.to_owned()).or_insert_with(|| Dependency {
            package: name.to_owned(),
            version: distribution.map(|known| known.version.clone()).filter(|version| !version.is_empty()),
            state,
            ..Dependency::default()
        });
        package.modules.push(module.to_owned());
        package.imported_by = package.imported_by.max(imported(module));
        package.add(uses.get(&InstalledModule::Python(module)));
    }
    packages.into_values().collect()
}

fn node_packages(libraries: &NodeLibraries, uses: &UsesByModule<'_>) -> Vec<Dependency> {
    let typed = typed_packages(libraries);
    let mut packages: BTreeMap<&str, Dependency> = BTreeMap::new();
    let new = |name: &str| {
        // A package that is not installed itself may have its types from another one.
        let types = types_package(name).and_then(|types| libraries.versions.get(types.as_str()));
        let version = libraries.versions.get(name).or(types);
        let absent = match libraries.archives {
            Some(_) => DependencyState::Archived,
            None => DependencyState::NotInstalled,
        };
        Dependency {
            package: name.to_owned(),
            version: version.cloned().filter(|version| !version.is_empty()),
            language: Language::TypeScript,
            state: version.map_or(absent, |_| DependencyState::Installed),
            is_incomplete: libraries.incomplete.contains(name),
            modules: vec![name.to_owned()],
            ..Dependency::default()
        }
    };
    for (name, files) in &libraries.imported {
        packages.entry(name).or_insert_with(|| new(name)).imported_by = *files;
    }
    for (module, uses) in uses {
        let InstalledModule::Node(folder) = module else { continue };
        let name = typed.get(*folder).map_or(*folder, String::as_str);
        let package = packages.entry(name).or_insert_with(|| new(name));
        package.add(Some(uses));
        if name != *folder {
            package.modules.push((*folder).to_owned());
        }
    }
    packages.into_values().collect()
}

impl Dependency {
    fn add(&mut self, uses: Option<&ModuleUses>) {
        if let Some(uses) = uses {
            self.calls += uses.calls;
            self.definitions += uses.definitions.len() as u32;
            self.parameters += uses.parameters.len() as u32;
        }
    }
}

/// The names of the packages of modules.
#[derive(Debug, Default)]
pub struct PackageNames<'l> {
    members: Option<&'l Members>,
    /// By the first part of the name of a Python module.
    python: BTreeMap<String, String>,
    /// For packages of types such as `@types/react`: the package whose types they are, if it is used.
    typed: BTreeMap<String, String>,
}

impl<'l> PackageNames<'l> {
    /// The names of packages. `packages` are those that [`dependencies`] finds.
    pub fn new(packages: &[Dependency], libraries: &'l Libraries) -> Self {
        let of_python = packages.iter().filter(|package| package.language == Language::Python);
        let of_modules = of_python
            .flat_map(|package| package.modules.iter().map(|module| (module.clone(), package.package.clone())));
        Self {
            members: Some(&libraries.python.members),
            python: of_modules.collect(),
            typed: typed_packages(&libraries.node),
        }
    }

    /// The package that a file of the program belongs to for a caller in another file: one that is installed editably
    /// in an environment, and that the caller is no part of.
    pub fn of_member(&self, called: &str, caller: &str) -> Option<&str> {
        self.members.and_then(|members| members.package_of(called, caller))
    }

    /// The name of the package that a module belongs to.
    pub fn of_module<'a>(&'a self, module: InstalledModule<'a>) -> Option<&'a str> {
        match module {
            InstalledModule::Python(name) => self.python.get(name).map(String::as_str),
            InstalledModule::Node(name) => Some(self.typed.get(name).map_or(name, String::as_str)),
        }
    }
}

/// The packages whose types others declare, by the names of these others: `react` by `@types/react`.
fn typed_packages(libraries: &NodeLibraries) -> BTreeMap<String, String> {
    let imported = libraries.imported.iter().map(|(name, _)| name.as_str());
    imported.filter_map(|name| Some((types_package(name)?, name.to_owned()))).collect()
}

/// The uses of modules of packages.
type UsesByModule<'a> = BTreeMap<InstalledModule<'a>, ModuleUses>;

/// The uses of one module.
#[derive(Default)]
struct ModuleUses {
    calls: u32,
    definitions: FxHashSet<DefinitionId>,
    /// Parameters by their positions in the signatures.
    parameters: FxHashSet<(DefinitionId, u16)>,
}

/// The calls and reads of definitions of packages.
fn uses_by_module(index: &Index) -> UsesByModule<'_> {
    let mut uses = UsesByModule::new();
    let module_of = |id: DefinitionId| index.module_of_file(index.definition(id).place.file);
    for call in index.calls.iter() {
        let called = index.calls.candidates(call).first();
        let Some((id, module)) = called.and_then(|&id| Some((id, module_of(id)?))) else { continue };
        let of_module = uses.entry(module).or_default();
        of_module.calls += 1;
        of_module.definitions.insert(id);
        for argument in index.calls.arguments(call) {
            if let BoundParameter::Parameter(position) = argument.bound {
                of_module.parameters.insert((id, position));
            }
        }
    }
    for read in index.reads.iter() {
        if let Some(module) = module_of(read.attribute) {
            uses.entry(module).or_default().definitions.insert(read.attribute);
        }
    }
    uses
}
