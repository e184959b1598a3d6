//! The sections of documents: each is a heading with the text below it, and the symbols that its code calls or its text
//! names.

use rustc_hash::FxHashMap;

use super::{
    captions::Captions,
    described_objects::{described_objects, name_of},
    description::{self, first_words},
    document_sections::{DocumentSection, LONGEST_TEXT, document_sections},
    names::NamedSymbols,
};
use crate::{answers::ReadSource, terms::folded};
use apidisc_base::{language::QualifiedName, sort::SharedSort as _};
use apidisc_facts::{
    documents::Format,
    program::{DefinitionId, DefinitionKind},
};
use apidisc_indexing::index::{Definition, File, Index, lists_changes};

/// The greatest number of sections of a corpus.
const MAX_SECTIONS: usize = 20_000;
/// The greatest number of sections of a corpus that show no symbol.
const MAX_SECTIONS_WITHOUT_SYMBOLS: usize = 5_000;
/// The least length of the text of a section that shows no symbol, in bytes.
const LEAST_TEXT_WITHOUT_SYMBOLS: usize = 40;
/// The greatest number of symbols that a section keeps: those that it shows most often.
const MAX_SYMBOLS: usize = 8;
/// A document may name a symbol that many modules define. At most this many of them are compared with the written name.
const MAX_CANDIDATES: usize = 100;

/// A heading of a document with the text below it, up to the next heading.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) path: String,
    /// The line of the heading, from 1.
    pub(super) line: u32,
    /// The first line behind the section.
    pub(super) end: u32,
    pub(super) heading: String,
    /// The headings of the sections around it, outermost first.
    pub(super) around: Vec<String>,
    /// The text without code. A corpus keeps only the words that describe the section.
    pub(super) text: String,
    /// The lines of code. A corpus keeps none.
    pub(super) code: String,
    /// The symbols that the code calls or the text names, in descending order of frequency.
    pub(super) symbols: Vec<DefinitionId>,
    /// The symbols that the code calls, each once.
    pub(super) called: Vec<DefinitionId>,
}

apidisc_base::packed::packed_structs! {
    Section { path, line, end, heading, around, text, code, symbols, called }
}

impl Section {
    /// True for the section whose heading is at this path and line, the two parts of its id.
    pub(super) fn is_at(&self, path: &str, line: &str) -> bool {
        self.path == path && line.parse() == Ok(self.line)
    }

    /// Keeps only the words of the text that describe the section.
    pub(super) fn shorten(&mut self) {
        self.text = description::described(&first_words(&self.text));
        self.code.clear();
    }
}

/// The sections of all documents of an index, and what their paragraphs say of the symbols that they show. A section
/// may show no symbol: its text says what to do, and its code calls what is not known, such as the method of a variable
/// that another section sets.
pub(super) fn sections(index: &Index, names: NamedSymbols<'_>, read: &ReadSource<'_>) -> (Vec<Section>, Captions) {
    let calls = calls_in_documents(index);
    let mut found = Vec::new();
    let mut captions = Captions::default();
    let mut without_symbols = 0;
    for (path, _) in index.contents.files() {
        let Some(format) = Format::of_document(path).filter(|_| !is_left_out(path)) else { continue };
        let Some(text) = read(path) else { continue };
        let calls = calls.get(path.as_str()).map_or(&[][..], Vec::as_slice);
        if format == Format::ReStructuredText {
            for object in described_objects(&text.source) {
                if let Some(id) = described(index, names, &object.name) {
                    captions.describe(id, &object.text);
                }
            }
        }
        for mut section in document_sections(&text.source, format) {
            if found.len() == MAX_SECTIONS {
                return (found, captions);
            }
            let of_heading = name_of(&section.heading).and_then(|name| described(index, names, name));
            let symbols = section.symbols(index, names, calls, of_heading);
            if symbols.is_empty() {
                let is_short = section.text.trim().len() < LEAST_TEXT_WITHOUT_SYMBOLS;
                if is_short || without_symbols == MAX_SECTIONS_WITHOUT_SYMBOLS {
                    continue;
                }
                without_symbols += 1;
            }
            section.add_captions(calls, &mut captions);
            if let Some(id) = of_heading {
                captions.describe(id, &section.text);
            }
            section.text.truncate(section.text.floor_char_boundary(LONGEST_TEXT));
            let mut called: Vec<DefinitionId> = section.calls(calls).collect();
            let DocumentSection { line, end, heading, around, text, code, .. } = section;
            called.sort_unstable();
            called.dedup();
            found.push(Section { path: path.to_string(), line, end, heading, around, text, code, symbols, called });
        }
    }
    (found, captions)
}

/// True for a document whose sections are not searched.
fn is_left_out(path: &str) -> bool {
    Format::is_repetition(path) || lists_changes(path)
}

/// The calls of each document by path, in the order of the lines: the line, and the definition that is called.
fn calls_in_documents(index: &Index) -> FxHashMap<&str, Vec<(u32, DefinitionId)>> {
    let mut calls: FxHashMap<&str, Vec<(u32, DefinitionId)>> = FxHashMap::default();
    for call in index.calls.iter() {
        let file = index.file(call.file);
        if file.is_document()
            && let Some(id) = call.resolution.definition()
        {
            calls.entry(&file.path).or_default().push((call.line, id));
        }
    }
    // A document with code of several languages is several files.
    for calls in calls.values_mut() {
        calls.sort_unstable();
    }
    calls
}

impl DocumentSection {
    /// The definitions that the code of the section calls. `calls` are the calls of the document.
    fn calls(&self, calls: &[(u32, DefinitionId)]) -> impl Iterator<Item = DefinitionId> {
        let start = calls.partition_point(|(line, _)| *line < self.line);
        calls[start..].iter().take_while(|(line, _)| *line < self.end).map(|(_, id)| *id)
    }

    /// Adds each paragraph as a caption of the symbols that the code below it calls.
    fn add_captions(&self, calls: &[(u32, DefinitionId)], captions: &mut Captions) {
        let mut calls = &calls[calls.partition_point(|(line, _)| *line < self.line)..];
        for (at, paragraph) in self.paragraphs.iter().enumerate() {
            let end = self.paragraphs.get(at + 1).map_or(self.end, |next| next.line);
            let before = calls.partition_point(|(line, _)| *line < paragraph.line);
            let behind = calls.partition_point(|(line, _)| *line < end);
            captions.add(&paragraph.text, calls[before..behind].iter().map(|(_, id)| *id));
            calls = &calls[behind..];
        }
    }

    /// The symbols that the code calls or the text names, in descending order of frequency. A name in the heading
    /// counts three times, and so does the symbol that is the heading.
    fn symbols(
        &self,
        index: &Index,
        names: NamedSymbols<'_>,
        calls: &[(u32, DefinitionId)],
        of_heading: Option<DefinitionId>,
    ) -> Vec<DefinitionId> {
        let mut counts: Vec<(DefinitionId, usize)> = Vec::new();
        let mut count = |id: DefinitionId, by: usize| match counts.iter().position(|(other, _)| *other == id) {
            Some(at) => counts[at].1 += by,
            None if counts.len() < 4 * MAX_SYMBOLS => counts.push((id, by)),
            None => {}
        };
        if let Some(id) = of_heading {
            count(id, 3);
        }
        self.calls(calls).for_each(|id| count(id, 1));
        for name in &self.quoted {
            if let Some(id) = named(index, names, name) {
                count(id, if self.heading.contains(name.as_str()) { 3 } else { 1 });
            }
        }
        counts.shared_sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts.into_iter().take(MAX_SYMBOLS).map(|(id, _)| id).collect()
    }
}

/// The symbol that a page describes under a name. The name of a member may stand behind that of a value: `app.get`.
fn described(index: &Index, names: NamedSymbols<'_>, name: &str) -> Option<DefinitionId> {
    let of_value = || {
        let last = QualifiedName::guess(name).identifiers().last()?;
        let is_of_value = last.len() < name.len() && name.starts_with(char::is_lowercase);
        named(index, names, last).filter(|_| is_of_value)
    };
    named(index, names, name).or_else(|| member_of_value(index, names, name)).or_else(of_value)
}

/// The member of a class that a page names by a value of the class, as `object.pick` names `ObjectSchema.pick`. The
/// value has the name of a function that returns the class, of a constant of the class, or of the class itself in
/// another case. `None` if no such class has the member, or several have.
fn member_of_value(index: &Index, names: NamedSymbols<'_>, name: &str) -> Option<DefinitionId> {
    let identifiers: Vec<&str> = QualifiedName::guess(name).identifiers().collect();
    let &[.., value, member] = &identifiers[..] else { return None };
    let is_public = |id: &DefinitionId| {
        let definition = index.definition(*id);
        let file = index.files.get(definition.place.file.index());
        definition.is_public && file.is_none_or(File::is_library)
    };
    let mut found: Option<DefinitionId> = None;
    for id in names.folded(&folded(value)).take(MAX_CANDIDATES).filter(is_public) {
        let definition = index.definition(id);
        let is_class = matches!(definition.kind, DefinitionKind::Class | DefinitionKind::Interface);
        let class = if is_class {
            definition.last_names().any(|last| folded(last) == folded(value)).then_some(id)
        } else {
            definition.last_names().any(|last| last == value).then(|| class_of_value(definition)).flatten()
        };
        let has_name = |id: &DefinitionId| index.definition(*id).name == member && index.definition(*id).is_public;
        let of_class = |class: DefinitionId| {
            let ancestors = index.definition(class).ancestors.iter().copied();
            std::iter::once(class).chain(ancestors).find_map(|class| index.members_of(class).find(&has_name))
        };
        match (found, class.and_then(of_class)) {
            (Some(known), Some(other)) if known != other => return None,
            (None, other) => found = other,
            _ => {}
        }
    }
    found
}

/// The class of what a function returns, or of a constant.
fn class_of_value(definition: &Definition) -> Option<DefinitionId> {
    let overloads = definition.overloads.iter().filter_map(|overload| overload.returns.as_deref());
    let signature = definition.signature.as_deref();
    let own = signature.and_then(|own| own.returns.as_deref().or(own.inferred_returns.as_deref()));
    let stated = own.or(definition.annotation.as_deref()).into_iter().chain(overloads);
    let named = stated.filter_map(|text| {
        let end = text.find(['<', '[']).unwrap_or(text.len());
        definition.type_names.iter().find(|(name, _)| *name == text[..end].trim())?.1
    });
    named.into_iter().next()
}

/// The symbol that inline code names; `None` unless exactly one public symbol of the library has that name.
fn named(index: &Index, names: NamedSymbols<'_>, quoted: &str) -> Option<DefinitionId> {
    let name = quoted.trim_start_matches(['~', '@']).trim_end_matches("()");
    let last = QualifiedName::guess(name).identifiers().last()?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || QualifiedName::SEPARATORS.contains(&c);
    if last.len() < 3 || !name.chars().all(is_name) {
        return None;
    }
    let is_meant = |id: &DefinitionId| {
        let definition = index.definition(*id);
        let file = index.files.get(definition.place.file.index());
        definition.is_public
            && file.is_none_or(File::is_library)
            && QualifiedName::new(&definition.alias, definition.language).ends_with(name)
    };
    let last = folded(last);
    let mut found = names.folded(&last).take(MAX_CANDIDATES).filter(is_meant);
    let first = found.next()?;
    // A member of several classes is not known by its name alone.
    found.next().is_none().then_some(first)
}
