//! Whether a name is there in a version of a package.

/// Whether a name is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It is defined or imported.
    Present,
    /// It is served with a warning, whose text this is.
    Deprecated(String),
    /// Nothing defines it.
    Absent,
    /// The code that may define it does not show it.
    Unknown,
}
