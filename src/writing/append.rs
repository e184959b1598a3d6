//! Appends to a file that grows line by line.

use std::{
    fs::{self, DirBuilder, File},
    io::{self, Write as _},
    path::Path,
};

/// Appends bytes to a file by one write, and returns the size that the file had before. A missing file is created, and
/// its missing folder too; only the user may read either of them.
///
/// # Errors
/// If the folder or the file cannot be created, or if not all bytes can be written; some of them may be written then.
pub fn append_private(path: &Path, bytes: &[u8]) -> io::Result<u64> {
    let mut file = open_private(path)?;
    let size = file.metadata()?.len();
    file.write_all(bytes)?;
    Ok(size)
}

/// A file whose lock this process holds until the value is dropped or the process ends.
#[derive(Debug)]
pub struct LockedFile(#[expect(dead_code, reason = "the open file holds the lock")] File);

/// Creates a file as [`append_private`] does, unless it is there, and locks it.
///
/// # Errors
/// If the folder or the file cannot be created, or if it cannot be locked.
pub fn lock_private(path: &Path) -> io::Result<LockedFile> {
    let file = open_private(path)?;
    file.lock()?;
    Ok(LockedFile(file))
}

fn open_private(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
    }
    let mut options = File::options();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Removes a file. A failure is ignored.
pub fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}
