//! What an agent has been given: state in four scopes, and the ledger of tokens.
//!
//! ```
//! use apidisc::session::{MemoryStorage, Session};
//! use serde_json::json;
//!
//! let mut session = Session::new(Box::new(MemoryStorage::default()));
//! session.start_invocation();
//! session.record_fetch("get_symbol", &json!({ "hash": "0123456789ab" }), 350)?;
//! assert!(!session.should_fetch_symbol("0123456789ab"));
//! session.end_invocation()?;
//! assert_eq!(session.get_context_summary()?.session.viewed_symbols, 1);
//! # Ok::<(), apidisc::session::StorageError>(())
//! ```
//!
//! A session has no clock: its owner lets it expire.

mod state;
mod storage;
mod summary;
#[cfg(test)]
mod tests;

pub use state::Session;
pub use storage::{
    Change, FileStorage, KeyValueStorage, KeyValueStore, MemoryStorage, StateFile, Storage, StorageError, TextChange,
};
pub use summary::{ContextSummary, SessionSummary, TempSummary, UserSummary};
