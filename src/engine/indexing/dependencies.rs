//! The packages that a program uses: which, in which version, and how much of them.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::{index::Index, indexer::Libraries};
use apidisc_environment::python::{Distributions, ModuleForm};
use apidisc_facts::{
    program::{BoundParameter, DefinitionId, Resolution},
    source::INSTALLED,
};

/// A package that a program uses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Dependency {
    /// The name of the distribution, such as `PyYAML`; of a package that is not installed, the module that is imported.
    pub package: String,
    /// The version; `None` if it is not known.
    pub version: Option<String>,
    /// Whether the package can be read.
    pub state: DependencyState,
    /// The modules of the package that the program imports or reaches, by the first part of their names. Sorted.
    pub modules: Vec<String>,
    /// The number of files of the program that import a module of the package. 0 for a package that the program only
    /// reaches through others.
    pub imported_by: u32,
    /// The number of calls of definitions of the package.
    pub calls: u32,
    /// The number of definitions of the package that are called or read.
    pub definitions: u32,
    /// The number of parameters of these definitions that calls pass by position or name.
    pub parameters: u32,
}

/// Whether a package can be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DependencyState {
    /// It is installed as source or stubs.
    Installed,
    /// Only machine code is installed.
    Compiled,
    /// The environment does not hold it, or there is no environment.
    #[default]
    NotInstalled,
}

/// The packages that a program imports or reaches, by the number of calls, then by name.
pub fn dependencies(index: &Index, libraries: &Libraries) -> Vec<Dependency> {
    let uses = uses_by_module(index);
    let imported = |module: &str| {
        let at = libraries.imported.binary_search_by(|(name, _)| name.as_str().cmp(module));
        at.map_or(0, |at| libraries.imported[at].1)
    };
    let mut modules: Vec<&str> = libraries.imported.iter().map(|(name, _)| name.as_str()).collect();
    modules.extend(uses.keys().copied());
    modules.sort_unstable();
    modules.dedup();
    let taken = libraries.search.taken.as_ref();
    let distributions = taken.map(|(environment, _)| Distributions::of(environment, modules.iter().copied()));
    let mut packages: BTreeMap<String, Dependency> = BTreeMap::new();
    for module in modules {
        let distribution = distributions.as_ref().and_then(|known| known.of_module(module).first());
        let forms = taken.map_or(&[][..], |(_, modules)| modules.get(module));
        let state = match forms.first() {
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
        if let Some(uses) = uses.get(module) {
            package.calls += uses.calls;
            package.definitions += uses.definitions.len() as u32;
            package.parameters += uses.parameters.len() as u32;
        }
    }
    let mut packages: Vec<Dependency> = packages.into_values().collect();
    packages.sort_by(|a, b| b.calls.cmp(&a.calls).then(b.imported_by.cmp(&a.imported_by)));
    packages
}

/// The package of each top-level module that the index has definitions of: the name of its distribution.
pub fn packages_by_module(index: &Index, libraries: &Libraries) -> BTreeMap<String, String> {
    let reached = dependencies(index, libraries).into_iter();
    reached
        .flat_map(|package| package.modules.into_iter().map(move |module| (module, package.package.clone())))
        .collect()
}

/// The uses of one module.
#[derive(Default)]
struct ModuleUses {
    calls: u32,
    definitions: FxHashSet<DefinitionId>,
    /// Parameters by their positions in the signatures.
    parameters: FxHashSet<(DefinitionId, u16)>,
}

/// The calls and reads of definitions of packages, by the first part of the name of their module.
fn uses_by_module(index: &Index) -> BTreeMap<&str, ModuleUses> {
    let mut uses: BTreeMap<&str, ModuleUses> = BTreeMap::new();
    let module_of = |id: DefinitionId| installed_module(&index.file(index.definition(id).place.file).path);
    for call in index.calls.iter() {
        let called = match call.resolution {
            Resolution::Resolved(id) => Some(id),
            Resolution::Ambiguous(_) => index.calls.candidates(call).first().copied(),
            Resolution::Unresolved(_) => None,
        };
        let Some((id, module)) = called.and_then(|id| Some((id, module_of(id)?))) else { continue };
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

/// The first part of the name of the module that a file of a package defines; `None` for a file of the program.
pub fn installed_module(path: &str) -> Option<&str> {
    let inner = path.strip_prefix(INSTALLED)?.strip_prefix('/')?;
    inner.split(['/', '.']).next()
}
