//! The packers of the scopes that are in use, shared by the threads that deliver stubs.

use std::sync::{Arc, Mutex, PoisonError};

use apidisc::{
    delivery::{DeliveryError, Packer},
    index::{Index, Scope},
    overrides::Overrides,
    tokens::{Encoding, Tokenizer},
};

/// The largest number of packers that are kept. Several are kept, so that moving between a module and its symbols needs
/// no new packer.
const MAX_PACKERS: usize = 8;
/// The largest number of definitions in all packers except the newest one. Each definition takes some hundred bytes.
const MAX_DEFINITIONS: usize = 40_000;

/// The key of a packer: the inputs that it depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackerKey {
    /// The generation of the index: a number that differs for each index.
    pub generation: u64,
    /// The scope of the packer.
    pub scope: Scope,
    /// The encoding of the tokenizer that counts its tokens.
    pub encoding: Encoding,
    /// The revision of the pins and bans: a number that is equal for equal pins and bans.
    pub revision: u64,
}

/// A packer and its key.
type CachedPacker = (PackerKey, Arc<Packer>);

/// Packers by key, least recently used first. Clones of the cache share the packers.
#[derive(Clone, Default)]
pub struct PackerCache(Arc<Mutex<Vec<CachedPacker>>>);

impl PackerCache {
    /// The packer of a scope. If the cache does not hold the packer, it is built once, however many threads request it.
    ///
    /// # Errors
    /// The errors of [`Packer::with_overrides`].
    pub fn packer(
        &self,
        index: &Arc<Index>,
        key: PackerKey,
        overrides: &Overrides,
    ) -> Result<Arc<Packer>, DeliveryError> {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A packer of an older index is never requested again, and would keep the definitions of that index in memory.
        cached.retain(|(other, _)| other.generation == key.generation);
        let packer = if let Some(position) = cached.iter().position(|(other, _)| *other == key) {
            cached.remove(position).1
        } else {
            let tokenizer = Tokenizer::load(key.encoding);
            Arc::new(Packer::with_overrides(index, key.scope, overrides, &tokenizer)?)
        };
        let definitions =
            |cached: &[CachedPacker]| cached.iter().map(|(_, packer)| packer.definitions()).sum::<usize>();
        while cached.len() == MAX_PACKERS || definitions(&cached) > MAX_DEFINITIONS {
            cached.remove(0);
        }
        cached.push((key, Arc::clone(&packer)));
        Ok(packer)
    }
}
