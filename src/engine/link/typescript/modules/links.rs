//! Where `extends` and `references` of a configuration lead.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{
    json::{problem, quoted},
    packages::{Packages, filled, split},
    path::{is_relative, join},
    tsconfig::{Config, Link, is_config},
};
use crate::diagnostic::Diagnostic;

/// All configurations, to be found by what others call them.
#[derive(Clone, Copy)]
pub(super) struct Links<'a> {
    pub(super) packages: &'a Packages,
    /// Position by path.
    pub(super) by_path: &'a FxHashMap<&'a str, usize>,
}

impl Links<'_> {
    /// The configuration that `extends` leads to: a path, or one that a package offers.
    pub(super) fn base(self, from: &Config, link: &Link) -> Option<usize> {
        if is_relative(&link.to) {
            return self.at(from.folder(), &link.to);
        }
        let (name, below) = split(&link.to);
        let package = self.packages.named(&from.path, name)?;
        let folder = package.folder.as_str();
        let key = if below.is_empty() { CompactString::from(".") } else { compact_str::format_compact!("./{below}") };
        let own = package.tsconfig.as_deref().filter(|_| below.is_empty());
        own.and_then(|path| self.at(folder, path))
            .or_else(|| filled(&package.exports, &key).find_map(|target| self.at(folder, &target)))
            .or_else(|| self.at(folder, below))
    }

    /// Says which links lead to configurations that should be there and are not. Those under other names than usual,
    /// those of installed packages and those that tools make are not among the files that are read.
    pub(super) fn dead(self, config: &Config, problems: &mut Vec<Diagnostic>) {
        for link in &config.extends {
            let is_expected = is_relative(&link.to) && is_config(&link.to) && !is_made_by_tools(&link.to);
            if is_expected && self.base(config, link).is_none() {
                let message = format!(
                    "`extends` leads to {}, which is not among the sources: its settings are not used",
                    quoted(&link.to)
                );
                problems.push(problem(&config.path, link.line, &message));
            }
        }
        for link in &config.references {
            let is_expected = link.to.strip_suffix(".json").is_none() || is_config(&link.to);
            if is_expected && self.at(config.folder(), &link.to).is_none() {
                let message = format!("`references` leads to {}, where no `tsconfig.json` is", quoted(&link.to));
                problems.push(problem(&config.path, link.line, &message));
            }
        }
    }

    /// The configuration that a path means: with or without its ending, or the one in that folder.
    fn at(self, folder: &str, path: &str) -> Option<usize> {
        let named = |path: &str| self.by_path.get(path).copied();
        let path = join(folder, path)?;
        named(&path)
            .or_else(|| named(&compact_str::format_compact!("{path}.json")))
            .or_else(|| named(&join(&path, "tsconfig.json")?))
    }
}

/// True of a path into `node_modules` or into a hidden folder such as `.svelte-kit`.
fn is_made_by_tools(path: &str) -> bool {
    path.split('/').any(|part| part == "node_modules" || part.starts_with('.') && !matches!(part, "." | ".."))
}
