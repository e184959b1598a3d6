//! Symbols by their last names, in any case and with any separators.

use std::hash::{BuildHasher as _, BuildHasherDefault};

use rustc_hash::FxHasher;

use crate::terms::{folded, words};
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::Index;
use apidisc_words::stem;

/// The symbols of a corpus by their folded last names.
#[derive(Debug)]
pub(super) struct NameHashes {
    /// The hashes of folded names with the positions of symbols, sorted. Hashes take a tenth of the memory of names.
    /// Two names may have one hash, so callers compare the names of the symbols that they get.
    hashes: Box<[(u32, u32)]>,
}

impl NameHashes {
    pub(super) fn new(index: &Index, symbols: &[DefinitionId]) -> Self {
        let mut hashes: Vec<(u32, u32)> = Vec::with_capacity(symbols.len());
        for (at, id) in (0..).zip(symbols) {
            hashes.extend(index.definition(*id).last_names().map(|name| (hash(&folded(name)), at)));
        }
        hashes.sort_unstable();
        hashes.dedup();
        Self { hashes: hashes.into() }
    }

    /// The positions of the symbols with a folded name, and maybe of some with another one.
    pub(super) fn positions(&self, name: &str) -> impl Iterator<Item = u32> + use<'_> {
        let hash = hash(name);
        let start = self.hashes.partition_point(|(other, _)| *other < hash);
        self.hashes[start..].iter().take_while(move |(other, _)| *other == hash).map(|(_, at)| *at)
    }
}

/// Symbols with their names, while a corpus is made.
#[derive(Clone, Copy)]
pub(super) struct NamedSymbols<'a> {
    pub(super) names: &'a NameHashes,
    pub(super) symbols: &'a [DefinitionId],
}

impl<'a> NamedSymbols<'a> {
    /// The symbols with a folded name, and maybe some with another one.
    pub(super) fn folded(self, name: &str) -> impl Iterator<Item = DefinitionId> + use<'a> {
        self.names.positions(name).map(move |at| self.symbols[at as usize])
    }
}

/// The hash of the stem of the first word of a name; 0 for a name without words. Two words may have one hash: then a
/// symbol of another verb gains a little.
pub(super) fn first_word(name: &str) -> u32 {
    words(name).next().map_or(0, |word| hash(&stem(&word)))
}

/// The hash of a stem, as [`first_word`] has it.
pub(super) fn hash(name: &str) -> u32 {
    let hash = BuildHasherDefault::<FxHasher>::default().hash_one(name);
    (hash ^ hash >> u32::BITS) as u32
}
