//! The storages of session state: memory, one file, or a store of the caller.

use std::collections::BTreeMap;

use serde_json::Value;

/// The error of a storage, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StorageError(pub String);

/// Returns the new value of a key, given the old one. `None` stands for a key without a value.
pub type Change<'a> = dyn FnMut(Option<Value>) -> Option<Value> + 'a;

/// A store of values by key. Keys with the prefix `temp:` are never in a storage: the session keeps them in memory.
pub trait Storage: Send {
    /// The value of a key.
    ///
    /// # Errors
    /// [`StorageError`] if the store cannot be read.
    fn get(&self, key: &str) -> Result<Option<Value>, StorageError>;

    /// Changes the value of a key. If several processes share the store, none of them changes the value between the
    /// reading of the old value and the writing of the new one.
    ///
    /// # Errors
    /// [`StorageError`] if the store cannot be read or written.
    fn update(&mut self, key: &str, change: &mut Change<'_>) -> Result<(), StorageError>;

    /// The keys that begin with a prefix, sorted.
    ///
    /// # Errors
    /// [`StorageError`] if the store cannot be read.
    fn keys(&self, prefix: &str) -> Result<Vec<String>, StorageError>;
}

/// A storage in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryStorage {
    values: BTreeMap<String, Value>,
}

impl Storage for MemoryStorage {
    fn get(&self, key: &str) -> Result<Option<Value>, StorageError> {
        Ok(self.values.get(key).cloned())
    }

    fn update(&mut self, key: &str, change: &mut Change<'_>) -> Result<(), StorageError> {
        update_map(&mut self.values, key, change);
        Ok(())
    }

    fn keys(&self, prefix: &str) -> Result<Vec<String>, StorageError> {
        Ok(self.values.keys().filter(|key| key.starts_with(prefix)).cloned().collect())
    }
}

fn update_map(values: &mut BTreeMap<String, Value>, key: &str, change: &mut Change<'_>) {
    match change(values.get(key).cloned()) {
        Some(value) => _ = values.insert(key.to_owned(), value),
        None => _ = values.remove(key),
    }
}

/// Returns the new text of a file, given the old one; `None` if there is no file yet.
pub type TextChange<'a> = dyn FnMut(Option<String>) -> Result<String, StorageError> + 'a;

/// The file of a [`FileStorage`]. The engine writes no files, so its caller implements this.
pub trait StateFile: Send {
    /// The text of the file; `None` if there is none.
    ///
    /// # Errors
    /// [`StorageError`] if the file cannot be read.
    fn read(&self) -> Result<Option<String>, StorageError>;

    /// Replaces the file as a whole by the text that `change` returns. No other process updates the file meanwhile.
    ///
    /// # Errors
    /// [`StorageError`] of `change`, or if the file cannot be read or written; the file is unchanged then.
    fn update(&mut self, change: &mut TextChange<'_>) -> Result<(), StorageError>;
}

/// A storage in one file, which processes may share. The file holds the keys with the prefixes `user:` and `app:` as a
/// JSON object; the keys of the conversation stay in memory.
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

    fn read(&self) -> Result<BTreeMap<String, Value>, StorageError> {
        values(self.file.read()?.as_deref())
    }
}

/// True for a key that outlives the conversation.
fn is_lasting(key: &str) -> bool {
    key.starts_with("user:") || key.starts_with("app:")
}

/// The values in the text of a file.
fn values(text: Option<&str>) -> Result<BTreeMap<String, Value>, StorageError> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(BTreeMap::new()) };
    serde_json::from_str(text).map_err(|error| StorageError(format!("the state of sessions is damaged: {error}")))
}

impl<F: StateFile> Storage for FileStorage<F> {
    fn get(&self, key: &str) -> Result<Option<Value>, StorageError> {
        if is_lasting(key) { Ok(self.read()?.remove(key)) } else { self.conversation.get(key) }
    }

    fn update(&mut self, key: &str, change: &mut Change<'_>) -> Result<(), StorageError> {
        if !is_lasting(key) {
            return self.conversation.update(key, change);
        }
        self.file.update(&mut |text| {
            let mut values = values(text.as_deref())?;
            update_map(&mut values, key, change);
            serde_json::to_string(&values).map_err(|error| StorageError(error.to_string()))
        })
    }

    fn keys(&self, prefix: &str) -> Result<Vec<String>, StorageError> {
        let mut keys: Vec<String> = self.read()?.into_keys().filter(|key| key.starts_with(prefix)).collect();
        keys.extend(self.conversation.keys(prefix)?);
        keys.sort();
        Ok(keys)
    }
}

/// A store of the caller, such as the session state of an agent framework.
pub trait KeyValueStore: Send {
    /// The value of a key.
    ///
    /// # Errors
    /// [`StorageError`] if the store cannot be read.
    fn get(&self, key: &str) -> Result<Option<Value>, StorageError>;

    /// Sets the value of a key; `None` removes the key.
    ///
    /// # Errors
    /// [`StorageError`] if the store cannot be written.
    fn set(&mut self, key: &str, value: Option<Value>) -> Result<(), StorageError>;

    /// All keys, in any order.
    ///
    /// # Errors
    /// [`StorageError`] if the store cannot be read.
    fn keys(&self) -> Result<Vec<String>, StorageError>;
}

/// A storage over a [`KeyValueStore`]. An update reads a value and then writes it: another user of the store may write
/// between the two, unless the store prevents that.
#[derive(Clone, Debug, Default)]
pub struct KeyValueStorage<S>(pub S);

impl<S: KeyValueStore> Storage for KeyValueStorage<S> {
    fn get(&self, key: &str) -> Result<Option<Value>, StorageError> {
        self.0.get(key)
    }

    fn update(&mut self, key: &str, change: &mut Change<'_>) -> Result<(), StorageError> {
        let value = change(self.0.get(key)?);
        self.0.set(key, value)
    }

    fn keys(&self, prefix: &str) -> Result<Vec<String>, StorageError> {
        let mut keys = self.0.keys()?;
        keys.retain(|key| key.starts_with(prefix));
        keys.sort();
        Ok(keys)
    }
}
