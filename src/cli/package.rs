//! `--package`: the part of an installed package that the code uses.

use anyhow::anyhow;

use apidisc::{
    delivery::StubRequest,
    dependencies::dependencies,
    environment::python::EnvironmentSetting,
    index::Index,
    indexer::Libraries,
    packages::{Dependency, PackageError},
};

/// An installed package whose use is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedPackage {
    /// The name of the distribution, or of a module that is imported.
    pub name: String,
    /// Which environment.
    pub environment: EnvironmentSetting,
    /// Show the optional parameters that no call passes, too.
    pub unused: bool,
}

impl ExportedPackage {
    /// The package that a request names, as a profile does.
    pub(super) fn of_profile(request: &StubRequest) -> Option<Self> {
        let name = request.package.clone()?;
        Some(Self { name, environment: EnvironmentSetting::Auto, unused: false })
    }

    /// Narrows a request to the package, unless it names a module. Returns the index of the packages that makes the
    /// stub.
    ///
    /// # Errors
    /// If the code uses no package of the name, or one that cannot be read.
    pub(super) fn narrow(
        &self,
        request: &mut StubRequest,
        index: Index,
        libraries: &Libraries,
    ) -> anyhow::Result<Index> {
        let packages = dependencies(&index, libraries);
        let package = Dependency::find(&packages, &self.name).map_err(|error| match error {
            PackageError::NotInstalled(_) => anyhow!("{error}; name one with --env, such as .venv"),
            _ => error.into(),
        })?;
        request.module = Some(index.module_of_package(package, request.module.as_deref())?);
        Ok(if self.unused { index } else { index.into_index_of_packages(packages) })
    }
}
