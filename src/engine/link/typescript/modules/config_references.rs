//! The configurations that `extends` and `references` name.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    json::{problem, quoted},
    packages::{PackageTable, matching_targets, split_specifier},
    path::{is_relative, join},
    tsconfig::{ConfigReference, TsConfig, is_config},
};
use apidisc_base::diagnostic::Diagnostic;

/// Finds the configurations that others refer to.
#[derive(Clone, Copy)]
pub(super) struct ConfigReferences<'a> {
    pub(super) packages: &'a PackageTable,
    /// The position of each configuration by its path.
    pub(super) by_path: &'a FxHashMap<&'a str, usize>,
}

impl ConfigReferences<'_> {
    /// The configuration that an `extends` of `from` refers to, by its path or as a file of a package.
    pub(super) fn extended_config(self, from: &TsConfig, reference: &ConfigReference) -> Option<usize> {
        if is_relative(&reference.target) {
            return self.at_path(from.folder(), &reference.target);
        }
        let (name, below) = split_specifier(&reference.target);
        let package = self.packages.find(&from.path, name)?;
        let folder = package.folder.as_str();
        let key = if below.is_empty() { CompactString::from(".") } else { compact_str::format_compact!("./{below}") };
        let tsconfig_field = package.tsconfig.as_deref().filter(|_| below.is_empty());
        tsconfig_field
            .and_then(|path| self.at_path(folder, path))
            .or_else(|| {
                matching_targets(&package.exports, &key).find_map(|target: CompactString| self.at_path(folder, &target))
            })
            .or_else(|| self.at_path(folder, below))
    }

    /// Reports references to configurations that are missing from the sources. A reference to a file with an unusual
    /// name, to an installed package or to a generated file is not reported: these files are never read.
    pub(super) fn report_missing(self, config: &TsConfig, problems: &mut Vec<Diagnostic>) {
        for reference in &config.extends {
            let is_expected =
                is_relative(&reference.target) && is_config(&reference.target) && !is_generated(&reference.target);
            if is_expected && self.extended_config(config, reference).is_none() {
                let message = format!(
                    "`extends` leads to {}, which is not among the sources: its settings are not used",
                    quoted(&reference.target)
                );
                problems.push(problem(&config.path, reference.line, &message));
            }
        }
        for reference in &config.references {
            let is_expected = reference.target.strip_suffix(".json").is_none() || is_config(&reference.target);
            if is_expected && self.at_path(config.folder(), &reference.target).is_none() {
                let message =
                    format!("`references` leads to {}, where no `tsconfig.json` is", quoted(&reference.target));
                problems.push(problem(&config.path, reference.line, &message));
            }
        }
    }

    /// The configuration at a path. The path may omit `.json`, and it may be a folder that contains a `tsconfig.json`.
    fn at_path(self, folder: &str, path: &str) -> Option<usize> {
        let find = |path: &str| self.by_path.get(path).copied();
        let path = join(folder, path)?;
        find(&path)
            .or_else(|| find(&compact_str::format_compact!("{path}.json")))
            .or_else(|| find(&join(&path, "tsconfig.json")?))
    }
}

/// True for a path into `node_modules` or into a hidden folder such as `.svelte-kit`.
fn is_generated(path: &str) -> bool {
    path.split('/').any(|part| part == "node_modules" || part.starts_with('.') && !matches!(part, "." | ".."))
}
