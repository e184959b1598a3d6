//! How an observer steers work that takes long.

/// What the observer wants next. The engine has no clock: the face decides when a snapshot is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Link what has been read so far, report it as [`Progress::Partial`], go on.
    Snapshot,
    /// Stop; [`build`] returns `None`.
    Cancel,
}
