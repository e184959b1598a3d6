//! The installed packages that the code uses: their index, and whether the panes show the code or them.

use std::sync::Arc;

use compact_str::{CompactString, format_compact};
use rustc_hash::FxHashMap;

use super::{ActiveOverrides, Catalog, Location};
use crate::tui::widgets::grouped;
use apidisc::{
    dependencies::{CallDestinations, UncountedCalls},
    index::{Index, Scope},
    packages::Dependency,
    program::ModuleId,
};

/// The packages that the code uses.
#[derive(Debug)]
pub struct UsedPackages {
    /// The index of the packages.
    pub catalog: Arc<Catalog>,
    /// The environment of Python, and what named it.
    pub environment: Option<String>,
    /// The version of each package, or that it is not installed, by its outermost modules. Where another package has
    /// its name, also its ecosystem.
    pub versions: FxHashMap<ModuleId, CompactString>,
    /// The number of calls of the code by where they lead.
    pub destinations: CallDestinations,
    /// The calls of the code that are counted for no definition.
    pub uncounted: UncountedCalls,
}

/// The name of all of the code.
pub(super) const EVERYTHING: &str = "everything";
/// The name of all packages that the code uses.
pub(super) const ALL_PACKAGES: &str = "all packages";

/// The name of all that an index describes: of the code, or of the packages.
pub fn name_of_all(index: &Index) -> &'static str {
    if index.is_of_packages() { ALL_PACKAGES } else { EVERYTHING }
}

impl UsedPackages {
    /// The packages of an index of packages.
    pub fn new(
        catalog: Arc<Catalog>,
        environment: Option<String>,
        destinations: CallDestinations,
        uncounted: UncountedCalls,
    ) -> Self {
        let version = |id: &ModuleId| {
            let package = catalog.index.package_of(Scope::Module(*id))?;
            let ecosystem = if package.shares_name { package.ecosystem() } else { "" };
            let version = package.state.absence().or(package.version.as_deref()).unwrap_or_default();
            let text = format_compact!("{ecosystem} {version}");
            Some((*id, text.trim().into())).filter(|(_, text): &(ModuleId, CompactString)| !text.is_empty())
        };
        // The packages of a scope, such as `@nestjs`, stand below its row.
        let is_folder = |id: &&ModuleId| catalog.index.package_of(Scope::Module(**id)).is_none();
        let below = catalog.roots.iter().filter(is_folder).flat_map(|id| catalog.children(*id));
        let outermost = catalog.roots.iter().chain(below);
        let versions = outermost.filter_map(version).collect();
        Self { catalog, environment, versions, destinations, uncounted }
    }

    /// The packages, by the number of calls.
    pub fn packages(&self) -> &[Dependency] {
        self.catalog.index.packages.as_deref().unwrap_or_default()
    }

    /// The number of calls of the packages.
    pub fn calls(&self) -> u32 {
        self.packages().iter().map(|package| package.calls).sum()
    }

    /// The number of packages: `44 packages`.
    pub fn in_words(&self) -> String {
        let packages = self.packages().len();
        format!("{} {}", grouped(packages), if packages == 1 { "package" } else { "packages" })
    }

    /// True if a package has definitions to be shown.
    pub fn has_definitions(&self) -> bool {
        self.packages().iter().any(|package| package.definitions > 0)
    }
}

/// The state of the packages: not requested, being read, or read.
#[derive(Debug, Default)]
pub enum PackagesState {
    /// They have not been asked for.
    #[default]
    Unread,
    /// They are being read.
    Reading,
    /// They were read.
    Read(Arc<UsedPackages>),
    /// They cannot be read, for this reason.
    Unreadable(String),
}

/// The packages, and the side that the panes show: the code or its packages.
#[derive(Debug, Default)]
pub struct PackagesView {
    /// The packages, if they were read.
    pub state: PackagesState,
    /// The index of the code, while the panes show the packages.
    pub code: Option<Arc<Catalog>>,
    /// The user has asked for the packages, which are shown once they are read.
    pub is_wanted: bool,
    /// The code has changed since the packages were read.
    pub is_outdated: bool,
    /// The pins and bans of the side that is not shown.
    pub other_overrides: ActiveOverrides,
    /// The location on the side that is not shown.
    pub other_side: Option<Location>,
    /// The location to go to once the other side is shown.
    pub destination: Option<Location>,
}

impl PackagesView {
    /// The packages, if they were read.
    pub fn read(&self) -> Option<&Arc<UsedPackages>> {
        match &self.state {
            PackagesState::Read(used) => Some(used),
            _ => None,
        }
    }
}
