//! Everything that an intent can find, with an inverted index of its words.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Contents, WordModel, built_in_model,
    docstring::{docstring, without_first_sentence},
    meaning::EntryVectors,
    names::Names,
    prior::{prior, prior_of_use},
    sections::{Section, sections},
    symbol_words::{CALLERS, CONTAINERS, NAME, PAGES, SUMMARY, TEXT, Writer, add_declaration, add_names},
};
use crate::{
    answers::{ReadSource, SymbolTable},
    index::{Definition, Index},
    program::{CallId, DefinitionId, FileId},
    recipes::{self, Recipe, RecipeSnippet, recipes},
    source::{Origin, SourceLines},
    terms::TermIndex,
};

/// The most calls of a symbol whose callers become its words: every second call, every third, and so on, if there are more.
const MOST_CALLS: usize = 48;
/// The most sections whose headings become words of one symbol.
const MOST_SECTIONS: usize = 12;
/// The most symbols of a section that get its heading as words: those that it shows most often.
const MOST_SYMBOLS_OF_A_SECTION: usize = 4;
/// The number of failed uses that a deprecation counts as.
pub(super) const USES_OF_A_DEPRECATION: u32 = 3;
/// The prior of a section of a document.
pub(super) const PRIOR_OF_A_SECTION: f32 = 0.3;

/// Everything that an intent can find: symbols, recipes and sections of documents, with an inverted index of their words.
///
/// It is made once per index. Searching needs no lock.
#[derive(Debug)]
pub struct Corpus {
    symbols: Arc<SymbolTable>,
    /// Everything that can be found, in the order of the documents of `terms`. Symbols come first, in the order of the table.
    pub(super) entries: Vec<Entry>,
    pub(super) recipes: Vec<Recipe>,
    /// The code of each recipe, once it has been read: to find the best place for it, several files are parsed.
    snippets: Vec<OnceLock<Option<RecipeSnippet>>>,
    pub(super) sections: Vec<Section>,
    pub(super) terms: TermIndex,
    /// The vectors of the entries, by their words in `model`.
    pub(super) vectors: EntryVectors,
    pub(super) model: Arc<dyn WordModel>,
    /// The prior of each entry, from 0 to 1.
    pub(super) priors: Vec<f32>,
    /// For each entry, the number of its uses that are meant to work, and of all its uses.
    pub(super) uses: Vec<(u32, u32)>,
    /// For the entry of a member, the position of the entry of its class: of a public class that inherits the member, if
    /// its own class is not public.
    pub(super) classes: Vec<Option<u32>>,
    pub(super) names: Names,
}

/// The parts of a corpus that take long to make, and are kept between runs of the program.
pub(super) struct Mined {
    pub(super) recipes: Vec<Recipe>,
    pub(super) sections: Vec<Section>,
    pub(super) terms: TermIndex,
    pub(super) vectors: EntryVectors,
}

/// Something that an intent can find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Symbol(DefinitionId),
    /// A recipe, by its position.
    Recipe(u32),
    /// A section, by its position.
    Section(u32),
}

impl Corpus {
    /// The corpus of an index. `read` reads the files of the index: their docstrings and documents are searched too.
    pub fn new(symbols: Arc<SymbolTable>, read: &ReadSource<'_>) -> Self {
        Self::with(symbols, read, Contents::default())
    }

    /// The corpus of an index, in which a model gives words their meaning.
    pub fn with_model(symbols: Arc<SymbolTable>, read: &ReadSource<'_>, model: Arc<dyn WordModel>) -> Self {
        Self::make(symbols, read, Contents::default(), model)
    }

    /// The corpus of an index with some parts only.
    pub fn with(symbols: Arc<SymbolTable>, read: &ReadSource<'_>, contents: Contents) -> Self {
        Self::make(symbols, read, contents, built_in_model())
    }

    fn make(symbols: Arc<SymbolTable>, read: &ReadSource<'_>, contents: Contents, model: Arc<dyn WordModel>) -> Self {
        let index = Arc::clone(symbols.index());
        let ids = symbols.symbols();
        let names = Names::new(&index, ids);
        let mut sections = if contents.sections { sections(&index, &names, read) } else { Vec::new() };
        let headings = headings(&sections);
        let mut writer = Writer::new();
        let mut texts = Texts { index: &index, read, last: None };
        for id in ids {
            let definition = index.definition(*id);
            writer.builder.begin();
            add_names(&mut writer, definition);
            if contents.declarations {
                add_declaration(&mut writer, &index, definition);
                add_documentation(&mut writer, definition, &mut texts, contents);
            }
            if contents.callers {
                add_callers(&mut writer, &index, definition);
            }
            for &at in headings.get(id).map_or(&[][..], Vec::as_slice) {
                writer.text(PAGES, &sections[at].heading);
            }
        }
        let recipes = if contents.recipes { recipes(&index) } else { Vec::new() };
        for recipe in &recipes {
            writer.builder.begin();
            add_recipe(&mut writer, &index, recipe, contents);
        }
        for section in &mut sections {
            writer.builder.begin();
            writer.text(NAME, &section.heading);
            section.around.iter().for_each(|heading| writer.text(CONTAINERS, heading));
            writer.text(TEXT, &section.text);
            section.shorten();
        }
        let Writer { builder, stems } = writer;
        let documents = builder.finish();
        let vectors = EntryVectors::new(&*model, &stems.words(documents.terms()), &documents);
        drop(stems);
        let terms = TermIndex::new(&documents);
        Self::assemble(symbols, names, Mined { recipes, sections, terms, vectors }, model)
    }

    /// A corpus of what was mined before, and what follows from the index alone.
    pub(super) fn assemble(symbols: Arc<SymbolTable>, names: Names, mined: Mined, model: Arc<dyn WordModel>) -> Self {
        let Mined { recipes, sections, terms, vectors } = mined;
        let index = Arc::clone(symbols.index());
        let ids = symbols.symbols();
        let by_id: FxHashMap<DefinitionId, u32> = ids.iter().copied().zip(0..).collect();
        let class = |id: &DefinitionId| {
            index.definition(public_name(&index, *id)).parent.and_then(|parent| by_id.get(&parent).copied())
        };
        // Recipes and sections have no class.
        let others = recipes.len() + sections.len();
        let classes = ids.iter().map(class).chain(std::iter::repeat_n(None, others)).collect();
        let numbers = |list: usize| 0..list as u32;
        let entries = ids.iter().map(|id| Entry::Symbol(*id));
        let entries = entries.chain(numbers(recipes.len()).map(Entry::Recipe));
        let entries: Vec<Entry> = entries.chain(numbers(sections.len()).map(Entry::Section)).collect();
        let priors = entries.iter().map(|entry| match entry {
            Entry::Symbol(id) => prior(&index, public_name(&index, *id)) as f32,
            Entry::Recipe(at) => prior_of_use(recipes[*at as usize].usage_count) as f32,
            Entry::Section(_) => PRIOR_OF_A_SECTION,
        });
        let uses = entries.iter().map(|entry| match entry {
            Entry::Symbol(id) => uses(&index, *id),
            Entry::Recipe(at) => (recipes[*at as usize].successes(), recipes[*at as usize].usage_count),
            Entry::Section(_) => (0, 0),
        });
        Self {
            priors: priors.collect(),
            uses: uses.collect(),
            snippets: recipes.iter().map(|_| OnceLock::new()).collect(),
            entries,
            recipes,
            terms,
            vectors,
            model,
            sections,
            classes,
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
        self.entries.len()
    }

    /// The recipe with an id.
    pub fn recipe(&self, id: &str) -> Option<&Recipe> {
        self.recipes.iter().find(|recipe| recipe.id == id)
    }

    /// The code of the recipe at a position. `read` reads a file of the index; only the first call for a recipe uses it.
    pub(super) fn snippet(&self, at: usize, read: &ReadSource<'_>) -> Option<&RecipeSnippet> {
        self.snippets[at].get_or_init(|| recipes::snippet(self.index(), &self.recipes[at], read)).as_ref()
    }

    /// The headings of the sections of documents, each with the definitions that its code calls, for evaluations.
    pub fn sections_with_calls(&self) -> impl Iterator<Item = (&str, Vec<DefinitionId>)> {
        self.sections.iter().map(|section| (section.heading.as_str(), section.called.clone()))
    }

    /// The lines of a section of a document, from the heading to the line before the next one. `id` is that of a result.
    pub(crate) fn section_lines(&self, id: &str) -> Option<Range<u32>> {
        let (path, line) = id.rsplit_once(':')?;
        let line: u32 = line.parse().ok()?;
        let section = self.sections.iter().find(|section| section.line == line && section.path == path)?;
        Some(section.line..section.end)
    }

    /// The shortest name by which a symbol can be looked up.
    pub(super) fn name(&self, id: DefinitionId) -> String {
        self.symbols.name_of(id).to_string()
    }

    /// The definition by which people know the symbol of an entry; see [`public_name`].
    pub(super) fn public(&self, id: DefinitionId) -> &Definition {
        self.index().definition(public_name(self.index(), id))
    }

    pub(super) fn index(&self) -> &Index {
        self.symbols.index()
    }
}

/// The definition by which people know a symbol: a member of a class that is not public is a member of the public class
/// that inherits it.
pub(super) fn public_name(index: &Index, id: DefinitionId) -> DefinitionId {
    index.inherited_as(id).unwrap_or(id)
}

/// The number of uses of a symbol that are meant to work, and of all its uses. No use of a deprecated symbol is meant to
/// work, and the deprecation itself counts as [`USES_OF_A_DEPRECATION`] more uses.
fn uses(index: &Index, id: DefinitionId) -> (u32, u32) {
    let definition = index.definition(id);
    let uses = definition.usage.uses();
    if definition.deprecation().is_some() {
        return (0, uses.saturating_add(USES_OF_A_DEPRECATION));
    }
    let calls = &definition.usage.calls;
    let failures = calls.iter().filter(|call| index.call(**call).expects_error).count() as f64;
    // Calls may count several times, by the weights of their origins.
    let share = failures / calls.len().max(1) as f64;
    (uses - (f64::from(definition.usage.total_calls) * share).round() as u32, uses)
}

/// For each symbol, the positions of the sections that show it among their first ones.
fn headings(sections: &[Section]) -> FxHashMap<DefinitionId, Vec<usize>> {
    let mut headings: FxHashMap<DefinitionId, Vec<usize>> = FxHashMap::default();
    for (at, section) in sections.iter().enumerate() {
        for id in section.symbols.iter().take(MOST_SYMBOLS_OF_A_SECTION) {
            let of_symbol = headings.entry(*id).or_default();
            if of_symbol.len() < MOST_SECTIONS {
                of_symbol.push(at);
            }
        }
    }
    headings
}

/// Reads the files of the index, and keeps the last one: symbols come file by file.
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

/// Adds the summary and the docstring of a definition.
fn add_documentation(writer: &mut Writer, definition: &Definition, texts: &mut Texts<'_>, contents: Contents) {
    let Some(summary) = &definition.summary else { return };
    writer.text(SUMMARY, if contents.first_sentences { summary } else { without_first_sentence(summary) });
    if let Some(text) = docstring(texts.of(definition), definition) {
        // The summary has the first sentence already.
        writer.text(TEXT, without_first_sentence(&text));
    }
}

/// Adds what a recipe calls with which arguments, and the names of the functions that do so.
fn add_recipe(writer: &mut Writer, index: &Index, recipe: &Recipe, contents: Contents) {
    for definition in recipe.symbols.iter().map(|id| index.definition(*id)) {
        add_names(writer, definition);
        if contents.first_sentences {
            definition.summary.iter().for_each(|summary| writer.text(SUMMARY, summary));
        }
    }
    if let [only] = recipe.symbols[..] {
        let definition = index.definition(only);
        for &at in &recipe.parameters {
            let parameter = definition.signature.as_ref().and_then(|signature| signature.parameters.get(at));
            if let Some(parameter) = parameter {
                writer.name(NAME, &parameter.name);
            }
            if let Some(text) = definition.parameter_documentation(at) {
                writer.text(TEXT, text);
            }
        }
    }
    if contents.callers {
        let calls = recipe.places.iter().filter_map(|place| place.calls.first().copied());
        add_callers_of(writer, index, calls);
    }
}

/// Adds the names of the functions that call a definition, and of the files of calls outside of functions.
fn add_callers(writer: &mut Writer, index: &Index, definition: &Definition) {
    let calls = &definition.usage.calls;
    let step = calls.len().div_ceil(MOST_CALLS).max(1);
    add_callers_of(writer, index, calls.iter().step_by(step).copied());
}

fn add_callers_of(writer: &mut Writer, index: &Index, calls: impl Iterator<Item = CallId>) {
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for call in calls.map(|id| index.call(id)) {
        let file = index.file(call.file);
        let name = match call.caller {
            Some(caller) => &*index.definition(caller).name,
            None if file.origin == Origin::Src || file.is_document() => continue,
            None => file.path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default(),
        };
        if seen.insert(name) {
            writer.text(CALLERS, name);
        }
    }
}
