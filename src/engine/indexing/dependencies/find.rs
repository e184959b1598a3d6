//! Finds a package that a program uses by its name.

use super::{Dependency, DependencyState, InstalledModule};
use crate::index::Index;
use apidisc_base::unprintable::escaped_line;

/// The greatest number of packages that an error names.
const MAX_NAMED: usize = 8;

/// Why the use of a package cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackageError {
    /// The program uses no package of the name; it uses these.
    #[error("the code uses no package {name}; it uses {used}")]
    Unknown {
        /// The name as it was given, printable.
        name: String,
        /// The names of the most used packages.
        used: String,
    },
    /// No environment that was found holds the package of this name.
    #[error("{0} is not installed in an environment that was found")]
    NotInstalled(String),
    /// Only machine code of the package of this name is installed.
    #[error("{0} is installed as machine code only, which cannot be read")]
    Compiled(String),
}

impl Dependency {
    /// The package called `name` among `packages`: by the name of the distribution in any spelling (PEP 503), or by that
    /// of a module.
    ///
    /// # Errors
    /// [`PackageError`] if there is none, or if it cannot be read.
    pub fn find<'a>(packages: &'a [Self], name: &str) -> Result<&'a Self, PackageError> {
        let Some(package) = packages.iter().find(|package| package.is_named(name)) else {
            let used: Vec<&str> = packages.iter().map(|package| package.package.as_str()).take(MAX_NAMED).collect();
            let used = if used.is_empty() { "none".to_owned() } else { used.join(", ") };
            return Err(PackageError::Unknown {
                name: escaped_line(name).into_owned(),
                used: escaped_line(&used).into_owned(),
            });
        };
        let name = || escaped_line(&package.package).into_owned();
        match package.state {
            DependencyState::NotInstalled => Err(PackageError::NotInstalled(name())),
            DependencyState::Compiled => Err(PackageError::Compiled(name())),
            DependencyState::Installed => Ok(package),
        }
    }

    fn is_named(&self, name: &str) -> bool {
        let normalized = |name: &str| name.to_lowercase().replace(['_', '.'], "-");
        normalized(&self.package) == normalized(name) || self.modules.iter().any(|module| module == name)
    }

    /// The module of the package that has most definitions in `index`.
    pub fn main_module(&self, index: &Index) -> Option<&str> {
        let definitions_of = |module: &String| {
            let modules = index
                .definitions
                .iter()
                .filter_map(|definition| InstalledModule::of_file(&index.file(definition.place.file).path));
            modules.filter(|of| of.name() == module).count()
        };
        self.modules.iter().rev().max_by_key(|module| definitions_of(module)).map(String::as_str)
    }
}
