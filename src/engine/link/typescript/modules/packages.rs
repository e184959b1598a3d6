//! All packages of the sources, found by name as if they were installed beside each other.

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Resolution,
    files::is_asset,
    outputs::Sources,
    package::{Package, Targets},
    path::{child, folders_around, is_relative, within},
    patterns::{Patterns, fill},
};

/// All packages.
#[derive(Debug, Default)]
pub(super) struct Packages {
    /// By path, folder by folder.
    all: Vec<Package>,
    by_folder: FxHashMap<CompactString, usize>,
    by_name: FxHashMap<CompactString, Named>,
}

/// The packages of one name.
#[derive(Debug)]
struct Named {
    first: usize,
    /// Where there are several, as in a repository of examples: the first one below each folder.
    below: FxHashMap<CompactString, usize>,
}

impl Packages {
    pub(super) fn new(mut packages: Vec<Package>) -> Self {
        packages.sort_by(|a, b| a.folder.split('/').cmp(b.folder.split('/')));
        let mut found = Self::default();
        let mut again = FxHashSet::default();
        for (id, package) in packages.iter().enumerate() {
            found.by_folder.insert(package.folder.clone(), id);
            if !package.name.is_empty() {
                let named = Named { first: id, below: FxHashMap::default() };
                if found.by_name.insert(package.name.clone(), named).is_some() {
                    again.insert(package.name.as_str());
                }
            }
        }
        for (id, package) in packages.iter().enumerate().rev() {
            let Some(named) = found.by_name.get_mut(&package.name) else { continue };
            named.first = id;
            if again.contains(package.name.as_str()) {
                let own = std::iter::once(package.folder.as_str());
                for folder in own.chain(folders_around(&package.folder)) {
                    named.below.insert(CompactString::from(folder), id);
                }
            }
        }
        found.all = packages;
        found
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Package> {
        self.all.iter()
    }

    /// The package of a name; of several, one that shares most folders with the file that asks.
    pub(super) fn named(&self, from: &str, name: &str) -> Option<&Package> {
        let named = self.by_name.get(name)?;
        let nearest = || folders_around(from).find_map(|folder| named.below.get(folder));
        let id = if named.below.is_empty() { named.first } else { *nearest().unwrap_or(&named.first) };
        Some(&self.all[id])
    }

    /// What a specifier means that begins with a package's name.
    pub(super) fn resolve(&self, sources: &Sources, from: &str, specifier: &str) -> Resolution {
        let (name, below) = split(specifier);
        match self.named(from, name) {
            None => Resolution::Outside,
            Some(_) if is_asset(below) => Resolution::Outside,
            Some(package) if below.is_empty() => found(main(sources, package)),
            Some(package) => found(part(sources, package, below)),
        }
    }

    /// What a specifier with a `#` means: what the nearest package that has any says in its `imports`.
    pub(super) fn internal(&self, sources: &Sources, from: &str, specifier: &str) -> Resolution {
        let around = folders_around(from).filter_map(|folder| self.by_folder.get(folder));
        let mut packages = around.map(|&id| &self.all[id]).filter(|package| !package.imports.is_empty());
        let Some(package) = packages.next() else { return Resolution::Missing };
        let mut answer = Resolution::Missing;
        for target in filled(&package.imports, specifier) {
            let next = if is_relative(&target) {
                found(sources.entry(&package.folder, &target))
            } else {
                self.resolve(sources, from, &target)
            };
            match next {
                Resolution::File(_) => return next,
                Resolution::Outside => answer = next,
                Resolution::Missing => {}
            }
        }
        answer
    }

    /// What a path to a folder with a `package.json` means.
    pub(super) fn folder(&self, sources: &Sources, path: &str) -> Option<usize> {
        let package = &self.all[*self.by_folder.get(path)?];
        package.mains.iter().find_map(|target| sources.entry(path, target))
    }

    /// The source of a path that goes into a folder of products in a package, of which nothing is in the sources.
    pub(super) fn product(&self, sources: &Sources, path: &str) -> Option<usize> {
        const PRODUCTS: &[&str] = &["build", "cjs", "dist", "esm", "lib", "out"];
        let package = folders_around(path).find(|folder| self.by_folder.contains_key(*folder))?;
        let below = within(path, package)?;
        let (folder, _) = below.split_once('/')?;
        let there = &path[..=path.len() - below.len() + folder.len()];
        let is_product = PRODUCTS.contains(&folder) && sources.files.beginning_with(there).next().is_none();
        is_product.then(|| sources.guess(package, below))?
    }
}

fn found(file: Option<usize>) -> Resolution {
    file.map_or(Resolution::Missing, Resolution::File)
}

/// `@scope/name/below` and `name/below` in two.
pub(super) fn split(specifier: &str) -> (&str, &str) {
    let scope = if specifier.starts_with('@') { specifier.find('/').map_or(specifier.len(), |at| at + 1) } else { 0 };
    match specifier[scope..].find('/') {
        Some(at) => (&specifier[..scope + at], &specifier[scope + at + 1..]),
        None => (specifier, ""),
    }
}

/// The targets of all patterns that a name fits, with the star put in.
pub(super) fn filled<'a>(patterns: &'a Patterns<Targets>, name: &'a str) -> impl Iterator<Item = CompactString> {
    patterns.matching(name).flat_map(|(star, targets)| targets.iter().filter_map(move |target| fill(target, star)))
}

/// What a package's own name means.
pub(super) fn main(sources: &Sources, package: &Package) -> Option<usize> {
    let folder = package.folder.as_str();
    let usual = ["src/index", "index", "lib/index"];
    filled(&package.exports, ".")
        .find_map(|target| sources.entry(folder, &target))
        .or_else(|| package.mains.iter().find_map(|target| sources.entry(folder, target)))
        .or_else(|| usual.into_iter().find_map(|path| sources.entry(folder, path)))
}

/// What a path below a package's name means: what `exports` say, else the file of that path.
fn part(sources: &Sources, package: &Package, below: &str) -> Option<usize> {
    let name = child(".", below);
    let exported = filled(&package.exports, &name).find_map(|target| sources.entry(&package.folder, &target));
    exported.or_else(|| {
        let found = |path: &str| sources.entry(&package.folder, path);
        found(below).or_else(|| found(&child("src", below))).or_else(|| found(&child("lib", below)))
    })
}
