//! Why a file cannot be read, in words that say how to mend it.

use std::{fmt, fs::FileType, io, path::Path};

use thiserror::Error;

/// Why a file cannot be read.
#[derive(Debug, Error)]
pub enum FileError {
    /// The operating system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The path, or a folder in it, is a symbolic link where none is followed.
    #[error("it is a link or lies behind one, and links are not followed here; put the file itself in its place")]
    Link,
    /// The path has a part such as `..`, or begins at the root of the file system.
    #[error("its path leads out of the folder; name a path inside")]
    Outside,
    /// The path leads to something other than a regular file.
    #[error("it is a {0}, not a regular file; put a regular file in its place")]
    NotRegular(FileKind),
    /// The file has more bytes than the caller reads.
    #[error("it is larger than {}; make it smaller", Size(*.limit))]
    TooLarge {
        /// The largest size in bytes.
        limit: u64,
    },
    /// The caller reads the file as text, but it is not UTF-8.
    #[error("it is not UTF-8 text; save it as UTF-8")]
    NotText,
}

impl FileError {
    /// True if there is no such file, or no such folder on the way to it.
    pub fn is_not_found(&self) -> bool {
        let Self::Io(error) = self else { return false };
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
    }
}

/// The kind of an entry that is not a regular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A folder.
    Folder,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A character or block device.
    Device,
    /// Anything else.
    Special,
}

impl FileKind {
    /// The kind of an entry that is neither a regular file nor a symbolic link.
    pub fn of(kind: FileType) -> Self {
        if kind.is_dir() {
            return Self::Folder;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt as _;
            if kind.is_fifo() {
                return Self::Pipe;
            }
            if kind.is_socket() {
                return Self::Socket;
            }
            if kind.is_char_device() || kind.is_block_device() {
                return Self::Device;
            }
        }
        Self::Special
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Folder => "folder",
            Self::Pipe => "pipe",
            Self::Socket => "socket",
            Self::Device => "device",
            Self::Special => "special file",
        })
    }
}

/// A limit in the largest unit that divides it.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes >= 1 << 20 => write!(f, "{} MB", bytes >> 20),
            bytes if bytes >= 1 << 10 => write!(f, "{} kB", bytes >> 10),
            bytes => write!(f, "{bytes} bytes"),
        }
    }
}

/// The reason why `path` could not be opened. Opening a socket or some devices fails with an error number that does not
/// name their kind, so the kind is looked up.
pub(super) fn explained(error: io::Error, path: &Path) -> FileError {
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => FileError::NotRegular(FileKind::of(metadata.file_type())),
        _ => FileError::Io(error),
    }
}
