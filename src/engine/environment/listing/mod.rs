//! Looks at the disk: what a path is, the entries of a folder, the texts of small files. [`looks`] records them.

pub mod looks;

use std::path::{Path, PathBuf};

use apidisc_base::files;

use looks::Question;

/// The greatest number of entries of a folder that are looked at. A folder of packages has two entries a package.
const MAX_ENTRIES: usize = 100_000;
/// The greatest size of a file that describes an environment or a package, in bytes.
const MAX_TEXT: u64 = 4 << 20;

/// What is at a path, behind symbolic links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// Something else, such as a pipe.
    Other,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name, which is UTF-8.
    pub name: String,
    /// True for a folder, also where a symbolic link leads to one.
    pub is_folder: bool,
}

impl Entry {
    /// True if the name ends with one of the extensions, as written: interpreters compare the case of letters.
    pub fn has_extension(&self, extensions: &[&str]) -> bool {
        self.name.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
    }
}

/// The entries of a folder, sorted by name, at most 100,000. Entries whose names are not UTF-8 are left out. A folder
/// that is not there or cannot be read has none.
pub fn entries(folder: &Path) -> Vec<Entry> {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_ENTRIES);
    let mut found: Vec<Entry> = listed
        .filter_map(|entry| {
            let kind = entry.file_type().ok()?;
            let is_folder = if kind.is_symlink() { entry.path().is_dir() } else { kind.is_dir() };
            Some(Entry { name: entry.file_name().into_string().ok()?, is_folder })
        })
        .collect();
    found.sort();
    looks::note(folder, Question::Entries, || looks::hash_of_entries(&found));
    found
}

/// True if the folder is there but its entries cannot be listed.
pub fn is_unreadable(folder: &Path) -> bool {
    let found = is_folder(folder) && std::fs::read_dir(folder).is_err();
    looks::note(folder, Question::IsUnreadable, || looks::hash_of_flag(found));
    found
}

/// What is at a path; `None` if nothing is there.
pub fn kind(path: &Path) -> Option<Kind> {
    let found = std::fs::metadata(path).ok().map(|metadata| match metadata.file_type() {
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Folder,
        _ => Kind::Other,
    });
    looks::note(path, Question::Kind, || looks::hash_of_kind(found));
    found
}

/// True for a regular file, also where a symbolic link leads to one.
pub fn is_file(path: &Path) -> bool {
    kind(path) == Some(Kind::File)
}

/// True for a folder, also where a symbolic link leads to one.
pub fn is_folder(path: &Path) -> bool {
    kind(path) == Some(Kind::Folder)
}

/// The absolute path without symbolic links; `None` if nothing is there.
pub fn real_path(path: &Path) -> Option<PathBuf> {
    let found = path.canonicalize().ok();
    looks::note(path, Question::RealPath, || looks::hash_of_path(found.as_deref()));
    found
}

/// The outermost folder in which the packages of a project are looked for: the repository that holds the project.
pub fn top_folder(project: &Path) -> &Path {
    project.ancestors().find(|folder| kind(&folder.join(".git")).is_some()).unwrap_or(project)
}

/// The size of a file in bytes; 0 if it is not there. The look is not recorded.
pub fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// The text of a file that describes an environment or a package; `None` if it is not there, is no regular file, is
/// larger than 4 MB or is not UTF-8.
pub fn text(path: &Path) -> Option<String> {
    let text = files::read_text(path, MAX_TEXT).ok();
    looks::note(path, Question::Text, || looks::hash_of_text(text.as_deref()));
    text
}
