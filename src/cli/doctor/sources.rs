//! Checks of the folder of code, where its packages are installed, and the models.

use std::{fs, path::Path};

use super::check::Check;
use crate::{
    cli::ModelOptions,
    packages::{node_modules_beside, python_environment_beside},
};

/// The folder of code.
pub(super) fn folder(folder: &Path) -> Check {
    const NAME: &str = "folder";
    match fs::metadata(folder).and_then(|found| if found.is_dir() { fs::read_dir(folder).map(|_| ()) } else { Ok(()) })
    {
        Ok(()) => Check::ok(NAME, folder.canonicalize().as_deref().unwrap_or(folder).display().to_string()),
        Err(why) => Check::fails(NAME, format!("{}: {why}", folder.display()), "name another folder"),
    }
}

/// The environment in which Python packages of the folder are installed.
pub(super) fn python(folder: &Path) -> Check {
    const NAME: &str = "python";
    let remedy = "make one in the project, such as .venv, or name one with --env; code without packages needs none";
    match python_environment_beside(folder) {
        Some((environment, found_by)) => {
            let version = environment.version.map_or_else(String::new, |version| format!(", Python {version}"));
            Check::ok(NAME, format!("{} ({found_by}){version}", environment.folder.display()))
        }
        None => Check::note(NAME, "no environment with installed packages is found", remedy),
    }
}

/// The folder in which npm packages of the folder are installed.
pub(super) fn node(folder: &Path) -> Check {
    const NAME: &str = "node";
    let remedy = "install the packages of the project, if it has any: their types are read there";
    match node_modules_beside(folder) {
        Some(found) => Check::ok(NAME, found.display().to_string()),
        None => Check::note(NAME, "no node_modules is found", remedy),
    }
}

/// The model of word vectors, by which searches compare meanings. A mistake in it is one of the configuration.
pub(super) fn words(has_own: bool) -> Check {
    let found = if has_own { "the model that config.toml names" } else { "the model that comes with the program" };
    Check::ok("words", found)
}

/// The language model that answers questions. It is not asked.
pub(super) fn model(options: &ModelOptions) -> Check {
    const NAME: &str = "model";
    let Some(name) = &options.model else {
        let remedy = "set APIDISC_MODEL to PROVIDER:NAME if a model shall answer; `ask` prints the context without one";
        return Check::note(NAME, "none is configured", remedy);
    };
    match options.open() {
        Ok(_) => Check::ok(NAME, format!("{name}; it was not asked")),
        Err(why) => Check::fails(NAME, format!("{name}: {why:#}"), "change APIDISC_MODEL, or model below [ask]"),
    }
}
