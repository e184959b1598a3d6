//! What an agent has been given: state in four scopes, and the ledger of tokens.

mod state;
mod storage;

pub use state::{ContextSummary, Session, SessionSummary, TempSummary, UserSummary};
pub use storage::{FileStorage, KeyValueStorage, MemoryStorage, StateFile, Storage, StorageError};
