//! Appends requests in the background, begins new files, and removes old ones.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::mpsc::{self, Receiver, SyncSender},
    thread,
    time::{Duration, SystemTime},
};

use apidisc::unprintable::escaped_json;

use super::{ENDING, Header, LIVE, LogFolder, Request};
use crate::{
    clock, threads,
    writing::{self, LockedFile},
};

/// The size from which a file is followed by another one, in bytes.
const MAX_FILE: u64 = 2 << 20;
/// The most files of a folder.
const MAX_FILES: usize = 16;
/// The most bytes of all files of a folder.
const MAX_BYTES: u64 = 16 << 20;
/// The most requests that wait to be written. Further ones are dropped.
const MAX_WAITING: usize = 256;
/// The longest time for which the end of the process waits for the log.
const PATIENCE: Duration = Duration::from_millis(500);

/// Makes a request, on the thread that writes it.
type MakeRequest = Box<dyn FnOnce() -> Request + Send>;

enum Job {
    Write(MakeRequest),
    /// Sends a reply when all earlier requests are written.
    Flush(SyncSender<()>),
}

/// The log of a server process. Nothing is written before the first request.
pub struct RequestLog {
    jobs: SyncSender<Job>,
}

impl RequestLog {
    /// Starts the thread that writes; `None` if it cannot be started.
    pub fn start(folder: LogFolder) -> Option<Self> {
        let (jobs, waiting) = mpsc::sync_channel(MAX_WAITING);
        let thread = thread::Builder::new().name("request-log".to_owned());
        thread.spawn(move || write_all(&mut Writer::new(folder), &waiting)).ok()?;
        Some(Self { jobs })
    }

    /// Appends a request, later and on another thread. `make` is called there. A request is dropped if too many wait.
    pub fn record(&self, make: impl FnOnce() -> Request + Send + 'static) {
        let _ = self.jobs.try_send(Job::Write(Box::new(make)));
    }

    /// Waits until the requests so far are written, or for half a second.
    pub fn flush(&self) {
        let (done, is_done) = mpsc::sync_channel(1);
        if self.jobs.try_send(Job::Flush(done)).is_ok() {
            let _ = is_done.recv_timeout(PATIENCE);
        }
    }
}

fn write_all(writer: &mut Writer, jobs: &Receiver<Job>) {
    threads::lower_priority();
    while let Ok(job) = jobs.recv() {
        match job {
            Job::Write(make) => {
                // A panic would be a bug; it costs the line of one request.
                let _ = threads::catch_panic(|| writer.append(make()));
            }
            Job::Flush(done) => drop(done.send(())),
        }
    }
}

/// The files of one server.
pub(super) struct Writer {
    folder: LogFolder,
    /// The first part of the names of the files: the server's start and its process.
    server: String,
    /// The number of the present file.
    number: u32,
    /// The file whose lock says that the server runs.
    live: Option<LockedFile>,
    /// True if the last write may have left a part of a line.
    is_torn: bool,
    max_file: u64,
}

impl Writer {
    pub(super) fn new(folder: LogFolder) -> Self {
        let server = format!("{:013}-{}", clock::now(), process::id());
        Self { folder, server, number: 0, live: None, is_torn: false, max_file: MAX_FILE }
    }

    /// A writer of smaller files, with a name of its own.
    #[cfg(test)]
    pub(super) fn named(folder: LogFolder, server: &str, max_file: u64) -> Self {
        Self { server: server.to_owned(), max_file, ..Self::new(folder) }
    }

    /// Appends a request; drops it if it cannot be written.
    pub(super) fn append(&mut self, mut request: Request) {
        request.bound();
        let Ok(json) = serde_json::to_string(&request) else { return };
        let line = escaped_json(json) + "\n";
        if self.live.is_none() {
            self.begin();
        }
        match self.write(&line) {
            Ok(size) if size > self.max_file => {
                self.number += 1;
                remove_old(&self.folder.folder);
            }
            Ok(_) => {}
            Err(_) => self.is_torn = true,
        }
    }

    /// Appends a line, and returns the new size of the file.
    fn write(&mut self, line: &str) -> io::Result<u64> {
        let path = self.folder.folder.join(format!("{}.{}{ENDING}", self.server, self.number));
        // Another server may have removed the file to keep the folder small.
        if !fs::metadata(&path).is_ok_and(|metadata| metadata.len() > 0) {
            let header = escaped_json(serde_json::to_string(&Header::new(&self.folder.repository))?) + "\n";
            // A file with half a header cannot be read, so it is removed.
            writing::append_private(&path, header.as_bytes()).inspect_err(|_| writing::remove(&path))?;
            self.is_torn = false;
        }
        let end = if self.is_torn { "\n" } else { "" };
        let before = writing::append_private(&path, format!("{end}{line}").as_bytes())?;
        self.is_torn = false;
        Ok(before + line.len() as u64)
    }

    /// Says that the server runs, and removes the oldest files of the folder.
    fn begin(&mut self) {
        remove_old(&self.folder.folder);
        // Without a lock the server counts as ended.
        self.live = writing::lock_private(&self.folder.folder.join(format!("{}{LIVE}", self.server))).ok();
    }
}

/// Removes the files beyond the limits, those first that were written longest ago, and the files of servers that have
/// ended and have no requests left.
fn remove_old(folder: &Path) {
    let entries: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    let has_ending = |path: &&PathBuf, ending: &str| path.to_str().is_some_and(|path| path.ends_with(ending));
    let mut files: Vec<(SystemTime, u64, &PathBuf)> = entries
        .iter()
        .filter(|path| has_ending(path, ENDING))
        .filter_map(|path| {
            let metadata = fs::symlink_metadata(path).ok()?;
            Some((metadata.modified().ok()?, metadata.len(), path))
        })
        .collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    let mut bytes = 0;
    let mut kept = Vec::new();
    for (_, size, path) in files {
        bytes += size;
        if kept.len() < MAX_FILES && bytes <= MAX_BYTES {
            kept.push(path);
        } else {
            writing::remove(path);
        }
    }
    for live in entries.iter().filter(|path| has_ending(path, LIVE)) {
        let has_requests = kept.iter().any(|path| super::follower::server_of(path) == super::follower::server_of(live));
        if !has_requests && !is_locked(live) {
            writing::remove(live);
        }
    }
}

/// True if a running server holds the lock on a file.
pub(super) fn is_locked(path: &Path) -> bool {
    let file = apidisc::files::RegularFile::open(path).map(apidisc::files::RegularFile::into_file);
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
}
