//! Another version of a package that an agent asks about, compared with the installed one.

use std::path::{Path, PathBuf};

use apidisc::{
    control::Control, indexer::Progress, source::Source, tools::upgrade::CheckedUpgrade, unprintable::escaped_line,
};

use super::{
    served_index::{BuildProgress, Snapshot},
    served_packages::Asker,
};
use crate::upgrades::{Upgrade, UpgradeRequest};

/// Compares the installed version of a package with the one at `other`.
///
/// # Errors
/// The reason for which there is no comparison.
pub(super) fn check(snapshot: &Snapshot, asker: &Asker, package: &str, other: &str) -> Result<CheckedUpgrade, String> {
    let other = path_inside(&snapshot.source, other)?;
    let request = UpgradeRequest {
        source: &snapshot.source,
        environment: snapshot.environment(),
        cache: snapshot.corpora().cache.as_ref(),
        package,
        other: &other,
    };
    let observe = &mut |progress: Progress| {
        if let Progress::Parsed { done, total, .. } = progress {
            (asker.report)(BuildProgress { done, total });
        }
        if (asker.is_cancelled)() { Control::Cancel } else { Control::Continue }
    };
    let upgrade = Upgrade::read(&request, observe)?.ok_or("the request was cancelled")?;
    Ok(CheckedUpgrade { title: upgrade.title(), package: upgrade.package.package.clone(), report: upgrade.report() })
}

/// The path of a file or folder below a folder of the sources. Neither `..` nor a symbolic link leads out of it.
fn path_inside(source: &Source, path: &str) -> Result<PathBuf, String> {
    let shown = escaped_line(path);
    let folders = source.parts().filter_map(|(_, part)| match part {
        Source::Folder(folder) if folder.is_dir() => folder.canonicalize().ok(),
        _ => None,
    });
    let folders: Vec<PathBuf> = folders.collect();
    let inside = |folder: &PathBuf| {
        let target = folder.join(Path::new(path)).canonicalize().ok()?;
        target.starts_with(folder).then_some(target)
    };
    folders
        .iter()
        .find_map(inside)
        .ok_or_else(|| format!("`{shown}` is no file or folder below the folder of the code"))
}
