//! Which environment holds the installed packages of a program.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Which environment the user wants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum EnvironmentSetting {
    /// The one that the project, its tools or the shell name.
    #[default]
    Auto,
    /// The one in this folder.
    Folder(PathBuf),
    /// None.
    None,
}

/// The setting of one of several sources, as a list of sources writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenEnvironment {
    /// The setting. The path of a folder leads there from the working directory.
    pub setting: EnvironmentSetting,
    /// Where it is written, such as `sources.yaml: line 4`. A message about the setting begins with it.
    pub place: String,
}
