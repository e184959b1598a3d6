//! `--package`: the part of an installed package that the code uses, for a stub, a question or an intent.

use anyhow::{anyhow, bail};

use super::{Input, note, progress::ProgressLine};
use crate::{
    cache::Cache,
    packages::{self, PackageIndex, examples},
};
use apidisc::{
    control::Control,
    delivery::StubRequest,
    dependencies::dependencies,
    environment::python::EnvironmentSetting,
    index::Index,
    indexer::Libraries,
    packages::{Dependency, PackageError},
    source::Source,
};

/// The installed packages that a question or an intent may be about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedPackage {
    /// The package that it is about, by the name of the distribution or of a module; `None` for the code.
    pub name: Option<String>,
    /// Which environment.
    pub environment: EnvironmentSetting,
}

impl AskedPackage {
    /// The index of packages, and the label of the package. `None` if the question is about the code.
    ///
    /// # Errors
    /// If the input is no folder, and if the code uses no such package, or one that cannot be read.
    pub(super) fn read(
        &self,
        input: &Input,
        cache: Option<&Cache>,
        verbose: bool,
    ) -> anyhow::Result<Option<(PackageIndex, String)>> {
        let Some(name) = &self.name else { return Ok(None) };
        let (index, source, libraries) = input.load_with_packages(cache, &self.environment, verbose)?;
        let settings = source.as_ref().and_then(|source| packages::settings(source, &self.environment));
        let (Some(source), Some(settings)) = (source, settings) else { bail!(NO_FOLDER) };
        let read = PackageIndex::of(index, &libraries, &source, &settings);
        let label = found(read.index.packages.as_deref().unwrap_or_default(), name)?.label().into_owned();
        Ok(Some((read, label)))
    }
}

/// Why there is no index of packages.
const NO_FOLDER: &str = "packages are found beside the code of one folder; name a folder to look at, without --no-deps";

/// The package of a name.
fn found<'p>(packages: &'p [Dependency], name: &str) -> anyhow::Result<&'p Dependency> {
    Dependency::find(packages, name).map_err(|error| match error {
        PackageError::NotInstalled(_) => anyhow!("{error}; name one with --env, such as .venv"),
        _ => error.into(),
    })
}

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
    /// stub, with the examples that the list of sources names.
    ///
    /// # Errors
    /// If the code uses no package of the name, or one that cannot be read.
    pub(super) fn narrow(
        &self,
        request: &mut StubRequest,
        (index, source, libraries): (Index, Option<Source>, Libraries),
        cache: Option<&Cache>,
    ) -> anyhow::Result<Index> {
        let packages = dependencies(&index, &libraries);
        let package = found(&packages, &self.name)?;
        request.module = Some(index.module_of_package(package, request.module.as_deref())?);
        let mut index = if self.unused { index } else { index.into_index_of_packages(packages.clone()) };
        if let Some(source) = source {
            let mut line = ProgressLine::new();
            let notes = examples::add(&mut index, &source, &packages, cache, &mut |progress| {
                line.show(&progress);
                Control::Continue
            });
            line.erase();
            for text in notes.unwrap_or_default() {
                note(&text);
            }
        }
        Ok(index)
    }
}
