//! The platform's folders for configuration, state and cache.

use std::path::PathBuf;

use directories::ProjectDirs;

/// Folders and files of this program; they need not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The file `config.toml`.
    pub config: PathBuf,
    /// The folder of the user's own themes.
    pub themes: PathBuf,
    /// The folder of saved sessions.
    pub state: PathBuf,
    /// The folder of files that can be recreated.
    pub cache: PathBuf,
}

impl Places {
    /// The folders on this platform; `None` without a home folder.
    pub fn find() -> Option<Self> {
        let folders = ProjectDirs::from("", "", "apidisc-tui")?;
        let config = folders.config_dir();
        Some(Self {
            config: config.join("config.toml"),
            themes: config.join("themes"),
            // Only some platforms have a folder for state; elsewhere it is the folder for local data.
            state: folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).to_owned(),
            cache: folders.cache_dir().to_owned(),
        })
    }
}
