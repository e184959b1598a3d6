//! Another version of a package that an agent asks about, compared with the installed one.

use std::path::{Path, PathBuf};

use apidisc::{
    control::Control, indexer::Progress, source::Source, tools::upgrade::CheckedUpgrade, unprintable::escaped_line,
};

use super::{
    served_index::{BuildProgress, Snapshot},
    served_packages::Asker,
};
use crate::upgrades::{Change, OtherVersion, RevisionRange, Upgrade, UpgradeRequest};

const CANCELLED: &str = "the request was cancelled";

/// Compares the installed version of a package with the one at `other`.
///
/// # Errors
/// The reason for which there is no comparison.
pub(super) fn check(snapshot: &Snapshot, asker: &Asker, package: &str, other: &str) -> Result<CheckedUpgrade, String> {
    let other = OtherVersion::Path(path_inside(&snapshot.source, other)?);
    let request = UpgradeRequest {
        source: &snapshot.source,
        environment: snapshot.environment(),
        cache: snapshot.corpora().cache.as_ref(),
        package,
        other: &other,
    };
    let upgrade = Upgrade::read(&request, &mut |progress| observed(asker, &progress))?.ok_or(CANCELLED)?;
    Ok(CheckedUpgrade { title: upgrade.title(), package: upgrade.package.package.clone(), report: upgrade.report() })
}

/// Compares two revisions of the code, or one and the files as they are.
///
/// # Errors
/// The reason for which there is no comparison.
pub(super) fn check_change(snapshot: &Snapshot, asker: &Asker, revisions: &str) -> Result<CheckedUpgrade, String> {
    let Source::Folder(folder) = &*snapshot.source else {
        return Err("revisions are compared of one folder with a git repository; this code is none".to_owned());
    };
    let range = RevisionRange::parse(revisions);
    let cache = snapshot.corpora().cache.as_ref();
    let change = Change::read(folder, &range, &[], cache, &mut |progress| observed(asker, &progress))?;
    let change = change.ok_or(CANCELLED)?;
    Ok(CheckedUpgrade { title: range.title(), package: "this code".to_owned(), report: change.report()? })
}

/// Reports progress to the asker, who may cancel.
fn observed(asker: &Asker, progress: &Progress) -> Control {
    if let Progress::Parsed { done, total, .. } = *progress {
        (asker.report)(BuildProgress { done, total });
    }
    if (asker.is_cancelled)() { Control::Cancel } else { Control::Continue }
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
