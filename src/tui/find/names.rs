//! The names that are looked through, kept so that a look at one costs no more than a line or two of memory.
//!
//! A name has its last parts (`Agent.run`, and for a parameter `Agent.run(model)`), which most searches end with, and
//! a home that stands before them (`station.agents.`). What many names share is kept once: homes, the last parts of
//! a definition with all its parameters, and the parameters' own names, of which there are few.

use std::{cmp::Reverse, ops::Range};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::tui::catalog::{Catalog, Topic};
use apidisc::{
    index::Definition,
    program::{DefinitionId, ModuleId},
    source::Origin,
};

/// What is found under one of its names.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) topic: Topic,
    owner: u32,
    /// Of a parameter: its own name.
    label: Option<Label>,
}

/// A place in the table of the parameters' names; not zero, so that an absent one takes no room.
type Label = std::num::NonZeroU32;

/// What a module or definition is found by; a parameter has that of its definition.
struct Owner {
    home: u32,
    /// Its last parts, in `Names::texts`.
    text: Range<u32>,
    /// Where the very last one of them begins.
    last: u32,
    /// It is another name of what is found by its public one: the one that it is defined by.
    is_own: bool,
    /// It is a public definition of the library's own: what is meant rather than a file of that name.
    is_meant: bool,
}

/// What many definitions have before their last parts, and the letters in it.
struct Home {
    text: Box<str>,
    letters: u64,
}

/// The names of one index, those that people mean most often first.
#[derive(Default)]
pub(super) struct Names {
    rows: Vec<Row>,
    /// By row: the letters in its last parts.
    letters: Vec<u64>,
    owners: Vec<Owner>,
    homes: Vec<Home>,
    labels: Vec<Box<str>>,
    texts: String,
    /// The rows of what has two names: by the one it is defined by, and by its public one.
    twins: Vec<(u32, u32)>,
}

impl Names {
    pub(super) fn gather(catalog: &Catalog) -> Self {
        let index = &catalog.index;
        let mut gathering = Gathering::default();
        for (i, module) in index.modules.iter().enumerate() {
            let id = ModuleId::new(i);
            let name = module.fqn.rfind(['.', '/']).map_or(0, |at| at + 1);
            let owner = gathering.owner(&module.fqn, name, name, false, false);
            let key = Key::new(catalog.origin(id), false, false, module.total_calls);
            gathering.keyed.push((key, Row { topic: Topic::Module(id), owner, label: None }));
        }
        for (i, definition) in index.definitions.iter().enumerate() {
            gathering.definition(catalog, DefinitionId::new(i), definition);
        }
        gathering.done()
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn row(&self, row: u32) -> Row {
        self.rows[row as usize]
    }

    /// The letters in the last parts.
    pub(super) fn letters(&self, row: u32) -> u64 {
        self.letters[row as usize]
    }

    /// The letters in the whole name.
    pub(super) fn letters_in_whole(&self, row: u32) -> u64 {
        self.letters(row) | self.homes[self.home_of(row)].letters
    }

    /// Every home's text; `home_of` is a place in it.
    pub(super) fn homes(&self) -> impl Iterator<Item = &str> {
        self.homes.iter().map(|home| &*home.text)
    }

    pub(super) fn home_of(&self, row: u32) -> usize {
        self.owner(row).home as usize
    }

    pub(super) fn home(&self, row: u32) -> &str {
        &self.homes[self.home_of(row)].text
    }

    /// The last parts but for the parentheses around a parameter.
    pub(super) fn pieces(&self, row: u32) -> [&[u8]; 2] {
        let Range { start, end } = self.owner(row).text;
        [&self.texts.as_bytes()[start as usize..end as usize], self.label(row).unwrap_or("").as_bytes()]
    }

    /// The last parts; those of a parameter are written to `scratch`.
    pub(super) fn name<'t>(&'t self, row: u32, scratch: &'t mut String) -> &'t str {
        if self.row(row).label.is_none() {
            return self.own(row);
        }
        scratch.clear();
        self.push_name(row, scratch);
        scratch
    }

    /// The whole name, written to `scratch`.
    pub(super) fn whole<'t>(&self, row: u32, scratch: &'t mut String) -> &'t str {
        scratch.clear();
        scratch.push_str(self.home(row));
        self.push_name(row, scratch);
        scratch
    }

    /// The very last part; of a parameter its own name.
    pub(super) fn last(&self, row: u32) -> &str {
        self.label(row).unwrap_or_else(|| &self.own(row)[self.owner(row).last as usize..])
    }

    /// True where the last parts are only one.
    pub(super) fn is_last_all(&self, row: u32) -> bool {
        self.row(row).label.is_none() && self.owner(row).last == 0
    }

    pub(super) fn is_meant(&self, row: u32) -> bool {
        self.row(row).label.is_none() && self.owner(row).is_meant
    }

    /// How many of those that `holds` knows are there under both of their names.
    pub(super) fn twins(&self, holds: impl Fn(u32) -> bool) -> usize {
        self.twins.iter().filter(|(own, public)| holds(*own) && holds(*public)).count()
    }

    fn push_name(&self, row: u32, text: &mut String) {
        text.push_str(self.own(row));
        if let Some(label) = self.label(row) {
            text.extend(["(", label, ")"]);
        }
    }

    fn own(&self, row: u32) -> &str {
        &self.texts[span(&self.owner(row).text)]
    }

    fn label(&self, row: u32) -> Option<&str> {
        Some(&self.labels[self.row(row).label?.get() as usize])
    }

    fn owner(&self, row: u32) -> &Owner {
        &self.owners[self.rows[row as usize].owner as usize]
    }
}

/// Names while they are collected.
struct Gathering {
    keyed: Vec<(Key, Row)>,
    names: Names,
    homes: FxHashMap<Box<str>, u32>,
    labels: FxHashMap<Box<str>, Label>,
}

impl Default for Gathering {
    fn default() -> Self {
        // The place before the first label is nobody's.
        let names = Names { labels: vec![Box::default()], ..Names::default() };
        Self { keyed: Vec::new(), names, homes: FxHashMap::default(), labels: FxHashMap::default() }
    }
}

impl Gathering {
    /// The name of a definition and those of its parameters. Who knows the name that it is defined by looks for that.
    fn definition(&mut self, catalog: &Catalog, id: DefinitionId, definition: &Definition) {
        let origin = catalog.index.files.get(definition.place.file.index()).map_or(Origin::Src, |file| file.origin);
        let is_meant = definition.is_public && origin == Origin::Src;
        let is_private = !definition.is_public;
        let label = catalog.label(id, false);
        let alias = definition.alias.as_str();
        let last = alias.rfind(['.', '#', '/']).map_or(0, |at| at + 1);
        let name = alias.strip_suffix(label.as_str()).map_or(last, str::len);
        let public = self.owner(alias, name, last, false, is_meant);
        let own = Catalog::own_name(definition).map(|own| {
            let name = definition.fqn.len().saturating_sub(own.len());
            self.owner(&definition.fqn, name, name, true, is_meant)
        });
        for owner in [Some(public), own].into_iter().flatten() {
            let key = Key::new(origin, is_private, false, definition.usage.total_calls);
            self.keyed.push((key, Row { topic: Topic::Definition(id), owner, label: None }));
            let Some(signature) = &definition.signature else { continue };
            for at in 0..signature.parameters.len().min(usize::from(u16::MAX)) {
                let passed = definition.usage.parameters.get(at).map_or(0, |row| row.count);
                let topic = Topic::Argument(id, at as u16);
                let label = Some(self.label(&signature.label(at)));
                self.keyed.push((Key::new(origin, is_private, true, passed), Row { topic, owner, label }));
            }
        }
    }

    /// Keeps a name in full, whose last parts begin at `name`, and the very last one at `last`.
    fn owner(&mut self, full: &str, name: usize, last: usize, is_own: bool, is_meant: bool) -> u32 {
        let (home, text) = full.split_at(name);
        let home = self.home(home);
        let Names { texts, owners, .. } = &mut self.names;
        let start = texts.len() as u32;
        texts.push_str(text);
        let last = last.saturating_sub(name) as u32;
        owners.push(Owner { home, text: start..texts.len() as u32, last, is_own, is_meant });
        owners.len() as u32 - 1
    }

    fn home(&mut self, text: &str) -> u32 {
        if let Some(known) = self.homes.get(text) {
            return *known;
        }
        let new = self.names.homes.len() as u32;
        self.names.homes.push(Home { text: text.into(), letters: letters(text) });
        self.homes.insert(text.into(), new);
        new
    }

    fn label(&mut self, text: &str) -> Label {
        if let Some(known) = self.labels.get(text) {
            return *known;
        }
        let labels = &mut self.names.labels;
        let new = Label::MIN.saturating_add(labels.len() as u32 - 1);
        labels.push(text.into());
        self.labels.insert(text.into(), new);
        new
    }

    fn done(self) -> Names {
        let Self { mut keyed, mut names, .. } = self;
        // The sort is stable: of equal ones the first by path and line comes first.
        keyed.par_sort_by_key(|(key, _)| *key);
        names.rows = keyed.iter().map(|(_, row)| *row).collect();
        drop(keyed);
        names.texts.shrink_to_fit();
        names.owners.shrink_to_fit();
        let own: Vec<u64> = names.owners.par_iter().map(|owner| letters(&names.texts[span(&owner.text)])).collect();
        let labels: Vec<u64> = names.labels.iter().map(|label| letters(label)).collect();
        let of_label = |label: Option<Label>| label.map_or(0, |label| labels[label.get() as usize]);
        names.letters = names.rows.iter().map(|row| own[row.owner as usize] | of_label(row.label)).collect();
        names.twins = twins(&names);
        names
    }
}

fn span(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

fn twins(names: &Names) -> Vec<(u32, u32)> {
    let mut own: FxHashMap<Topic, u32> = FxHashMap::default();
    own.extend((0..names.len() as u32).filter(|row| names.owner(*row).is_own).map(|row| (names.row(row).topic, row)));
    let mut twins = Vec::with_capacity(own.len());
    let public = (0..names.len() as u32).filter(|row| !names.owner(*row).is_own);
    twins.extend(public.filter_map(|row| Some((*own.get(&names.row(row).topic)?, row))));
    twins
}

/// The order of names that match equally well.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    is_elsewhere: bool,
    is_private: bool,
    is_parameter: bool,
    calls: Reverse<u32>,
}

impl Key {
    fn new(origin: Origin, is_private: bool, is_parameter: bool, calls: u32) -> Self {
        Self { is_elsewhere: origin != Origin::Src, is_private, is_parameter, calls: Reverse(calls) }
    }
}

/// What `letters` says of text that is compared without its accents.
pub(super) const BEYOND_ASCII: u64 = u64::MAX;
/// There is a character that begins a word more strongly than others do.
pub(super) const STRONG: u64 = 1 << 37;

/// A bit a letter or digit, whatever its case; text beyond ASCII has all of them.
pub(super) fn letters(text: &str) -> u64 {
    if !text.is_ascii() {
        return BEYOND_ASCII;
    }
    text.bytes().fold(0, |mask, byte| mask | letter(byte))
}

/// The bit of a byte.
pub(super) fn letter(byte: u8) -> u64 {
    match byte.to_ascii_lowercase() {
        byte @ b'a'..=b'z' => 1 << (byte - b'a'),
        byte @ b'0'..=b'9' => 1 << (26 + byte - b'0'),
        b'_' => 1 << 36,
        b'/' | b',' | b':' | b';' | b'|' | b' ' | b'\t' => STRONG,
        _ => 0,
    }
}
