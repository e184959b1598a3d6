//! Everything that an intent can find, with an inverted index of its words.

use std::{
    hash::{BuildHasher as _, BuildHasherDefault},
    sync::Arc,
};

use rustc_hash::{FxHashMap, FxHasher};

use super::{
    intent::folded,
    prior::prior,
    symbol_words::{SUMMARY, Writer, add_declaration},
};
use crate::{
    answers::{ReadSource, SymbolTable},
    index::Index,
    program::DefinitionId,
    terms::TermIndex,
};

/// Everything that an intent can find: symbols, recipes and sections of documents, with an inverted index of their words.
///
/// It is made once per index. Searching needs no lock.
#[derive(Debug)]
pub struct Corpus {
    symbols: Arc<SymbolTable>,
    /// What can be found; the documents of `terms` in their order.
    pub(super) entries: Vec<Entry>,
    pub(super) terms: TermIndex,
    /// The prior of each entry, from 0 to 1.
    pub(super) priors: Vec<f32>,
    /// For the entry of a member, the position of the entry of its class.
    pub(super) classes: Vec<Option<u32>>,
    /// The hashes of the folded names of symbols with their entries, sorted.
    names: Vec<(u64, u32)>,
}

/// Something that an intent can find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Symbol(DefinitionId),
}

impl Corpus {
    /// The corpus of an index. `read` reads the files of the index: their docstrings and documents are searched too.
    pub fn new(symbols: Arc<SymbolTable>, _read: &ReadSource<'_>) -> Self {
        let index = Arc::clone(symbols.index());
        let mut writer = Writer::new();
        let mut entries = Vec::new();
        let mut priors = Vec::new();
        for &id in symbols.symbols() {
            let definition = index.definition(id);
            writer.builder.begin();
            add_declaration(&mut writer, &index, definition);
            definition.summary.iter().for_each(|summary| writer.text(SUMMARY, summary));
            entries.push(Entry::Symbol(id));
            priors.push(prior(&index, id) as f32);
        }
        let by_id: FxHashMap<DefinitionId, u32> = symbols.symbols().iter().copied().zip(0..).collect();
        let class = |id: &DefinitionId| index.definition(*id).parent.and_then(|parent| by_id.get(&parent).copied());
        let classes = symbols.symbols().iter().map(class).collect();
        let names = names(&index, symbols.symbols());
        Self { symbols, entries, terms: writer.builder.finish(), priors, classes, names }
    }

    /// The symbols.
    pub fn symbols(&self) -> &Arc<SymbolTable> {
        &self.symbols
    }

    /// The entries of the symbols whose last name is `name` when both are folded.
    pub(super) fn named(&self, folded_name: &str) -> impl Iterator<Item = u32> {
        let hash = hash(folded_name);
        let start = self.names.partition_point(|(other, _)| *other < hash);
        self.names[start..].iter().take_while(move |(other, _)| *other == hash).map(|(_, entry)| *entry)
    }
}

fn names(index: &Index, symbols: &[DefinitionId]) -> Vec<(u64, u32)> {
    let mut names: Vec<(u64, u32)> = Vec::with_capacity(symbols.len());
    for (entry, id) in (0..).zip(symbols) {
        names.extend(index.definition(*id).last_names().map(|name| (hash(&folded(name)), entry)));
    }
    names.sort_unstable();
    names.dedup();
    names
}

fn hash(name: &str) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(name)
}
