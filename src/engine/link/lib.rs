//! Links the facts of all files of a language into one program: modules, names, classes, types, calls, binding of
//! arguments. There is one folder per language.

pub mod explanation;
pub(crate) mod http;
mod limits;
pub mod linked;
mod memo;
mod merge;
pub mod python;
mod receiver_links;
pub mod typescript;

pub use merge::merge;

/// A hash of the sources of this package, for versions of what is kept on disk.
pub const SOURCES: &str = env!("SOURCES");
