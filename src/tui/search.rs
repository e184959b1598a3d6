//! Fuzzy matching: a pure function that the runtime calls away from the drawing thread.

use std::{cmp::Reverse, sync::Arc};

use nucleo::{
    Config, Matcher, Utf32Str,
    pattern::{AtomKind, CaseMatching, Normalization, Pattern},
};

use super::catalog::Catalog;
use apidisc::program::DefinitionId;

/// A candidate that matches a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterMatch {
    /// Its position in the index: of a module, a definition, or a parameter in its signature.
    pub row: usize,
    /// The characters of its label that match, ascending; empty beyond the first few hundred matches.
    pub positions: Vec<u32>,
}

/// The labels that a filter searches.
#[derive(Clone, Debug)]
pub enum FilterCandidates {
    /// The names of all modules.
    Modules,
    /// These definitions and their members.
    Symbols {
        /// The definitions, in order of rank.
        base: Arc<[DefinitionId]>,
        /// Private members too.
        private: bool,
    },
    /// The parameters of a definition.
    Parameters(DefinitionId),
}

/// So many matches say which of their characters matched; nobody scrolls further.
const MARKED: usize = 400;

/// What matches `pattern`, best first; of equal matches the one that was listed first. `None` where
/// `cancelled` says that the answer is no longer wanted.
pub fn find(
    matcher: &mut Matcher,
    pattern: &str,
    catalog: &Catalog,
    candidates: &FilterCandidates,
    cancelled: &dyn Fn() -> bool,
) -> Option<Vec<FilterMatch>> {
    let pattern = Pattern::parse(pattern, CaseMatching::Smart, Normalization::Smart);
    let mut found = Vec::new();
    let mut characters = Vec::new();
    for (rank, (row, label)) in labels(catalog, candidates).enumerate() {
        if rank.is_multiple_of(512) && cancelled() {
            return None;
        }
        if let Some(score) = pattern.score(Utf32Str::new(&label, &mut characters), matcher) {
            found.push((Reverse(score), rank, row, label));
        }
    }
    found.sort_by_key(|(score, rank, ..)| (*score, *rank));
    let ranked = found.into_iter().enumerate().map(|(place, (.., row, label))| {
        let mut positions = Vec::new();
        if place < MARKED {
            pattern.indices(Utf32Str::new(&label, &mut characters), matcher, &mut positions);
            positions.sort_unstable();
            positions.dedup();
        }
        FilterMatch { row, positions }
    });
    Some(ranked.collect())
}

/// Which of a short list match `pattern`, best first, and which of their characters; all where it is empty.
pub fn rank<S: AsRef<str>>(pattern: &str, labels: &[S]) -> Vec<(usize, Vec<u32>)> {
    select(&Pattern::parse(pattern, CaseMatching::Smart, Normalization::Smart), labels, true)
}

/// Which of a short list hold every word of `pattern`, in their order, and which of their characters do.
pub fn holding<S: AsRef<str>>(pattern: &str, labels: &[S]) -> Vec<(usize, Vec<u32>)> {
    let pattern = Pattern::new(pattern, CaseMatching::Ignore, Normalization::Smart, AtomKind::Substring);
    select(&pattern, labels, false)
}

/// The characters of `text` that are words of `pattern`, whichever of them it holds.
pub fn marks(pattern: &str, text: &str) -> Vec<u32> {
    let words = pattern.split_whitespace();
    let mut marks: Vec<u32> = words.flat_map(|word| holding(word, &[text])).flat_map(|(_, marks)| marks).collect();
    marks.sort_unstable();
    marks.dedup();
    marks
}

fn select<S: AsRef<str>>(pattern: &Pattern, labels: &[S], by_score: bool) -> Vec<(usize, Vec<u32>)> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut characters = Vec::new();
    let mut found = Vec::new();
    for (row, label) in labels.iter().enumerate() {
        let mut positions = Vec::new();
        let label = Utf32Str::new(label.as_ref(), &mut characters);
        if let Some(score) = pattern.indices(label, &mut matcher, &mut positions) {
            positions.sort_unstable();
            positions.dedup();
            found.push((Reverse(score), row, positions));
        }
    }
    if by_score {
        found.sort_by_key(|(score, row, _)| (*score, *row));
    }
    found.into_iter().map(|(_, row, positions)| (row, positions)).collect()
}

/// Row and label of every candidate, in the order of the list.
fn labels<'a>(
    catalog: &'a Catalog,
    candidates: &'a FilterCandidates,
) -> Box<dyn Iterator<Item = (usize, String)> + 'a> {
    let index = &catalog.index;
    match candidates {
        FilterCandidates::Modules => {
            let ids = catalog.ranked_modules().into_iter();
            Box::new(ids.map(|id| (id.index(), index.module(id).fqn.to_string())))
        }
        FilterCandidates::Symbols { base, private } => Box::new(base.iter().flat_map(move |id| {
            let mut ids = vec![*id];
            nested(catalog, *id, *private, &mut ids);
            ids.into_iter().map(|id| (id.index(), catalog.search_text(id)))
        })),
        FilterCandidates::Parameters(id) => {
            let signature = index.definition(*id).signature.as_ref();
            let rows = signature.into_iter().flat_map(|s| (0..s.parameters.len()).map(move |row| (row, s.label(row))));
            Box::new(rows.map(|(row, label)| (row, label.into())))
        }
    }
}

fn nested(catalog: &Catalog, id: DefinitionId, private: bool, out: &mut Vec<DefinitionId>) {
    for member in catalog.members(id, private) {
        out.push(member);
        nested(catalog, member, private, out);
    }
}
