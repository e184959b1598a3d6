//! The installed packages that the code uses: indexed at the first question about them, once for each index.

use std::sync::{Arc, OnceLock};

use apidisc::{answers::SymbolTable, control::Control, discover::Corpus, packages::Dependency, source::Source};

use super::served_index::Snapshot;
use crate::{
    cache::Corpora,
    packages::{InstalledState, PackageIndex},
};

/// The bit of a generation by which the index of packages differs from that of the code.
const OF_PACKAGES: u64 = 1 << 63;

/// The packages that the code of a snapshot uses.
pub(super) struct ServedPackages {
    /// The symbols of the packages, and the index.
    pub(super) symbols: Arc<SymbolTable>,
    /// The files of the index.
    pub(super) source: Source,
    /// A number that no other index of the server has.
    pub(super) generation: u64,
    /// The state of what was installed.
    installed: InstalledState,
    corpus: OnceLock<Corpus>,
    corpora: Corpora,
}

impl ServedPackages {
    /// Indexes the packages that the code of a snapshot uses.
    ///
    /// # Errors
    /// The reason for which there is no index.
    pub(super) fn read(snapshot: &Snapshot) -> Result<Self, String> {
        let cache = &snapshot.corpora().cache;
        let read =
            PackageIndex::read(&snapshot.source, cache.as_ref(), snapshot.environment(), &mut |_| Control::Continue);
        let read = read.map_err(|error| error.to_string())?;
        let PackageIndex { index, source, installed, .. } =
            read.ok_or("packages are found beside the code of one folder, and not with --no-deps")?;
        let index = if snapshot.weights.are_default() {
            index
        } else {
            index.weighted(snapshot.weights.clone()).map_err(|error| error.to_string())?
        };
        Ok(Self {
            symbols: Arc::new(SymbolTable::new(Arc::new(index))),
            source,
            installed,
            generation: snapshot.generation | OF_PACKAGES,
            corpus: OnceLock::new(),
            corpora: snapshot.corpora().clone(),
        })
    }

    /// The packages, by the number of calls.
    pub(super) fn packages(&self) -> Arc<[Dependency]> {
        self.symbols.index().packages.clone().unwrap_or_default()
    }

    /// True if one of these names begins with a module of a package.
    pub(super) fn have_one_of(&self, names: &[&str]) -> bool {
        let begins_with = |name: &str, module: &String| {
            name.strip_prefix(module.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/', '#']))
        };
        let packages = self.packages();
        let mut modules = packages.iter().flat_map(|package| &package.modules);
        modules.any(|module| names.iter().any(|name| begins_with(name, module)))
    }

    /// True if nothing was installed or removed since the packages were read, as far as the times of folders tell.
    pub(super) fn is_current(&self) -> bool {
        self.installed.is_current()
    }

    /// The corpus that `discover` searches.
    pub(super) fn corpus(&self) -> &Corpus {
        self.corpus.get_or_init(|| self.corpora.get(&self.source, &self.symbols))
    }
}
