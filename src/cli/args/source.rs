//! The options that name a source.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::path::PathBuf;

use clap::Args;

use crate::{cli::Input, clones::BranchRefresh};

#[derive(Args)]
pub(super) struct SourceArgs {
    /// The folder of source code to index [default: .].
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// The repository as a commit, tag or branch has it.
    ///
    /// It is read from the objects of PATH's repository, and nothing is checked out. A commit is named by its first
    /// seven digits or more.
    #[arg(long, value_name = "REV", help_heading = "What to look at", hide_short_help = true)]
    rev: Option<String>,
    /// Link several sources: those that FILE lists.
    ///
    /// FILE is YAML: below `sources:` a list of `url` (a path, relative to FILE, or the URL of a git repository),
    /// `branch` (a branch, tag or commit), `include_paths`, `exclude_paths` (folders and globs), `name` and `weight`
    /// (from 0 to 10, how often its calls count). A call in one of them to a definition in another counts there.
    /// `index` also reads `output_path` and `min_usage_threshold`.
    #[arg(long, value_name = "FILE", help_heading = "What to look at", conflicts_with_all = ["path", "rev"])]
    config: Option<PathBuf>,
    /// With --config: use what was cloned before.
    #[arg(long, help_heading = "What to look at", requires = "config", hide_short_help = true)]
    offline: bool,
    /// With --config: look up every branch again.
    ///
    /// Otherwise a branch is looked up if the last time was more than an hour ago.
    #[arg(long, help_heading = "What to look at", requires = "config", hide_short_help = true)]
    #[arg(conflicts_with = "offline")]
    refresh: bool,
    /// Look at the bundled demo project.
    #[arg(long, help_heading = "What to look at", conflicts_with_all = ["path", "config", "rev"])]
    demo: bool,
}

impl SourceArgs {
    /// True if the command line names a source.
    pub(super) fn is_named(&self) -> bool {
        self.path.is_some() || self.rev.is_some() || self.config.is_some() || self.demo
    }
}

impl From<SourceArgs> for Input {
    fn from(SourceArgs { path, rev, config, offline, refresh, demo }: SourceArgs) -> Self {
        let refresh = match (offline, refresh) {
            (true, _) => BranchRefresh::Never,
            (_, true) => BranchRefresh::Always,
            _ => BranchRefresh::Hourly,
        };
        let path = path.unwrap_or_else(|| PathBuf::from("."));
        match (config, rev) {
            (Some(config), _) => Self::Config(config, refresh),
            (None, _) if demo => Self::Demo,
            (None, Some(rev)) => Self::Revision(path, rev),
            (None, None) => Self::Folder(path),
        }
    }
}
