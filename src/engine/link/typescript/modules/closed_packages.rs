//! Packages whose `exports` close them: users can import no file but those that `exports` lists.

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{entries::exports_every_file, file_table::is_asset, package::PackageManifest, packages::PackageTable};

/// The packages whose users can import no file but those that `exports` lists.
#[derive(Debug, Default)]
pub(crate) struct ClosedPackages {
    /// The positions of the listed files, by the folder of the package.
    listed: FxHashMap<CompactString, FxHashSet<usize>>,
}

impl ClosedPackages {
    /// The packages with `exports` of which each entry leads to a file of the sources. If an entry of a package leads
    /// to no file, its listed files are not all known, and the package is left out. Of several packages with one name,
    /// all but the first are left out too, since `entries`, the rows of [`super::entries::entries`], name the files of
    /// the first.
    pub(super) fn new(packages: &PackageTable, entries: &[(CompactString, usize)]) -> Self {
        let is_first = |package: &&PackageManifest| {
            packages.find("", &package.name).is_some_and(|first| first.folder == package.folder)
        };
        let named = packages.iter().filter(|package| !package.name.is_empty()).filter(is_first);
        let closed = named.filter_map(|package| Some((package.folder.clone(), listed_files(package, entries)?)));
        Self { listed: closed.collect() }
    }

    /// True if the package in a folder lists other files than the one at a position.
    pub(super) fn hides(&self, folder: &str, file: usize) -> bool {
        self.listed.get(folder).is_some_and(|listed| !listed.contains(&file))
    }
}

/// The positions of the files that the `exports` of a package list; `None` if they list no file, or files that are not
/// known.
fn listed_files(package: &PackageManifest, entries: &[(CompactString, usize)]) -> Option<FxHashSet<usize>> {
    let file_of = |specifier: &str| {
        let at = entries.binary_search_by(|(other, _)| other.as_str().cmp(specifier)).ok()?;
        Some(entries[at].1)
    };
    let mut starred = package.exports.starred().flat_map(|(_, _, targets)| targets);
    if starred.any(|target| exports_every_file(target)) {
        return None;
    }
    let code = package.exports.exact().filter(|(_, targets)| !targets.iter().all(|target| is_asset(target)));
    let specifiers = code.map(|(key, _)| format!("{}{}", package.name, key.trim_start_matches('.')));
    let mut files: FxHashSet<usize> = specifiers.map(|specifier| file_of(&specifier)).collect::<Option<_>>()?;
    if files.is_empty() {
        return None;
    }
    let prefix = format!("{}/", package.name);
    let first = entries.partition_point(|(specifier, _)| specifier.as_str() < prefix.as_str());
    let below = entries[first..].iter().take_while(|(specifier, _)| specifier.starts_with(&prefix));
    files.extend(below.map(|(_, file)| *file));
    Some(files)
}
