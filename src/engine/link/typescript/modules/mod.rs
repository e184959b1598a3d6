//! Specifiers of imports to files: relative paths, `paths` and `baseUrl` of `tsconfig.json`, packages of the same
//! sources by name, `imports` and `exports`. It reads no disk: it knows the paths of the sources and the texts of the
//! project files, and nothing is ever installed.
//!
//! | module | what it is for |
//! | --- | --- |
//! | `path`, `patterns`, `json` | paths without a disk, tables with stars, JSON as people write it |
//! | `files` | what a path without an ending means |
//! | `tsconfig`, `links`, `inherit`, `scopes` | one configuration, where `extends` leads, what is inherited, and which one says what a file's imports mean |
//! | `outputs` | build products to sources |
//! | `package`, `packages` | one package, and all of them by name |
//! | `entries` | the names under which others import a file |

mod entries;
mod files;
mod inherit;
mod json;
mod links;
mod outputs;
mod package;
mod packages;
mod path;
mod patterns;
mod scopes;
mod tsconfig;

#[cfg(test)]
mod tests;

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use crate::diagnostic::Diagnostic;
use files::{Files, is_asset};
use links::Links;
use outputs::Sources;
use package::Package;
use packages::Packages;
use path::{folder_of, is_relative, join, name_of, within};
use scopes::Scopes;
use tsconfig::Config;

/// What a specifier means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// A source file, by its position.
    File(usize),
    /// A package that is not in the sources, or a file that is no source: a style sheet, data.
    Outside,
    /// A path, an alias or a part of a package in the sources that leads nowhere: generated later, or gone.
    Missing,
}

/// Answers what imports mean.
#[derive(Debug)]
pub(crate) struct Resolver {
    sources: Sources,
    scopes: Scopes,
    packages: Packages,
    problems: Vec<Diagnostic>,
}

impl Resolver {
    /// `files` are the paths of all source files from the source's root, sorted, with `/` between parts; `project` is
    /// path and text of every `package.json`, `tsconfig*.json` and `jsconfig*.json`. Other `.json` files among them are
    /// read where `extends` leads to them.
    pub(crate) fn new(files: &[&str], project: &[(&str, &str)]) -> Self {
        let mut problems = Vec::new();
        let mut packages = Vec::new();
        let mut configs = Vec::new();
        for &(path, text) in project {
            if name_of(path) == "package.json" {
                packages.extend(Package::read(path, text, &mut problems));
            } else {
                configs.push(Config::read(path, text, &mut problems));
            }
        }
        let packages = Packages::new(packages);
        let by_path: FxHashMap<&str, usize> = project
            .iter()
            .map(|(path, _)| *path)
            .filter(|path| name_of(path) != "package.json")
            .enumerate()
            .map(|(id, path)| (path, id))
            .collect();
        let links = Links { packages: &packages, by_path: &by_path };
        let inherited = inherit::inherit(&configs, |from, link| links.base(from, link), &mut problems);
        for config in &configs {
            links.dead(config, &mut problems);
        }
        problems.sort();
        let sources = Sources::new(Files::new(files), &configs, &inherited);
        let scopes = Scopes::new(configs, &inherited);
        Self { sources, scopes, packages, problems }
    }

    /// What `specifier` means in the file at position `from`.
    pub(crate) fn resolve(&self, from: usize, specifier: &str) -> Resolution {
        let Some(from) = self.sources.files.path(from) else { return Resolution::Missing };
        let found = if is_relative(specifier) { self.relative(from, specifier) } else { self.bare(from, specifier) };
        // What is declared of a style sheet is found above; itself it is no source.
        if found == Resolution::Missing && is_asset(specifier) { Resolution::Outside } else { found }
    }

    /// The names under which others import files of these sources, with those files, by name: `@acme/http` and
    /// `@acme/http/testing`, where `@acme/http` is a package that others can use, and names that `paths` give.
    pub(crate) fn entries(&self) -> Vec<(CompactString, usize)> {
        entries::entries(&self.packages, &self.scopes, &self.sources)
    }

    /// What is wrong in the project files, by path.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.problems
    }

    fn relative(&self, from: &str, specifier: &str) -> Resolution {
        let Some(path) = join(folder_of(from), specifier) else { return Resolution::Missing };
        let is_folder = specifier.ends_with(['/', '.']);
        let index = || self.sources.locate(&join(&path, "index")?);
        let file = is_folder
            .then(index)
            .flatten()
            .or_else(|| self.sources.locate(&path))
            .or_else(|| self.in_other_root(from, &path))
            .or_else(|| self.packages.folder(&self.sources, &path))
            .or_else(|| self.packages.product(&self.sources, &path));
        file.map_or(Resolution::Missing, Resolution::File)
    }

    /// `rootDirs` are one folder to those who import.
    fn in_other_root(&self, from: &str, path: &str) -> Option<usize> {
        self.scopes.around(from).find_map(|scope| {
            let inside = scope.root_dirs.iter().filter_map(|root| within(path, root));
            let below = inside.min_by_key(|below| below.len())?;
            scope.root_dirs.iter().find_map(|root| self.sources.locate(&join(root, below)?))
        })
    }

    fn bare(&self, from: &str, specifier: &str) -> Resolution {
        if specifier.is_empty() {
            return Resolution::Missing;
        }
        let mut is_alias = false;
        for scope in self.scopes.around(from) {
            for candidate in self.scopes.candidates(scope, specifier) {
                if let Some(file) = self.sources.locate(&candidate.path) {
                    return Resolution::File(file);
                }
                is_alias |= candidate.is_alias;
            }
        }
        let found = match specifier.as_bytes()[0] {
            b'#' => self.packages.internal(&self.sources, from, specifier),
            b'/' => Resolution::Missing,
            _ => self.packages.resolve(&self.sources, from, specifier),
        };
        if is_alias && found == Resolution::Outside { Resolution::Missing } else { found }
    }
}
