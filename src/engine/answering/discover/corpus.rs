//! The corpus of a search: all entries that can be results, with an inverted index of their words.

use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    CorpusParts, WordModel, built_in_model,
    captions::Captions,
    code::code,
    comments::comment,
    docstring::{docstring, first_sentence, without_first_sentence},
    entries::{CorpusEntry, Entries},
    meaning::EntryVectors,
    names::{NameHashes, NamedSymbols},
    sections::{Section, sections},
    static_score::StaticScores,
    symbol_words::{
        CALLERS, CAPTIONS, CODE, CONTAINERS, NAME, PAGES, SUMMARY, TEXT, WordCollector, add_declaration, add_names,
    },
};
use crate::{
    answers::{ReadSource, SymbolTable},
    recipes::{self, PackedRecipes, Recipe, RecipeSnippet, recipes},
    terms::TermIndex,
};
use apidisc_base::packed_list::PackedList;
use apidisc_facts::{
    program::{CallId, DefinitionId, FileId},
    source::{Origin, SourceLines},
};
use apidisc_indexing::index::{Definition, Index};

/// The greatest number of calls of a symbol whose callers' names become words of the symbol. If there are more calls,
/// every second one is taken, every third, and so on.
const MAX_CALLS: usize = 48;
/// The greatest number of sections whose headings become words of one symbol.
const MAX_SECTIONS: usize = 12;
/// The greatest number of symbols of a section to which its heading is added as words: those that the section shows
/// most often.
const MAX_SYMBOLS_OF_A_SECTION: usize = 4;

/// All entries that can be results of a search: symbols, recipes and sections of documents, with an inverted index of
/// their words.
///
/// A corpus is made once per index and does not change, so that searches need no lock.
#[derive(Debug)]
pub struct Corpus {
    symbols: Arc<SymbolTable>,
    pub(super) recipes: PackedRecipes,
    /// The code of each recipe, read on first use: finding the best place to quote parses several files.
    snippets: Box<[OnceLock<Option<Box<RecipeSnippet>>>]>,
    pub(super) sections: PackedList<Section>,
    pub(super) terms: TermIndex,
    /// The vectors of the entries, by their words in `model`.
    pub(super) vectors: EntryVectors,
    pub(super) model: Arc<dyn WordModel>,
    pub(super) static_scores: StaticScores,
    pub(super) names: NameHashes,
}

/// The parts of a corpus that take long to make. They are kept between runs of the program.
pub(super) struct Mined {
    pub(super) recipes: PackedRecipes,
    pub(super) sections: PackedList<Section>,
    pub(super) terms: TermIndex,
    pub(super) vectors: EntryVectors,
}

impl Corpus {
    /// The corpus of an index. `read` reads the files of the index: their docstrings and documents are part of the
    /// corpus.
    pub fn new(symbols: Arc<SymbolTable>, read: &ReadSource<'_>) -> Self {
        Self::with(symbols, read, CorpusParts::default())
    }

    /// True for a symbol that users of the library do not import, although it is public: in TypeScript what no package
    /// exports; in Python what the library alone calls and no package re-exports.
    pub fn is_inner(&self, id: DefinitionId) -> bool {
        // The symbols of a table are sorted.
        let entry = self.symbols.symbols().binary_search(&id);
        entry.is_ok_and(|entry| self.static_scores.of(entry as u32).is_inner)
    }

    /// The corpus of an index, with the word vectors of `model`.
    pub fn with_model(symbols: Arc<SymbolTable>, read: &ReadSource<'_>, model: Arc<dyn WordModel>) -> Self {
        Self::make(symbols, read, CorpusParts::default(), model)
    }

    /// The corpus of an index with some parts only.
    pub fn with(symbols: Arc<SymbolTable>, read: &ReadSource<'_>, contents: CorpusParts) -> Self {
        Self::make(symbols, read, contents, built_in_model())
    }

    fn make(
        symbols: Arc<SymbolTable>,
        read: &ReadSource<'_>,
        contents: CorpusParts,
        model: Arc<dyn WordModel>,
    ) -> Self {
        let index = Arc::clone(symbols.index());
        let ids = symbols.symbols();
        let names = NameHashes::new(&index, ids);
        let named = NamedSymbols { names: &names, symbols: ids };
        let (mut sections, captions) =
            if contents.sections { sections(&index, named, read) } else { (Vec::new(), Captions::default()) };
        let headings = headings(&sections);
        let mut collector = WordCollector::new();
        let mut texts = Texts { index: &index, read, last: None };
        for id in ids {
            let definition = index.definition(*id);
            collector.builder.begin();
            add_names(&mut collector, definition);
            if contents.declarations {
                add_declaration(&mut collector, &index, definition);
                add_texts(&mut collector, definition, &mut texts, contents);
            }
            if contents.callers {
                add_callers(&mut collector, &index, definition);
            }
            for &at in headings.get(id).map_or(&[][..], Vec::as_slice) {
                collector.text(PAGES, &sections[at].heading);
            }
            captions.of(*id).for_each(|caption| collector.text(CAPTIONS, caption));
            let has_summary = definition.summary.is_some();
            for description in captions.descriptions(*id) {
                collector.text(if has_summary { TEXT } else { SUMMARY }, first_sentence(description));
                collector.text(TEXT, without_first_sentence(description));
            }
        }
        let recipes = if contents.recipes { recipes(&index) } else { Vec::new() };
        for recipe in &recipes {
            collector.builder.begin();
            add_recipe(&mut collector, &index, recipe, contents);
        }
        for section in &mut sections {
            collector.builder.begin();
            collector.text(NAME, &section.heading);
            section.around.iter().for_each(|heading| collector.text(CONTAINERS, heading));
            collector.text(TEXT, &section.text);
            collector.text(CODE, &section.code);
            section.shorten();
        }
        drop(captions);
        let WordCollector { builder, stems } = collector;
        let documents = builder.finish();
        let vectors = EntryVectors::new(&*model, &stems.words(documents.terms()), &documents);
        drop(stems);
        let terms = TermIndex::new(&documents);
        let (recipes, sections) = (PackedRecipes::new(recipes), PackedList::new(&sections));
        Self::assemble(symbols, names, Mined { recipes, sections, terms, vectors }, model)
    }

    /// A corpus of the mined parts, with those that are computed from the index alone.
    pub(super) fn assemble(
        symbols: Arc<SymbolTable>,
        names: NameHashes,
        mined: Mined,
        model: Arc<dyn WordModel>,
    ) -> Self {
        let Mined { recipes, sections, terms, vectors } = mined;
        let index = Arc::clone(symbols.index());
        let known = recipes.all_without_texts().flatten();
        let static_scores = StaticScores::new(&index, symbols.symbols(), known, &sections);
        Self {
            snippets: (0..recipes.len()).map(|_| OnceLock::new()).collect(),
            recipes,
            terms,
            vectors,
            model,
            sections,
            static_scores,
            names,
            symbols,
        }
    }

    /// The symbols.
    pub fn symbols(&self) -> &Arc<SymbolTable> {
        &self.symbols
    }

    /// The number of symbols, recipes and sections.
    pub fn entry_count(&self) -> usize {
        self.entries().count()
    }

    /// The recipe with an id.
    pub fn recipe(&self, id: &str) -> Option<Recipe> {
        self.recipes.get(self.index(), self.recipes.position(id)?)
    }

    /// The code of the recipe with an id; see [`recipes::snippet`].
    pub fn recipe_code(&self, id: &str, read: &ReadSource<'_>) -> Option<&RecipeSnippet> {
        let at = self.recipes.position(id)?;
        self.snippet(at, &self.recipes.get(self.index(), at)?, read)
    }

    /// The code of the recipe at a position. `read` reads a file of the index; only the first call for a recipe uses
    /// it.
    pub(super) fn snippet(&self, at: usize, recipe: &Recipe, read: &ReadSource<'_>) -> Option<&RecipeSnippet> {
        self.snippets[at].get_or_init(|| recipes::snippet(self.index(), recipe, read).map(Box::new)).as_deref()
    }

    /// The headings of the sections of documents, each with the definitions that its code calls, for evaluations.
    pub fn sections_with_calls(&self) -> impl Iterator<Item = (String, Vec<DefinitionId>)> {
        self.sections.iter().flatten().map(|section| (section.heading, section.called))
    }

    /// The shortest name by which a symbol can be looked up.
    pub(super) fn name(&self, id: DefinitionId) -> String {
        self.symbols.name_of(id).to_string()
    }

    /// Everything that can be found.
    pub(super) fn entries(&self) -> Entries<'_> {
        Entries { symbols: self.symbols.symbols(), recipes: self.recipes.len(), sections: self.sections.len() }
    }

    /// The entry at a position.
    pub(super) fn entry(&self, position: u32) -> CorpusEntry {
        self.entries().at(position)
    }

    pub(super) fn index(&self) -> &Index {
        self.symbols.index()
    }
}

/// The definition whose name users know: for a member of a class that is not public, the member of the public class
/// that inherits it.
pub(super) fn public_name(index: &Index, id: DefinitionId) -> DefinitionId {
    index.inherited_as(id).unwrap_or(id)
}

/// For each symbol, the positions of the sections that have it among their [`MAX_SYMBOLS_OF_A_SECTION`] first symbols.
fn headings(sections: &[Section]) -> FxHashMap<DefinitionId, Vec<usize>> {
    let mut headings: FxHashMap<DefinitionId, Vec<usize>> = FxHashMap::default();
    for (at, section) in sections.iter().enumerate() {
        for id in section.symbols.iter().take(MAX_SYMBOLS_OF_A_SECTION) {
            let of_symbol = headings.entry(*id).or_default();
            if of_symbol.len() < MAX_SECTIONS {
                of_symbol.push(at);
            }
        }
    }
    headings
}

/// Reads the files of the index, and keeps the last one, since the symbols of a file follow each other.
struct Texts<'a> {
    index: &'a Index,
    read: &'a ReadSource<'a>,
    last: Option<(FileId, SourceLines)>,
}

impl Texts<'_> {
    /// The file of a definition; empty if it cannot be read.
    fn of(&mut self, definition: &Definition) -> &SourceLines {
        let file = definition.place.file;
        let last = self.last.take().filter(|(last, _)| *last == file);
        let (_, lines) = self.last.insert(last.unwrap_or_else(|| {
            let text = self.index.files.get(file.index()).and_then(|file| (self.read)(&file.path));
            (file, SourceLines::new(text.unwrap_or_default()))
        }));
        lines
    }
}

/// Adds the summary, the docstring and the code of a definition.
fn add_texts(collector: &mut WordCollector, definition: &Definition, texts: &mut Texts<'_>, contents: CorpusParts) {
    if let Some(summary) = &definition.summary {
        collector.text(SUMMARY, if contents.first_sentences { summary } else { without_first_sentence(summary) });
    }
    let lines = texts.of(definition);
    if definition.summary.is_none() && contents.first_sentences {
        collector.text(SUMMARY, &comment(lines, definition));
    }
    let docstring = docstring(lines, definition);
    if let Some(text) = &docstring {
        // The summary has the first sentence already.
        collector.text(TEXT, without_first_sentence(text));
    }
    code(lines, definition, docstring.as_deref()).for_each(|line| collector.text(CODE, line));
}

/// Adds the words of a recipe: the definitions that it calls, the arguments, and the names of its callers.
fn add_recipe(collector: &mut WordCollector, index: &Index, recipe: &Recipe, contents: CorpusParts) {
    for definition in recipe.symbols.iter().map(|id| index.definition(*id)) {
        add_names(collector, definition);
        if contents.first_sentences {
            definition.summary.iter().for_each(|summary| collector.text(SUMMARY, summary));
        }
    }
    if let [only] = recipe.symbols[..] {
        let definition = index.definition(only);
        for &at in &recipe.parameters {
            let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(at));
            if let Some(parameter) = parameter {
                collector.name(NAME, &parameter.name);
            }
            if let Some(text) = definition.parameter_documentation(at) {
                collector.text(TEXT, text);
            }
        }
    }
    if contents.callers {
        let calls = recipe.places.iter().filter_map(|place| place.calls.first().copied());
        add_callers_of(collector, index, calls);
    }
}

/// Adds the names of the functions that call a definition, and of the files of calls outside of functions.
fn add_callers(collector: &mut WordCollector, index: &Index, definition: &Definition) {
    let calls = &definition.usage.calls;
    let step = calls.len().div_ceil(MAX_CALLS).max(1);
    add_callers_of(collector, index, calls.iter().step_by(step).copied());
}

fn add_callers_of(collector: &mut WordCollector, index: &Index, calls: impl Iterator<Item = CallId>) {
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for call in calls.map(|id| index.call(id)) {
        let file = index.file(call.file);
        let name = match call.caller {
            Some(caller) => &*index.definition(caller).name,
            None if file.origin == Origin::Src || file.is_document() => continue,
            None => file.path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default(),
        };
        if seen.insert(name) {
            collector.text(CALLERS, name);
        }
    }
}
