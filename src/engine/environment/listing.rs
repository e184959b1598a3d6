//! The entries of a folder, and the texts of small files.

use std::path::Path;

use apidisc_base::files;

/// The greatest number of entries of a folder that are looked at. A folder of packages has two entries a package.
const MAX_ENTRIES: usize = 100_000;
/// The greatest size of a file that describes an environment or a package, in bytes.
const MAX_TEXT: u64 = 4 << 20;

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
    found
}

/// True if the folder is there but its entries cannot be listed.
pub fn is_unreadable(folder: &Path) -> bool {
    folder.is_dir() && std::fs::read_dir(folder).is_err()
}

/// The size of a file in bytes; 0 if it is not there.
pub fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// The text of a file that describes an environment or a package; `None` if it is not there, is no regular file, is
/// larger than 4 MB or is not UTF-8.
pub fn text(path: &Path) -> Option<String> {
    files::read_text(path, MAX_TEXT).ok()
}
