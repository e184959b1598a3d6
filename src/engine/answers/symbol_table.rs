//! Symbols by hash and by name, and what searches need. Each table is made once, when it is first needed.

use std::sync::Arc;

use crate::index::Index;

/// The symbols of one index.
#[derive(Debug)]
pub struct SymbolTable {
    index: Arc<Index>,
}

impl SymbolTable {
    /// The symbols of an index.
    pub fn new(index: Arc<Index>) -> Self {
        Self { index }
    }

    /// The index.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }
}

/// The hash of a symbol: the first 12 hexadecimal digits of the SHA-256 of its FQN.
pub fn symbol_hash(fqn: &str) -> String {
    let _ = fqn;
    todo!()
}
