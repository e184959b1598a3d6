//! Every name of an index, made ready for matching once an index.
//!
//! A name is looked for in the last parts of what it could mean (`Agent.run`) and, where too few have it there, in the
//! whole (`station.agents.Agent.run`). Those come first that people mean most often, so that something can be shown
//! before all is done; and who types on is answered from what matched before. Every core takes part.

use std::{borrow::Cow, cell::RefCell, cmp::Reverse};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{
    Query,
    names::Names,
    needle::{IN_NAME, Needle, Part, Scratch},
    query::Filter,
};
use crate::tui::catalog::{Catalog, Topic};

/// So many are handed over; nobody scrolls further.
const MOST: usize = 1000;
/// So many of what was found so far: more than a screen holds, and quickly put together.
const SO_FAR: usize = 200;
/// Where fewer are found by their last parts, whole names are looked at too.
const FEW: usize = 100;
/// Names that are matched before somebody looks whether the answer is still wanted: few at first, since the best of
/// them spare others a closer look.
const BLOCKS: [usize; 4] = [2_048, 4_096, 8_192, 16_384];
/// Names that a thread matches at a time.
const CHUNK: usize = 1_024;

thread_local! {
    /// nucleo's matcher comes with much memory, which takes longer to set up than a chunk to match.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The names of one index.
pub struct Haystack {
    names: Names,
    /// The last filters, and the rows that they keep.
    kept: Option<(Vec<Filter>, Vec<u32>)>,
    /// The last query, and the rows that matched it by their last parts.
    last: Option<(Query, Vec<u32>)>,
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
        Self { names: Names::gather(catalog), kept: None, last: None }
    }

    /// How many names there are; some things have two.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True where there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a query finds; `None` where `watch` says that the answer is no longer wanted.
    pub fn search(
        &mut self,
        catalog: &Catalog,
        query: &Query,
        watch: &mut dyn FnMut(Watch<'_>) -> bool,
    ) -> Option<Found> {
        self.filter(catalog, query);
        let last = self.last.take();
        let kept = || match &self.kept {
            Some((_, rows)) => Cow::Borrowed(rows.as_slice()),
            None => Cow::Owned((0..self.len() as u32).collect()),
        };
        // Who types on narrows what was found; the rows stay in their order.
        let filtered_by = last.filter(|(last, _)| query.narrows(last)).map(|(_, rows)| Cow::Owned(rows));
        let needle = Needle::new(&query.words);
        let mut search =
            Search { names: &self.names, needle: &needle, best: Vec::new(), matched: Vec::new(), floor: 0 };
        if !search.look(&filtered_by.unwrap_or_else(kept), Part::Name, watch) {
            return None;
        }
        let in_name = search.matched.clone();
        if in_name.len() < FEW && !needle.is_empty() {
            // Both lists are ascending.
            let mut known = in_name.iter().copied().peekable();
            let rest: Vec<u32> = kept().iter().copied().filter(|row| known.next_if_eq(row).is_none()).collect();
            if !search.look(&rest, Part::Whole, watch) {
                return None;
            }
        }
        let mut found = search.found(MOST);
        if query.words.contains(['.', '#', '/']) {
            let definition = catalog.index.definition_of(&query.words).map(Topic::Definition);
            let module = || catalog.module_named(&query.words).map(Topic::Module);
            if let Some(topic) = definition.or_else(module) {
                found.bring_first(topic);
            }
        }
        self.last = Some((query.clone(), in_name));
        Some(found)
    }

    /// Finds out what the filters keep; of filters that go on with the last ones, only among what those keep.
    fn filter(&mut self, catalog: &Catalog, query: &Query) {
        let filters = query.filters();
        let before = match self.kept.take() {
            _ if filters.is_empty() => return,
            Some(kept) if kept.0 == filters => {
                self.kept = Some(kept);
                return;
            }
            Some((last, rows)) if query.filters_narrow(&last) => rows,
            _ => (0..self.len() as u32).collect(),
        };
        let judge = query.judge(&catalog.index);
        let rows = before.into_par_iter().filter(|row| judge.keeps(self.names.row(*row).topic)).collect();
        self.kept = Some((filters.to_vec(), rows));
    }
}

/// The score of a row; the better one is less, and of equally good ones the earlier one.
type Scored = (Reverse<u32>, u32);

/// A search that goes on.
struct Search<'a> {
    names: &'a Names,
    needle: &'a Needle<'a>,
    /// Those above the floor so far.
    best: Vec<Scored>,
    /// Every row that matches.
    matched: Vec<u32>,
    /// A row that comes now is among the best only with a score above this.
    floor: u32,
}

impl Search<'_> {
    /// Looks at some rows, ascending; false where the answer is no longer wanted.
    fn look(&mut self, rows: &[u32], part: Part, watch: &mut dyn FnMut(Watch<'_>) -> bool) -> bool {
        let taken = if part == Part::Whole { self.needle.taken_by_homes(self.names) } else { Vec::new() };
        let mut rest = rows;
        let mut sizes = BLOCKS.into_iter();
        let mut size = BLOCKS[0];
        while !rest.is_empty() {
            size = sizes.next().unwrap_or(size);
            let (block, after) = rest.split_at(size.min(rest.len()));
            rest = after;
            let chunks: Vec<_> = block
                .par_chunks(CHUNK.min(size / 4))
                .map(|chunk| SCRATCH.with_borrow_mut(|scratch| self.scores(chunk, part, &taken, scratch)))
                .collect();
            for (matched, scored) in chunks {
                self.matched.extend(matched);
                self.best.extend(scored);
            }
            self.raise();
            if !watch(Watch { found: &mut || self.found(SO_FAR) }) {
                return false;
            }
        }
        true
    }

    /// The rows that match, and the scores of those that may be among the best.
    fn scores(&self, rows: &[u32], part: Part, taken: &[u32], scratch: &mut Scratch) -> (Vec<u32>, Vec<Scored>) {
        let (mut matched, mut scored) = (Vec::new(), Vec::new());
        for &row in rows {
            let is_match = self.needle.is_empty()
                || match part {
                    Part::Name => self.needle.is_in_name(self.names, row, scratch),
                    Part::Whole => self.needle.is_in_whole(self.names, row, taken, scratch),
                };
            if is_match {
                matched.push(row);
                let score = self.needle.score(self.names, row, part, self.floor, scratch);
                scored.extend(score.map(|score| (Reverse(score), row)));
            }
        }
        (matched, scored)
    }

    /// Lets go of those that are not among the best. Of equal ones the earlier row is better, and rows ascend but for
    /// those that need the whole, which no score of theirs lifts above the others.
    fn raise(&mut self) {
        if self.best.len() > MOST {
            self.best.select_nth_unstable(MOST);
            self.best.truncate(MOST);
        }
        if self.best.len() == MOST {
            self.floor = self.best.iter().map(|(Reverse(score), _)| *score).min().unwrap_or(0);
        }
    }

    /// The best of what matches so far, no more than `most`.
    fn found(&self, most: usize) -> Found {
        let mut best = self.best.clone();
        best.sort_unstable();
        best.truncate(most);
        // Of two names of one thing the one that matches better stands for it.
        let mut seen = FxHashSet::default();
        best.retain(|(_, row)| seen.insert(self.names.row(*row).topic));
        let hits = best.into_par_iter().with_min_len(SO_FAR).map(|(Reverse(score), row)| {
            let topic = self.names.row(row).topic;
            let name = self.names.home(row).len();
            let from = if score >= IN_NAME { name } else { 0 };
            SCRATCH.with_borrow_mut(|Scratch { text, matching }| {
                let text = self.names.whole(row, text);
                Hit { topic, positions: self.needle.positions(text, from, matching), text: text.to_owned(), name }
            })
        });
        Found { hits: hits.collect(), total: self.total() }
    }

    /// How many things match; what matches under both of its names is one.
    fn total(&self) -> usize {
        let mut is_matched = vec![false; self.names.len()];
        for row in &self.matched {
            is_matched[*row as usize] = true;
        }
        self.matched.len() - self.names.twins(|row| is_matched[row as usize])
    }
}
