//! Every name of an index, made ready for matching once an index.
//!
//! A name is looked for in the last parts of what it could mean (`Agent.run`) and, where too few have it there, in the
//! whole (`station.agents.Agent.run`). Both have a mask of the letters in them, so that most names are passed over
//! without a look at their text, which is put together from the index when it is looked at; and who types on is
//! answered from what matched before. The rest is matched on every core, those first that people mean most often, so
//! that something can be shown before all is done.

use std::cmp::Reverse;

use nucleo::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::Query;
use crate::{
    engine::{
        index::{DefinitionId, Index, ModuleId},
        usage::Origin,
    },
    tui::model::{Catalog, Topic},
};

/// So many are handed over; nobody scrolls further.
const MOST: usize = 1000;
/// Names that are matched before somebody looks whether the answer is still wanted.
const BLOCK: usize = 16_384;
/// Names that a thread matches at a time.
const CHUNK: usize = 1_024;
/// Any match in the last parts of a name comes before one that needs the whole.
const IN_NAME: u32 = 1 << 20;
/// What is added where the very last part of a name matches by itself: as much as a letter counts. A class comes before
/// its members and parameters that match by its name alone.
const IN_LAST: u32 = 16;

/// The names of one index, those that people mean most often first.
pub struct Haystack {
    rows: Vec<Row>,
    /// By row: which letters are in its last parts, and in the whole.
    letters: Vec<(u64, u64)>,
    /// The last query, and the rows that matched it by their last parts.
    last: Option<(Query, Vec<u32>)>,
}

#[derive(Clone, Copy)]
struct Row {
    topic: Topic,
    /// It is another name of what is found by its public one: the one that it is defined by.
    is_own: bool,
    /// It is a public definition of the library's own: what is meant rather than a file of that name.
    is_meant: bool,
    /// Where its last parts begin, and its very last one.
    name: u32,
    last: u32,
}

impl Row {
    /// Its name in full; that of a parameter is written to `scratch`.
    fn text<'t>(&self, index: &'t Index, scratch: &'t mut String) -> &'t str {
        let full = |id: DefinitionId| {
            let definition = index.definition(id);
            if self.is_own { &definition.fqn } else { &definition.alias }
        };
        match self.topic {
            Topic::Repository => "",
            Topic::Module(id) => &index.module(id).fqn,
            Topic::Definition(id) => full(id),
            Topic::Argument(id, at) => {
                let label = index.definition(id).signature.as_ref().map(|s| s.label(at.into())).unwrap_or_default();
                scratch.clear();
                for part in [full(id).as_str(), "(", &label, ")"] {
                    scratch.push_str(part);
                }
                scratch
            }
        }
    }
}

/// Where a name is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Name,
    Whole,
}

/// Something that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// What it is.
    pub topic: Topic,
    /// Its name in full: what the positions count in.
    pub text: String,
    /// Where its last parts begin in `text`, in bytes.
    pub name: usize,
    /// The characters that match, ascending.
    pub positions: Vec<u32>,
}

/// What matches, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The best ones.
    pub hits: Vec<Hit>,
    /// How many there are in all.
    pub total: usize,
}

impl Found {
    /// Puts what was asked for by its very name before all others.
    fn bring_first(&mut self, topic: Topic) {
        if let Some(at) = self.hits.iter().position(|hit| hit.topic == topic) {
            self.hits[..=at].rotate_right(1);
        }
    }
}

/// A look at a search that goes on.
pub struct Watch<'a> {
    found: &'a mut dyn FnMut() -> Found,
}

impl Watch<'_> {
    /// What was found so far.
    pub fn found(&mut self) -> Found {
        (self.found)()
    }
}

impl Haystack {
    /// Collects the names of modules, definitions and parameters.
    pub fn new(catalog: &Catalog) -> Self {
        let index = &catalog.index;
        let mut keyed: Vec<(Key, Row)> = Vec::new();
        for (i, module) in index.modules.iter().enumerate() {
            let id = ModuleId::new(i);
            let name = module.fqn.rfind(['.', '/']).map_or(0, |at| at + 1) as u32;
            let row = Row { topic: Topic::Module(id), is_own: false, is_meant: false, name, last: name };
            keyed.push((Key::new(catalog.origin(id), false, false, module.total_calls), row));
        }
        for (i, definition) in index.definitions.iter().enumerate() {
            let id = DefinitionId::new(i);
            let origin = index.files.get(definition.place.file.index()).map_or(Origin::Src, |file| file.origin);
            let label = catalog.label(id, false);
            let alias = definition.alias.as_str();
            let last = alias.rfind(['.', '#', '/']).map_or(0, |at| at + 1);
            let name = alias.strip_suffix(label.as_str()).map_or(last, str::len);
            // Who knows the name that it is defined by looks for that.
            let own = Catalog::own_name(definition).map(|own| {
                let name = definition.fqn.len().saturating_sub(own.len());
                (definition.fqn.as_str(), name, name, true)
            });
            let calls = definition.usage.total_calls;
            for (full, name, last, is_own) in [(alias, name, last, false)].into_iter().chain(own) {
                let is_meant = definition.is_public && origin == Origin::Src;
                let row = Row { topic: Topic::Definition(id), is_own, is_meant, name: name as u32, last: last as u32 };
                keyed.push((Key::new(origin, !definition.is_public, false, calls), row));
                let Some(signature) = &definition.signature else { continue };
                for at in 0..signature.parameters.len().min(usize::from(u16::MAX)) {
                    let row = Row { topic: Topic::Argument(id, at as u16), last: full.len() as u32 + 1, ..row };
                    let passed = definition.usage.parameters.get(at).map_or(0, |row| row.count);
                    let row = Row { is_meant: false, ..row };
                    keyed.push((Key::new(origin, !definition.is_public, true, passed), row));
                }
            }
        }
        // The sort is stable: of equal ones the first by path and line comes first.
        keyed.par_sort_by_key(|(key, _)| *key);
        let rows: Vec<Row> = keyed.iter().map(|(_, row)| *row).collect();
        let masks = |scratch: &mut String, row: &Row| {
            let name = row.text(index, scratch);
            (letters(&name[row.name as usize..]), letters(name))
        };
        let letters = rows.par_iter().map_init(String::new, masks).collect();
        Self { rows, letters, last: None }
    }

    /// How many names there are; some things have two.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True where there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What a query finds; `None` where `watch` says that the answer is no longer wanted.
    pub fn search(
        &mut self,
        catalog: &Catalog,
        query: &Query,
        watch: &mut dyn FnMut(Watch<'_>) -> bool,
    ) -> Option<Found> {
        let needle = Needle::new(query);
        let (mut scored, mut names) = (Vec::new(), Vec::new());
        // Who types on narrows what was found; the rows stay in their order.
        let narrowed = self.last.take().filter(|(last, _)| query.narrows(last)).map(|(_, rows)| rows);
        let candidates = narrowed.unwrap_or_else(|| (0..self.rows.len() as u32).collect());
        for block in candidates.chunks(BLOCK) {
            let found = self.scores(catalog, query, &needle, block, Part::Name);
            names.extend(found.iter().map(|(_, row)| *row));
            scored.extend(found);
            if !watch(Watch { found: &mut || self.best(catalog, &needle, &scored) }) {
                return None;
            }
        }
        if names.len() < MOST && !needle.words.is_empty() {
            // Both lists are ascending.
            let mut known = names.iter().copied().peekable();
            let rest: Vec<u32> = (0..self.rows.len() as u32).filter(|row| known.next_if_eq(row).is_none()).collect();
            for block in rest.chunks(BLOCK) {
                scored.extend(self.scores(catalog, query, &needle, block, Part::Whole));
                if !watch(Watch { found: &mut || self.best(catalog, &needle, &scored) }) {
                    return None;
                }
            }
        }
        let mut found = self.best(catalog, &needle, &scored);
        if query.words.contains(['.', '#', '/']) {
            let definition = catalog.index.definition_of(&query.words).map(Topic::Definition);
            let module = || catalog.module_named(&query.words).map(Topic::Module);
            if let Some(topic) = definition.or_else(module) {
                found.bring_first(topic);
            }
        }
        self.last = Some((query.clone(), names));
        Some(found)
    }

    /// The rows of a block that match, ascending, with their scores.
    fn scores(
        &self,
        catalog: &Catalog,
        query: &Query,
        needle: &Needle<'_>,
        block: &[u32],
        part: Part,
    ) -> Vec<(u32, u32)> {
        let chunks: Vec<Vec<(u32, u32)>> = block
            .par_chunks(CHUNK)
            .map_init(Default::default, |(matching, scratch): &mut (Matching, String), chunk| {
                let scored = chunk.iter().filter_map(|&at| {
                    let (in_name, in_whole) = self.letters[at as usize];
                    let letters = if part == Part::Name { in_name } else { in_whole };
                    if needle.letters & !letters != 0 {
                        return None;
                    }
                    let row = &self.rows[at as usize];
                    let text = row.text(&catalog.index, scratch);
                    if !query.is_unfiltered() && !query.keeps(&catalog.index, row.topic, text) {
                        return None;
                    }
                    Some((needle.score(part, row, text, matching)?, at))
                });
                scored.collect()
            })
            .collect();
        chunks.concat()
    }

    /// The best of what matches.
    fn best(&self, catalog: &Catalog, needle: &Needle<'_>, scored: &[(u32, u32)]) -> Found {
        let key = |&(score, row): &(u32, u32)| (Reverse(score), row);
        let mut best = scored.to_vec();
        if best.len() > MOST {
            best.select_nth_unstable_by_key(MOST, key);
            best.truncate(MOST);
        }
        best.sort_unstable_by_key(key);
        // Of two names of one thing the one that matches better stands for it.
        let mut seen = FxHashSet::default();
        best.retain(|(_, row)| seen.insert(self.rows[*row as usize].topic));
        let (mut matching, mut scratch) = (Matching::default(), String::new());
        let hits = best.into_iter().map(|(score, row)| {
            let row = &self.rows[row as usize];
            let (text, name) = (row.text(&catalog.index, &mut scratch), row.name as usize);
            let positions = needle.positions(text, if score >= IN_NAME { name } else { 0 }, &mut matching);
            Hit { topic: row.topic, text: text.to_owned(), name, positions }
        });
        Found { hits: hits.collect(), total: scored.len() - self.twins(scored) }
    }

    /// How many things are there under both of their names.
    fn twins(&self, scored: &[(u32, u32)]) -> usize {
        let row = |(_, row): &(u32, u32)| &self.rows[*row as usize];
        let own: FxHashSet<Topic> = scored.iter().map(row).filter(|row| row.is_own).map(|row| row.topic).collect();
        if own.is_empty() {
            return 0;
        }
        scored.iter().map(row).filter(|row| !row.is_own && own.contains(&row.topic)).count()
    }
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

/// A bit a letter or digit, whatever its case; text beyond ASCII has all of them, since it is compared without its
/// accents.
fn letters(text: &str) -> u64 {
    if !text.is_ascii() {
        return u64::MAX;
    }
    text.bytes().fold(0, |mask, byte| mask | letter(byte))
}

/// The letters that a name must have to match. A word that begins with `!` must not be there.
fn needed(words: &str) -> u64 {
    let words = words.split(' ').filter(|word| !word.starts_with('!'));
    words.flat_map(str::bytes).fold(0, |mask, byte| mask | letter(byte))
}

fn letter(byte: u8) -> u64 {
    match byte.to_ascii_lowercase() {
        byte @ b'a'..=b'z' => 1 << (byte - b'a'),
        byte @ b'0'..=b'9' => 1 << (26 + byte - b'0'),
        b'_' => 1 << 36,
        _ => 0,
    }
}

/// What matching needs of memory; a thread has its own.
struct Matching {
    matcher: Matcher,
    characters: Vec<char>,
}

impl Default for Matching {
    fn default() -> Self {
        Self { matcher: Matcher::new(Config::DEFAULT), characters: Vec::new() }
    }
}

struct Needle<'a> {
    pattern: Pattern,
    letters: u64,
    words: &'a str,
}

impl<'a> Needle<'a> {
    fn new(query: &'a Query) -> Self {
        let pattern = Pattern::parse(&query.words, CaseMatching::Smart, Normalization::Smart);
        Self { pattern, letters: needed(&query.words), words: &query.words }
    }

    fn score(&self, part: Part, row: &Row, text: &str, matching: &mut Matching) -> Option<u32> {
        if self.words.is_empty() {
            return Some(IN_NAME);
        }
        let Matching { matcher, characters } = matching;
        let from = if part == Part::Name { row.name as usize } else { 0 };
        let score = self.pattern.score(Utf32Str::new(&text[from..], characters), matcher)?;
        if part == Part::Whole {
            return Some(score);
        }
        let last = &text[row.last as usize..];
        // A letter by itself is nearly everywhere, and says nothing.
        let is_last = row.last == row.name
            || self.words.len() > 1
                && self.letters & !letters(last) == 0
                && self.pattern.score(Utf32Str::new(last, characters), matcher).is_some();
        let score = score + if is_last { IN_LAST } else { 0 };
        // Of equally good ones that first which is called just so.
        let exact = last.trim_end_matches(')').eq_ignore_ascii_case(self.words);
        Some(IN_NAME + 4 * score + 2 * u32::from(exact) + u32::from(row.is_meant))
    }

    /// The characters of `text` that match from byte `from` on.
    fn positions(&self, text: &str, from: usize, Matching { matcher, characters }: &mut Matching) -> Vec<u32> {
        let mut positions = Vec::new();
        self.pattern.indices(Utf32Str::new(&text[from..], characters), matcher, &mut positions);
        positions.sort_unstable();
        positions.dedup();
        let before = Utf32Str::new(&text[..from], characters).len() as u32;
        for position in &mut positions {
            *position += before;
        }
        positions
    }
}
