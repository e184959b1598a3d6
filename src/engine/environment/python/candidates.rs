//! The places where the environment of a project may be, in the order in which they are looked at.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use super::{configured, managed};
use crate::listing;

/// What the shell that started the program says: variables and the home folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shell {
    /// `VIRTUAL_ENV`.
    pub virtual_env: Option<PathBuf>,
    /// `CONDA_PREFIX`.
    pub conda_prefix: Option<PathBuf>,
    /// `UV_PROJECT_ENVIRONMENT`.
    pub uv_project_environment: Option<PathBuf>,
    /// `POETRY_VIRTUALENVS_PATH`, or `virtualenvs` below `POETRY_CACHE_DIR`.
    pub poetry_environments: Option<PathBuf>,
    /// `WORKON_HOME`, where pipenv makes its environments.
    pub workon_home: Option<PathBuf>,
    /// The home folder of the user.
    pub home: Option<PathBuf>,
}

/// What names the folder of an environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FoundBy {
    /// The user, by a flag or a setting.
    Named,
    /// A setting of another tool in a file of the project, such as `[tool.pyright]`.
    Setting(CompactString),
    /// A folder of the project or above it, such as `.venv`.
    Folder(CompactString),
    /// The rule by which a tool names the environments that it keeps elsewhere.
    Tool(CompactString),
    /// A variable of the shell.
    Variable(CompactString),
}

impl FoundBy {
    /// True if a person chose the environment for this project: it is taken whatever it holds.
    pub fn is_chosen(&self) -> bool {
        matches!(self, Self::Named | Self::Setting(_))
    }
}

impl fmt::Display for FoundBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named => f.write_str("named by the user"),
            Self::Setting(setting) => write!(f, "named by {setting}"),
            Self::Folder(name) => write!(f, "{name} of the project"),
            Self::Tool(tool) => write!(f, "where {tool} keeps it"),
            Self::Variable(name) => write!(f, "{name} of the shell"),
        }
    }
}

/// The places for the project in `project`, best first. A place need not be there. `top` is the outermost folder that
/// is looked at: the repository that holds the project.
///
/// What the project says comes before what the shell says: one shell opens many repositories.
pub(super) fn candidates(project: &Path, top: &Path, shell: &Shell) -> Vec<(FoundBy, PathBuf)> {
    let folders: Vec<&Path> = project.ancestors().take_while(|folder| folder.starts_with(top)).collect();
    let mut places = Vec::new();
    for folder in &folders {
        places.extend(configured::environments(folder));
    }
    for folder in &folders {
        places.extend(beside(folder, shell));
    }
    for folder in &folders {
        places.extend(managed::environments(folder, shell));
    }
    let variables = [("VIRTUAL_ENV", &shell.virtual_env), ("CONDA_PREFIX", &shell.conda_prefix)];
    for (name, folder) in variables {
        places.extend(folder.iter().map(|folder| (FoundBy::Variable(name.into()), folder.clone())));
    }
    places
}

/// The environments that lie in a folder of the project.
fn beside(folder: &Path, shell: &Shell) -> Vec<(FoundBy, PathBuf)> {
    let found = |name: &str, path: PathBuf| (FoundBy::Folder(name.into()), path);
    let mut places = Vec::new();
    if let Some(environment) = &shell.uv_project_environment
        && listing::is_file(&folder.join("uv.lock"))
    {
        places.push((FoundBy::Variable("UV_PROJECT_ENVIRONMENT".into()), folder.join(environment)));
    }
    let venv = folder.join(".venv");
    // A file `.venv` names the folder: PEP 832, and pipenv.
    match listing::is_file(&venv).then(|| listing::text(&venv)).flatten() {
        Some(text) => {
            let named = text.lines().next().unwrap_or_default().trim();
            places.extend((!named.is_empty()).then(|| found(".venv", folder.join(named))));
        }
        None => places.push(found(".venv", venv)),
    }
    let pdm = listing::text(&folder.join(".pdm-python"));
    if let Some(prefix) = pdm.as_deref().and_then(|path| Path::new(path.trim()).parent()?.parent()) {
        places.push(found(".pdm-python", folder.join(prefix)));
    }
    for name in ["venv", "env", ".env", "virtualenv"] {
        let path = folder.join(name);
        if listing::is_file(&path.join("pyvenv.cfg")) || listing::is_folder(&path.join("conda-meta")) {
            places.push(found(name, path));
        }
    }
    let mut below = |name: &str, inner: &str| {
        let inside = listing::entries(&folder.join(name)).into_iter().filter(|entry| entry.is_folder);
        let mut names: Vec<String> = inside.map(|entry| entry.name).collect();
        // The environment for development before those for tests and documents.
        names.sort_by_key(|entry| (entry != "default", entry.clone()));
        for entry in names {
            let path = folder.join(name).join(&entry).join(inner);
            if listing::is_folder(&path) {
                places.push(found(&format!("{name}/{entry}"), path));
            }
        }
    };
    below(".pixi/envs", "");
    below("__pypackages__", "lib");
    below(".conda", "");
    if listing::is_folder(&folder.join(".conda/conda-meta")) {
        places.push(found(".conda", folder.join(".conda")));
    }
    places
}
