//! The options that say where packages are installed.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::path::PathBuf;

use clap::Args;

use apidisc::environment::python::EnvironmentSetting;

#[derive(Args)]
pub(super) struct EnvironmentArgs {
    /// The environment that holds the Python packages which the code imports, or `none`.
    ///
    /// The folder of a virtual environment, such as .venv. Without it, the first that holds at least half as many of
    /// the imported packages as the best one: what [tool.pyright], [tool.ty] or [tool.mypy] name; .venv, venv and the
    /// like in the folder or above it; where poetry, pipenv, hatch, pdm, pixi and conda keep it; VIRTUAL_ENV and
    /// CONDA_PREFIX. -v lists what was looked at. Nothing of an environment is ever executed. The packages of
    /// TypeScript are found in node_modules, from the importing file upwards; `none` leaves them out, too.
    #[arg(long, value_name = "PATH|none", help_heading = "What to look at", hide_short_help = true)]
    env: Option<PathBuf>,
    /// Read no installed package.
    ///
    /// The same as --env none.
    #[arg(long, help_heading = "What to look at", conflicts_with = "env", hide_short_help = true)]
    no_deps: bool,
}

impl EnvironmentArgs {
    /// True if `--env` is given.
    pub(super) fn names_one(&self) -> bool {
        self.env.is_some()
    }

    /// True if `--no-deps` is given.
    pub(super) fn leaves_out(&self) -> bool {
        self.no_deps
    }
}

impl From<EnvironmentArgs> for EnvironmentSetting {
    fn from(EnvironmentArgs { env, no_deps }: EnvironmentArgs) -> Self {
        match env {
            _ if no_deps => Self::None,
            Some(folder) if folder.as_os_str() == "none" => Self::None,
            Some(folder) => Self::Folder(folder),
            None => Self::Auto,
        }
    }
}
