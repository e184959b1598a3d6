//! Where the state of sessions is kept.

use serde_json::Value;

/// The error of a storage, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StorageError(pub String);

/// A store of values by key. Keys of the task (`temp:`) never come here.
pub trait Storage: Send {
    /// The value of a key.
    fn get(&self, key: &str) -> Result<Option<Value>, StorageError>;
    /// Sets the value of a key to what `change` makes of it; `None` removes the key. Another user of the storage does
    /// not come between reading and writing.
    fn update(&mut self, key: &str, change: &mut dyn FnMut(Option<Value>) -> Option<Value>)
    -> Result<(), StorageError>;
    /// The keys that begin with a prefix, in order.
    fn keys(&self, prefix: &str) -> Result<Vec<String>, StorageError>;
}

/// A storage in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryStorage {
    values: std::collections::BTreeMap<String, Value>,
}

/// The file of a [`FileStorage`]. The program implements it: the engine writes no files.
pub trait StateFile: Send {
    /// The text of the file; `None` if there is none.
    fn read(&self) -> Result<Option<String>, StorageError>;
    /// Replaces the file as a whole by what `change` makes of its text, while no other process does so.
    fn update(
        &mut self,
        change: &mut dyn FnMut(Option<String>) -> Result<String, StorageError>,
    ) -> Result<(), StorageError>;
}

/// A storage in one file, shared by processes. It holds `user:` and `app:`; the keys of the conversation stay in memory.
#[derive(Debug)]
pub struct FileStorage<F> {
    file: F,
    conversation: MemoryStorage,
}

impl<F: StateFile> FileStorage<F> {
    /// A storage in a file.
    pub fn new(file: F) -> Self {
        Self { file, conversation: MemoryStorage::default() }
    }
}

/// A storage over the caller's key-value store, such as the session state of an agent framework.
pub struct KeyValueStorage<G, S, K> {
    /// Returns the value of a key.
    pub get: G,
    /// Sets the value of a key, or removes it.
    pub set: S,
    /// Returns all keys.
    pub keys: K,
}
