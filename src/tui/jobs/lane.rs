//! The threads that do background jobs.

use std::time::Duration;

/// A thread that does background jobs, one after the other. Jobs of different lanes do not wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lane {
    /// Makes the stub.
    Delivery,
    /// Works for the tuning page: between two points of a curve, it does the shorter jobs.
    Tuning,
    /// Measures held-out coverage. A measurement counts the calls twice for each of five folds, which takes longer than
    /// any other job.
    HeldOut,
    /// Filters the lists of the panes.
    ListFilter,
    /// Counts an index again.
    Recount,
    /// Finds names. It keeps the names of the newest index, so that a keystroke costs only the search.
    Find,
    /// Finds by meaning. It keeps the corpus of the newest index, so that a keystroke costs only the search.
    Discover,
    /// Makes the texts and arguments of parts of API documents, so that the explorer does not wait for large documents.
    Parts,
    /// Colours the stub.
    Highlight,
    /// Reads the sources.
    Sources,
    /// Reads the history of the repository.
    Dates,
}

impl Lane {
    /// Every lane.
    pub const ALL: [Self; 11] = [
        Self::Delivery,
        Self::Tuning,
        Self::HeldOut,
        Self::ListFilter,
        Self::Recount,
        Self::Find,
        Self::Discover,
        Self::Parts,
        Self::Highlight,
        Self::Sources,
        Self::Dates,
    ];

    /// Its position in [`Self::ALL`].
    pub fn position(self) -> usize {
        self as usize
    }

    /// The name of its thread.
    pub fn name(self) -> &'static str {
        match self {
            Self::Delivery => "delivery",
            Self::Tuning => "tuning",
            Self::HeldOut => "held-out",
            Self::ListFilter => "list-filter",
            Self::Recount => "recount",
            Self::Find => "find",
            Self::Discover => "discover",
            Self::Parts => "parts",
            Self::Highlight => "highlight",
            Self::Sources => "sources",
            Self::Dates => "dates",
        }
    }

    /// The time for which a job waits before it begins. Each further job that arrives meanwhile begins this time anew.
    pub fn settling_time(self) -> Option<Duration> {
        match self {
            Self::HeldOut => Some(Duration::from_millis(250)),
            _ => None,
        }
    }
}
