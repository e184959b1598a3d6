//! The files of installed packages that import specifiers name. Whoever reads the packages fills the table.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::ModuleResolution;

/// The files of installed packages, by the path of the importing file and by the specifier.
#[derive(Debug, Default)]
pub struct InstalledModules(FxHashMap<CompactString, FxHashMap<CompactString, CompactString>>);

impl InstalledModules {
    /// Makes `specifier` in the file at the path `from` name the file at the path `target`.
    pub fn add(&mut self, from: &str, specifier: &str, target: &str) {
        let of_file = match self.0.get_mut(from) {
            Some(of_file) => of_file,
            None => self.0.entry(from.into()).or_default(),
        };
        if !of_file.contains_key(specifier) {
            of_file.insert(specifier.into(), target.into());
        }
    }

    /// Each importing file with a specifier and the file that it names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.0.iter().flat_map(|(from, of_file)| {
            of_file.iter().map(move |(specifier, target)| (from.as_str(), specifier.as_str(), target.as_str()))
        })
    }
}

/// [`InstalledModules`] by the positions of files. `None` for a file that is no part of the program, because it exports
/// nothing that the program needs.
#[derive(Debug, Default)]
pub(super) struct InstalledFiles(FxHashMap<(usize, CompactString), Option<usize>>);

impl InstalledFiles {
    /// The table for a program with these paths.
    pub(super) fn new(modules: &InstalledModules, paths: &[&str]) -> Self {
        if modules.0.is_empty() {
            return Self::default();
        }
        let positions: FxHashMap<&str, usize> = paths.iter().enumerate().map(|(at, path)| (*path, at)).collect();
        let mut files = FxHashMap::default();
        for (from, of_file) in &modules.0 {
            let Some(&from) = positions.get(from.as_str()) else { continue };
            let position = |target: &CompactString| positions.get(target.as_str()).copied();
            files.extend(of_file.iter().map(|(specifier, target)| ((from, specifier.clone()), position(target))));
        }
        Self(files)
    }

    /// What a specifier names in a file.
    pub(super) fn resolve(&self, from: usize, specifier: &str) -> ModuleResolution {
        if self.0.is_empty() {
            return ModuleResolution::Outside;
        }
        match self.0.get(&(from, specifier.into())) {
            Some(&Some(file)) => ModuleResolution::File(file),
            Some(None) => ModuleResolution::Missing,
            None => ModuleResolution::Outside,
        }
    }

    /// The specifiers that files of the program write, with the files that they name, sorted and without duplicates.
    /// `is_own` is true for a file of the program.
    pub(super) fn entries(&self, is_own: impl Fn(usize) -> bool) -> Vec<(CompactString, usize)> {
        let of_program = self.0.iter().filter(|((from, _), _)| is_own(*from));
        let mut entries: Vec<_> =
            of_program.filter_map(|((_, specifier), target)| Some((specifier.clone(), (*target)?))).collect();
        entries.sort_unstable();
        entries.dedup();
        entries
    }
}
