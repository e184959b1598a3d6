//! Symbols by their last names, in any case and with any separators.

use std::hash::{BuildHasher as _, BuildHasherDefault};

use rustc_hash::FxHasher;

use super::intent::folded;
use crate::{index::Index, program::DefinitionId};

/// The symbols of a corpus by their folded last names.
#[derive(Debug)]
pub(super) struct Names {
    /// The hashes of folded names with the positions and ids of symbols, sorted. Hashes take a tenth of the memory that
    /// names would; who asks compares the names.
    hashes: Vec<(u64, u32, DefinitionId)>,
}

impl Names {
    pub(super) fn new(index: &Index, symbols: &[DefinitionId]) -> Self {
        let mut hashes: Vec<(u64, u32, DefinitionId)> = Vec::with_capacity(symbols.len());
        for (at, id) in (0..).zip(symbols) {
            hashes.extend(index.definition(*id).last_names().map(|name| (hash(&folded(name)), at, *id)));
        }
        hashes.sort_unstable();
        hashes.dedup();
        Self { hashes }
    }

    /// The symbols with a folded name, and maybe some with another one.
    pub(super) fn folded(&self, name: &str) -> impl Iterator<Item = DefinitionId> {
        self.of(name).map(|(.., id)| *id)
    }

    /// The positions of [`Self::folded`].
    pub(super) fn positions(&self, name: &str) -> impl Iterator<Item = u32> {
        self.of(name).map(|(_, at, _)| *at)
    }

    fn of(&self, name: &str) -> impl Iterator<Item = &(u64, u32, DefinitionId)> {
        let hash = hash(name);
        let start = self.hashes.partition_point(|(other, ..)| *other < hash);
        self.hashes[start..].iter().take_while(move |(other, ..)| *other == hash)
    }
}

fn hash(name: &str) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(name)
}
