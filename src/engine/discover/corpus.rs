//! Everything that an intent can find, with an inverted index of its words.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Contents,
    docstring::{docstring, without_first_sentence},
    names::Names,
    prior::prior,
    sections::{Section, sections},
    symbol_words::{CALLERS, CONTAINERS, NAME, PAGES, SUMMARY, TEXT, Writer, add_declaration, add_names},
};
use crate::{
    answers::{ReadSource, SymbolTable},
    index::{Definition, Index},
    program::{DefinitionId, FileId},
    source::{Origin, SourceLines},
    terms::TermIndex,
};

/// The most calls of a symbol whose callers are read: evenly spread over all of its calls.
const MOST_CALLS: usize = 48;
/// The most sections of documents whose headings become words of a symbol, and the most symbols of a section that get them.
const MOST_SECTIONS: usize = 12;
const MOST_SYMBOLS_OF_A_SECTION: usize = 4;
/// The prior of a section of a document.
const PRIOR_OF_A_SECTION: f32 = 0.3;

/// Everything that an intent can find: symbols and sections of documents, with an inverted index of their words.
///
/// It is made once per index. Searching needs no lock.
#[derive(Debug)]
pub struct Corpus {
    symbols: Arc<SymbolTable>,
    /// What can be found; the documents of `terms` in their order. Symbols come first, in the order of the table.
    pub(super) entries: Vec<Entry>,
    pub(super) sections: Vec<Section>,
    pub(super) terms: TermIndex,
    /// The prior of each entry, from 0 to 1.
    pub(super) priors: Vec<f32>,
    /// For the entry of a member, the position of the entry of its class.
    pub(super) classes: Vec<Option<u32>>,
    pub(super) names: Names,
}

/// Something that an intent can find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Symbol(DefinitionId),
    /// A section, by its position.
    Section(u32),
}

impl Corpus {
    /// The corpus of an index. `read` reads the files of the index: their docstrings and documents are searched too.
    pub fn new(symbols: Arc<SymbolTable>, read: &ReadSource<'_>) -> Self {
        Self::with(symbols, read, Contents::default())
    }

    /// A corpus of some parts only.
    pub fn with(symbols: Arc<SymbolTable>, read: &ReadSource<'_>, contents: Contents) -> Self {
        let index = Arc::clone(symbols.index());
        let ids = symbols.symbols();
        let names = Names::new(&index, ids);
        let sections = if contents.sections { sections(&index, &names, read) } else { Vec::new() };
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
        for section in &sections {
            writer.builder.begin();
            writer.text(NAME, &section.heading);
            section.around.iter().for_each(|heading| writer.text(CONTAINERS, heading));
            writer.text(TEXT, &section.text);
        }
        let by_id: FxHashMap<DefinitionId, u32> = ids.iter().copied().zip(0..).collect();
        let class = |id: &DefinitionId| index.definition(*id).parent.and_then(|parent| by_id.get(&parent).copied());
        let classes = ids.iter().map(class).chain(sections.iter().map(|_| None)).collect();
        let priors = ids.iter().map(|id| prior(&index, *id) as f32).chain(sections.iter().map(|_| PRIOR_OF_A_SECTION));
        let entries = ids.iter().map(|id| Entry::Symbol(*id)).chain((0..sections.len() as u32).map(Entry::Section));
        Self {
            priors: priors.collect(),
            entries: entries.collect(),
            terms: writer.builder.finish(),
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

    /// The headings of the sections of documents, each with the definitions that its code calls, for evaluations.
    pub fn sections_with_calls(&self) -> impl Iterator<Item = (&str, Vec<DefinitionId>)> {
        self.sections.iter().map(|section| (section.heading.as_str(), section.called.clone()))
    }

    pub(super) fn index(&self) -> &Index {
        self.symbols.index()
    }
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

/// The files of the index, of which the one that was read last is kept: symbols come file by file.
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

/// Adds the names of the functions that call a definition, and of the files of calls outside of functions.
fn add_callers(writer: &mut Writer, index: &Index, definition: &Definition) {
    let calls = &definition.usage.calls;
    let step = calls.len().div_ceil(MOST_CALLS).max(1);
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for call in calls.iter().step_by(step).map(|id| index.call(*id)) {
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
