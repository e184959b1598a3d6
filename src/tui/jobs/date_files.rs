//! Finds out when files were last changed, by the history of the repository.

use std::sync::Arc;

use apidisc::source::{LastChanged, Source};
use compact_str::CompactString;

use crate::tui::{
    message::Message,
    model::{Catalog, page::Dates},
};

/// Files to date. A newer job replaces it.
#[derive(Clone, Debug)]
pub struct DateFilesJob {
    /// Comes back with the answer.
    pub ticket: u64,
    /// The index.
    pub catalog: Arc<Catalog>,
    /// Paths of its files.
    pub paths: Vec<CompactString>,
}

/// Answers with [`Message::FilesDated`]; `None` where `is_cancelled` becomes true. `history` keeps what has been read
/// of the history, `source` is where the index comes from, if that is known.
pub fn date_files(
    history: &mut LastChanged,
    source: Option<&Source>,
    job: &DateFilesJob,
    is_cancelled: &dyn Fn() -> bool,
) -> Option<Message> {
    let changed = match source {
        Some(source) => history.times(source, &job.paths, is_cancelled)?,
        None => Dates::default(),
    };
    Some(Message::FilesDated { ticket: job.ticket, changed: Arc::new(changed) })
}
