//! `api_metadata.yaml`: an index as a file.
//!
//! The form is the seed document's: a definition's FQN leads to `usage_rank`, `total_calls` and `init_args` (of a
//! class) or `args` (of anything else that is called), each argument with `required` and `freq`. Our own keys
//! stand beside them; a file without them loads, too. `$meta` says where the counts come from.
//!
//! Definitions that are called less often than a threshold have no entry. Those that stand in the class of an
//! entry are kept inside it, so that its stub reads the same from the file; what else they are is lost. Types that the
//! texts of an entry name have entries too, though nobody calls them.

mod arguments;
mod document;
mod read;
mod write;

pub use read::{MetadataError, read};
pub use write::{MetadataOptions, write};
