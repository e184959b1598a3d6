//! Finds out from the history of the repository when files were last changed.

use std::sync::Arc;

use apidisc::source::{ChangeTimes, LastChanged, Source};
use compact_str::CompactString;

use crate::tui::{message::Message, model::Catalog};

/// A request for the dates of files. A newer job replaces this one, even while it runs.
#[derive(Clone, Debug)]
pub struct DateFilesJob {
    /// The number of the request; the answer contains it.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// The paths of the files.
    pub paths: Vec<CompactString>,
}

/// Answers with [`Message::FilesDated`]; `None` if `is_cancelled` becomes true. `history` caches the history read so
/// far; `source` is the source of the index, if it is known.
pub fn date_files(
    history: &mut LastChanged,
    source: Option<&Source>,
    job: &DateFilesJob,
    is_cancelled: &dyn Fn() -> bool,
) -> Option<Message> {
    let changed = match source {
        Some(source) => history.times(source, &job.paths, is_cancelled)?,
        None => ChangeTimes::default(),
    };
    let ChangeTimes { by_path, beyond_limit } = changed;
    Some(Message::FilesDated { ticket: job.ticket, changed: Arc::new(by_path), beyond_limit })
}
