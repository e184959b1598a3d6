//! Packages in commits of their repositories.

use std::{ops::ControlFlow, path::Path};

use apidisc::{environment::node, language::Language, packages::Dependency, source::Commit};

use super::{ArchiveError, MAX_FILE, TakeError, Target, UnpackedPackage};

/// The greatest number of folders around a package in a repository.
const MAX_FOLDERS_AROUND: usize = 4;
/// Folders of a repository whose modules and packages are not the published ones.
const OTHER_FOLDERS: [&str; 8] = ["test", "tests", "docs", "doc", "examples", "benchmarks", "vendor", "node_modules"];
/// The greatest size of a `package.json`, in bytes.
const MAX_MANIFEST: u64 = 1 << 20;

impl UnpackedPackage {
    /// Takes the files of a package out of a commit of its repository, which `shown` names. `revision` becomes the
    /// version.
    ///
    /// # Errors
    /// [`ArchiveError`] if the commit is damaged, the package is too large, or the commit does not hold it.
    pub(crate) fn of_commit(
        commit: &Commit,
        shown: &str,
        revision: &str,
        package: &Dependency,
    ) -> Result<Self, ArchiveError> {
        let failed = |why: TakeError| match why {
            TakeError::TooLarge(what) => ArchiveError::TooLarge(shown.to_owned(), what),
            TakeError::Io(why) => ArchiveError::Damaged(shown.to_owned(), why.to_string()),
        };
        let damaged = |why: String| ArchiveError::Damaged(shown.to_owned(), why);
        let name = package.package.clone();
        let folder = folder_of(commit, package).map_err(damaged)?;
        let folder = folder.ok_or_else(|| ArchiveError::NotThere(shown.to_owned(), name.clone()))?;
        let temporary = tempfile::Builder::new().prefix("apidisc-").tempdir().map_err(|why| failed(why.into()))?;
        let mut target = Target { folder: temporary.path(), bytes: 0, files: 0 };
        let mut taken = Ok(());
        let listed = commit.each_file(&mut |path, read| {
            let below = path.strip_prefix(folder.as_str()).map(Path::new).filter(|below| is_published(below));
            let Some(below) = below.filter(|below| Target::is_wanted(below)) else {
                return ControlFlow::Continue(());
            };
            let content = if Target::is_compiled(below) { Ok(Some(Vec::new())) } else { read(MAX_FILE) };
            taken = match content {
                Ok(Some(content)) => target.take(below, &mut content.as_slice()).map_err(failed),
                // A file that is too large is left out, as in archives.
                Ok(None) => Ok(()),
                Err(why) => Err(damaged(why)),
            };
            if taken.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        listed.map_err(damaged)?;
        taken?;
        let folder = temporary.path().to_owned();
        Ok(Self { folder, _temporary: temporary, name, version: revision.to_owned() })
    }
}

/// False for a file below a folder of [`OTHER_FOLDERS`], which stands beside the modules of a package.
fn is_published(below: &Path) -> bool {
    let first = below.iter().next().and_then(|part| part.to_str()).unwrap_or_default();
    !OTHER_FOLDERS.contains(&first)
}

/// The folder that holds a package: of Python the modules, of npm the `package.json`. It is empty or ends with `/`. Of
/// several, the one with the fewest folders around it; `src` comes first of these.
fn folder_of(commit: &Commit, package: &Dependency) -> Result<Option<String>, String> {
    let mut best: Option<(Rank, String)> = None;
    commit.each_file(&mut |path, read| {
        let found = match package.language {
            Language::Python => module_in(path, &package.modules),
            Language::TypeScript => path
                .strip_suffix("package.json")
                .filter(|folder| {
                    let is_folder = folder.is_empty() || folder.ends_with('/');
                    // A manifest that is damaged or too large names no package.
                    let manifest = || String::from_utf8(read(MAX_MANIFEST).ok()??).ok();
                    let name = is_folder.then(manifest).flatten().and_then(|manifest| node::name(&manifest));
                    name.is_some_and(|name| package.modules.contains(&name))
                })
                .map(|folder| (folder, false)),
        };
        if let Some((folder, is_namespace)) = found {
            let around: Vec<&str> = folder.split_terminator('/').collect();
            let rank = Rank { is_namespace, depth: around.len(), is_not_src: around.last() != Some(&"src") };
            let is_other = around.iter().any(|part| OTHER_FOLDERS.contains(part));
            let candidate = (rank, folder.to_owned());
            if !is_other && around.len() <= MAX_FOLDERS_AROUND && best.as_ref().is_none_or(|best| candidate < *best) {
                best = Some(candidate);
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(best.map(|(_, folder)| folder))
}

/// How far a folder is from where a package is looked for first; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// True if the folder only has files below a folder with the name of the module, as namespace packages have.
    is_namespace: bool,
    /// The number of folders around it.
    depth: usize,
    is_not_src: bool,
}

/// The folder that holds one of the modules, if the file at a path is that module or, as the flag says, a file below a
/// folder with its name.
fn module_in<'p>(path: &'p str, modules: &[String]) -> Option<(&'p str, bool)> {
    let stem = path.strip_suffix(".py").or_else(|| path.strip_suffix(".pyi"))?;
    let module = stem.strip_suffix("/__init__").unwrap_or(stem);
    let ends = |module: &'p str, name: &str| {
        module.strip_suffix(name).filter(|folder| folder.is_empty() || folder.ends_with('/'))
    };
    let whole = modules.iter().find_map(|name| ends(module, name)).map(|folder| (folder, false));
    whole.or_else(|| {
        modules.iter().find_map(|name| {
            let at = path.match_indices(name.as_str()).map(|(at, _)| at);
            let mut at = at.filter(|at| path[at + name.len()..].starts_with('/'));
            let at = at.find(|at| *at == 0 || path[..*at].ends_with('/'))?;
            Some((&path[..at], true))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_a_file_or_a_folder_with_its_name() {
        let modules = ["kit".to_owned()];
        for (path, found) in [
            ("kit.py", Some(("", false))),
            ("src/kit/__init__.pyi", Some(("src/", false))),
            ("python/kit/cloud/__init__.py", Some(("python/", true))),
            ("src/toolkit/__init__.py", None),
            ("kit/notes.txt", None),
            ("src/kits/a.py", None),
        ] {
            assert_eq!(module_in(path, &modules), found, "{path}");
        }
    }
}
