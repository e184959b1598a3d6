//! What every part of the engine shares.
//!
//! | module | content |
//! | --- | --- |
//! | [`control`] | progress, cancelling, and the counter of steps |
//! | [`diagnostic`] | problems of single files |
//! | [`environment`] | which environment holds the installed packages |
//! | [`files`] | a path → an open regular file, its bytes or its text |
//! | [`hash`] | hashes of contents, and of what people compare |
//! | [`ids`] | typed indices into tables |
//! | [`language`] | the languages, and all that depends on a language alone |
//! | [`nesting`] | the bound on recursion |
//! | [`packed`], [`packed_list`] | values as bytes, and back |
//! | [`shorten`] | cuts of texts |
//! | [`sort`] | sorts whose machine code exists once |
//! | [`unprintable`] | escapes for characters that a terminal obeys or does not show |

pub mod control;
pub mod diagnostic;
pub mod environment;
pub mod files;
pub mod hash;
pub mod ids;
pub mod language;
pub mod nesting;
pub mod packed;
pub mod packed_list;
pub mod shorten;
pub mod sort;
pub mod unprintable;

/// A hash of the sources of this package, for versions of what is kept on disk.
pub const SOURCES: &str = env!("SOURCES");
