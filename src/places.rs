//! Where the platform keeps a person's configuration, the state of a program, and what it can make again.

use std::path::PathBuf;

use directories::ProjectDirs;

/// Folders and files of this program; none of them need be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// What a person writes: `config.toml`.
    pub config: PathBuf,
    /// Themes of one's own.
    pub themes: PathBuf,
    /// What is remembered from one time to the next.
    pub state: PathBuf,
    /// What can be made again.
    pub cache: PathBuf,
}

impl Places {
    /// The places of this platform; `None` where it knows no home folder.
    pub fn find() -> Option<Self> {
        let folders = ProjectDirs::from("", "", "apidisc-tui")?;
        let config = folders.config_dir();
        Some(Self {
            config: config.join("config.toml"),
            themes: config.join("themes"),
            // Only some platforms tell state from data.
            state: folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).to_owned(),
            cache: folders.cache_dir().to_owned(),
        })
    }
}
