//! Where calls go whose definitions are outside the sources.

use std::collections::BTreeMap;

use crate::{
    indexer::Libraries,
    packages::{Dependency, DependencyState},
};
use apidisc_base::language::Language;
use apidisc_environment::node::{is_platform_module, package_of_specifier};
use apidisc_link::python::is_standard_library;

/// The origin of a call whose definition is outside the sources and was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallOrigin {
    /// The package; `None` for the standard library.
    pub package: Option<String>,
    /// Why there is no definition.
    pub why: WhyAbsent,
}

/// Why the definition of a call that leads out of the sources is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyAbsent {
    /// It is in the standard library of Python or of the platform, which is not read.
    StandardLibrary,
    /// Its package is not installed.
    NotInstalled,
    /// The environment names its package, but has no module of it.
    FilesMissing,
    /// Its package is in an archive of Yarn's Plug'n'Play, which is not read.
    Archived,
    /// Of its package only machine code is installed.
    Compiled,
    /// A build writes the declarations of its package, and has not done so.
    NotGenerated,
    /// Its package is installed and does not show what is called.
    Package,
}

impl WhyAbsent {
    /// The word for it in rows of `calls`.
    pub fn word(self) -> &'static str {
        match self {
            Self::StandardLibrary => "standard library",
            Self::NotInstalled => "not installed",
            Self::FilesMissing => "files missing",
            Self::Archived => "in an archive",
            Self::Compiled => "compiled",
            Self::NotGenerated => "not generated",
            Self::Package => "package",
        }
    }
}

impl CallOrigin {
    /// The result of an explanation: how the call is counted. `name` is the full name of what is called, if the calls
    /// of its package show that name.
    pub fn in_words(&self, name: Option<&str>) -> String {
        let package = self.package.as_deref().unwrap_or_default();
        let of_package = match self.why {
            WhyAbsent::StandardLibrary => {
                return "counted for none (standard library): what is called is in the standard library".to_owned();
            }
            WhyAbsent::NotInstalled => format!("the package {package}, which is not installed"),
            WhyAbsent::FilesMissing => format!("the package {package}, whose files are missing in the environment"),
            WhyAbsent::Archived => format!("the package {package}, which is in an archive that is not read"),
            WhyAbsent::Compiled => format!("the package {package}, of which machine code alone is installed"),
            WhyAbsent::NotGenerated => format!("the package {package}, of which a build has not generated all"),
            WhyAbsent::Package => format!("the package {package}, which does not show it"),
        };
        match name {
            Some(name) => format!("counted for `{name}` of {of_package}: calls show all that is known of it"),
            None => format!("counted for none ({}): what is called is in {of_package}", self.why.word()),
        }
    }
}

/// Finds the origins of calls by the names that their callees write.
pub struct CallOrigins<'l> {
    libraries: &'l Libraries,
    /// By language and module, see [`Dependency::modules`].
    packages: BTreeMap<(Language, &'l str), &'l Dependency>,
}

impl<'l> CallOrigins<'l> {
    /// The origins of the calls of a program. `packages` are those that [`dependencies`](super::dependencies) finds.
    pub fn new(packages: &'l [Dependency], libraries: &'l Libraries) -> Self {
        let by_module = packages.iter().flat_map(|package| {
            package.modules.iter().map(move |module| ((package.language, module.as_str()), package))
        });
        Self { libraries, packages: by_module.collect() }
    }

    /// The origin of the call at a place of a file. `None` if its callee names nothing from outside of the sources.
    pub fn of_call(&self, path: &str, language: Language, place: (u32, u32)) -> Option<CallOrigin> {
        let name = self.name_of_call(path, language, place)?;
        let standard_library = || Some(CallOrigin { package: None, why: WhyAbsent::StandardLibrary });
        match language {
            _ if name.is_empty() => standard_library(),
            Language::Python => match name.split('.').next()? {
                module if is_standard_library(module) => standard_library(),
                module => self.of_package(language, module, false),
            },
            Language::TypeScript => {
                let specifier = name.split('#').next().unwrap_or(name);
                let package = package_of_specifier(specifier).and_then(|(package, _)| {
                    self.of_package(language, package, self.libraries.node.incomplete.contains(package))
                });
                // A package may have the name of a module of the platform, and is then a dependency of the program.
                package.or_else(|| standard_library().filter(|_| is_platform_module(specifier)))
            }
        }
    }

    /// The name that the callee of a call writes, if it begins with an imported or built-in name; empty for a built-in
    /// name of Python. See [`crate::indexer::PythonLibraries::called`] and [`crate::indexer::NodeLibraries::called`].
    pub fn name_of_call(&self, path: &str, language: Language, place: (u32, u32)) -> Option<&'l str> {
        let called = match language {
            Language::Python => &self.libraries.python.called,
            Language::TypeScript => &self.libraries.node.called,
        };
        let calls = called.get(path)?;
        Some(&calls[calls.binary_search_by_key(&place, |(place, _)| *place).ok()?].1)
    }

    fn of_package(&self, language: Language, module: &str, is_incomplete: bool) -> Option<CallOrigin> {
        let package = self.packages.get(&(language, module))?;
        let why = match package.state {
            DependencyState::NotInstalled => WhyAbsent::NotInstalled,
            DependencyState::Incomplete => WhyAbsent::FilesMissing,
            DependencyState::Archived => WhyAbsent::Archived,
            DependencyState::Compiled => WhyAbsent::Compiled,
            DependencyState::Installed if is_incomplete => WhyAbsent::NotGenerated,
            DependencyState::Installed => WhyAbsent::Package,
        };
        Some(CallOrigin { package: Some(package.package.clone()), why })
    }
}
