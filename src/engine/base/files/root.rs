//! A folder below which files are opened without passing a symbolic link.

use std::{
    fs::File,
    io,
    path::{Component, Path},
};

use super::{FileError, RegularFile, text};

/// An open folder. Paths are resolved from the folder itself, not from its name, and never pass a symbolic link.
#[derive(Debug)]
pub struct Root(system::Folder);

impl Root {
    /// Opens a folder that a user has named; symbolic links to it are followed.
    pub fn open(path: &Path) -> io::Result<Self> {
        system::Folder::open(path).map(Self)
    }

    /// Opens the regular file at `path`, which consists of plain names only.
    pub fn file(&self, path: &Path) -> Result<RegularFile, FileError> {
        if !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(FileError::Outside);
        }
        RegularFile::checked(self.0.file(path)?)
    }

    /// The content of the regular file at `path`, at most `limit` bytes.
    pub fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
        self.file(path)?.read(limit)
    }

    /// The text of the regular file at `path`, at most `limit` bytes.
    pub fn read_text(&self, path: &Path, limit: u64) -> Result<String, FileError> {
        text(self.read(path, limit)?)
    }
}

/// Opens a path for reading, following symbolic links and without waiting for the other end of a pipe.
pub(super) fn open_named(path: &Path) -> io::Result<File> {
    system::open_named(path)
}

#[cfg(unix)]
mod system {
    use std::{fs::File, io, os::fd::OwnedFd, path::Path};

    use rustix::{
        fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, statat},
        io::Errno,
    };

    use crate::files::{FileError, FileKind};

    const FILE: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);
    const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

    #[derive(Debug)]
    pub(super) struct Folder(OwnedFd);

    impl Folder {
        pub(super) fn open(path: &Path) -> io::Result<Self> {
            Ok(Self(openat(CWD, path, FOLDER, Mode::empty())?))
        }

        pub(super) fn file(&self, path: &Path) -> Result<File, FileError> {
            match self.beneath(path) {
                Ok(file) => Ok(File::from(file)),
                Err(Errno::LOOP | Errno::MLINK) => Err(FileError::Link),
                // A socket, or a device without a driver.
                Err(Errno::NXIO | Errno::NODEV | Errno::OPNOTSUPP) => Err(FileError::NotRegular(self.kind(path))),
                Err(error) => Err(FileError::Io(error.into())),
            }
        }

        #[cfg(target_os = "linux")]
        fn beneath(&self, path: &Path) -> rustix::io::Result<OwnedFd> {
            use rustix::fs::{ResolveFlags, openat2};
            let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
            match openat2(&self.0, path, FILE | OFlags::NOFOLLOW, Mode::empty(), resolve) {
                // An old kernel, or a sandbox that refuses calls which it does not know.
                Err(Errno::NOSYS | Errno::PERM) => self.step_by_step(path),
                opened => opened,
            }
        }

        #[cfg(not(target_os = "linux"))]
        fn beneath(&self, path: &Path) -> rustix::io::Result<OwnedFd> {
            self.step_by_step(path)
        }

        /// Opens each folder of the path in turn, none of which may be a symbolic link.
        pub(super) fn step_by_step(&self, path: &Path) -> rustix::io::Result<OwnedFd> {
            let mut folder: Option<OwnedFd> = None;
            let mut names = path.iter().peekable();
            while let Some(name) = names.next() {
                let at = folder.as_ref().unwrap_or(&self.0);
                if names.peek().is_none() {
                    return openat(at, name, FILE | OFlags::NOFOLLOW, Mode::empty());
                }
                let next = openat(at, name, FOLDER | OFlags::NOFOLLOW, Mode::empty());
                // Systems differ in the error for a link in place of a folder.
                folder = Some(next.map_err(|error| match statat(at, name, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) if FileType::from_raw_mode(stat.st_mode).is_symlink() => Errno::LOOP,
                    _ => error,
                })?);
            }
            Err(Errno::ISDIR)
        }

        fn kind(&self, path: &Path) -> FileKind {
            match statat(&self.0, path, AtFlags::SYMLINK_NOFOLLOW).map(|stat| FileType::from_raw_mode(stat.st_mode)) {
                Ok(FileType::Socket) => FileKind::Socket,
                Ok(FileType::CharacterDevice | FileType::BlockDevice) => FileKind::Device,
                _ => FileKind::Special,
            }
        }
    }

    pub(super) fn open_named(path: &Path) -> io::Result<File> {
        Ok(File::from(openat(CWD, path, FILE, Mode::empty())?))
    }
}

/// Systems without `openat`: each part of a path is checked before the file is opened.
#[cfg(not(unix))]
mod system {
    use std::{
        fs::{self, File},
        io,
        path::{Path, PathBuf},
    };

    use crate::files::{FileError, regular};

    #[derive(Debug)]
    pub(super) struct Folder(PathBuf);

    impl Folder {
        pub(super) fn open(path: &Path) -> io::Result<Self> {
            if fs::metadata(path)?.is_dir() {
                Ok(Self(path.to_owned()))
            } else {
                Err(io::ErrorKind::NotADirectory.into())
            }
        }

        pub(super) fn file(&self, path: &Path) -> Result<File, FileError> {
            let mut whole = self.0.clone();
            for name in path {
                whole.push(name);
                if fs::symlink_metadata(&whole)?.is_symlink() {
                    return Err(FileError::Link);
                }
            }
            regular(&fs::metadata(&whole)?)?;
            Ok(File::open(whole)?)
        }
    }

    pub(super) fn open_named(path: &Path) -> io::Result<File> {
        if fs::metadata(path)?.is_file() { File::open(path) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::symlink, path::Path};

    use super::Root;

    /// The way of old kernels and of other systems gives the same answers as `openat2`.
    #[test]
    fn a_path_opened_step_by_step_passes_no_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("a/b")).expect("folders");
        fs::write(at("a/b/file"), "x").expect("a file");
        symlink("a", at("link")).expect("a link");
        symlink("file", at("a/b/link")).expect("a link");
        let root = Root::open(folder.path()).expect("a folder");
        for (path, is_open) in [("a/b/file", true), ("link/b/file", false), ("a/b/link", false), ("a/none", false)] {
            assert_eq!(root.0.step_by_step(Path::new(path)).is_ok(), is_open, "{path}");
            assert_eq!(root.file(Path::new(path)).is_ok(), is_open, "{path}");
        }
    }
}
