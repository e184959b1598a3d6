//! The platform's folders for configuration, state and cache.

use std::{
    env,
    path::{Path, PathBuf},
};

use apidisc::hash::Fnv;
use directories::{BaseDirs, ProjectDirs};

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
    /// The folders on this platform; `None` without a home folder. A path that is not absolute counts as none.
    pub fn find() -> Option<Self> {
        let folders = ProjectDirs::from("", "", "apidisc-tui")?;
        let config = folders.config_dir();
        let places = Self {
            config: config.join("config.toml"),
            themes: config.join("themes"),
            // Only some platforms have a folder for state; elsewhere it is the folder for local data.
            state: folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).to_owned(),
            cache: folders.cache_dir().to_owned(),
        };
        let is_absolute = [&places.config, &places.state, &places.cache].iter().all(|folder| folder.is_absolute());
        is_absolute.then_some(places)
    }
}

/// The home folder of the user; `None` if there is none, or if its path is not absolute.
pub fn home() -> Option<PathBuf> {
    BaseDirs::new().map(|folders| folders.home_dir().to_owned()).filter(|home| home.is_absolute())
}

/// The folder in which programs keep the user's settings on this platform.
pub fn settings_of_programs() -> Option<PathBuf> {
    BaseDirs::new().map(|folders| folders.config_dir().to_owned()).filter(|folder| folder.is_absolute())
}

/// The variables of the environment that name folders of the user.
const VARIABLES: &[&str] = if cfg!(windows) {
    &[]
} else if cfg!(target_os = "macos") {
    &["HOME"]
} else {
    &["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]
};

/// The variables whose folders are ignored, since their paths are not absolute (XDG Base Directory Specification).
pub fn ignored_variables() -> impl Iterator<Item = &'static str> {
    let is_relative =
        |name: &&&str| env::var_os(name).is_some_and(|path| !path.is_empty() && Path::new(&path).is_relative());
    VARIABLES.iter().filter(is_relative).copied()
}

/// The name under which the state of a repository is kept, and the path of the repository with symbolic links resolved.
/// The name contains a hash of the path. `None` if the path does not exist or is the root folder.
pub fn repository_name(path: &Path) -> Option<(String, String)> {
    let path = path.canonicalize().ok()?;
    let repository = path.display().to_string();
    let mut hash = Fnv::default();
    hash.add(&repository);
    let name: String = path.file_name()?.to_string_lossy().chars().filter(|c| c.is_alphanumeric()).take(40).collect();
    Some((format!("{name}-{:016x}", hash.value()), repository))
}
