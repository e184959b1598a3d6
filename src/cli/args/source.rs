//! The input that the options of sources name.

use std::path::PathBuf;

use super::SourceArgs;
use crate::{cli::Input, clones::LookUp};

impl From<SourceArgs> for Input {
    fn from(SourceArgs { path, rev, config, offline, refresh, demo }: SourceArgs) -> Self {
        let look_up = match (offline, refresh) {
            (true, _) => LookUp::Never,
            (_, true) => LookUp::Now,
            _ => LookUp::Hourly,
        };
        let path = path.unwrap_or_else(|| PathBuf::from("."));
        match (config, rev) {
            (Some(config), _) => Self::Config(config, look_up),
            (None, _) if demo => Self::Demo,
            (None, Some(rev)) => Self::Revision(path, rev),
            (None, None) => Self::Folder(path),
        }
    }
}
