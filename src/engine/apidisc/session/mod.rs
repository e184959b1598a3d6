//! The session of an agent: its state in four scopes, the symbols that it holds, and the ledger of the tokens of its
//! answers.
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
//! | file | content |
//! | --- | --- |
//! | `state` | the state of one session |
//! | `storage` | the storages of state: memory, a file, or a store of the caller |
//! | `summary` | a session in numbers |
//!
//! A session uses no clock, so its owner decides when it ends.

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
