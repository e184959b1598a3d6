//! The environment of a program: where the packages are installed that it imports.

use anyhow::bail;

use super::{
    Input,
    input::{InputContent, build_with, weighted},
    note,
};
use crate::{cache::Cache, packages};
use apidisc::{
    environment::python::{Candidate, EnvironmentSetting, Outcome},
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
        let content = self.content()?;
        let InputContent::Source(source, weights) = content else {
            refuse_environment(environment)?;
            return Ok((self.load(cache)?, None, Libraries::default()));
        };
        let mut builder = Builder::new(source.clone());
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
        report(&libraries, environment, verbose)?;
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

/// Says on standard error which environment was taken, if it holds few of the imported packages or if the user wants to
/// know, and what else was looked at.
fn report(libraries: &Libraries, environment: &EnvironmentSetting, verbose: bool) -> anyhow::Result<()> {
    let imported = libraries.python.imported.len();
    for Candidate { folder, found_by, outcome } in &libraries.python.search.candidates {
        let folder = folder.display();
        if matches!(environment, EnvironmentSetting::Folder(_)) {
            match outcome {
                Outcome::Missing => bail!("--env: {folder} is not there; name the folder of an environment, or `none`"),
                Outcome::NoPackages => bail!(
                    "--env: {folder} holds no site-packages; name the folder of an environment, such as .venv, or `none`"
                ),
                Outcome::Unreadable => {
                    bail!("--env: {folder} cannot be read; allow reading it, or name another environment")
                }
                Outcome::Taken { .. } | Outcome::Passed { .. } => {}
            }
        }
        match outcome {
            Outcome::Taken { held } if verbose || held * 2 < imported => {
                let of = format!("{held} of {imported} imported packages");
                note(&format!("the environment {folder} ({found_by}) is taken, and holds {of}"));
            }
            Outcome::Passed { held } if verbose => {
                note(&format!("the environment {folder} ({found_by}) holds {held} of {imported} imported packages"));
            }
            Outcome::Missing if verbose => note(&format!("the environment {folder} ({found_by}) is not there")),
            Outcome::NoPackages if verbose => note(&format!("{folder} ({found_by}) holds no site-packages")),
            Outcome::Unreadable => note(&format!("the environment {folder} ({found_by}) cannot be read")),
            _ => {}
        }
    }
    if verbose {
        let (python, node) = (&libraries.python, &libraries.node);
        let read = [(&python.files, python.bytes, "Python"), (&node.files, node.bytes, "npm")];
        for (files, bytes, packages) in read.map(|(files, bytes, of)| (files.len(), bytes, of)) {
            if files > 0 {
                note(&format!("{files} files of {packages} packages are read, {} kB", bytes.div_ceil(1_000)));
            }
        }
    }
    for hook in libraries.python.search.taken.iter().flat_map(|(environment, _)| &environment.hooks) {
        note(&format!("{hook} is installed by an import hook that cannot be read; its calls are not resolved"));
    }
    Ok(())
}
