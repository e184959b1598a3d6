//! A program with two versions of a package that it uses, for every face: both are indexed here, and what the other
//! version breaks is the comparison of the two indexes.

mod other_version;
mod revisions;
mod whole;

pub mod places;

use crate::{
    archives::UnpackedPackage,
    cache::{self, Cache},
    packages,
};
use apidisc::{
    breaks::{Edits, RevisionFiles, Version, compare, report::Report},
    control::Control,
    dependencies::dependencies,
    environment::python::EnvironmentSetting,
    index::Index,
    indexer::{Builder, Libraries, LibrarySettings, Progress},
    packages::Dependency,
    source::{LinkedSources, Source, reread},
    unprintable::escaped_line,
};

use other_version::OtherFiles;
pub use other_version::OtherVersion;
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
    /// Where the other version is.
    pub other: &'r OtherVersion,
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
        let OtherFiles { settings, unpacked } = other.files(settings, &package)?;
        let Some(after) = request.index(settings, true, observe)? else { return Ok(None) };
        let other_version = if let Some(unpacked) = &unpacked {
            Some(unpacked.version.clone()).filter(|version| !version.is_empty())
        } else {
            let packages = dependencies(&after.index, &after.libraries);
            let found = Dependency::find(&packages, &package.package);
            found.map_err(|error| format!("in {other}: {error}"))?.version.clone()
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
