//! Where other versions may be: of a package in environments, folders and archives beside a program or a typed path, of
//! the program itself in revisions of its repository.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use apidisc::source::{Source, revision_names};

/// The greatest number of entries of a folder that are looked at.
const MAX_ENTRIES: usize = 2_000;
/// The greatest number of places.
const MAX_PLACES: usize = 200;
/// The endings of archives of packages.
const ARCHIVES: [&str; 4] = [".whl", ".tgz", ".tar.gz", ".zip"];

/// A place where another version may be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The path, in the form in which it was typed; of a revision the name.
    pub path: String,
    /// What is there.
    pub kind: PlaceKind,
}

/// What is at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlaceKind {
    /// An environment of Python, a folder with `node_modules`, or the folder of an npm package.
    Environment,
    /// An archive.
    Archive,
    /// Another folder.
    Folder,
    /// A branch of the repository.
    Branch,
    /// A tag of the repository.
    Tag,
}

/// The places that a typed path may mean: what is in its folder. Without a folder in it, the environments and archives
/// beside the program.
pub fn places(program: &Source, typed: &str) -> Vec<Place> {
    let mut found = Vec::new();
    match typed.rfind('/') {
        Some(at) => entries(&typed[..=at], true, &mut found),
        None => {
            for (_, part) in program.parts() {
                if let Source::Folder(folder) = part {
                    let folder = if folder.is_file() { folder.parent().unwrap_or(Path::new(".")) } else { folder };
                    entries(&format!("{}/", folder.display()), false, &mut found);
                }
            }
        }
    }
    found.sort_by(|a, b| (a.kind, &a.path).cmp(&(b.kind, &b.path)));
    found.truncate(MAX_PLACES);
    found
}

/// The branches and tags of the repository of a program, the newest first.
pub fn revisions(program: &Source) -> Vec<Place> {
    let folders =
        program.parts().filter_map(|(_, part)| if let Source::Folder(folder) = part { Some(folder) } else { None });
    let names = folders.flat_map(|folder| revision_names(folder)).take(MAX_PLACES);
    let kind = |is_tag| if is_tag { PlaceKind::Tag } else { PlaceKind::Branch };
    names.map(|found| Place { path: found.name, kind: kind(found.is_tag) }).collect()
}

/// The path that a typed text means: `~` is the home folder.
pub fn path_of(typed: &str) -> PathBuf {
    match (typed.strip_prefix("~/"), env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(typed),
    }
}

/// Adds the places in a folder, whose path ends with `/`.
fn entries(folder: &str, with_folders: bool, found: &mut Vec<Place>) {
    let Ok(listed) = fs::read_dir(path_of(folder)) else { return };
    for entry in listed.flatten().take(MAX_ENTRIES) {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = entry.path();
        let kind = if path.is_dir() {
            let holds = |inside: &str| path.join(inside).exists();
            let is_environment = holds("pyvenv.cfg") || holds("node_modules") || holds("package.json");
            let is_environment = is_environment || holds("conda-meta") || holds_site_packages(&path);
            if is_environment { PlaceKind::Environment } else { PlaceKind::Folder }
        } else if ARCHIVES.iter().any(|ending| name.ends_with(ending)) {
            PlaceKind::Archive
        } else {
            continue;
        };
        // Hidden folders are listed if they hold something.
        if kind != PlaceKind::Folder || (with_folders && !name.starts_with('.')) {
            found.push(Place { path: format!("{folder}{name}"), kind });
        }
    }
}

/// True for a folder of an environment that has packages, whatever made it.
fn holds_site_packages(folder: &Path) -> bool {
    let Ok(versions) = fs::read_dir(folder.join("lib")) else {
        return folder.join("Lib").join("site-packages").is_dir();
    };
    versions.flatten().take(MAX_ENTRIES).any(|version| version.path().join("site-packages").is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environments_and_archives_are_found_beside_a_program() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        for inside in [".venv-new", "web/node_modules", "src", "env/lib/python3.12/site-packages"] {
            fs::create_dir_all(top.join(inside)).unwrap();
        }
        for file in [".venv-new/pyvenv.cfg", "kit-2.0.tgz", "notes.txt"] {
            fs::write(top.join(file), "").unwrap();
        }
        let names = |typed: &str| -> Vec<String> {
            let places = places(&Source::Folder(top.to_owned()), typed);
            let prefix = format!("{}/", top.display());
            places.iter().map(|place| format!("{} {:?}", place.path.replace(&prefix, ""), place.kind)).collect()
        };
        let found = [".venv-new Environment", "env Environment", "web Environment", "kit-2.0.tgz Archive"];
        assert_eq!(names(""), found);
        assert_eq!(names(&format!("{}/k", top.display()))[..4], found);
        assert_eq!(names(&format!("{}/k", top.display()))[4..], ["src Folder"]);
        assert!(names("/no such folder/").is_empty());
    }
}
