//! The code of one revision of a repository under the tests, examples and documents of another one.

use super::{FileEntry, Source, walk::FileRole};
use apidisc_base::language::Origin;

/// The code of one revision with the tests, examples and documents of another one.
#[derive(Clone, Debug)]
pub struct RevisedSource {
    /// The revision of the code.
    pub code: Source,
    /// The revision of the tests, examples and documents.
    pub users: Source,
}

impl RevisedSource {
    /// True for the path of a test, an example or a document.
    pub fn is_user(path: &str) -> bool {
        Self::origin(path) != Origin::Src
    }

    /// What a file of the repository is for, by its path.
    pub fn origin(path: &str) -> Origin {
        match FileRole::of(path) {
            Some(FileRole::Source(language)) => language.origin(path),
            Some(FileRole::Document) => Origin::Docs,
            Some(FileRole::Project(_)) | None => Origin::Src,
        }
    }

    /// The name of the repository.
    pub fn url(&self) -> String {
        self.code.meta().url
    }

    /// The revision that a file is of.
    pub(super) fn revision_of(&self, path: &str) -> &Source {
        if Self::is_user(path) { &self.users } else { &self.code }
    }

    /// The tests, examples and documents of a revision if `are_users`, else its code.
    pub(super) fn kept(files: Vec<FileEntry>, are_users: bool) -> impl Iterator<Item = FileEntry> {
        files.into_iter().filter(move |entry| Self::is_user(&entry.path) == are_users)
    }
}
