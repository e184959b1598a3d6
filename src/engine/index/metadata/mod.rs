//! `api_metadata.yaml`: an index as a file.
//!
//! The seed document, one of the project's design documents, defines the form: each FQN maps to `usage_rank`,
//! `total_calls` and `init_args` (for a class) or `args` (for anything else that is called), and each argument has
//! `required` and `freq`. The other keys are additions; the bare form, a file without them, can be read too. `$meta`
//! records where the counts come from.
//!
//! Definitions that are called less often than a threshold have no entry. If their class has an entry, they are members
//! of that entry, so that the class has the same stub in an index that is read from the file. A type that is mentioned
//! in a text of an entry has an entry of its own, even if it is never called.

mod arguments;
mod document;
mod index_builder;
mod read;
mod usage;
mod vocabulary;
mod write;

/// The largest file that is read: several times what is written for the largest repositories.
pub const MAX_BYTES: u64 = 128 << 20;

pub use read::{MetadataError, read};
pub use write::{MetadataOptions, write};
