//! The names under which others import files of these sources: those of packages and what they export.

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::{
    outputs::{Sources, without_ending},
    package::{Package, is_source},
    packages::{Packages, filled, main},
    path::{is_relative, join},
    patterns::fill,
    scopes::Scopes,
};

/// So many files are tried for all exported patterns with a star together.
const MOST_TRIED: usize = 100_000;

/// Name and file, by name; each name once.
pub(super) fn entries(packages: &Packages, scopes: &Scopes, sources: &Sources) -> Vec<(CompactString, usize)> {
    let depended: FxHashSet<&str> = packages.iter().flat_map(|p| &p.depends).map(CompactString::as_str).collect();
    let mut entries = Vec::new();
    let mut left = MOST_TRIED;
    for package in packages.iter().filter(|package| !package.name.is_empty()) {
        let is_offered = !package.is_private
            || !package.mains.is_empty()
            || !package.exports.is_empty()
            || depended.contains(package.name.as_str());
        if is_offered {
            of_package(package, sources, &mut left, &mut entries);
        }
    }
    for (name, path) in scopes.names() {
        if !is_relative(name) && !name.starts_with(['/', '#', '~']) {
            entries.extend(sources.locate(&path).map(|file| (CompactString::from(name), file)));
        }
    }
    // The first one of a name is the one that an import finds.
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    entries.dedup_by(|(a, _), (b, _)| a == b);
    entries
}

fn of_package(package: &Package, sources: &Sources, left: &mut usize, entries: &mut Vec<(CompactString, usize)>) {
    let name = package.name.as_str();
    entries.extend(main(sources, package).map(|file| (package.name.clone(), file)));
    for (key, _) in package.exports.exact() {
        let Some(below) = key.strip_prefix("./") else { continue };
        let file = filled(&package.exports, key).find_map(|target| sources.entry(&package.folder, &target));
        entries.extend(file.map(|file| (compact_str::format_compact!("{name}/{below}"), file)));
    }
    for (before, after, targets) in package.exports.starred() {
        let Some(before) = before.strip_prefix("./") else { continue };
        let stars = targets.iter().map(|target| stars(package, target, sources, left)).find(|stars| !stars.is_empty());
        entries.extend(stars.into_iter().flatten().map(|(star, file)| {
            let name = compact_str::format_compact!("{name}/{before}{star}{after}");
            (name, file)
        }));
    }
}

/// What the star of an exported target may stand for, by the files that are there, with those files.
fn stars(package: &Package, target: &str, sources: &Sources, left: &mut usize) -> Vec<(CompactString, usize)> {
    let Some((before, after)) = target.split_once('*') else { return Vec::new() };
    let ending = if is_source(after) { &after[without_ending(after).len()..] } else { "" };
    let after = without_ending(after);
    let (folder, start) = before.rsplit_once('/').unwrap_or(("", before));
    // A pattern of everything in the package is no list of entries.
    if join("", folder).is_none_or(|folder| folder.is_empty()) {
        return Vec::new();
    }
    for folder in sources.folders(&package.folder, folder) {
        let start = compact_str::format_compact!("{folder}/{start}");
        let mut found = Vec::new();
        for (file, path) in sources.files.beginning_with(&start) {
            if *left == 0 {
                return Vec::new();
            }
            *left -= 1;
            let stem = without_ending(&path[start.len()..]);
            let Some(star) = stem.strip_suffix(after).filter(|star| !star.is_empty()) else { continue };
            let leads_here = fill(target, star).and_then(|path| sources.entry(&package.folder, &path)) == Some(file);
            if leads_here && path.ends_with(ending) {
                found.push((CompactString::from(star), file));
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}
