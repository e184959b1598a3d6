//! The options of the commands `check-index` and `cache`, which report and clear the indexes on disk.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueEnum, error::ErrorKind};

use super::{HelpArg, wrong_usage};
use crate::{
    cache::Cache,
    cli::{CheckIndex, Input, ShowCache},
    clones::BranchRefresh,
};

#[derive(Args)]
pub(super) struct CheckIndexArgs {
    /// The folder of source code, or a file that `index` wrote [default: .].
    #[arg(value_name = "PATH|FILE")]
    path: Option<PathBuf>,
    /// Check the index of the sources that FILE lists, or the file that was written from them.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How old an index may be, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    max_age: u64,
    /// Make a stale index anew.
    ///
    /// The answer says what was found before, and that the index is new: is_stale and refreshed are both true.
    #[arg(long)]
    auto_refresh: bool,
    /// Lines for people, or one object.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = "Printing")]
    format: FreshnessFormat,
    #[command(flatten)]
    help: HelpArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FreshnessFormat {
    /// A line, and a line per file that differs
    Text,
    /// One object: is_stale, age_seconds, modified_files, added_files, removed_files, refreshed
    Json,
}

#[derive(Args)]
pub(super) struct CacheArgs {
    /// What to do [default: show].
    #[arg(value_enum, value_name = "ACTION", default_value = "show", hide_default_value = true)]
    action: CacheAction,
    #[command(flatten)]
    help: HelpArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum CacheAction {
    /// Print the folder, its size and its last use
    Show,
    /// Remove everything
    Clear,
}

impl CheckIndexArgs {
    pub(super) fn check(self) -> Result<CheckIndex, clap::Error> {
        let Self { path, config, max_age, auto_refresh, format, help: _ } = self;
        let is_index = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
        let config = config.map(|file| Input::Config(file, BranchRefresh::default()));
        let (file, source) = match (path, config) {
            (Some(file), config) if is_index(&file) => (Some(file), config),
            (Some(_), Some(_)) => {
                let message = "--config FILE names the sources; name no folder beside it";
                return Err(wrong_usage(ErrorKind::ArgumentConflict, message));
            }
            (None, Some(config)) => (None, Some(config)),
            (path, None) => (None, Some(Input::Folder(path.unwrap_or_else(|| PathBuf::from("."))))),
        };
        Ok(CheckIndex {
            file,
            source,
            cache: Cache::of_user(),
            max_age: Duration::from_secs(max_age),
            auto_refresh,
            json: format == FreshnessFormat::Json,
        })
    }
}

impl From<CacheArgs> for ShowCache {
    fn from(CacheArgs { action, help: _ }: CacheArgs) -> Self {
        match action {
            CacheAction::Show => Self::Show,
            CacheAction::Clear => Self::Clear,
        }
    }
}
