//! `api_metadata.yaml`: an index as a file.
//!
//! In the bare form, each FQN maps to `usage_rank`, `total_calls` and `init_args` (for a class) or `args` (for anything
//! else that is called), and each argument has `required` and `freq`. The full form, which [`write()`] writes, has
//! further keys and `$meta`, which records where the counts come from, down to the hash of each file. Both forms can be
//! read.
//!
//! Definitions that are used less often than a threshold are left out, except those that the stub of another definition
//! depends on: the classes around it and above it, their public members, and the types that their texts name. So every
//! definition in the file has the same stub in an index that is read from the file. With the threshold 0 nothing is
//! left out, and every request has the same answer.
//!
//! If there are several sources, the file names the source of each use: the key `by_source` of an entry has the usage
//! in each source. A definition whose entry lacks this key is used only by the source that defines it. So sources can
//! be weighed in an index that is read from the file.
//!
//! The last line, `$end`, has the number of entries. A file with `$meta` and without `$end` was cut off, and is
//! refused.

mod arguments;
mod by_source;
mod contents;
mod document;
mod index_builder;
mod inherited;
mod limits;
mod nesting;
mod parts;
mod read;
mod results;
mod selection;
mod sort;
mod usage;
mod vocabulary;
mod write;

/// The largest file that is read: several times what is written for the largest repositories.
pub const MAX_BYTES: u64 = 128 << 20;

/// The file to which an index is written by default.
pub const DEFAULT_OUTPUT: &str = "api_metadata.yaml";

pub(crate) use arguments::keys;
pub(crate) use parts::{Part, PartEntry, PartHeader, entries, join};
pub use read::{MetadataError, read};
pub use write::{MetadataOptions, write};
