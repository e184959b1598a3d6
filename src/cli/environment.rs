//! The environment of a program: where the packages are installed that it imports.

use anyhow::bail;

use super::{
    Input,
    input::{InputContent, build_with, weighted},
    note,
};
use crate::{
    cache::Cache,
    packages::{self, environments},
};
use apidisc::{
    environment::python::EnvironmentSetting,
    index::Index,
    indexer::{Builder, Libraries},
    source::Source,
};

impl Input {
    /// [`Self::load_with_source`], together with what the sources use of installed packages. Environments are looked
    /// for beside a folder; other inputs have none.
    ///
    /// # Errors
    /// If the user names an environment that holds no packages, or one for an input that is no folder.
    pub(super) fn load_with_packages(
        &self,
        cache: Option<&Cache>,
        environment: &EnvironmentSetting,
        verbose: bool,
    ) -> anyhow::Result<(Index, Option<Source>, Libraries)> {
        self.load_by(cache, environment, verbose, Builder::new)
    }

    /// [`Self::load_with_packages`] for a command that prints no typical calls.
    ///
    /// # Errors
    /// Those of [`Self::load_with_packages`].
    pub(super) fn load_counts(
        &self,
        cache: Option<&Cache>,
        environment: &EnvironmentSetting,
        verbose: bool,
    ) -> anyhow::Result<(Index, Option<Source>, Libraries)> {
        self.load_by(cache, environment, verbose, |source| {
            let mut builder = Builder::new(source);
            builder.leave_out_typical_calls();
            builder
        })
    }

    fn load_by(
        &self,
        cache: Option<&Cache>,
        environment: &EnvironmentSetting,
        verbose: bool,
        builder: impl FnOnce(Source) -> Builder,
    ) -> anyhow::Result<(Index, Option<Source>, Libraries)> {
        let content = self.content()?;
        let InputContent::Source(source, weights) = content else {
            refuse_environment(environment)?;
            return Ok((self.load(cache)?, None, Libraries::default()));
        };
        let mut builder = builder(source.clone());
        let settings = packages::settings(&source, environment);
        let kept = if settings.is_some() {
            cache.and_then(|cache| cache.open_with_packages(&source))
        } else {
            refuse_environment(environment)?;
            cache.and_then(|cache| cache.open(&source))
        };
        builder.set_libraries(settings);
        let (builder, index) = build_with(builder, kept)?;
        let index = weighted(index, weights)?;
        let libraries = builder.into_libraries().unwrap_or_default();
        environments::check(&libraries).map_err(anyhow::Error::msg)?;
        for text in environments::notes(&libraries, verbose) {
            note(&text);
        }
        Ok((index, Some(source), libraries))
    }
}

/// An error if the user names an environment.
fn refuse_environment(environment: &EnvironmentSetting) -> anyhow::Result<()> {
    match environment {
        EnvironmentSetting::Folder(_) => bail!("--env needs the folder of the program; name a folder to look at"),
        EnvironmentSetting::Auto | EnvironmentSetting::None => Ok(()),
    }
}
