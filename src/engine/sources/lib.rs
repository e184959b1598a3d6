//! For the build scripts of packages whose code determines what is kept on disk: tells the program a hash of their
//! sources, in the variable `SOURCES`. Two programs of one hash write the same bytes for the same input.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io,
    path::PathBuf,
};

/// Sets `SOURCES` for the package whose build script calls this function.
///
/// # Panics
/// If the sources cannot be read: then the build has failed.
#[allow(clippy::expect_used, reason = "a build script fails by a panic")]
pub fn tell() {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo says where the package is"));
    let sources = sources(folder).expect("the sources can be read");
    println!("cargo::rustc-env=SOURCES={sources:016x}");
}

/// The hash of all files of a package with their paths, and of the versions of all crates.
fn sources(folder: PathBuf) -> io::Result<u64> {
    let mut hasher = DefaultHasher::new();
    // A package that is used by others outside this repository has no such file at this place.
    let lock = folder.join("../../../Cargo.lock");
    let mut paths = Vec::new();
    for path in [lock, folder].into_iter().filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
        add_files(path, &mut paths)?;
    }
    paths.sort();
    for path in paths {
        path.file_name().hash(&mut hasher);
        fs::read(&path)?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// Adds a file, or all files below a folder.
fn add_files(path: PathBuf, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            add_files(entry?.path(), files)?;
        }
    } else {
        files.push(path);
    }
    Ok(())
}
