//! Where calls go whose definitions are outside the sources.

use std::collections::BTreeMap;

use crate::{
    indexer::Libraries,
    packages::{Dependency, DependencyState},
};
use apidisc_base::language::Language;
use apidisc_environment::node::package_of_specifier;
use apidisc_link::python::is_standard_library;

/// The origin of a call whose definition is outside the sources and was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallOrigin {
    /// The package; `None` for the standard library.
    pub package: Option<String>,
    /// Why there is no definition: `standard library`, `not installed`, `compiled` (machine code alone),
    /// `not generated` (a build writes the declarations), or `package` (the package does not show what is called).
    pub why: &'static str,
}

/// Finds the origins of calls by the names that their callees write.
pub struct CallOrigins<'l> {
    libraries: &'l Libraries,
    /// By language and module, see [`Dependency::modules`].
    packages: BTreeMap<(Language, String), Dependency>,
}

impl<'l> CallOrigins<'l> {
    /// The origins of the calls of a program. `packages` are those that [`dependencies`](super::dependencies) finds.
    pub fn new(packages: &[Dependency], libraries: &'l Libraries) -> Self {
        let by_module = packages.iter().flat_map(|package| {
            package.modules.iter().map(|module| ((package.language, module.clone()), package.clone()))
        });
        Self { libraries, packages: by_module.collect() }
    }

    /// The origin of the call at a place of a file. `None` if its callee names nothing from outside of the sources.
    pub fn of_call(&self, path: &str, language: Language, place: (u32, u32)) -> Option<CallOrigin> {
        let called = match language {
            Language::Python => &self.libraries.python.called,
            Language::TypeScript => &self.libraries.node.called,
        };
        let calls = called.get(path)?;
        let name = &calls[calls.binary_search_by_key(&place, |(place, _)| *place).ok()?].1;
        let standard_library = || Some(CallOrigin { package: None, why: "standard library" });
        match language {
            _ if name.is_empty() => standard_library(),
            Language::Python => match name.split('.').next()? {
                module if is_standard_library(module) => standard_library(),
                module => self.of_package(language, module, false),
            },
            Language::TypeScript if name.starts_with("node:") => standard_library(),
            Language::TypeScript => {
                let specifier = name.split('#').next().unwrap_or(name);
                let (package, _) = package_of_specifier(specifier)?;
                self.of_package(language, package, self.libraries.node.incomplete.contains(package))
            }
        }
    }

    fn of_package(&self, language: Language, module: &str, is_incomplete: bool) -> Option<CallOrigin> {
        let package = self.packages.get(&(language, module.to_owned()))?;
        let why = match package.state {
            DependencyState::NotInstalled => "not installed",
            DependencyState::Compiled => "compiled",
            DependencyState::Installed if is_incomplete => "not generated",
            DependencyState::Installed => "package",
        };
        Some(CallOrigin { package: Some(package.package.clone()), why })
    }
}
