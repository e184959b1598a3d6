//! Answers of an observer that steer long work.

/// The answer of an observer to a progress report. The engine has no clock, so the observer decides when a snapshot is
/// due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Continue.
    Continue,
    /// Index the files that have been parsed so far, report this index as
    /// [`Progress::Partial`](crate::indexer::Progress::Partial), and continue.
    Snapshot,
    /// Stop. [`build`](crate::indexer::build) then returns `None`.
    Cancel,
}
