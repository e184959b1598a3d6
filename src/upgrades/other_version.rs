//! Where the other version of a package is: an environment, a folder, an archive, or a commit of its repository.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use super::places::path_of;
use crate::{
    archives::UnpackedPackage,
    clones::{Clones, Observer},
};
use apidisc::{
    Fetch, Location, check_branch,
    environment::{
        listing,
        node::{self, NodePackages},
        python::EnvironmentSetting,
    },
    indexer::LibrarySettings,
    language::Language,
    packages::Dependency,
    source::{Commit, Source},
    unprintable::escaped_line,
};

/// The number of digits of a commit that stand for a version.
const DIGITS: usize = 10;

/// Another version of a package.
#[derive(Clone, Debug)]
pub enum OtherVersion {
    /// An environment, the folder of a package, or an archive.
    Path(PathBuf),
    /// A commit of the package's repository.
    Commit {
        /// The commit.
        commit: Commit,
        /// The branch, tag or commit that was asked for, or the first digits of the commit.
        revision: String,
    },
}

/// The settings that read another version, and the files that they name.
pub(super) struct OtherFiles {
    pub(super) settings: LibrarySettings,
    /// The files of an archive or a commit, which are removed with this value.
    pub(super) unpacked: Option<UnpackedPackage>,
}

/// Shows the place without secrets.
impl fmt::Display for OtherVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(f),
            Self::Commit { commit, revision } => write!(f, "{}@{revision}", commit.url()),
        }
    }
}

impl OtherVersion {
    /// The version at a place: a path, or the URL of a repository with a branch, a tag or the whole hash of a commit
    /// behind an `@`. A repository is fetched into `clones`, which is `None` without a home folder; `observe` gets the
    /// reports of git.
    ///
    /// # Errors
    /// One line that says how to mend it.
    pub fn find(place: &str, clones: Option<&Clones>, observe: Observer<'_>) -> Result<Self, String> {
        let path = path_of(place);
        if path.exists() || !place.contains(':') {
            return Ok(Self::Path(path));
        }
        let (url, revision) = split_revision(place);
        let location = Location::parse(url, Path::new("")).map_err(|why| why.to_string())?;
        if matches!(location, Location::Path(_)) {
            return Ok(Self::Path(path));
        }
        revision.map(check_branch).transpose().map_err(|why| why.to_string())?;
        let clones = clones.ok_or("there is no home folder to keep a clone in; set HOME")?;
        let shown = location.shown();
        let wanted = Fetch { location, branch: revision.map(str::to_owned) };
        let fetched = clones.fetch(&[wanted], observe).into_iter().next();
        match fetched {
            Some(Ok(Source::Commit(commit))) => {
                let revision = revision.map_or_else(|| commit.id().chars().take(DIGITS).collect(), str::to_owned);
                Ok(Self::Commit { commit, revision })
            }
            Some(Err(why)) => Err(format!("{shown}: {why}")),
            Some(Ok(_)) | None => Err(format!("{shown} was not fetched")),
        }
    }

    /// The settings that read this version of a package in place of the installed one.
    pub(super) fn files(&self, settings: LibrarySettings, package: &Dependency) -> Result<OtherFiles, String> {
        let unpacked = match self {
            Self::Path(path) if path.is_file() => unpacked(path, package)?,
            Self::Path(folder) => {
                return Ok(OtherFiles { settings: with_folder(folder, settings, package)?, unpacked: None });
            }
            Self::Commit { commit, revision } => {
                let unpacked = UnpackedPackage::of_commit(commit, &self.to_string(), revision, package);
                unpacked.map_err(|error| error.to_string())?
            }
        };
        let replaced = vec![unpacked.folder().to_owned()];
        if package.language == Language::TypeScript {
            check_types(&self.to_string(), &replaced, package)?;
        }
        Ok(OtherFiles { settings: LibrarySettings { replaced, ..settings }, unpacked: Some(unpacked) })
    }
}

/// The URL of a repository, and the text behind the first `@` of its path, for tags such as `kit@2.0` have an `@`
/// themselves. An `@` before the host or at the beginning of a part of the path belongs to the URL.
fn split_revision(place: &str) -> (&str, Option<&str>) {
    let path = match place.split_once("://") {
        Some((protocol, rest)) => protocol.len() + 3 + rest.find('/').unwrap_or(rest.len()),
        None => place.find(':').unwrap_or(place.len()),
    };
    let mut signs = place[path..].match_indices('@').map(|(at, _)| path + at);
    match signs.find(|at| !place[..*at].ends_with(['/', ':'])) {
        Some(at) => (&place[..at], Some(&place[at + 1..])),
        None => (place, None),
    }
}

/// The package of an archive.
fn unpacked(archive: &Path, package: &Dependency) -> Result<UnpackedPackage, String> {
    let unpacked = UnpackedPackage::read(archive).map_err(|error| error.to_string())?;
    let is_same = Dependency::find(std::slice::from_ref(package), &unpacked.name).is_ok();
    if !is_same {
        let (held, wanted) = (escaped_line(&unpacked.name), escaped_line(&package.package));
        return Err(format!("{} holds {held}, not {wanted}; name an archive of {wanted}", archive.display()));
    }
    Ok(unpacked)
}

/// The settings that take the package from a folder: an environment, or the package itself.
fn with_folder(folder: &Path, settings: LibrarySettings, package: &Dependency) -> Result<LibrarySettings, String> {
    let shown = folder.display();
    if !folder.is_dir() {
        return Err(format!("{shown} is not there; name an environment, the folder of a package, or an archive"));
    }
    match package.language {
        Language::Python => Ok(settings.with_environment(&EnvironmentSetting::Folder(folder.to_owned()))),
        Language::TypeScript => {
            let types = node::types_package(&package.package);
            let names = std::iter::once(&package.package).chain(&types);
            let places = |name: &String| [folder.join("node_modules").join(name), folder.join(name)];
            // The types of an installed package may be in a package beside it.
            let beside = folder.parent().filter(|folder| folder.ends_with("node_modules"));
            let beside = beside.into_iter().flat_map(|beside| types.iter().map(|types| beside.join(types)));
            let mut found: Vec<PathBuf> = names.flat_map(places).chain([folder.to_owned()]).chain(beside).collect();
            found.retain(|folder| {
                let text = listing::text(&folder.join("package.json"));
                let name = text.as_deref().and_then(node::name);
                name.is_some_and(|name| name == package.package || Some(name) == types)
            });
            check_types(&shown.to_string(), &found, package)?;
            Ok(LibrarySettings { replaced: found, ..settings })
        }
    }
}

/// An error unless one of the packages in `folders`, which `shown` holds, declares types.
fn check_types(shown: &str, folders: &[PathBuf], package: &Dependency) -> Result<(), String> {
    let name = escaped_line(&package.package);
    if folders.is_empty() {
        return Err(format!("{shown} holds no {name}; name a folder with its package.json"));
    }
    if !folders.iter().any(|folder| NodePackages::declares_types(folder)) {
        let types = node::types_package(&package.package).unwrap_or_default();
        return Err(format!("{shown} declares no types of {name}; name {}", escaped_line(&types)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_stands_behind_the_last_at_sign_of_the_path() {
        for (place, url, revision) in [
            ("https://example.org/a/kit@v2.11", "https://example.org/a/kit", Some("v2.11")),
            ("https://user@example.org/a/kit", "https://user@example.org/a/kit", None),
            ("https://user@example.org/a/kit@release/1.2", "https://user@example.org/a/kit", Some("release/1.2")),
            ("https://example.org/@a/kit", "https://example.org/@a/kit", None),
            ("https://example.org/a/kit@kit@2.0", "https://example.org/a/kit", Some("kit@2.0")),
            ("https://example.org/a/kit@@b/kit@2.0", "https://example.org/a/kit", Some("@b/kit@2.0")),
            ("git@example.org:a/kit.git", "git@example.org:a/kit.git", None),
            ("git@example.org:a/kit.git@main", "git@example.org:a/kit.git", Some("main")),
            ("https://example.org", "https://example.org", None),
        ] {
            assert_eq!(split_revision(place), (url, revision), "{place}");
        }
    }
}
