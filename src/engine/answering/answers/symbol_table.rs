//! Symbols by hash and by name, and the inverted index of their words. Each table is made once, when it is first
//! needed.

use std::{
    fmt::Write as _,
    sync::{Arc, OnceLock},
};

use arcstr::ArcStr;
use rustc_hash::FxHashMap;
use sha2::{Digest as _, Sha256};

use super::{AnswerError, symbol_terms};
use crate::{terms::TermIndex, types::TypeTable};
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Index, LookupError};

/// The number of hexadecimal digits of a hash.
const HASH_DIGITS: usize = 12;
/// The greatest number of nearest names.
const MAX_NEAREST: usize = 5;

/// The symbols of one index: its definitions and inherited members. Of several definitions with one FQN, such as those
/// on the branches of an `if`, the most used one is the symbol. Searches leave out inherited members and definitions
/// inside of functions.
#[derive(Debug)]
pub struct SymbolTable {
    index: Arc<Index>,
    names: OnceLock<Names>,
    terms: OnceLock<TermIndex>,
    types: OnceLock<TypeTable>,
}

#[derive(Debug, Default)]
struct Names {
    /// The symbols that searches find, in the order of the index.
    symbols: Vec<DefinitionId>,
    by_hash: FxHashMap<String, DefinitionId>,
    /// The symbols by FQN and by shortest public name. An FQN takes precedence over a public name; of several symbols
    /// with one public name, the first one has it.
    by_name: FxHashMap<ArcStr, DefinitionId>,
}

impl SymbolTable {
    /// The symbols of an index.
    pub fn new(index: Arc<Index>) -> Self {
        Self { index, names: OnceLock::new(), terms: OnceLock::new(), types: OnceLock::new() }
    }

    /// The index.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// The symbols that a search finds, in the order of the index.
    pub(crate) fn symbols(&self) -> &[DefinitionId] {
        &self.names().symbols
    }

    pub(super) fn terms(&self) -> &TermIndex {
        self.terms.get_or_init(|| symbol_terms::term_index(&self.index, self.symbols()))
    }

    /// What makes, takes, extends and raises each type.
    pub fn types(&self) -> &TypeTable {
        self.types.get_or_init(|| TypeTable::new(&self.index))
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::new(&self.index))
    }

    /// The shortest name by which [`Self::find`] finds a symbol.
    pub fn name_of(&self, id: DefinitionId) -> &ArcStr {
        let definition = self.index.definition(id);
        let is_unique = self.names().by_name.get(&definition.alias) == Some(&id);
        if is_unique { &definition.alias } else { &definition.fqn }
    }

    /// The symbol with this hash or FQN, as answers name it.
    pub fn known(&self, name: &str) -> Option<DefinitionId> {
        let names = self.names();
        let by_hash = || names.by_hash.get(&name.to_ascii_lowercase()).filter(|_| name.len() == HASH_DIGITS);
        names.by_name.get(name).or_else(by_hash).copied()
    }

    /// The symbol with this hash, FQN, alias or unique suffix. Unlike [`Self::find`], it looks for no similar names,
    /// since that compares every name.
    pub fn meant(&self, name: &str) -> Option<DefinitionId> {
        let name = name.trim();
        let by_suffix = || {
            let id = self.index.definition_meant(name)?;
            Some(self.names().by_name.get(&self.index.definition(id).fqn).copied().unwrap_or(id))
        };
        self.known(name).or_else(by_suffix)
    }

    /// [`Self::meant`] for names that people and agents type.
    ///
    /// # Errors
    /// [`AnswerError::UnknownSymbol`] with the nearest names, with the candidates of an ambiguous name, or with the
    /// most used members of a module.
    pub fn find(&self, name: &str) -> Result<DefinitionId, AnswerError> {
        let name = name.trim();
        if let Some(id) = self.meant(name) {
            return Ok(id);
        }
        if name.is_empty() {
            return Err(AnswerError::UnknownSymbol { name: name.to_owned(), nearest: Vec::new() });
        }
        let nearest: Vec<String> = match self.index.scope(None, Some(name)) {
            Ok(scope) => {
                self.index.members(scope).iter().take(MAX_NEAREST).map(|id| self.name_of(*id).to_string()).collect()
            }
            Err(LookupError::Unknown { nearest, .. }) => nearest.iter().map(ToString::to_string).collect(),
            Err(LookupError::Ambiguous { candidates, .. }) => candidates.iter().map(ToString::to_string).collect(),
        };
        Err(AnswerError::UnknownSymbol { name: name.to_owned(), nearest })
    }
}

impl Names {
    fn new(index: &Index) -> Self {
        let is_inside_function = |mut id: DefinitionId| loop {
            match index.definition(index.declaration(id)).parent {
                None => break false,
                Some(parent) if is_function(index.definition(parent).kind) => break true,
                Some(parent) => id = parent,
            }
        };
        let mut names = Self::default();
        let mut best: FxHashMap<&ArcStr, DefinitionId> = FxHashMap::default();
        for (id, definition) in index.every_definition() {
            let slot = best.entry(&definition.fqn).or_insert(id);
            if definition.usage.uses() > index.usage(*slot).uses() {
                *slot = id;
            }
        }
        for (id, definition) in index.every_definition() {
            if best.get(&definition.fqn) != Some(&id) {
                continue;
            }
            names.by_name.insert(definition.fqn.clone(), id);
            names.by_hash.insert(symbol_hash(&definition.fqn), id);
            // A search finds an inherited member only in the class that declares it.
            if index.declaration(id) == id && !is_inside_function(id) {
                names.symbols.push(id);
            }
        }
        for (id, definition) in index.every_definition() {
            if best.get(&definition.fqn) == Some(&id) {
                names.by_name.entry(definition.alias.clone()).or_insert(id);
            }
        }
        names
    }
}

fn is_function(kind: DefinitionKind) -> bool {
    kind.is_callable() && kind != DefinitionKind::Class
}

/// The hash of a symbol: the first 12 hexadecimal digits of the SHA-256 of its FQN.
pub fn symbol_hash(fqn: &str) -> String {
    let mut hash = String::with_capacity(HASH_DIGITS);
    for byte in &Sha256::digest(fqn.as_bytes())[..HASH_DIGITS / 2] {
        // Writing to a string cannot fail.
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

/// True for a text of the form of [`symbol_hash`].
pub fn is_symbol_hash(text: &str) -> bool {
    text.len() == HASH_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::symbol_hash;

    #[test]
    fn hashes_are_the_beginning_of_sha_256() {
        // printf abc | sha256sum
        assert_eq!(symbol_hash("abc"), "ba7816bf8f01");
    }
}
