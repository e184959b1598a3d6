//! The entries of a corpus, in the order of the documents of its inverted index.

use apidisc_facts::program::DefinitionId;

/// An entry of a corpus: a possible result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CorpusEntry {
    Symbol(DefinitionId),
    /// A recipe, by its position.
    Recipe(u32),
    /// A section, by its position.
    Section(u32),
}

/// All entries of a corpus: first the symbols, then the recipes, then the sections.
#[derive(Clone, Copy)]
pub(super) struct Entries<'a> {
    pub(super) symbols: &'a [DefinitionId],
    /// The number of recipes.
    pub(super) recipes: usize,
    /// The number of sections.
    pub(super) sections: usize,
}

impl Entries<'_> {
    /// The number of entries.
    pub(super) fn count(&self) -> usize {
        self.symbols.len() + self.recipes + self.sections
    }

    /// The entry at a position below [`Self::count`].
    pub(super) fn at(&self, position: u32) -> CorpusEntry {
        if let Some(id) = self.symbols.get(position as usize) {
            return CorpusEntry::Symbol(*id);
        }
        let position = position - self.symbols.len() as u32;
        match position.checked_sub(self.recipes as u32) {
            None => CorpusEntry::Recipe(position),
            Some(position) => CorpusEntry::Section(position),
        }
    }
}
