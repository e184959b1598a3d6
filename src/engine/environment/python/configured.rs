//! Environments that the settings of other tools name: pyright, ty and mypy.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use toml::Value;

use super::FoundBy;
use crate::listing;

/// The environments that files of `folder` name. A named interpreter is a path only: nothing runs it.
pub(super) fn environments(folder: &Path) -> Vec<(FoundBy, PathBuf)> {
    let mut places = Vec::new();
    if let Some(settings) = listing::text(&folder.join("pyrightconfig.json"))
        && let Ok(settings) = serde_json::from_str::<Json>(&settings)
    {
        let text = |key: &str| settings.get(key).and_then(Json::as_str);
        places.extend(pyright(folder, text("venvPath"), text("venv")).map(|path| ("pyrightconfig.json", path)));
    }
    let project = listing::text(&folder.join("pyproject.toml")).and_then(|text| text.parse::<toml::Table>().ok());
    if let Some(tools) = project.as_ref().and_then(|project| project.get("tool")) {
        let text = |keys: &[&str]| keys.iter().try_fold(tools, |table, key| table.get(key)).and_then(Value::as_str);
        let by_pyright = pyright(folder, text(&["pyright", "venvPath"]), text(&["pyright", "venv"]));
        places.extend(by_pyright.map(|path| ("[tool.pyright]", path)));
        let by_ty = text(&["ty", "environment", "python"]).map(|path| of_interpreter(folder, path));
        places.extend(by_ty.map(|path| ("[tool.ty.environment]", path)));
        let by_mypy = text(&["mypy", "python_executable"]).map(|path| of_interpreter(folder, path));
        places.extend(by_mypy.map(|path| ("[tool.mypy]", path)));
    }
    let ty = listing::text(&folder.join("ty.toml")).and_then(|text| text.parse::<toml::Table>().ok());
    if let Some(path) = ty.as_ref().and_then(|ty| ty.get("environment")?.get("python")?.as_str()) {
        places.push(("ty.toml", of_interpreter(folder, path)));
    }
    places.into_iter().map(|(setting, path)| (FoundBy::Setting(setting.into()), path)).collect()
}

/// `requires-python` of the project in a folder, or of the one around it up to `top`.
pub(super) fn required_python(project: &Path, top: &Path) -> Option<String> {
    let folders = project.ancestors().take_while(|folder| folder.starts_with(top));
    folders.into_iter().find_map(|folder| {
        let settings = listing::text(&folder.join("pyproject.toml"))?.parse::<toml::Table>().ok()?;
        Some(settings.get("project")?.get("requires-python")?.as_str()?.to_owned())
    })
}

/// The environment `venv` in the folder `venvPath`.
fn pyright(folder: &Path, venv_path: Option<&str>, venv: Option<&str>) -> Option<PathBuf> {
    Some(folder.join(venv_path.unwrap_or(".")).join(venv?))
}

/// The environment of an interpreter in its `bin` or `Scripts`; another path is the folder of an environment.
fn of_interpreter(folder: &Path, path: &str) -> PathBuf {
    let path = folder.join(path);
    let programs = path.parent().filter(|parent| parent.ends_with("bin") || parent.ends_with("Scripts"));
    programs.and_then(Path::parent).map(Path::to_owned).unwrap_or(path)
}
