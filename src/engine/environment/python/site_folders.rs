//! The folders of an environment in which its interpreter looks for modules.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{PythonVersion, editable, pyvenv::Pyvenv};
use crate::listing;

/// The greatest number of environments that extend each other.
const MAX_EXTENDED: usize = 4;
/// The greatest number of folders that `.pth` files add.
const MAX_ADDED: usize = 500;

/// An environment: where the packages of a project are installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// The folder of the environment.
    pub folder: PathBuf,
    /// The version of Python, if its settings or its folders say it.
    pub version: Option<PythonVersion>,
    /// The folders in which modules are looked for, in the order of the interpreter.
    pub module_folders: Vec<ModuleFolder>,
    /// The modules that an import hook maps to folders or files elsewhere, by their names.
    pub mapped: Vec<(String, PathBuf)>,
    /// The distributions whose import hooks cannot be read as data. Their modules stay unknown.
    pub hooks: Vec<String>,
    /// The standard library of the interpreter that the environment was made with.
    pub standard_library: Option<PathBuf>,
}

/// A folder in which modules are looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleFolder {
    /// The folder.
    pub path: PathBuf,
    /// Why modules are looked for there.
    pub kind: ModuleFolderKind,
}

/// Why modules are looked for in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ModuleFolderKind {
    /// Packages are installed there.
    Site,
    /// A `.pth` file names the folder: an editable installation, or a member of a workspace.
    Added,
    /// The interpreter's own folder of packages, which the environment includes.
    System,
}

impl Environment {
    /// An environment that holds nothing yet.
    pub(super) fn without_packages(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            version: None,
            module_folders: Vec::new(),
            mapped: Vec::new(),
            hooks: Vec::new(),
            standard_library: None,
        }
    }

    /// The environment in a folder; `None` if the folder holds no folder of packages.
    pub fn read(folder: &Path) -> Option<Self> {
        let settings = Pyvenv::read(folder).unwrap_or_default();
        let mut sites = sites(folder, settings.version);
        // A folder of packages without an environment around it: `pip install --target`, `__pypackages__/3.12/lib`.
        if sites.is_empty() && holds_distributions(folder) {
            sites.push((settings.version, folder.to_owned()));
        }
        let version = settings.version.or_else(|| sites.iter().find_map(|(version, _)| *version));
        let standard_library = standard_library(folder, settings.home.as_deref(), version);
        let mut environment = Self { version, standard_library, ..Self::without_packages(folder) };
        if sites.is_empty() {
            return None;
        }
        environment.push_sites(sites, ModuleFolderKind::Site);
        environment.extend(&settings);
        Some(environment)
    }

    /// Adds the folders of the environments that this one includes.
    fn extend(&mut self, settings: &Pyvenv) {
        let mut next = settings.extends.clone();
        for _ in 0..MAX_EXTENDED {
            let Some(extended) = next.take() else { break };
            self.push_sites(sites(&extended, self.version), ModuleFolderKind::Site);
            next = Pyvenv::read(&extended).and_then(|settings| settings.extends);
        }
        if settings.includes_system
            && let Some(system) = settings.home.as_deref().and_then(prefix_of)
        {
            self.push_sites(sites(system, self.version), ModuleFolderKind::System);
        }
    }

    fn push_sites(&mut self, sites: Vec<(Option<PythonVersion>, PathBuf)>, kind: ModuleFolderKind) {
        for (_, site) in sites {
            self.push(site.clone(), kind);
            let added = editable::read(&site);
            for folder in added.folders.into_iter().take(MAX_ADDED) {
                self.push(folder, ModuleFolderKind::Added);
            }
            self.mapped.extend(added.mapped);
            self.hooks.extend(added.hooks);
        }
    }

    fn push(&mut self, path: PathBuf, kind: ModuleFolderKind) {
        if !self.module_folders.iter().any(|known| known.path == path) {
            self.module_folders.push(ModuleFolder { path, kind });
        }
    }
}

/// The folders of packages below a prefix, each with the version of Python in its name. Those of `version` are taken if
/// there are any, else those of the latest version: a folder of an older interpreter may have been left behind.
fn sites(prefix: &Path, version: Option<PythonVersion>) -> Vec<(Option<PythonVersion>, PathBuf)> {
    let mut found = Vec::new();
    for library in ["lib", "lib64", "local/lib"] {
        let library = prefix.join(library);
        for entry in listing::entries(&library).into_iter().filter(|entry| entry.is_folder) {
            let of = PythonVersion::of_folder(&entry.name);
            if of.is_none() && entry.name != "python3" {
                continue;
            }
            for packages in ["site-packages", "dist-packages"] {
                let folder = library.join(&entry.name).join(packages);
                if listing::is_folder(&folder) {
                    found.push((of, folder));
                }
            }
        }
    }
    let windows = prefix.join("Lib/site-packages");
    if found.is_empty() && listing::is_folder(&windows) {
        found.push((None, windows));
    }
    let versions = || found.iter().filter_map(|(of, _)| *of);
    let wanted = version.filter(|version| versions().any(|of| of == *version)).or_else(|| versions().max());
    found.retain(|(of, _)| of.is_none() || *of == wanted);
    // `lib64` is a link to `lib` in most environments.
    let mut real = Vec::new();
    found.retain(|(_, folder)| {
        let path = listing::real_path(folder).unwrap_or_else(|| folder.clone());
        let is_new = !real.contains(&path);
        real.push(path);
        is_new
    });
    found
}

/// True if distributions are installed in the folder itself.
fn holds_distributions(folder: &Path) -> bool {
    listing::entries(folder).iter().any(|entry| entry.is_folder && entry.name.ends_with(".dist-info"))
}

/// The prefix of the interpreter whose programs are in `home`: `/usr` for `/usr/bin`. On Windows both are one folder.
fn prefix_of(home: &Path) -> Option<&Path> {
    if home.file_name().is_some_and(|name| name == "bin") { home.parent() } else { Some(home) }
}

/// The standard library of the interpreter in `home`, or of an environment that brings its own interpreter (conda).
fn standard_library(folder: &Path, home: Option<&Path>, version: Option<PythonVersion>) -> Option<PathBuf> {
    let prefix = match home {
        Some(home) => prefix_of(home)?,
        None => folder,
    };
    let named = version.map(|version| {
        [
            prefix.join(format!("lib/python{version}")),
            prefix.join(format!("Frameworks/Python.framework/Versions/{version}/lib/python{version}")),
        ]
    });
    let places = named.into_iter().flatten().chain([prefix.join("Lib")]);
    places.into_iter().find(|place| listing::is_file(&place.join("abc.py")))
}
