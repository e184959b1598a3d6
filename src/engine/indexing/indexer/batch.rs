//! Batches of parse results, which the parsing threads send to the observer's thread. Waking that thread takes as long
//! as parsing a small file, so the results of small files are sent together.

use std::sync::{Mutex, PoisonError};

use super::parse::ParseResult;
use apidisc_facts::source::FileEntry;

/// The approximate number of batches of a build.
const BATCHES: u64 = 200;

/// The files that have been parsed since the last batch.
pub(super) struct Batch {
    /// The size of parsed files, in bytes, at which a batch is complete.
    bytes: u64,
    /// The size of the parsed files in bytes, and the files with their results.
    parsed: Mutex<(u64, Vec<(FileEntry, ParseResult)>)>,
}

impl Batch {
    /// An empty batch. `bytes` is the size of all files of the build.
    pub(super) fn new(bytes: u64) -> Self {
        Self { bytes: bytes / BATCHES, parsed: Mutex::default() }
    }

    /// Adds the result of parsing a file. Returns the batch if it is complete.
    pub(super) fn add(&self, found: FileEntry, result: ParseResult) -> Option<Vec<(FileEntry, ParseResult)>> {
        let (bytes, files) = &mut *self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        *bytes += found.size;
        files.push((found, result));
        (*bytes >= self.bytes).then(|| {
            *bytes = 0;
            std::mem::take(files)
        })
    }

    /// The results that have not been returned yet.
    pub(super) fn rest(&self) -> Vec<(FileEntry, ParseResult)> {
        std::mem::take(&mut self.parsed.lock().unwrap_or_else(PoisonError::into_inner).1)
    }
}
