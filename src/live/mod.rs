//! A live index: built in the background, watched, and rebuilt when its sources change.
//!
//! ```text
//! files ──Watcher──▶ debounce ──▶ LiveIndex (its thread: Builder::build) ──LiveEvent──▶ listener
//!                                      └──▶ newest(): Arc<Index>
//! ```
//!
//! [`PackerCache`] keeps the packers of the scopes that are in use, so that the next stub of such a scope takes only
//! milliseconds.
//!
//! **Architecture invariant.** This module does not depend on the explorer, the command line or the server, which use
//! it. It may use files, the clock and threads, but no terminal.

mod build_reporter;
mod debounce;
mod event;
mod freshness;
mod live_index;
mod packer_cache;
#[cfg(test)]
mod tests;
mod watcher;

pub use event::{ChangedFiles, LiveEvent};
pub use freshness::{Freshness, IndexedContents, check_index};
pub use live_index::LiveIndex;
pub use packer_cache::{PackerCache, PackerKey};
