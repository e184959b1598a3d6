//! The installed packages that a program uses, for every face: where they are looked for, the index of them, and what
//! is said of their environments.

pub mod environments;
pub mod examples;
mod explain;

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use crate::cache::{self, Cache};
use apidisc::{
    breaks::{Version, deprecated_uses},
    control::Control,
    dependencies::{CallDestinations, CallOrigins, UncountedCalls, dependencies},
    environment::{
        listing,
        python::{Candidate, Environment, EnvironmentSetting, FoundBy, Outcome, Shell, search},
    },
    index::Index,
    indexer::{Builder, Libraries, LibrarySettings, ProgramFolder, Progress},
    packages::Dependency,
    source::{LinkedSources, Source, reread},
};

pub use explain::{Explained, explain};

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
    /// The calls that are counted for no definition.
    pub uncounted: UncountedCalls,
    /// The environments of Python that were taken, how they were found, and where packages are that cannot be read; on
    /// one line. `None` if there is nothing to say.
    pub environment: Option<String>,
}

impl PackageIndex {
    /// Indexes sources together with the packages that they use. `Ok(None)` if no source may have packages, or if the
    /// observer cancelled.
    ///
    /// # Errors
    /// One line: the sources cannot be opened, or an environment that a person names holds no packages.
    pub fn read(
        source: &Source,
        cache: Option<&Cache>,
        environment: &EnvironmentSetting,
        observe: &mut dyn FnMut(Progress) -> Control,
    ) -> Result<Option<Self>, String> {
        let Some(settings) = settings(source, environment) else { return Ok(None) };
        let kept = cache.and_then(|cache| cache.open_with_packages(source));
        let mut builder = Builder::new(source.clone());
        builder.set_libraries(Some(settings.clone()));
        let built = cache::build(&mut builder, kept, observe).map_err(|error| error.to_string())?;
        let Some(index) = built else { return Ok(None) };
        let libraries = builder.into_libraries().unwrap_or_default();
        environments::check(&libraries)?;
        let mut read = Self::of(index, &libraries, source, &settings);
        let packages = read.index.packages.clone().unwrap_or_default();
        let added = examples::add(&mut read.index, source, &packages, cache, observe);
        Ok(added.map(|_| read))
    }

    /// The index of packages of an index of a program and its packages. `source` has the files of the program, and
    /// `settings` found the packages.
    pub fn of(index: Index, libraries: &Libraries, source: &Source, settings: &LibrarySettings) -> Self {
        let mut packages = dependencies(&index, libraries);
        let origins = CallOrigins::new(&packages, libraries);
        let (destinations, uncounted) = (CallDestinations::of(&index, &origins), UncountedCalls::of(&index, &origins));
        let environment = environments::title(libraries);
        let installed = InstalledState::of(settings, libraries);
        let files = libraries.python.files.iter().chain(&libraries.node.files).cloned();
        let source = Source::Linked(LinkedSources::with_packages(source.clone(), files));
        count_deprecated(&mut packages, &index, libraries, &source);
        Self { index: index.into_index_of_packages(packages), source, installed, destinations, uncounted, environment }
    }
}

/// Counts what a program uses of each package that is deprecated. `files` are those of the index.
pub fn count_deprecated(packages: &mut [Dependency], index: &Index, libraries: &Libraries, files: &Source) {
    let read = |path: &str| reread(files, path).map(|text| text.source);
    let counts = deprecated_uses(&Version { index, libraries, read: &read }, packages);
    for (package, count) in packages.iter_mut().zip(counts) {
        package.deprecated = count;
    }
}

/// The settings with which the packages of sources are read. `None` if no source is a folder, or if all packages are
/// left out. `environment` is the choice of the command line; where it is `Auto`, the list of sources chooses.
pub fn settings(source: &Source, environment: &EnvironmentSetting) -> Option<LibrarySettings> {
    let programs = source.parts().zip(source.written_environments()).filter_map(|((name, part), written)| {
        let (environment, named_by) = match (environment, written) {
            (EnvironmentSetting::Auto, Some(written)) => (written.setting.clone(), written.place.clone()),
            (environment, _) => (environment.clone(), "--env".to_owned()),
        };
        let project = match part {
            Source::Folder(folder) => {
                let folder = if folder.is_file() { folder.parent().unwrap_or(Path::new(".")) } else { folder };
                Some(folder.canonicalize().unwrap_or_else(|_| folder.to_owned()))
            }
            // A commit of a list of sources may name the environment that its code runs in.
            Source::Commit(_) if !name.is_empty() => None,
            _ => return None,
        };
        let is_left_out = match environment {
            EnvironmentSetting::None => true,
            EnvironmentSetting::Auto => project.is_none(),
            EnvironmentSetting::Folder(_) => false,
        };
        (!is_left_out).then_some(ProgramFolder { source: name, project, environment, named_by })
    });
    let programs: Vec<ProgramFolder> = programs.collect();
    (!programs.is_empty()).then(|| LibrarySettings { programs, shell: shell(), replaced: Vec::new() })
}

/// The environment of Python that belongs to a folder, if nothing is known of what its code imports, and what names it.
pub fn python_environment_beside(folder: &Path) -> Option<(Environment, FoundBy)> {
    let project = listing::real_path(folder)?;
    let search = search(&project, listing::top_folder(&project), &EnvironmentSetting::Auto, &shell(), &[]);
    let (environment, _) = search.taken?;
    let is_taken = |candidate: &Candidate| matches!(candidate.outcome, Outcome::Taken { .. });
    let taken = search.candidates.into_iter().find(is_taken)?;
    Some((environment, taken.found_by))
}

/// The folder of npm packages that a folder uses: its own, or that of the nearest folder above it in its repository.
pub fn node_modules_beside(folder: &Path) -> Option<PathBuf> {
    let project = listing::real_path(folder)?;
    let top = listing::top_folder(&project);
    let folders = project.ancestors().take_while(|folder| folder.starts_with(top));
    folders.map(|folder| folder.join("node_modules")).find(|folder| listing::is_folder(folder))
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

/// The folders in which packages are installed, with the times of their last changes.
#[derive(Debug)]
pub struct InstalledState(Vec<(PathBuf, Option<SystemTime>)>);

impl InstalledState {
    /// The folders in which the environments hold packages, those that hold files of the index, and those beside the
    /// program that an installer would make.
    fn of(settings: &LibrarySettings, libraries: &Libraries) -> Self {
        let projects = settings.programs.iter().filter_map(|program| program.project.as_ref());
        let beside = |project: &PathBuf| [".venv", "venv", "node_modules"].map(|name| project.join(name));
        let mut folders: BTreeSet<PathBuf> = projects.flat_map(beside).collect();
        let candidates = libraries.python.environments.iter().flat_map(|source| &source.search.candidates);
        folders.extend(candidates.map(|candidate| candidate.folder.clone()));
        let environments = libraries.python.environments.taken();
        let sites = environments.flat_map(|(environment, _)| &environment.module_folders);
        folders.extend(sites.map(|folder| folder.path.clone()));
        let files = libraries.python.files.iter().chain(&libraries.node.files);
        let is_root = |folder: &&Path| folder.ends_with("site-packages") || folder.ends_with("node_modules");
        folders.extend(files.filter_map(|(_, file)| file.ancestors().find(is_root)).map(Path::to_owned));
        Self(folders.into_iter().map(|folder| (folder.clone(), changed(&folder))).collect())
    }

    /// True if no folder of packages has changed since the packages were read, by the folders' times of change.
    pub fn is_current(&self) -> bool {
        self.0.iter().all(|(folder, time)| changed(folder) == *time)
    }
}

/// The time of the last change of a folder; `None` if it is not there.
fn changed(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder).and_then(|found| found.modified()).ok()
}
