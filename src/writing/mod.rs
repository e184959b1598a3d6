//! Writes files. Every file that the program writes is written here.
//!
//! A file is replaced as a whole or not at all: the content goes to a temporary file beside it, which is synchronised
//! with the disk and then renamed. The file keeps its mode. A symbolic link that a user names stays, its target is
//! replaced. What is no regular file, such as a pipe or a device, is written directly.

mod append;
mod error;
mod shared;

use std::{
    fs::{self, File},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Component, Path, PathBuf},
    time::{Duration, SystemTime},
};

pub use append::{LockedFile, append_private, lock_private, remove};
pub use error::{WriteError, remedy};
pub use shared::update_shared;
use tempfile::NamedTempFile;

/// The beginning and the end of the name of a temporary file; six letters or digits stand between them.
const TEMPORARY: (&str, &str) = (".apidisc-", ".tmp");

/// The age from which a temporary file is removed: the program that made it was killed.
const STRAY_AFTER: Duration = Duration::from_hours(1);

/// A step of replacing a file. Tests make each of them fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The temporary file is created.
    Create,
    /// Bytes are written to the temporary file.
    Write,
    /// The temporary file gets the mode of the file that it replaces.
    SetMode,
    /// The temporary file is synchronised with the disk.
    Sync,
    /// The temporary file is renamed.
    Rename,
    /// The folder of the file is synchronised with the disk.
    SyncFolder,
}

/// Called before each step. If it returns an error, the step fails with that error.
type BeforeStep<'a> = &'a dyn Fn(Step) -> io::Result<()>;

/// Replaces the file that a user names by what `fill` writes. A symbolic link is followed.
pub fn replace(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), WriteError> {
    replace_in_steps(path, fill, &|_| Ok(()))
}

/// Replaces the file at `path` below the folder `root` by `text`, and creates the missing folders. The folder may be a
/// repository of untrusted origin, so no part of the path below `root` may be a symbolic link.
pub fn replace_below(root: &Path, path: &Path, text: &str) -> Result<(), WriteError> {
    let whole = without_links(root, path)?;
    if let Some(folder) = whole.parent() {
        create_folder(folder)?;
    }
    replace(&whole, |out| out.write_all(text.as_bytes()))
}

/// The path of a file below the folder `root`. No part of it below `root` is a symbolic link.
///
/// # Errors
/// If a part is a link, or leads out of `root`.
pub fn without_links(root: &Path, path: &Path) -> Result<PathBuf, WriteError> {
    let mut whole = root.to_owned();
    for part in path.components() {
        whole.push(part);
        let is_link = fs::symlink_metadata(&whole).is_ok_and(|metadata| metadata.is_symlink());
        if is_link || !matches!(part, Component::Normal(_)) {
            return Err(WriteError::link(&whole));
        }
    }
    Ok(whole)
}

/// Replaces the file at `path` by `text`, with the mode of the file at `model`.
///
/// # Errors
/// If the mode cannot be read, or the file cannot be written.
pub fn write_like(model: &Path, path: &Path, text: &str) -> Result<(), WriteError> {
    let with_path = |error: io::Error| WriteError::new(path, &error);
    let mode = fs::metadata(model).map_err(with_path)?;
    replace_file(path, Some(&mode), |out| out.write_all(text.as_bytes()), &|_| Ok(())).map_err(with_path)
}

/// Replaces a file whose content can be computed again. The file is not synchronised with the disk, so its content is
/// arbitrary after a power failure, and its reader must detect that. Only the user may read the file.
pub fn replace_in_cache(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    remove_strays(folder);
    let temporary =
        tempfile::Builder::new().prefix(TEMPORARY.0).suffix(TEMPORARY.1).rand_bytes(6).tempfile_in(folder)?;
    buffered(temporary.as_file(), fill)?;
    temporary.persist(path)?;
    Ok(())
}

/// Writes a file in a temporary folder of this process; a file of the same path is replaced.
///
/// # Errors
/// If the file cannot be written.
pub fn write_temporary(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(path, bytes)
}

/// Sets the time of the last change of a file to now.
pub fn touch(path: &Path) -> io::Result<()> {
    File::options().write(true).open(path)?.set_modified(SystemTime::now())
}

/// Creates a folder and the folders above it, unless they are there.
pub fn create_folder(folder: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(folder).map_err(|error| WriteError::new(folder, &error))
}

/// Checks that files can be created in a folder, or that the folder can be created. A temporary file is created in the
/// folder, or in the nearest one above it that is there, and removed.
///
/// # Errors
/// Why no file can be created.
pub fn check_writable(folder: &Path) -> io::Result<()> {
    let nearest = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
    new_file_in(nearest, None).map(|_| ()).map_err(|error| error.kind().into())
}

fn replace_in_steps(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    before: BeforeStep,
) -> Result<(), WriteError> {
    let with_path = |error: io::Error| WriteError::new(path, &error);
    match target(path)? {
        Target::Stream(stream) => buffered(stream, fill).map_err(with_path),
        Target::File { path, old } => replace_file(&path, old.as_ref(), fill, before).map_err(with_path),
    }
}

/// The kind of the file system entry that a path names.
enum Target {
    /// A pipe, a device, or an open file of the process.
    Stream(File),
    /// A regular file, by its path without symbolic links, or a file to create.
    File { path: PathBuf, old: Option<fs::Metadata> },
}

fn target(path: &Path) -> Result<Target, WriteError> {
    let with_path = |error: io::Error| WriteError::new(path, &error);
    if is_open_file(path) {
        return File::options().append(true).open(path).map(Target::Stream).map_err(with_path);
    }
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => Err(with_path(ErrorKind::IsADirectory.into())),
        Ok(old) if old.is_file() => {
            if old.permissions().readonly() {
                return Err(with_path(ErrorKind::PermissionDenied.into()));
            }
            let path = path.canonicalize().map_err(with_path)?;
            Ok(Target::File { path, old: Some(old) })
        }
        Ok(_) => File::options().write(true).open(path).map(Target::Stream).map_err(with_path),
        Err(_) if path.is_symlink() => Err(WriteError::broken_link(path)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let path = std::path::absolute(path).map_err(with_path)?;
            Ok(Target::File { path, old: None })
        }
        Err(error) => Err(with_path(error)),
    }
}

/// True for the name of an open file of the process, such as `/dev/stdout`. The open file may be a regular file that a
/// shell appends to, so it must not be replaced.
fn is_open_file(path: &Path) -> bool {
    cfg!(unix)
        && (["/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
            || ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.parent() == Some(Path::new(folder))))
}

fn replace_file(
    path: &Path,
    old: Option<&fs::Metadata>,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    before: BeforeStep,
) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    remove_strays(folder);
    before(Step::Create)?;
    // Only the kind of error is kept: a message with the name of the temporary file would not help.
    let temporary = new_file_in(folder, old).map_err(|error| error.kind())?;
    buffered(StepWriter { file: temporary.as_file(), before }, fill)?;
    if let Some(old) = old {
        before(Step::SetMode)?;
        temporary.as_file().set_permissions(old.permissions())?;
    }
    before(Step::Sync)?;
    temporary.as_file().sync_all()?;
    before(Step::Rename)?;
    temporary.persist(path).map_err(|error| error.error)?;
    before(Step::SyncFolder)?;
    sync_folder(folder)
}

struct StepWriter<'a> {
    file: &'a File,
    before: BeforeStep<'a>,
}

impl Write for StepWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (self.before)(Step::Write)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Creates a temporary file that no one may read who may not read `old`.
fn new_file_in(folder: &Path, old: Option<&fs::Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1).rand_bytes(6);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The usual mode of a new file, before the umask is applied.
        let mode = old.map_or(0o666, |old| old.permissions().mode() & 0o666 | 0o600);
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    builder.tempfile_in(folder)
}

/// Removes the temporary files that killed processes have left in a folder. A failure is ignored.
fn remove_strays(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let middle = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY.0)?.strip_suffix(TEMPORARY.1));
        if !middle.is_some_and(|middle| middle.len() == 6 && middle.bytes().all(|b| b.is_ascii_alphanumeric())) {
            continue;
        }
        let modified = entry.metadata().ok().filter(fs::Metadata::is_file).and_then(|found| found.modified().ok());
        if modified.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > STRAY_AFTER) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes a renaming survive a power failure. Does nothing on a file system that cannot synchronise a folder.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        // A folder may be written but not read.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
        synced => synced,
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Calls `fill` with a buffer before `writer`.
pub fn buffered(writer: impl Write, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 16, writer);
    fill(&mut writer)?;
    writer.flush()
}

#[cfg(test)]
mod tests;
