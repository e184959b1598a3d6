//! The choice of an environment.

use std::path::{Path, PathBuf};

use apidisc_base::environment::EnvironmentSetting;
use serde::{Deserialize, Serialize};

use super::{Environment, FoundBy, InstalledModules, ModuleFolder, ModuleFolderKind, Shell, candidates, configured};
use crate::listing;

/// What the search for an environment has found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Search {
    /// The environment that is taken, with its modules.
    pub taken: Option<(Environment, InstalledModules)>,
    /// Every place that was looked at and is there, in order.
    pub candidates: Vec<Candidate>,
    /// The versions of Python that the project works with, such as `>=3.11`, if it says so.
    pub required_python: Option<String>,
}

/// A place that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// The folder.
    pub folder: PathBuf,
    /// What names the folder.
    pub found_by: FoundBy,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a place that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It is taken. It holds so many of the imported modules.
    Taken {
        /// The number of imported modules that it holds.
        held: usize,
    },
    /// Another one is taken.
    Passed {
        /// The number of imported modules that it holds.
        held: usize,
    },
    /// It is not there, although the user or a setting names it.
    Missing,
    /// It holds no folder of packages.
    NoPackages,
    /// Its folders cannot be read.
    Unreadable,
}

impl Search {
    /// Lets the modules of folders take the place of those of the environment. Without an environment they are all that
    /// is installed.
    pub fn put_first(&mut self, folders: &[PathBuf]) {
        let Some(first) = folders.first() else { return };
        let replacing = folders.len();
        let environment = self.taken.take().map(|(environment, _)| environment);
        let mut environment = environment.unwrap_or_else(|| Environment::without_packages(first));
        let folders = folders.iter().map(|path| ModuleFolder { path: path.clone(), kind: ModuleFolderKind::Site });
        environment.module_folders.splice(0..0, folders);
        let mut modules = InstalledModules::of(&environment);
        modules.drop_replaced(replacing);
        self.taken = Some((environment, modules));
    }
}

/// Finds the environment of the project in `project`. `imported` are the first parts of the names that its files import
/// and neither they nor the standard library define. `top` is the outermost folder that is looked at.
///
/// An environment that a person has chosen is taken. Of the others the first is taken that holds at least half as many
/// of the imported modules as the best one does; of those that hold none, the first.
pub fn search(project: &Path, top: &Path, setting: &EnvironmentSetting, shell: &Shell, imported: &[&str]) -> Search {
    let places = match setting {
        EnvironmentSetting::None => return Search::default(),
        EnvironmentSetting::Folder(folder) => vec![(FoundBy::Named, folder.clone())],
        EnvironmentSetting::Auto => candidates::candidates(project, top, shell),
    };
    let mut search = Search { required_python: configured::required_python(project, top), ..Search::default() };
    // The position in `candidates`, the environment, its modules, and the number of imported modules among them.
    let mut read: Vec<(usize, Environment, InstalledModules, usize)> = Vec::new();
    for (found_by, folder) in places {
        if search.candidates.iter().any(|known| known.folder == folder) {
            continue;
        }
        let outcome = if !listing::is_folder(&folder) {
            if !found_by.is_chosen() {
                continue;
            }
            Outcome::Missing
        } else if let Some(environment) = Environment::read(&folder) {
            let modules = InstalledModules::of(&environment);
            let held = imported.iter().filter(|name| modules.holds(name)).count();
            read.push((search.candidates.len(), environment, modules, held));
            Outcome::Passed { held }
        } else if listing::is_unreadable(&folder) {
            Outcome::Unreadable
        } else {
            Outcome::NoPackages
        };
        search.candidates.push(Candidate { folder, found_by, outcome });
    }
    let best = read.iter().map(|(.., held)| *held).max().unwrap_or_default();
    let is_taken = |(position, _, _, held): &(usize, Environment, InstalledModules, usize)| {
        search.candidates[*position].found_by.is_chosen() || held * 2 >= best
    };
    if let Some(position) = read.iter().position(is_taken) {
        let (candidate, environment, modules, held) = read.swap_remove(position);
        search.candidates[candidate].outcome = Outcome::Taken { held };
        search.taken = Some((environment, modules));
    }
    search
}
