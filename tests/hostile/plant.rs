//! What stands in the place of a file.

use std::{
    fs::{self, File},
    os::unix::{
        fs::{PermissionsExt as _, symlink},
        net::UnixListener,
    },
    path::Path,
    process::Command,
};

/// What stands in the place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A link to a device that never ends.
    EndlessDevice,
    /// A link to itself.
    Loop,
    Pipe,
    Socket,
    Folder,
    /// A file that may not be read.
    Unreadable,
    /// A file of 100 MB without a line break.
    Huge,
    /// A link to a file outside of the source.
    OutsideLink,
}

impl Kind {
    pub(crate) const ALL: [Self; 8] = [
        Self::EndlessDevice,
        Self::Loop,
        Self::Pipe,
        Self::Socket,
        Self::Folder,
        Self::Unreadable,
        Self::Huge,
        Self::OutsideLink,
    ];

    /// Replaces the file at `path`. False if this user reads every file, so that none is unreadable.
    pub(crate) fn plant(self, path: &Path, outside: &Path) -> bool {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
        match self {
            Self::EndlessDevice => symlink("/dev/zero", path).unwrap(),
            Self::Loop => symlink(path.file_name().unwrap(), path).unwrap(),
            Self::Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
            // The address of a socket is short, so the socket is made elsewhere.
            Self::Socket => {
                let socket = outside.with_file_name("s");
                let _ = fs::remove_file(&socket);
                drop(UnixListener::bind(&socket).unwrap());
                fs::rename(socket, path).unwrap();
            }
            Self::Folder => fs::create_dir(path).unwrap(),
            Self::Unreadable => {
                fs::write(path, "").unwrap();
                fs::set_permissions(path, fs::Permissions::from_mode(0o0)).unwrap();
                return File::open(path).is_err();
            }
            Self::Huge => File::create(path).unwrap().set_len(100 << 20).unwrap(),
            Self::OutsideLink => symlink(outside, path).unwrap(),
        }
        true
    }
}
