//! The installed packages that a program uses, for every face: where they are looked for, and the index of them.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use crate::cache::{Cache, SourceCache};
use apidisc::{
    control::Control,
    dependencies::{CallDestinations, CallOrigins, dependencies},
    environment::python::{EnvironmentSetting, Outcome, Shell},
    index::Index,
    indexer::{BuildError, BuildOutcome, Builder, Libraries, LibrarySettings, Progress},
    source::{LinkedSources, Source},
    unprintable::escaped_line,
};

/// An index of the packages that a program uses.
#[derive(Debug)]
pub struct PackageIndex {
    /// The index, with the packages: see [`Index::into_index_of_packages`].
    pub index: Index,
    /// The files of the index.
    pub source: Source,
    /// The state of what was installed.
    pub installed: InstalledState,
    /// The number of calls of the program by where they lead.
    pub destinations: CallDestinations,
    /// The environment of Python that was taken and how it was found, on one line; `None` if none was taken.
    pub environment: Option<String>,
}

impl PackageIndex {
    /// Indexes a folder together with the packages that it uses. `Ok(None)` if the source is no folder, if
    /// `environment` leaves packages out, or if the observer cancelled.
    ///
    /// # Errors
    /// [`BuildError`] if the folder cannot be opened.
    pub fn read(
        source: &Source,
        cache: Option<&Cache>,
        environment: &EnvironmentSetting,
        observe: &mut dyn FnMut(Progress) -> Control,
    ) -> Result<Option<Self>, BuildError> {
        let Some(settings) = settings(source, environment) else { return Ok(None) };
        let project = settings.project.clone();
        let kept = cache.and_then(|cache| cache.open_with_packages(source));
        let mut builder = Builder::new(source.clone());
        builder.set_libraries(Some(settings));
        builder.set_store(kept.as_ref().map(SourceCache::store));
        let BuildOutcome::Index { index, .. } = builder.build(observe)? else { return Ok(None) };
        if let Some(kept) = kept {
            kept.save(&mut builder, &index);
        }
        let libraries = builder.into_libraries().unwrap_or_default();
        Ok(Some(Self::of(*index, libraries, source, &project)))
    }

    /// The index of packages of an index of a program and its packages. `source` has the files of the program, and
    /// `project` is its folder.
    pub fn of(index: Index, libraries: Libraries, source: &Source, project: &Path) -> Self {
        let packages = dependencies(&index, &libraries);
        let destinations = CallDestinations::of(&index, &CallOrigins::new(&packages, &libraries));
        let environment = taken(&libraries);
        let installed = InstalledState::of(project, &libraries);
        let files = libraries.python.files.into_iter().chain(libraries.node.files);
        let source = Source::Linked(LinkedSources::with_packages(source.clone(), files));
        Self { index: index.into_index_of_packages(packages), source, installed, destinations, environment }
    }
}

/// The settings with which the packages of a source are read. `None` if the source is no folder, or if `environment`
/// leaves packages out.
pub fn settings(source: &Source, environment: &EnvironmentSetting) -> Option<LibrarySettings> {
    let Source::Folder(folder) = source else { return None };
    if *environment == EnvironmentSetting::None {
        return None;
    }
    let folder = if folder.is_file() { folder.parent().unwrap_or(Path::new(".")) } else { folder };
    let project = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    Some(LibrarySettings { environment: environment.clone(), project, shell: shell(), replaced: Vec::new() })
}

/// What the environment variables of this process say of environments.
fn shell() -> Shell {
    let path = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    Shell {
        virtual_env: path("VIRTUAL_ENV"),
        conda_prefix: path("CONDA_PREFIX"),
        uv_project_environment: path("UV_PROJECT_ENVIRONMENT"),
        poetry_environments: path("POETRY_VIRTUALENVS_PATH")
            .or_else(|| path("POETRY_CACHE_DIR").map(|cache| cache.join("virtualenvs"))),
        workon_home: path("WORKON_HOME"),
        home: path("HOME").or_else(|| path("USERPROFILE")),
    }
}

/// The environment of Python that was taken, on one line.
fn taken(libraries: &Libraries) -> Option<String> {
    let taken = libraries.python.search.candidates.iter().find(|c| matches!(c.outcome, Outcome::Taken { .. }))?;
    let folder = taken.folder.display().to_string();
    Some(format!("{} ({})", escaped_line(&folder), taken.found_by))
}

/// The folders in which packages are installed, with the times of their last changes.
#[derive(Debug)]
pub struct InstalledState(Vec<(PathBuf, Option<SystemTime>)>);

impl InstalledState {
    /// The folders that hold files of the index, and those beside the program that an installer would make.
    fn of(project: &Path, libraries: &Libraries) -> Self {
        let mut folders: BTreeSet<PathBuf> = [".venv", "venv", "node_modules"].map(|name| project.join(name)).into();
        folders.extend(libraries.python.search.candidates.iter().map(|candidate| candidate.folder.clone()));
        let files = libraries.python.files.iter().chain(&libraries.node.files);
        let is_root = |folder: &&Path| folder.ends_with("site-packages") || folder.ends_with("node_modules");
        folders.extend(files.filter_map(|(_, file)| file.ancestors().find(is_root)).map(Path::to_owned));
        Self(folders.into_iter().map(|folder| (folder.clone(), changed(&folder))).collect())
    }

    /// True if nothing was installed or removed since, as far as the times of the folders tell.
    pub fn is_current(&self) -> bool {
        self.0.iter().all(|(folder, time)| changed(folder) == *time)
    }
}

/// The time of the last change of a folder; `None` if it is not there.
fn changed(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder).and_then(|found| found.modified()).ok()
}
