//! The Python package that contains the root of a source: if a person names a folder inside a package, its modules keep
//! the names under which they are imported.

use std::path::Path;

use compact_str::CompactString;

use super::Source;

/// The greatest number of folders above a root that are examined.
const MAX_FOLDERS: usize = 32;

/// The path of a source's root below the folder from which Python imports it: `httpx` for the folder `httpx/httpx` of a
/// repository, `google/adk/agents` for `src/google/adk/agents`. Empty if the root is in no package.
///
/// Folders without an `__init__` file may be namespace packages (PEP 420): they belong to the name only if they lie
/// directly in a folder `src` or `site-packages`, which is on the import path. The root of a project is imported under
/// its own name: no folder above it has a say.
pub(crate) fn enclosing_package(source: &Source) -> CompactString {
    let Source::Folder(root) = source else { return CompactString::default() };
    root.canonicalize().ok().and_then(|root| package_path(&root)).unwrap_or_default()
}

fn package_path(root: &Path) -> Option<CompactString> {
    let is_package = |folder: &Path| ["__init__.py", "__init__.pyi"].iter().any(|file| folder.join(file).is_file());
    let folders: Vec<&Path> = root.ancestors().take(MAX_FOLDERS).collect();
    let project = folders.iter().position(|folder| is_project(folder)).map_or(folders.len(), |at| at + 1);
    let folders = &folders[..project];
    let regular = folders.iter().take_while(|folder| is_package(folder)).count();
    if regular == 0 {
        return None;
    }
    let named = folders.iter().take_while(|folder| is_identifier(folder)).count();
    let namespaces = (regular..=named).find(|&at| folders.get(at).is_some_and(|folder| is_import_root(folder)));
    let parts: Vec<&str> = folders[..namespaces.unwrap_or(regular)].iter().rev().filter_map(|f| name(f)).collect();
    Some(parts.join("/").into())
}

/// True for the root of a repository or of a Python project.
fn is_project(folder: &Path) -> bool {
    let files = [".git", "pyproject.toml", "setup.py", "setup.cfg"];
    files.iter().any(|file| folder.join(file).symlink_metadata().is_ok())
}

/// True for a folder that is on the import path by convention.
fn is_import_root(folder: &Path) -> bool {
    matches!(name(folder), Some("src" | "site-packages"))
}

fn is_identifier(folder: &Path) -> bool {
    name(folder).is_some_and(|name| {
        let starts = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
        starts && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    })
}

fn name(folder: &Path) -> Option<&str> {
    folder.file_name()?.to_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_inside_a_package_has_the_name_that_python_imports() {
        let root = tempfile::tempdir().expect("a folder");
        let files = [
            "httpx/httpx/__init__.py",
            "httpx/httpx/_transports/__init__.py",
            "httpx/tests/test_a.py",
            "adk/src/google/adk/__init__.py",
            "adk/src/google/adk/agents/__init__.pyi",
            "core/python/core_types/__init__.py",
            "core/pyproject.toml",
            "env/lib/python3.12/site-packages/space/inner/__init__.py",
            "app/__init__.py",
            "app/nodes/__init__.py",
            "app/nodes/pyproject.toml",
            "app/nodes/steps/__init__.py",
        ];
        for file in files {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, "").expect("a file");
        }
        let package = |folder: &str| enclosing_package(&Source::Folder(root.path().join(folder)));
        assert_eq!(package("httpx"), "");
        assert_eq!(package("httpx/tests"), "");
        assert_eq!(package("httpx/httpx"), "httpx");
        assert_eq!(package("httpx/httpx/_transports"), "httpx/_transports");
        assert_eq!(package("adk/src/google/adk"), "google/adk");
        assert_eq!(package("adk/src/google/adk/agents"), "google/adk/agents");
        assert_eq!(package("adk/src/google"), "");
        assert_eq!(package("env/lib/python3.12/site-packages/space/inner"), "space/inner");
        assert_eq!(package("core/python/core_types"), "core_types");
        assert_eq!(package("app"), "app");
        assert_eq!(package("app/nodes"), "nodes");
        assert_eq!(package("app/nodes/steps"), "nodes/steps");
    }
}
