//! Writing output: to standard output, or to a file that is replaced atomically.

use std::{
    fs::{self, File},
    io::{self, BufWriter, ErrorKind, Write},
    path::Path,
};

use anyhow::anyhow;
use tempfile::NamedTempFile;

/// Calls `fill` with a writer to the file `to`, or to standard output if `to` is `None` or `-`.
///
/// The output goes to a temporary file beside the target, which is then renamed: a full disk leaves the old file
/// intact, and no reader sees half of a file. A path that is no regular file, such as a pipe, is written directly.
pub(super) fn write(to: Option<&Path>, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let Some(path) = to.filter(|path| *path != Path::new("-")) else {
        return match buffered(io::stdout().lock(), fill) {
            // A reader that closes the pipe needs no more output.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(anyhow!("cannot write to standard output: {error}; {}", remedy(&error))),
            Ok(()) => Ok(()),
        };
    };
    match file(path, fill) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(anyhow!("cannot write {}: {error}; {}", path.display(), remedy(&error))),
        Ok(()) => Ok(()),
    }
}

fn file(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A symbolic link stays; its target is replaced.
    let path = &fs::canonicalize(path).or_else(|_| std::path::absolute(path))?;
    let old = fs::metadata(path).ok();
    if let Some(old) = &old {
        if old.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !old.is_file() {
            return buffered(File::options().write(true).open(path)?, fill);
        }
        if old.permissions().readonly() {
            return Err(ErrorKind::PermissionDenied.into());
        }
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    // Only the kind of error is kept: a message with the name of the temporary file would not help.
    let temporary = new_file_in(folder).map_err(|error| error.kind())?;
    buffered(temporary.as_file(), fill)?;
    if let Some(old) = old {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(unix)]
fn new_file_in(folder: &Path) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt as _;
    // The usual mode of a new file, before the umask is applied.
    tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o666)).tempfile_in(folder)
}

#[cfg(not(unix))]
fn new_file_in(folder: &Path) -> io::Result<NamedTempFile> {
    NamedTempFile::new_in(folder)
}

fn buffered(writer: impl Write, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 16, writer);
    fill(&mut writer)?;
    writer.flush()
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space, or choose another disk with -o",
        ErrorKind::NotFound => "create its folder first",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "allow writing to it, or choose another file with -o"
        }
        ErrorKind::IsADirectory => "name a file in it",
        _ => "choose another file with -o",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.yaml");
        fs::write(&path, "old").unwrap();
        let error = write(Some(&path), |out| {
            out.write_all(b"half of the new")?;
            out.flush()?;
            Err(ErrorKind::StorageFull.into())
        })
        .unwrap_err();
        assert!(error.to_string().ends_with("free some space, or choose another disk with -o"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        write(Some(&link), |out| out.write_all(b"new")).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_missing_folder_and_a_folder_are_clear_errors() {
        let folder = tempfile::tempdir().unwrap();
        let message = |path: &Path| write(Some(path), |_| Ok(())).unwrap_err().to_string();
        assert!(message(&folder.path().join("none/out")).ends_with("create its folder first"));
        assert!(message(folder.path()).ends_with("name a file in it"));
    }
}
