//! Reads what has been appended to the log since it was last read.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use apidisc::files::RegularFile;

use super::{ENDING, FORMAT, Header, LIVE, LogFolder, Request, VERSION, writer::is_locked};

/// The most bytes that are read of a file at once. A server begins another file at a smaller size.
const MAX_READ: u64 = 8 << 20;
/// The most files that are read. A folder has fewer, unless somebody has put others into it.
const MAX_FILES: usize = 64;

/// A request, and the server that answered it.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedRequest {
    /// The server: its start and its process.
    pub server: String,
    /// The request.
    pub request: Request,
}

/// The entries that were added to the log since it was last read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewEntries {
    /// The requests that were appended, by time.
    pub requests: Vec<LoggedRequest>,
    /// The servers that run.
    pub live: BTreeSet<String>,
    /// The number of files of another version, which are ignored.
    pub other_versions: usize,
}

/// Follows the log of a repository.
#[derive(Debug)]
pub struct Follower {
    folder: LogFolder,
    files: BTreeMap<String, FollowedFile>,
}

/// A file as far as it has been read.
#[derive(Debug, Default)]
struct FollowedFile {
    /// The number of bytes that have been read.
    read: u64,
    /// True once the header has been read.
    has_header: bool,
    /// True if the file is not of this version.
    is_ignored: bool,
}

impl Follower {
    /// A follower that has read nothing yet.
    pub fn new(folder: LogFolder) -> Self {
        Self { folder, files: BTreeMap::new() }
    }

    /// Reads the entries that were added. A file that cannot be read counts as unchanged.
    pub fn read(&mut self) -> NewEntries {
        let mut news = NewEntries::default();
        let entries = fs::read_dir(&self.folder.folder).into_iter().flatten().flatten();
        let names: BTreeSet<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        self.files.retain(|name, _| names.contains(name));
        // The newest files come last by name.
        for name in names.iter().rev().filter(|name| name.ends_with(ENDING)).take(MAX_FILES) {
            let file = self.files.entry(name.clone()).or_default();
            let Some(server) = server_of(Path::new(name)) else { continue };
            for request in file.read_new(&self.folder.folder.join(name)) {
                news.requests.push(LoggedRequest { server: server.to_owned(), request });
            }
            news.other_versions += usize::from(file.is_ignored);
        }
        let live = names.iter().filter(|name| name.ends_with(LIVE));
        let live = live.filter(|name| is_locked(&self.folder.folder.join(name))).take(MAX_FILES);
        news.live = live.filter_map(|name| Some(server_of(Path::new(name))?.to_owned())).collect();
        news.requests.sort_by_key(|request| request.request.time);
        news
    }
}

impl FollowedFile {
    /// The requests of the whole lines that have been appended.
    fn read_new(&mut self, path: &Path) -> Vec<Request> {
        // Most files have not changed, and are not opened.
        if fs::metadata(path).is_ok_and(|metadata| metadata.len() == self.read) {
            return Vec::new();
        }
        let Ok(mut file) = RegularFile::open(path) else { return Vec::new() };
        if file.len() < self.read {
            *self = Self::default();
        }
        if self.is_ignored || file.len() == self.read {
            return Vec::new();
        }
        let Ok(bytes) = file.read_at(self.read, MAX_READ) else { return Vec::new() };
        let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
        let mut lines = bytes[..end].split(|byte| *byte == b'\n');
        if !self.has_header {
            self.has_header = true;
            let header = lines.next().and_then(|line| serde_json::from_slice::<Header>(line).ok());
            self.is_ignored = header.is_none_or(|header| header.format != FORMAT || header.version != VERSION);
        }
        self.read += end as u64 + 1;
        if self.is_ignored {
            return Vec::new();
        }
        lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }
}

/// The server to which a file belongs: the name of the file up to its first dot.
pub(super) fn server_of(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()?.split('.').next()
}
