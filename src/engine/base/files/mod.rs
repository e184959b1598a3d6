//! Opens and reads files. Every file that the engine or the program reads is opened here.
//!
//! Guarantees of each function:
//!
//! - Only a regular file is opened. A pipe, a socket, a device or a folder is an error, and opening never waits.
//! - No more bytes are read than the caller allows. A larger file is an error.
//! - A path below a [`Root`] never passes a symbolic link, neither in its folders nor at its end. So a repository
//!   cannot name a file outside of it, even if a folder is replaced by a link while it is read.

mod error;
mod root;

use std::{
    fs::{File, Metadata},
    io::{Read as _, Seek as _, SeekFrom},
    path::Path,
};

pub use error::{FileError, FileKind};
pub use root::Root;

/// The size limit of a file that a person writes: configuration, themes, profiles.
pub const MAX_WRITTEN_BY_HAND: u64 = 1 << 20;

/// A regular file that is open for reading.
#[derive(Debug)]
pub struct RegularFile {
    file: File,
    len: u64,
}

impl RegularFile {
    /// Opens the file that a user has named. A symbolic link is followed; its target must be a regular file.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Self::checked(root::open_named(path).map_err(|error| error::explained(error, path))?)
    }

    fn checked(file: File) -> Result<Self, FileError> {
        let metadata = file.metadata()?;
        regular(&metadata)?;
        Ok(Self { file, len: metadata.len() })
    }

    /// The size in bytes when the file was opened.
    #[expect(clippy::len_without_is_empty, reason = "the size of a file is no collection's")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The open file, for a library that reads parts of it.
    pub fn into_file(self) -> File {
        self.file
    }

    /// The content, at most `limit` bytes.
    ///
    /// # Errors
    /// [`FileError::TooLarge`] if there is more, also if the file has grown since it was opened.
    pub fn read(self, limit: u64) -> Result<Vec<u8>, FileError> {
        if self.len > limit {
            return Err(FileError::TooLarge { limit });
        }
        let mut bytes = Vec::with_capacity(self.len as usize + 1);
        self.file.take(limit + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit { Err(FileError::TooLarge { limit }) } else { Ok(bytes) }
    }

    /// `size` bytes from `offset` on, or fewer at the end of the file. The reserved memory depends on the file, not on
    /// `size`.
    pub fn read_at(&mut self, offset: u64, size: u64) -> Result<Vec<u8>, FileError> {
        self.file.seek(SeekFrom::Start(offset))?;
        let there = self.len.saturating_sub(offset).min(size);
        let mut bytes = Vec::with_capacity(there as usize);
        (&mut self.file).take(size).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The first `limit` bytes, or all if there are fewer.
    pub fn read_head(self, limit: usize) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::with_capacity(limit);
        self.file.take(limit as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// The text of a file that a user has named, at most `limit` bytes. A symbolic link is followed.
pub fn read_text(path: &Path, limit: u64) -> Result<String, FileError> {
    text(RegularFile::open(path)?.read(limit)?)
}

fn text(bytes: Vec<u8>) -> Result<String, FileError> {
    String::from_utf8(bytes).map_err(|_| FileError::NotText)
}

/// An error for everything but a regular file.
fn regular(metadata: &Metadata) -> Result<(), FileError> {
    if metadata.is_file() { Ok(()) } else { Err(FileError::NotRegular(FileKind::of(metadata.file_type()))) }
}

#[cfg(test)]
mod tests;
