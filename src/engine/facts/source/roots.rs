//! The roots of the sources that are linked together: the folder that each source has in paths of the index, and the
//! package that contains its root.

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Source, enclosing_package::enclosing_package};

/// The folder of installed Python packages in paths of the index.
pub const INSTALLED: &str = "site-packages";
/// The folder of installed npm packages in paths of the index.
pub const NODE_MODULES: &str = "node_modules";
/// The folder in paths of the index for packages that cannot be read, of which the calls of the program are known.
pub const NOT_INSTALLED: &str = "not-installed";
/// The folders of packages in paths of the index.
pub const INSTALLED_ROOTS: [&str; 3] = [INSTALLED, NODE_MODULES, NOT_INSTALLED];

/// The roots of all sources of an index, in the order in which the sources were given. There is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roots {
    all: Vec<Root>,
    /// The positions of the roots by [`Root::folder`].
    by_folder: FxHashMap<CompactString, usize>,
    /// The position of the first root of installed packages. They are the last ones.
    installed: Option<usize>,
    /// The files of an only source in folders that have the names of these roots.
    own: FxHashSet<CompactString>,
}

/// The root of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Root {
    /// The folder of the source in paths of the index: the name of the source; empty if it is the only source.
    pub folder: CompactString,
    /// The path of the root below the folder from which Python imports it; empty if the root is in no package. See
    /// [`enclosing_package`].
    pub enclosing: CompactString,
}

impl Default for Roots {
    /// The root of an only source that is in no package.
    fn default() -> Self {
        Self::new(vec![Root::default()])
    }
}

impl Roots {
    /// The roots of a source, which may consist of several.
    pub fn of(source: &Source) -> Self {
        let root = |(folder, source): (CompactString, &Source)| Root { folder, enclosing: enclosing_package(source) };
        Self::new(source.parts().map(root).collect())
    }

    /// The roots of sources with these names, none of them inside a package. Without names, the root of an only source.
    pub fn of_names(names: impl Iterator<Item = CompactString>) -> Self {
        let all: Vec<Root> = names.map(|folder| Root { folder, ..Root::default() }).collect();
        if all.is_empty() { Self::default() } else { Self::new(all) }
    }

    fn new(all: Vec<Root>) -> Self {
        let by_folder = all.iter().enumerate().map(|(at, root)| (root.folder.clone(), at)).collect();
        Self { all, by_folder, installed: None, own: FxHashSet::default() }
    }

    /// The same roots, then [`INSTALLED_ROOTS`] as the roots of packages. `files` are those of the sources: an only
    /// source may have folders of these names, too.
    #[must_use]
    pub fn with_installed<'f>(&self, files: impl IntoIterator<Item = &'f CompactString>) -> Self {
        let mut all = self.all.clone();
        let installed = all.len();
        all.extend(INSTALLED_ROOTS.map(|folder| Root { folder: folder.into(), ..Root::default() }));
        let is_below_one =
            |path: &&CompactString| path.split_once('/').is_some_and(|(folder, _)| INSTALLED_ROOTS.contains(&folder));
        let own = files.into_iter().filter(|path| self.is_single() && is_below_one(path)).cloned().collect();
        Self { installed: Some(installed), own, ..Self::new(all) }
    }

    /// True for a path of an installed package.
    pub fn is_installed(&self, path: &str) -> bool {
        self.is_root_of_installed(self.position(path))
    }

    /// True for the position of a root of installed packages.
    pub fn is_root_of_installed(&self, position: usize) -> bool {
        self.installed.is_some_and(|installed| position >= installed)
    }

    /// True for an only source.
    pub fn is_single(&self) -> bool {
        self.all.len() == 1
    }

    /// The roots in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Root> {
        self.all.iter()
    }

    /// The root at a position.
    pub fn get(&self, position: usize) -> &Root {
        &self.all[position]
    }

    /// The position of the source that a path of the index belongs to.
    pub fn position(&self, path: &str) -> usize {
        if self.is_single() {
            return 0;
        }
        let folder = path.split('/').next().unwrap_or_default();
        let position = self.by_folder.get(folder).copied().unwrap_or_default();
        let is_own = self.is_root_of_installed(position) && self.own.contains(path);
        if is_own { 0 } else { position }
    }

    /// Splits a path of the index into the folder of its source, with its slash, and the path in the source. The folder
    /// is empty if there is one source.
    pub fn split<'p>(&self, path: &'p str) -> (&'p str, &'p str) {
        let len = self.get(self.position(path)).folder.len();
        if len == 0 { ("", path) } else { path.split_at((len + 1).min(path.len())) }
    }

    /// True if two paths of the index belong to the same source.
    pub fn are_together(&self, a: &str, b: &str) -> bool {
        self.is_single() || self.position(a) == self.position(b)
    }
}
