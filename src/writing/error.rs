//! Why a file is not written, in one line with a remedy.

use std::{
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use thiserror::Error;

/// Why a file is not written. The message names the file, the reason and the remedy.
#[derive(Debug, Error)]
#[error("cannot write {}: {reason}; {remedy}", .path.display())]
pub struct WriteError {
    path: PathBuf,
    reason: String,
    remedy: &'static str,
    is_broken_pipe: bool,
}

impl WriteError {
    pub(super) fn new(path: &Path, error: &io::Error) -> Self {
        Self {
            path: path.to_owned(),
            remedy: remedy(error),
            is_broken_pipe: error.kind() == ErrorKind::BrokenPipe,
            reason: error.to_string(),
        }
    }

    pub(super) fn link(path: &Path) -> Self {
        let reason = "it is a link, and links in a source are not followed".to_owned();
        Self { path: path.to_owned(), reason, remedy: "remove the link", is_broken_pipe: false }
    }

    pub(super) fn broken_link(path: &Path) -> Self {
        let reason = "it is a link that leads to no file".to_owned();
        Self { path: path.to_owned(), reason, remedy: "remove the link or create its target", is_broken_pipe: false }
    }

    /// True if the reader of a pipe has closed it, and so needs no more output.
    pub fn is_broken_pipe(&self) -> bool {
        self.is_broken_pipe
    }
}

/// The advice that an error of writing gives.
pub fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space, or choose another disk",
        ErrorKind::NotFound => "create its folder first",
        ErrorKind::NotADirectory => "a part of its path is a file; choose another path",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "allow writing to it, or choose another file",
        ErrorKind::IsADirectory => "name a file in it",
        _ => "choose another file",
    }
}
