//! What a program uses of its packages that is deprecated today.

use std::collections::BTreeSet;

use crate::{
    compare::{findings, is_of_package},
    report::Verdict,
    version::Version,
    versions::Versions,
};
use apidisc_indexing::packages::{Dependency, DependencyState};

/// The number of deprecated functions, classes, names and parameters of each package that a program uses; `None` for a
/// package whose code is not there.
pub fn deprecated_uses(version: &Version<'_>, packages: &[Dependency]) -> Vec<Option<u32>> {
    if packages.iter().all(|package| package.state != DependencyState::Installed) {
        return vec![None; packages.len()];
    }
    let versions = Versions::new(version, version);
    let of_package = |package: &Dependency| {
        if package.state != DependencyState::Installed {
            return None;
        }
        let mut used = BTreeSet::new();
        for finding in findings(&versions, package) {
            let definition = versions.old.find(&finding.symbol).map(|id| version.index.definition(id));
            let is_foreign = definition.is_some_and(|found| !is_of_package(version.index, found, package));
            if finding.verdict == Verdict::Deprecated && !is_foreign {
                used.insert((finding.symbol, finding.param));
            }
        }
        Some(used.len() as u32)
    };
    packages.iter().map(of_package).collect()
}
