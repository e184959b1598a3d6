//! Environments that poetry, pipenv, hatch and conda keep in folders of the user, by the rules that name them.

use std::path::{Path, PathBuf};

use base64::{Engine as _, engine::general_purpose::URL_SAFE};
use sha2::{Digest as _, Sha256};

use super::{FoundBy, Shell};
use crate::listing;

/// The environments of the project in `folder` that a tool keeps elsewhere.
pub(super) fn environments(folder: &Path, shell: &Shell) -> Vec<(FoundBy, PathBuf)> {
    let project = listing::text(&folder.join("pyproject.toml")).and_then(|text| text.parse::<toml::Table>().ok());
    let mut places = Vec::new();
    let mut add = |tool: &'static str, found: Vec<PathBuf>| {
        places.extend(found.into_iter().map(|path| (FoundBy::Tool(tool.into()), path)));
    };
    if let Some(project) = &project {
        let name = project_name(project);
        if listing::is_file(&folder.join("poetry.lock")) || tool(project, "poetry").is_some() {
            add("poetry", poetry(folder, name.as_deref(), shell));
        }
        if tool(project, "hatch").is_some() {
            add("hatch", hatch(folder, name.as_deref(), shell));
        }
    }
    if listing::is_file(&folder.join("Pipfile")) {
        add("pipenv", pipenv(folder, shell));
    }
    add("conda", conda(folder, shell));
    places
}

fn tool<'t>(project: &'t toml::Table, name: &str) -> Option<&'t toml::Value> {
    project.get("tool")?.get(name)
}

/// The name of the project: PEP 621's, else poetry's own.
fn project_name(project: &toml::Table) -> Option<String> {
    let name = |table: &toml::Value| table.get("name").and_then(toml::Value::as_str).map(str::to_owned);
    project.get("project").and_then(name).or_else(|| tool(project, "poetry").and_then(name))
}

/// `NAME-HASH-py3.12`, the hash being that of the path of the project.
fn poetry(folder: &Path, name: Option<&str>, shell: &Shell) -> Vec<PathBuf> {
    let settings = listing::text(&folder.join("poetry.toml")).and_then(|text| text.parse::<toml::Table>().ok());
    let set = settings.as_ref().and_then(|table| table.get("virtualenvs")?.get("path")?.as_str()).map(PathBuf::from);
    let kept = |cache: &str| shell.home.as_ref().map(|home| home.join(cache));
    let kept = [
        kept(".cache/pypoetry/virtualenvs"),
        kept("Library/Caches/pypoetry/virtualenvs"),
        kept("AppData/Local/pypoetry/Cache/virtualenvs"),
    ];
    let Some(path) = folder.to_str() else { return Vec::new() };
    let name = plain_name(&name.unwrap_or_default().to_lowercase());
    let prefix = format!("{name}-{}-py", hash(path));
    let folders = set.into_iter().chain(shell.poetry_environments.clone()).chain(kept.into_iter().flatten());
    folders.flat_map(|folder| below(&folder, |entry| entry.starts_with(&prefix))).collect()
}

/// `NAME-HASH`, the hash being that of the path of the `Pipfile`.
fn pipenv(folder: &Path, shell: &Shell) -> Vec<PathBuf> {
    let pipfile = folder.join("Pipfile");
    let (Some(path), Some(name)) = (pipfile.to_str(), folder.file_name().and_then(|name| name.to_str())) else {
        return Vec::new();
    };
    let name = format!("{}-{}", plain_name(name), hash(path));
    let kept = |data: &str| shell.home.as_ref().map(|home| home.join(data));
    let kept = [kept(".local/share/virtualenvs"), kept(".virtualenvs")];
    let folders = shell.workon_home.clone().into_iter().chain(kept.into_iter().flatten());
    folders.map(|folder| folder.join(&name)).filter(|path| listing::is_folder(path)).collect()
}

/// `NAME/HASH/ENVIRONMENT`, the hash being that of the path of the project; the environment of the project's name or
/// `default` first.
fn hatch(folder: &Path, name: Option<&str>, shell: &Shell) -> Vec<PathBuf> {
    let (Some(home), Some(name), Some(path)) = (&shell.home, name, folder.to_str()) else { return Vec::new() };
    let name = name.to_lowercase().replace(['_', '.'], "-");
    let data = [".local/share/hatch", "Library/Application Support/hatch", "AppData/Local/hatch"];
    let mut found = Vec::new();
    for data in data {
        let kept = home.join(data).join("env/virtual").join(&name).join(hash(path));
        let mut environments = below(&kept, |_| true);
        environments.sort_by_key(|path| !(path.ends_with(&name) || path.ends_with("default")));
        found.extend(environments);
    }
    found
}

/// The environment that `environment.yml` names, in the folders where conda and its kin keep theirs.
fn conda(folder: &Path, shell: &Shell) -> Vec<PathBuf> {
    let file = ["environment.yml", "environment.yaml"].map(|name| folder.join(name));
    let Some(text) = file.iter().find_map(|file| listing::text(file)) else { return Vec::new() };
    let name = text.lines().find_map(|line| line.strip_prefix("name:"));
    let name = name.map(|name| name.trim().trim_matches(['"', '\''])).unwrap_or_default();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    let Some(home) = shell.home.as_ref().filter(|_| is_name && !name.starts_with('.')) else { return Vec::new() };
    let bases = ["miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", ".conda"];
    let of_home = bases.iter().map(|base| home.join(base).join("envs").join(name));
    // `CONDA_PREFIX` is the base environment, or lies in the same `envs`.
    let of_shell = shell.conda_prefix.iter().flat_map(|prefix| {
        [Some(prefix.join("envs").join(name)), prefix.parent().map(|environments| environments.join(name))]
    });
    of_home.chain(of_shell.flatten()).filter(|path| listing::is_folder(&path.join("conda-meta"))).collect()
}

/// The folders in `folder` whose names are wanted, the last name first: of `py3.11` and `py3.12` the latter.
fn below(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = listing::entries(folder).into_iter().rev();
    entries.filter(|entry| entry.is_folder && is_wanted(&entry.name)).map(|entry| folder.join(entry.name)).collect()
}

/// The name without the characters that shells treat specially, cut at 42, as virtualenv's users write it.
fn plain_name(name: &str) -> String {
    let plain = |c| if " $`!*@\"\\\r\n\t".contains(c) { '_' } else { c };
    name.chars().map(plain).take(42).collect()
}

/// The first eight characters of the hash of a path, as poetry, pipenv and hatch write it.
fn hash(path: &str) -> String {
    URL_SAFE.encode(&Sha256::digest(path.as_bytes())[..6])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value is what `base64.urlsafe_b64encode(hashlib.sha256(b"/home/me/shop").digest())[:8]` gives in Python.
    #[test]
    fn the_hash_of_a_path_is_that_of_the_tools() {
        assert_eq!(hash("/home/me/shop"), "SmjHJqoF");
        assert_eq!(plain_name("my project$"), "my_project_");
    }
}
