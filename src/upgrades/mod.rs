//! A program with two versions of a package that it uses, for every face: both are indexed here, and what the other
//! version breaks is the comparison of the two indexes.

mod revisions;
mod whole;

pub mod places;

use std::path::{Path, PathBuf};

use crate::{
    archives::UnpackedPackage,
    cache::{self, Cache},
    packages,
};
use apidisc::{
    breaks::{Edits, RevisionFiles, Version, compare, report::Report},
    control::Control,
    dependencies::dependencies,
    environment::{
        listing,
        node::{self, NodePackages},
        python::EnvironmentSetting,
    },
    index::Index,
    indexer::{Builder, Libraries, LibrarySettings, Progress},
    language::Language,
    packages::Dependency,
    source::{LinkedSources, Source, reread},
    unprintable::escaped_line,
};

pub use revisions::{Change, RevisionRange};

/// What is compared: a program, and another version of a package that it uses.
#[derive(Clone, Copy, Debug)]
pub struct UpgradeRequest<'r> {
    /// The files of the program.
    pub source: &'r Source,
    /// The environment that holds the installed version.
    pub environment: &'r EnvironmentSetting,
    /// The cache of facts; `None` to go without.
    pub cache: Option<&'r Cache>,
    /// The name of the package.
    pub package: &'r str,
    /// The environment, folder or archive with the other version.
    pub other: &'r Path,
}

/// A program that was indexed with a version of its packages.
#[derive(Debug)]
pub struct IndexedProgram {
    /// The index of the program and the packages.
    pub index: Index,
    /// What was found of the packages.
    pub libraries: Libraries,
    /// The files of the index.
    pub files: Source,
}

/// A program with two versions of a package.
#[derive(Debug)]
pub struct Upgrade {
    /// The package, as it is installed.
    pub package: Dependency,
    /// The number of the other version, if it has one.
    pub other_version: Option<String>,
    /// The program with the installed version.
    pub before: IndexedProgram,
    /// The program with the other version.
    pub after: IndexedProgram,
    /// Keeps the files of an archive, which `after` reads.
    unpacked: Option<UnpackedPackage>,
}

impl Upgrade {
    /// Indexes a program twice, with the installed and with the other version of a package. `Ok(None)` if the observer
    /// cancelled.
    ///
    /// # Errors
    /// One line that says how to mend it: the program does not use the package, or there is no such version.
    pub fn read(
        request: &UpgradeRequest<'_>,
        observe: &mut dyn FnMut(Progress) -> Control,
    ) -> Result<Option<Self>, String> {
        let UpgradeRequest { source, environment, package, other, .. } = *request;
        let settings = packages::settings(source, environment)
            .ok_or("packages are found beside the code of one folder; name a folder to look at")?;
        let Some(before) = request.index(settings.clone(), false, observe)? else { return Ok(None) };
        let packages = dependencies(&before.index, &before.libraries);
        let package = Dependency::find(&packages, package).map_err(|error| error.to_string())?.clone();
        let unpacked = if other.is_file() { Some(unpacked(other, &package)?) } else { None };
        let settings = match &unpacked {
            Some(unpacked) => {
                let replaced = vec![unpacked.folder().to_owned()];
                if package.language == Language::TypeScript {
                    check_types(other, &replaced, &package)?;
                }
                LibrarySettings { replaced, ..settings }
            }
            None => with_folder(other, settings, &package)?,
        };
        let Some(after) = request.index(settings, true, observe)? else { return Ok(None) };
        let other_version = if let Some(unpacked) = &unpacked {
            Some(unpacked.version.clone()).filter(|version| !version.is_empty())
        } else {
            let packages = dependencies(&after.index, &after.libraries);
            let found = Dependency::find(&packages, &package.package);
            found.map_err(|error| format!("in {}: {error}", other.display()))?.version.clone()
        };
        Ok(Some(Self { package, other_version, before, after, unpacked }))
    }

    /// What the other version does to the uses of the package.
    pub fn report(&self) -> Report {
        let Self { before, after, package, .. } = self;
        let read_before = |path: &str| reread(&before.files, path).map(|text| text.source);
        let read_after = |path: &str| reread(&after.files, path).map(|text| text.source);
        compare(
            &Version { index: &before.index, libraries: &before.libraries, read: &read_before },
            &Version { index: &after.index, libraries: &after.libraries, read: &read_after },
            package,
        )
    }

    /// The package and its two versions, on one line.
    pub fn title(&self) -> String {
        let name = escaped_line(&self.package.package);
        let old = self.package.version.as_deref().unwrap_or("installed");
        let new = self.other_version.as_deref().unwrap_or("other");
        format!("{name} {} → {}", escaped_line(old), escaped_line(new))
    }
}

impl IndexedProgram {
    /// Indexes sources without packages. `Ok(None)` if the observer cancelled.
    fn of_sources(
        source: Source,
        cache: Option<&Cache>,
        observe: &mut dyn FnMut(Progress) -> Control,
    ) -> Result<Option<Self>, String> {
        let kept = cache.and_then(|cache| cache.open(&source));
        let mut builder = Builder::new(source.clone());
        let built = cache::build(&mut builder, kept, observe).map_err(|error| error.to_string())?;
        let Some(index) = built else { return Ok(None) };
        Ok(Some(Self { index, libraries: Libraries::default(), files: source }))
    }

    /// What `compare` says of this version and the version `after`. The sources have paths below `folder`, and `new`
    /// are their files after the change.
    fn with_edited<T>(
        &self,
        after: &Self,
        folder: &str,
        new: RevisionFiles<'_>,
        compare: impl Fn(&Version<'_>, &Version<'_>, &Edits<'_>) -> T,
    ) -> T {
        let read_before = |path: &str| reread(&self.files, path).map(|text| text.source);
        let read_after = |path: &str| reread(&after.files, path).map(|text| text.source);
        let old_paths = self.index.files.iter().map(|file| file.path.to_string()).collect();
        let edits = Edits::new(folder, RevisionFiles { paths: old_paths, read: &read_before }, new);
        compare(
            &Version { index: &self.index, libraries: &self.libraries, read: &read_before },
            &Version { index: &after.index, libraries: &after.libraries, read: &read_after },
            &edits,
        )
    }
}

impl UpgradeRequest<'_> {
    /// The program with the packages that `settings` find; `None` if the observer cancelled.
    fn index(
        &self,
        settings: LibrarySettings,
        is_other: bool,
        observe: &mut dyn FnMut(Progress) -> Control,
    ) -> Result<Option<IndexedProgram>, String> {
        let open = if is_other { Cache::open_with_other_version } else { Cache::open_with_packages };
        let kept = self.cache.and_then(|cache| open(cache, self.source));
        let mut builder = Builder::new(self.source.clone());
        builder.set_libraries(Some(settings));
        let built = cache::build(&mut builder, kept, observe).map_err(|error| error.to_string())?;
        let Some(index) = built else { return Ok(None) };
        let libraries = builder.into_libraries().unwrap_or_default();
        packages::environments::check(&libraries)?;
        let python = libraries.python.files.iter().chain(&libraries.python.described);
        let files = python.chain(&libraries.node.files).cloned();
        let files = Source::Linked(LinkedSources::with_packages(self.source.clone(), files));
        Ok(Some(IndexedProgram { index, libraries, files }))
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
            check_types(folder, &found, package)?;
            Ok(LibrarySettings { replaced: found, ..settings })
        }
    }
}

/// An error unless one of the packages in `folders`, which `shown` holds, declares types.
fn check_types(shown: &Path, folders: &[PathBuf], package: &Dependency) -> Result<(), String> {
    let (shown, name) = (shown.display(), escaped_line(&package.package));
    if folders.is_empty() {
        return Err(format!("{shown} holds no {name}; name a folder with its package.json"));
    }
    if !folders.iter().any(|folder| NodePackages::declares_types(folder)) {
        let types = node::types_package(&package.package).unwrap_or_default();
        return Err(format!("{shown} declares no types of {name}; name {}", escaped_line(&types)));
    }
    Ok(())
}
