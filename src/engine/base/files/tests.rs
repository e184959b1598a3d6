//! Which files are opened, and which are refused.

use std::{fs, path::Path};

use super::{FileError, RegularFile, Root, read_text};

#[test]
fn a_file_larger_than_the_limit_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    fs::write(&path, "12345").expect("a file");
    assert_eq!(read_text(&path, 5).expect("a text"), "12345");
    assert!(matches!(read_text(&path, 4), Err(FileError::TooLarge { limit: 4 })));
    let opened = RegularFile::open(&path).expect("a file");
    fs::write(&path, "it has grown").expect("a file");
    assert!(matches!(opened.read(5), Err(FileError::TooLarge { limit: 5 })));
}

#[test]
fn a_part_of_a_file_ends_where_the_file_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    fs::write(&path, "12345").expect("a file");
    let mut opened = RegularFile::open(&path).expect("a file");
    for (offset, size, part) in [(3, u64::MAX, "45"), (1, 2, "23"), (9, 1, "")] {
        assert_eq!(opened.read_at(offset, size).expect("bytes"), part.as_bytes());
    }
}

#[test]
fn a_path_that_leads_out_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("in")).expect("a folder");
    fs::write(folder.path().join("out"), "").expect("a file");
    let root = Root::open(&folder.path().join("in")).expect("a folder");
    let absolute = folder.path().join("out");
    for path in [Path::new("../out"), Path::new("./out"), &absolute] {
        assert!(matches!(root.file(path), Err(FileError::Outside)), "{}", path.display());
    }
}

#[cfg(unix)]
mod special {
    use std::os::unix::{fs::symlink, net::UnixListener};

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn files_that_are_not_regular_are_refused_by_their_kind_without_waiting() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
        let _socket = UnixListener::bind(at("socket")).expect("a socket");
        fs::create_dir(at("folder")).expect("a folder");
        let root = Root::open(folder.path()).expect("a folder");
        for name in ["pipe", "socket", "folder"] {
            symlink(name, at(&format!("to-{name}"))).expect("a link");
            let expected = format!("it is a {name}, not a regular file; put a regular file in its place");
            assert_eq!(root.file(Path::new(name)).expect_err(name).to_string(), expected);
            assert_eq!(RegularFile::open(&at(name)).expect_err(name).to_string(), expected);
            assert_eq!(RegularFile::open(&at(&format!("to-{name}"))).expect_err(name).to_string(), expected);
        }
        symlink("/dev/zero", at("to-device")).expect("a link");
        let error = RegularFile::open(&at("to-device")).expect_err("a device").to_string();
        assert!(error.starts_with("it is a device"), "{error}");
    }

    #[test]
    fn a_link_is_followed_where_a_user_names_it_and_nowhere_below_a_root() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("real")).expect("a folder");
        fs::write(at("real/file"), "x").expect("a file");
        symlink("real", at("link")).expect("a link");
        symlink("real/file", at("last")).expect("a link");
        symlink("loop", at("loop")).expect("a link");
        let root = Root::open(folder.path()).expect("a folder");
        for path in ["link/file", "last", "loop"] {
            assert!(matches!(root.file(Path::new(path)), Err(FileError::Link)), "{path}");
        }
        assert_eq!(read_text(&at("last"), 9).expect("a text"), "x");
        assert_eq!(Root::open(&at("link")).expect("a folder").read_text(Path::new("file"), 9).expect("a text"), "x");
        assert!(RegularFile::open(&at("loop")).is_err());
    }
}
