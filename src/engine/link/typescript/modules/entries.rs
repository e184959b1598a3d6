//! The specifiers under which other code imports files of the sources: package names and their exported subpaths.

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::{
    build_outputs::{FileLocator, without_extension},
    import_settings::ImportSettingsTable,
    package::{PackageManifest, is_source},
    packages::{PackageTable, main_file, matching_targets, split_specifier, subpath_file},
    path::{is_relative, join},
    pattern_table::substitute_star,
};
use apidisc_base::sort::SharedSort as _;

/// The greatest number of files that are matched against exported patterns with a star, over all packages.
const MAX_STAR_CANDIDATES: usize = 100_000;

/// Specifiers with the positions of their files, sorted by specifier and without duplicates.
pub(super) fn entries(
    packages: &PackageTable,
    settings: &ImportSettingsTable,
    sources: &FileLocator,
    imported: &FxHashSet<&str>,
) -> Vec<(CompactString, usize)> {
    let dependencies: FxHashSet<&str> = packages.iter().flat_map(|p| &p.depends).map(CompactString::as_str).collect();
    let mut entries = Vec::new();
    let mut budget = MAX_STAR_CANDIDATES;
    for package in packages.iter().filter(|package| !package.name.is_empty()) {
        if package.is_offered() || dependencies.contains(package.name.as_str()) {
            add_package_entries(package, settings, sources, &mut budget, &mut entries);
        }
    }
    for &specifier in imported {
        let (name, below) = split_specifier(specifier);
        let package = packages.find("", name).filter(|package| package.is_open() && !below.is_empty());
        let is_path_to_sources = below.starts_with("src/") || below.starts_with("lib/");
        let file = package
            .filter(|package| !is_path_to_sources || package.offers_sources())
            .and_then(|package| subpath_file(sources, package, below));
        entries.extend(file.map(|file| (CompactString::from(specifier), file)));
    }
    for (name, path) in settings.mapped_names().filter(|(name, _)| may_name_package(name)) {
        let file = sources.locate(&path).filter(|&file| !is_alias_in_package(packages, sources, name, file));
        entries.extend(file.map(|file| (CompactString::from(name), file)));
    }
    // Of equal specifiers, an import finds the first file.
    entries.shared_sort_by(|(a, _), (b, _)| a.cmp(b));
    entries.dedup_by(|(a, _), (b, _)| a == b);
    entries
}

/// True for a specifier that may begin with the name of a package: `@/lib`, `~/lib`, `#lib` and `@lib` cannot.
fn may_name_package(specifier: &str) -> bool {
    let is_scope_alone = specifier.starts_with('@') && !specifier.contains('/');
    !is_relative(specifier)
        && !specifier.starts_with(['/', '#', '~'])
        && !specifier.starts_with("@/")
        && !is_scope_alone
}

/// True for a name that only the files of a published package may import: the file that it leads to belongs to a
/// package of another name.
fn is_alias_in_package(packages: &PackageTable, sources: &FileLocator, specifier: &str, file: usize) -> bool {
    let path = sources.files.path(file).unwrap_or_default();
    let package = packages.around(path).find(|package| !package.name.is_empty());
    package.is_some_and(|package| {
        !package.is_private && package.names_entries() && package.name != split_specifier(specifier).0
    })
}

fn add_package_entries(
    package: &PackageManifest,
    settings: &ImportSettingsTable,
    sources: &FileLocator,
    budget: &mut usize,
    entries: &mut Vec<(CompactString, usize)>,
) {
    let name = package.name.as_str();
    let main = settings.mapped_file(&package.folder, name, sources).or_else(|| main_file(sources, package));
    entries.extend(main.map(|file| (package.name.clone(), file)));
    for (key, targets) in package.exports.exact() {
        let Some(below) = key.strip_prefix("./").filter(|_| !targets.is_empty()) else { continue };
        let specifier = compact_str::format_compact!("{name}/{below}");
        let exported = || matching_targets(&package.exports, key).find_map(|t| sources.entry(&package.folder, &t));
        let file = settings.mapped_file(&package.folder, &specifier, sources).or_else(exported);
        entries.extend(file.map(|file| (specifier, file)));
    }
    for (before, after, targets) in package.exports.starred() {
        let Some(before) = before.strip_prefix("./") else { continue };
        let matches = targets
            .iter()
            .map(|target| star_matches(package, target, sources, budget))
            .find(|matches| !matches.is_empty());
        entries.extend(matches.into_iter().flatten().filter_map(|(star, file)| {
            let below = compact_str::format_compact!("{before}{star}{after}");
            let is_listed = !is_withheld(package, &format!("./{below}"));
            is_listed.then(|| (compact_str::format_compact!("{name}/{below}"), file))
        }));
    }
}

/// True for a target that exports every file of the package, and so defines no entry points.
pub(super) fn exports_every_file(target: &str) -> bool {
    let before = target.split_once('*').map_or("", |(before, _)| before);
    let folder = before.rsplit_once('/').map_or("", |(folder, _)| folder);
    join("", folder).is_none_or(|folder| folder.is_empty())
}

/// True if the pattern of `exports` that decides about a subpath has no target, as in `"./internal/*": null`.
fn is_withheld(package: &PackageManifest, subpath: &str) -> bool {
    package.exports.matching(subpath).next().is_some_and(|(_, targets)| targets.is_empty())
}

/// The existing files that an exported target with a star matches. Each row is the text that the star matches and the
/// position of the file.
fn star_matches(
    package: &PackageManifest,
    target: &str,
    sources: &FileLocator,
    budget: &mut usize,
) -> Vec<(CompactString, usize)> {
    let Some((before, after)) = target.split_once('*') else { return Vec::new() };
    let extension = if is_source(after) { &after[without_extension(after).len()..] } else { "" };
    let after = without_extension(after);
    let (folder, start) = before.rsplit_once('/').unwrap_or(("", before));
    if exports_every_file(target) {
        return Vec::new();
    }
    for folder in sources.folders(&package.folder, folder) {
        let start = compact_str::format_compact!("{folder}/{start}");
        let mut found = Vec::new();
        for (file, path) in sources.files.with_prefix(&start) {
            if *budget == 0 {
                return Vec::new();
            }
            *budget -= 1;
            let stem = without_extension(&path[start.len()..]);
            let Some(star) = stem.strip_suffix(after).filter(|star| !star.is_empty()) else { continue };
            let resolves_to_file =
                substitute_star(target, star).and_then(|path| sources.entry(&package.folder, &path)) == Some(file);
            if resolves_to_file && path.ends_with(extension) {
                found.push((CompactString::from(star), file));
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}
