//! Archives of packages: wheels and source distributions of Python, packages of npm, commits of their repositories.
//!
//! They may come from anybody. Only files that describe or declare code are taken, below a temporary folder,
//! under names without `..`; links are left out, and the sizes are bounded, whatever the archive says of itself.
//! Nothing of an archive is executed, and nothing is built.

mod repository;

use std::{
    io::{self, BufReader, Read, Seek},
    path::{Component, Path, PathBuf},
};

use apidisc::{
    environment::{listing, node, python::distribution_of},
    files::RegularFile,
};
use flate2::read::GzDecoder;
use tempfile::TempDir;

use crate::writing;

/// The greatest size of an archive, in bytes.
const MAX_ARCHIVE: u64 = 512 << 20;
/// The greatest size of a file of an archive that is taken, in bytes.
const MAX_FILE: u64 = 16 << 20;
/// The greatest size of all files that are taken, in bytes.
const MAX_FILES_BYTES: u64 = 256 << 20;
/// The greatest number of files that are taken.
const MAX_FILES: usize = 50_000;
/// The greatest number of parts of a path.
const MAX_DEPTH: usize = 32;
/// The extensions of files that are taken.
const EXTENSIONS: [&str; 9] = ["py", "pyi", "ts", "mts", "cts", "tsx", "json", "txt", "typed"];
/// The extensions of compiled modules and of JavaScript, which are taken as empty files.
const COMPILED: [&str; 7] = ["so", "pyd", "dylib", "js", "mjs", "cjs", "jsx"];
/// The names of files without an extension that are taken.
const NAMES: [&str; 3] = ["METADATA", "PKG-INFO", "RECORD"];

/// A package whose files were taken out of an archive. They are removed with the value.
#[derive(Debug)]
pub(crate) struct UnpackedPackage {
    folder: PathBuf,
    _temporary: TempDir,
    /// The name of the package, as its metadata has it.
    pub(crate) name: String,
    /// The version; empty if the metadata has none.
    pub(crate) version: String,
}

/// Why an archive cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    /// The file has another format.
    #[error("{0} is no archive of a package; name a .whl, a .tgz of npm, or a .tar.gz")]
    Format(String),
    /// The archive is damaged, or cannot be read.
    #[error("{0} cannot be read: {1}; download it again")]
    Damaged(String, String),
    /// The archive has too much in it.
    #[error("{0} holds more than {1}, which is not read; unpack it and name the folder")]
    TooLarge(String, &'static str),
    /// The archive holds no package.
    #[error("{0} holds no package: neither metadata of Python nor a package.json; name another archive")]
    NoPackage(String),
    /// The repository does not hold the package.
    #[error("{0} holds no package {1}; name its repository, or an archive")]
    NotThere(String, String),
}

impl UnpackedPackage {
    /// The folder that takes the place of an installed package: of Python, the one that holds its modules.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Takes the files of an archive.
    ///
    /// # Errors
    /// [`ArchiveError`] if the file is no archive of a package, or a hostile one.
    pub(crate) fn read(path: &Path) -> Result<Self, ArchiveError> {
        let shown = path.display().to_string();
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        let is_zip = [".whl", ".zip"].iter().any(|ending| name.ends_with(ending));
        let is_tar = [".tgz", ".tar.gz"].iter().any(|ending| name.ends_with(ending));
        if !is_zip && !is_tar {
            return Err(ArchiveError::Format(shown));
        }
        let damaged = |why: &dyn std::fmt::Display| ArchiveError::Damaged(shown.clone(), why.to_string());
        let file = RegularFile::open(path).map_err(|why| damaged(&why))?;
        // The list of a zip archive's files is read whole.
        if file.len() > MAX_ARCHIVE {
            return Err(ArchiveError::TooLarge(shown, "512 MB"));
        }
        let file = file.into_file();
        let temporary = tempfile::Builder::new().prefix("apidisc-").tempdir().map_err(|why| damaged(&why))?;
        let mut target = Target { folder: temporary.path(), bytes: 0, files: 0 };
        let taken = if is_zip { take_zip(file, &mut target) } else { take_tar(file, &mut target) };
        taken.map_err(|why| match why {
            TakeError::TooLarge(what) => ArchiveError::TooLarge(shown.clone(), what),
            TakeError::Io(why) => damaged(&why),
        })?;
        let found = package_in(temporary.path());
        let (folder, name, version) = found.ok_or(ArchiveError::NoPackage(shown))?;
        Ok(Self { folder, _temporary: temporary, name, version })
    }
}

/// The folder of a package below an unpacked archive, with its name and version.
fn package_in(top: &Path) -> Option<(PathBuf, String, String)> {
    // Archives of npm and of sources have one folder around all.
    let inside = listing::entries(top).into_iter().filter(|entry| entry.is_folder);
    std::iter::once(top.to_owned()).chain(inside.map(|entry| top.join(entry.name))).find_map(|folder| {
        let manifest = listing::text(&folder.join("package.json"));
        if let Some(name) = manifest.as_deref().and_then(node::name) {
            let version = manifest.as_deref().and_then(node::version).unwrap_or_default();
            return Some((folder, name, version));
        }
        let (name, version) = distribution_of(&folder)?;
        let source = folder.join("src");
        let modules = if folder.extension().is_some_and(|extension| extension == "dist-info") {
            top.to_owned()
        } else if listing::is_folder(&source) {
            source
        } else {
            folder
        };
        Some((modules, name, version))
    })
}

enum TakeError {
    TooLarge(&'static str),
    Io(io::Error),
}

impl From<io::Error> for TakeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The folder into which files are taken, and what was taken so far.
struct Target<'t> {
    folder: &'t Path,
    bytes: u64,
    files: usize,
}

impl Target<'_> {
    /// True for a file that describes or declares code and whose path leads nowhere else.
    fn is_wanted(path: &Path) -> bool {
        let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_wanted =
            NAMES.contains(&name) || EXTENSIONS.contains(&extension(path)) || COMPILED.contains(&extension(path));
        is_plain && is_wanted && path.components().count() <= MAX_DEPTH
    }

    /// True for a compiled module and for JavaScript. Such a file is written empty: only its presence matters.
    fn is_compiled(path: &Path) -> bool {
        COMPILED.contains(&extension(path))
    }

    /// Takes a file if it is wanted.
    fn take(&mut self, path: &Path, content: &mut dyn Read) -> Result<(), TakeError> {
        if !Self::is_wanted(path) {
            return Ok(());
        }
        self.files += 1;
        if self.files > MAX_FILES {
            return Err(TakeError::TooLarge("50,000 files"));
        }
        let mut bytes = Vec::new();
        if !Self::is_compiled(path) {
            content.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
        }
        self.bytes += bytes.len() as u64;
        if self.bytes > MAX_FILES_BYTES {
            return Err(TakeError::TooLarge("256 MB of code"));
        }
        if bytes.len() as u64 > MAX_FILE {
            return Ok(());
        }
        let target = self.folder.join(path);
        let folder = target.parent().unwrap_or(self.folder);
        writing::create_folder(folder).map_err(|why| io::Error::other(why.to_string()))?;
        writing::write_temporary(&target, &bytes)?;
        Ok(())
    }
}

/// The extension of a path; empty if it has none.
fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

fn take_zip(file: impl Read + Seek, target: &mut Target<'_>) -> Result<(), TakeError> {
    let mut archive = zip::ZipArchive::new(BufReader::new(file)).map_err(io::Error::other)?;
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).map_err(io::Error::other)?;
        let path = entry.enclosed_name();
        if let Some(path) = path.filter(|_| entry.is_file()) {
            target.take(&path, &mut entry)?;
        }
    }
    Ok(())
}

fn take_tar(file: impl Read, target: &mut Target<'_>) -> Result<(), TakeError> {
    // At most eight times the limit is decompressed, so that a decompression bomb cannot fill memory or time.
    let limited = GzDecoder::new(BufReader::new(file)).take(MAX_FILES_BYTES * 8);
    let mut archive = tar::Archive::new(limited);
    for entry in archive.entries()? {
        let mut entry = entry?;
        if entry.header().entry_type().is_file() {
            let path = entry.path()?.into_owned();
            target.take(&path, &mut entry)?;
        }
    }
    Ok(())
}
