//! The best names of an index for a query.
//!
//! - Labels (`Agent.run`) are matched first. If few labels match, full names (`station.agents.Agent.run`) are matched
//!   too. A name that ends in the last part of a query with several parts is always matched in full.
//! - Exact matches come first, then beginnings, words and letters: see [`MatchTier`](super::tier::MatchTier). Within a
//!   tier of exact matches the most used names come first.
//! - Rows are matched in blocks, the most likely ones first, so that hits can be shown before the search is done.
//! - A query that narrows the last query tests only the rows that matched the last query.
//! - All cores match rows at the same time.

use std::{borrow::Cow, cell::RefCell, cmp::Reverse};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{
    Catalog, Query, SearchTarget,
    matching::{MatchBuffers, MatchedPart, WordMatcher},
    name_table_builder::build_name_table,
    names::NameTable,
    query::QueryFilter,
};
use crate::types::TypeQuery;
use apidisc_base::language::QualifiedName;

/// The greatest number of hits in an intermediate result. It is more than a screen shows, and small enough to be
/// collected quickly.
const MAX_HITS_SO_FAR: usize = 200;
/// If fewer labels match, full names are matched too.
const FEW_LABELS: usize = 100;
/// The numbers of rows in the first blocks; later blocks are as large as the last of these. After each block the
/// observer is called and may end the search. The first blocks are small, so that the floor rises early: rows that
/// cannot score above the floor need no exact score.
const BLOCK_SIZES: [usize; 4] = [2_048, 4_096, 8_192, 16_384];
/// The greatest number of rows that a thread matches at a time.
const CHUNK: usize = 1_024;

thread_local! {
    /// The buffers that a thread reuses, since allocating nucleo's memory takes longer than matching a chunk.
    static BUFFERS: RefCell<MatchBuffers> = RefCell::default();
}

/// Searches the names of one index. It stores the last query and the rows that matched, so that a query that narrows
/// the last one is answered faster than a new one.
pub struct Searcher {
    names: NameTable,
    /// The last filters, and the rows that they keep, ascending.
    filtered: Option<(Filters, Vec<u32>)>,
    /// The last query, and the rows whose labels matched it, ascending.
    last: Option<(Query, Vec<u32>)>,
}

/// The filters of a query, and its conditions on types.
type Filters = (Vec<QueryFilter>, TypeQuery);

/// A name that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHit {
    /// The module, definition or parameter that has the name.
    pub target: SearchTarget,
    /// The full name.
    pub full_name: String,
    /// The byte offset of the label in `full_name`. The label has no module; that of a member begins with the name of
    /// its class.
    pub label_start: usize,
    /// The positions of the characters that match, ascending, counted in characters from the start of `full_name`.
    pub positions: Vec<u32>,
}

/// The names that match a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchHits {
    /// The best hits, best first, one for each target.
    pub hits: Vec<SearchHit>,
    /// The number of all targets that match.
    pub total: usize,
}

impl SearchHits {
    /// Moves the hit for `target` to the front. If there is no such hit, one is added, and the last hit is removed if
    /// there are more than `limit`. `matched` are the rows that match, whether they are among the hits or not.
    fn put_first(&mut self, target: SearchTarget, names: &NameTable, matched: &[u32], limit: usize) {
        if let Some(at) = self.hits.iter().position(|hit| hit.target == target) {
            self.hits[..=at].rotate_right(1);
            return;
        }
        let mut rows = (0..names.len() as u32).filter(|&row| names.row(row).target == target);
        let Some(row) = rows.next() else { return };
        let full_name = names.full_name(row, &mut String::new()).to_owned();
        let label_start = names.prefix(row).len();
        self.hits.insert(0, SearchHit { target, full_name, label_start, positions: Vec::new() });
        self.hits.truncate(limit);
        // A target that matches is counted already.
        self.total += usize::from(![row].into_iter().chain(rows).any(|row| matched.contains(&row)));
    }
}

/// The state of a search in progress, as the observer receives it.
pub struct HitsSoFar<'a> {
    collect: &'a mut dyn FnMut() -> SearchHits,
}

impl HitsSoFar<'_> {
    /// Collects the best hits so far.
    pub fn collect(&mut self) -> SearchHits {
        (self.collect)()
    }
}

impl Searcher {
    /// Collects the names of modules, definitions and parameters.
    pub fn new(catalog: &Catalog) -> Self {
        Self { names: build_name_table(catalog), filtered: None, last: None }
    }

    /// The number of names; a target may have two.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True if there are no names.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The best `limit` names for a query, or fewer: a target that is found by two names is one hit. `catalog` has to
    /// be the one from which the searcher was made. `observe` is called between blocks of rows; if it returns false,
    /// the search ends with `None`.
    pub fn search(
        &mut self,
        catalog: &Catalog,
        query: &Query,
        limit: usize,
        observe: &mut dyn FnMut(HitsSoFar<'_>) -> bool,
    ) -> Option<SearchHits> {
        self.apply_filters(catalog, query);
        let last = self.last.take();
        let filtered = || match &self.filtered {
            Some((_, rows)) => Cow::Borrowed(rows.as_slice()),
            None => Cow::Owned((0..self.len() as u32).collect()),
        };
        let narrowed = last.filter(|(last, _)| query.narrows(last)).map(|(_, rows)| Cow::Owned(rows));
        let matcher = WordMatcher::new(&query.words);
        let mut search = Search {
            names: &self.names,
            matcher: &matcher,
            limit,
            best: Vec::new(),
            matched: Vec::new(),
            scattered: Vec::new(),
            floor: 0,
        };
        if !search.match_rows(&narrowed.unwrap_or_else(filtered), MatchedPart::Label, observe) {
            return None;
        }
        let by_label = search.matched.clone();
        if !matcher.is_empty() {
            let has_few_labels = by_label.len() < FEW_LABELS;
            // Both lists are ascending.
            let mut known = by_label.iter().copied().peekable();
            let filtered = filtered();
            let rest = filtered.iter().copied().filter(|row| known.next_if_eq(row).is_none());
            let rest = rest.filter(|&row| has_few_labels || matcher.ends_in_name(&self.names, row));
            let rest: Vec<u32> = rest.collect();
            if !search.match_rows(&rest, MatchedPart::FullName, observe) {
                return None;
            }
        }
        search.leave_out_scattered();
        let mut hits = search.collect_hits(limit);
        // A qualified name is resolved as on the command line: `z.string` is `zod#string`. This takes several passes
        // over all definitions, and is not needed if exactly one target matches exactly, since that target is the first
        // hit already.
        let is_qualified = query.words.contains(QualifiedName::SEPARATORS) && !query.has_filters();
        if is_qualified && !search.has_one_exact_match() {
            let definition = catalog.index.definition_meant(&query.words).map(SearchTarget::Definition);
            let module = || catalog.module_named(&query.words).map(SearchTarget::Module);
            if let Some(target) = definition.or_else(module) {
                hits.put_first(target, &self.names, &search.matched, limit);
            }
        }
        self.last = Some((query.clone(), by_label));
        Some(hits)
    }

    /// Updates the rows that the filters of a query keep. If the filters narrow the last ones, only the rows that
    /// the last ones kept are tested.
    fn apply_filters(&mut self, catalog: &Catalog, query: &Query) {
        let filters = (query.filters().to_vec(), query.types().clone());
        let rows = match self.filtered.take() {
            _ if !query.has_filters() => return,
            Some(filtered) if filtered.0 == filters => {
                self.filtered = Some(filtered);
                return;
            }
            Some(((last, types), rows)) if types == filters.1 && query.filters_narrow(&last) => rows,
            _ => (0..self.len() as u32).collect(),
        };
        let matches = query.filter_index(catalog);
        let rows = rows.into_par_iter().filter(|row| matches.contains(self.names.row(*row).target)).collect();
        self.filtered = Some((filters, rows));
    }
}

/// A row with its score, ordered from best to worst: a higher score first, and of equal scores the earlier row.
type ScoredRow = (Reverse<u32>, u32);

/// The state of one search.
struct Search<'a> {
    names: &'a NameTable,
    matcher: &'a WordMatcher<'a>,
    /// The number of hits that are wanted.
    limit: usize,
    /// The best rows so far, in no order.
    best: Vec<ScoredRow>,
    /// Every row that matches.
    matched: Vec<u32>,
    /// The rows of `matched` that have the letters of the query in order, but nowhere one after the other.
    scattered: Vec<u32>,
    /// A later row is among the best only if its score is above this score.
    floor: u32,
}

impl Search<'_> {
    /// Matches rows, which are in ascending order. Returns false if the observer ends the search.
    fn match_rows(&mut self, rows: &[u32], part: MatchedPart, observe: &mut dyn FnMut(HitsSoFar<'_>) -> bool) -> bool {
        let by_prefix = match part {
            MatchedPart::Label => Vec::new(),
            MatchedPart::FullName => self.matcher.matched_by_prefixes(self.names),
        };
        let mut rest = rows;
        let mut sizes = BLOCK_SIZES.into_iter();
        let mut size = BLOCK_SIZES[0];
        while !rest.is_empty() {
            size = sizes.next().unwrap_or(size);
            let (block, after) = rest.split_at(size.min(rest.len()));
            rest = after;
            let chunks: Vec<_> = block
                .par_chunks(CHUNK.min(size / 4))
                .map(|chunk| BUFFERS.with_borrow_mut(|buffers| self.score_rows(chunk, part, &by_prefix, buffers)))
                .collect();
            for (matched, scattered, scored) in chunks {
                self.matched.extend(matched);
                self.scattered.extend(scattered);
                self.best.extend(scored);
            }
            self.raise_floor();
            if !observe(HitsSoFar { collect: &mut || self.collect_hits(MAX_HITS_SO_FAR.min(self.limit)) }) {
                return false;
            }
        }
        true
    }

    /// The rows that match, those of them whose letters are scattered, and the scores of those above the floor.
    fn score_rows(
        &self,
        rows: &[u32],
        part: MatchedPart,
        by_prefix: &[u32],
        buffers: &mut MatchBuffers,
    ) -> (Vec<u32>, Vec<u32>, Vec<ScoredRow>) {
        let (mut matched, mut scattered, mut scored) = (Vec::new(), Vec::new(), Vec::new());
        for &row in rows {
            let is_match = self.matcher.is_empty()
                || match part {
                    MatchedPart::Label => self.matcher.is_in_label(self.names, row, buffers),
                    MatchedPart::FullName => self.matcher.is_in_full_name(self.names, row, by_prefix, buffers),
                };
            if is_match {
                matched.push(row);
                if self.matcher.is_scattered(self.names, row, part, buffers) {
                    scattered.push(row);
                }
                let score = self.matcher.score(self.names, row, part, self.floor, buffers);
                scored.extend(score.map(|score| (Reverse(score), row)));
            }
        }
        (matched, scattered, scored)
    }

    /// Leaves out names with scattered letters, unless all names that match are such names.
    fn leave_out_scattered(&mut self) {
        if self.scattered.is_empty() || self.scattered.len() == self.matched.len() {
            return;
        }
        let scattered: FxHashSet<u32> = self.scattered.drain(..).collect();
        self.matched.retain(|row| !scattered.contains(row));
        self.best.retain(|(_, row)| !scattered.contains(row));
    }

    /// Keeps only the best rows, and raises the floor to the worst kept score. Within a pass rows ascend, so a later
    /// row with an equal score is worse.
    fn raise_floor(&mut self) {
        if self.best.len() > self.limit {
            self.best.select_nth_unstable(self.limit);
            self.best.truncate(self.limit);
        }
        if self.best.len() == self.limit {
            self.floor = self.best.iter().map(|(Reverse(score), _)| *score).min().unwrap_or(0);
        }
    }

    /// True if exactly one target matches exactly, and is therefore the best hit.
    fn has_one_exact_match(&self) -> bool {
        let exact = self.best.iter().filter(|(Reverse(score), _)| WordMatcher::is_exact(*score));
        let targets: Vec<SearchTarget> = exact.map(|(_, row)| self.names.row(*row).target).collect();
        // If the list has as many rows as the limit, further rows may match exactly.
        targets.len() < self.limit && targets.first().is_some_and(|first| targets.iter().all(|target| target == first))
    }

    /// The best matches so far, at most `most`.
    fn collect_hits(&self, most: usize) -> SearchHits {
        let mut best = self.best.clone();
        best.sort_unstable();
        best.truncate(most);
        // Of two names of one target, only the better match is kept.
        let mut seen = FxHashSet::default();
        best.retain(|(_, row)| seen.insert(self.names.row(*row).target));
        let hits = best.into_par_iter().with_min_len(MAX_HITS_SO_FAR).map(|(_, row)| {
            let target = self.names.row(row).target;
            let label_start = self.names.prefix(row).len();
            BUFFERS.with_borrow_mut(|MatchBuffers { text, nucleo }| {
                let full_name = self.names.full_name(row, text);
                let positions = self.matcher.positions(full_name, label_start, nucleo);
                SearchHit { target, full_name: full_name.to_owned(), label_start, positions }
            })
        });
        SearchHits { hits: hits.collect(), total: self.count_targets() }
    }

    /// The number of targets that match; a target that matches by two names counts once.
    fn count_targets(&self) -> usize {
        let mut is_matched = vec![false; self.names.len()];
        for row in &self.matched {
            is_matched[*row as usize] = true;
        }
        self.matched.len() - self.names.count_matched_twice(|row| is_matched[row as usize])
    }
}
