//! A corpus as bytes, which the program keeps on disk.
//!
//! The bytes hold the parts that take long to make: recipes, sections, terms and vectors. The index gives the rest.

use std::sync::Arc;

use super::{Corpus, WordModel, corpus::Mined, meaning::EntryVectors, names::NameHashes};
use crate::{answers::SymbolTable, recipes::Recipe, terms::TermIndex};
use apidisc_base::{
    hash::ContentHash,
    packed::{PackReader, PackWriter, Packed},
};
use apidisc_facts::program::{CallId, DefinitionId};
use apidisc_indexing::{index::Index, indexer::facts_version};

/// A hash that differs between two programs that may make different corpora of the same index.
pub fn corpus_version() -> ContentHash {
    ContentHash::of_parts(&[
        facts_version().bytes(),
        apidisc_stubs::SOURCES.as_bytes(),
        apidisc_words::SOURCES.as_bytes(),
        crate::SOURCES.as_bytes(),
    ])
}

/// A hash of everything that a corpus depends on, in programs of one [`corpus_version`]: the files, the names of their
/// modules, the uses that are counted, and the model.
pub fn corpus_key(index: &Index, model: &dyn WordModel) -> ContentHash {
    let mut writer = PackWriter::default();
    index.contents.files().iter().for_each(|file| file.pack(&mut writer));
    writer.bytes(&[]);
    for source in &index.sources {
        source.name.pack(&mut writer);
    }
    writer.bytes(&[]);
    for module in &index.modules {
        module.fqn.pack(&mut writer);
    }
    writer.bytes(&[]);
    for definition in &index.definitions {
        definition.usage.uses().pack(&mut writer);
    }
    ContentHash::of_parts(&[model.id().bytes(), index.weights.to_string().as_bytes(), &writer.finish()])
}

impl Corpus {
    /// The corpus as bytes.
    pub fn pack(&self) -> Vec<u8> {
        let mut writer = PackWriter::default();
        self.recipes.pack(&mut writer);
        self.sections.pack(&mut writer);
        self.terms.pack(&mut writer);
        self.vectors.pack(&mut writer);
        writer.finish()
    }

    /// The corpus in the bytes of [`Self::pack`], of an index and a model of the same [`corpus_key`]. `None` for other
    /// bytes.
    pub fn unpack(bytes: &[u8], symbols: Arc<SymbolTable>, model: Arc<dyn WordModel>) -> Option<Self> {
        let mut from = PackReader::new(bytes);
        let mined = Mined {
            recipes: Packed::unpack(&mut from)?,
            sections: Packed::unpack(&mut from)?,
            terms: TermIndex::unpack(&mut from)?,
            vectors: EntryVectors::unpack(&mut from)?,
        };
        let index = symbols.index();
        let count = symbols.symbols().len() + mined.recipes.len() + mined.sections.len();
        let is_complete = from.rest().is_empty()
            && mined.terms.documents() == count
            && mined.vectors.is_of(count, model.dimensions())
            && mined.recipes.all_without_texts().all(|recipe| recipe.is_some_and(|recipe| is_of(index, &recipe)))
            && mined.sections.iter().all(|section| {
                let ids = section.as_ref().map(|section| section.symbols.iter().chain(&section.called));
                ids.is_some_and(|mut ids| ids.all(|id| has(index, *id)))
            });
        let names = NameHashes::new(index, symbols.symbols());
        is_complete.then(|| Self::assemble(symbols, names, mined, model))
    }
}

/// True for a recipe whose definitions and calls are those of the index.
fn is_of(index: &Index, recipe: &Recipe) -> bool {
    let has_call = |id: &CallId| id.index() < index.calls.len();
    recipe.expected_failures <= recipe.usage_count
        && recipe.symbols.iter().all(|id| has(index, *id))
        && recipe.places.iter().all(|place| place.calls.iter().all(has_call))
}

/// True for the id of a definition or inherited member.
fn has(index: &Index, id: DefinitionId) -> bool {
    id.index() < index.definitions.len() + index.inherited.len()
}
