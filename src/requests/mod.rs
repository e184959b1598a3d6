//! The log of the requests that agents make: a server appends to it, an explorer shows it.
//!
//! | file | content |
//! | --- | --- |
//! | `request` | a request with its answer, as a line of the log |
//! | `writer` | [`RequestLog`]: appends in the background, begins new files, removes old ones |
//! | `follower` | [`Follower`]: reads what has been appended since it last read |
//!
//! # The format
//!
//! A repository has a folder: `requests/NAME-HASH` in the folder of the program's state, named by [`repository_name`].
//! Each server process writes files of its own in it, so that servers never wait for each other:
//!
//! | file | content |
//! | --- | --- |
//! | `START-PID.N.jsonl` | the requests. `START` is the time of the server's start in milliseconds since 1970; `N` counts the files of the server from 0 |
//! | `START-PID.live` | empty; the server holds a lock on it for as long as it runs |
//!
//! The first line of a file of requests is a [`Header`], every other line a [`Request`], both as JSON. A line that is
//! no JSON of that kind is skipped, so is a last line without a line break: it is still being written. A reader ignores
//! the fields that it does not know. Whatever else changes in the format changes [`VERSION`], and a reader ignores
//! files of another version.
//!
//! A server begins its next file when one has more than 2 MiB. Of all files in the folder the 16 that were written last
//! are kept, and of these as many as have 16 MiB together. Only the user may read the folder and its files.
//!
//! **Architecture invariant.** The log never disturbs an answer. Requests are written by a thread of their own; what it
//! cannot write, because the disk is full or the folder is read-only, is dropped.

mod follower;
mod request;
#[cfg(test)]
mod tests;
mod writer;

use std::{
    env,
    path::{Path, PathBuf},
};

pub use follower::{Follower, LoggedRequest, NewEntries};
pub use request::{Header, Request};
pub use writer::RequestLog;

use crate::places::{Places, repository_name};

/// The version of the format.
pub const VERSION: u32 = 1;
/// The name of the format in a header.
const FORMAT: &str = "apidisc-tui requests";
/// The environment variable that turns the log off.
const VARIABLE: &str = "APIDISC_REQUESTS";
/// The ending of a file of requests.
const ENDING: &str = ".jsonl";
/// The ending of the file that a running server has locked.
const LIVE: &str = ".live";

/// The folder with the log of one repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFolder {
    /// The folder, which need not exist.
    pub folder: PathBuf,
    /// The path of the repository.
    pub repository: String,
}

impl LogFolder {
    /// The folder of a repository, a file or another input that is named by its path. `None` if the path does not
    /// exist, if there is no folder for state, and if the environment turns the log off.
    pub fn of(places: Option<&Places>, path: &Path) -> Option<Self> {
        let (name, repository) = repository_name(path)?;
        Self::named(places, &name, repository)
    }

    /// The folder of the demo.
    pub fn of_demo(places: Option<&Places>) -> Option<Self> {
        Self::named(places, "demo", "the demo".to_owned())
    }

    fn named(places: Option<&Places>, name: &str, repository: String) -> Option<Self> {
        let is_off = env::var_os(VARIABLE).is_some_and(|word| word == "off");
        let places = places.filter(|_| !is_off)?;
        Some(Self { folder: places.state.join("requests").join(name), repository })
    }
}
