//! The installed packages that the code uses: their index, and whether the panes show the code or them.

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{ActiveOverrides, Catalog, Location};
use apidisc::packages::{Dependency, DependencyState};

/// The libraries that the code uses.
#[derive(Debug)]
pub struct Libraries {
    /// The index of the packages.
    pub catalog: Arc<Catalog>,
    /// The environment of Python, and what named it.
    pub environment: Option<String>,
    /// The version of each package, or that it is not installed, by the names of its modules.
    pub versions: FxHashMap<CompactString, CompactString>,
}

impl Libraries {
    /// The libraries of an index of packages.
    pub fn new(catalog: Arc<Catalog>, environment: Option<String>) -> Self {
        let of_package = |package: &Dependency| {
            let version = match package.state {
                DependencyState::NotInstalled => Some("not installed"),
                DependencyState::Installed | DependencyState::Compiled => package.version.as_deref(),
            };
            let module = |module: &String| Some((CompactString::new(module), CompactString::new(version?)));
            package.modules.iter().filter_map(module).collect::<Vec<_>>()
        };
        let versions = catalog.index.packages.iter().flat_map(|all| all.iter().flat_map(of_package)).collect();
        Self { catalog, environment, versions }
    }

    /// The packages, by the number of calls.
    pub fn packages(&self) -> &[Dependency] {
        self.catalog.index.packages.as_deref().unwrap_or_default()
    }

    /// The number of calls of the packages.
    pub fn calls(&self) -> u32 {
        self.packages().iter().map(|package| package.calls).sum()
    }

    /// The number of packages that can be shown.
    pub fn shown(&self) -> usize {
        self.packages().iter().filter(|package| package.definitions > 0).count()
    }
}

/// The state of the packages: not requested, being read, or read.
#[derive(Debug, Default)]
pub enum LibrariesState {
    /// They have not been asked for.
    #[default]
    Unread,
    /// They are being read.
    Reading,
    /// They were read.
    Read(Arc<Libraries>),
    /// They cannot be read, for this reason.
    Unreadable(String),
}

/// The libraries, and the side that the panes show: the code or its libraries.
#[derive(Debug, Default)]
pub struct LibraryView {
    /// The packages, if they were read.
    pub state: LibrariesState,
    /// The index of the code, while the panes show the libraries.
    pub code: Option<Arc<Catalog>>,
    /// The user has asked for the libraries, which are shown once they are read.
    pub is_wanted: bool,
    /// The code has changed since the libraries were read.
    pub is_outdated: bool,
    /// The pins and bans of the side that is not shown.
    pub other_overrides: ActiveOverrides,
    /// The location on the side that is not shown.
    pub other_side: Option<Location>,
    /// The location to go to once the other side is shown.
    pub destination: Option<Location>,
}

impl LibraryView {
    /// The libraries, if they were read.
    pub fn read(&self) -> Option<&Arc<Libraries>> {
        match &self.state {
            LibrariesState::Read(libraries) => Some(libraries),
            _ => None,
        }
    }
}
