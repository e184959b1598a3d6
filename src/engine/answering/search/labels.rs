//! Fuzzy matching of short lists of texts: filtered lists, menus, rows of a page.

use std::cmp::Reverse;

use apidisc_base::sort::SharedSort as _;
use nucleo::{
    Config, Matcher, Utf32Str,
    pattern::{AtomKind, CaseMatching, Normalization, Pattern},
};

/// The number of best matches that carry the positions of their matching characters.
const MAX_WITH_POSITIONS: usize = 400;
/// The number of labels that are matched between two checks for cancellation.
const BLOCK: usize = 512;

/// Matches labels, and reuses its memory for the next list.
pub struct LabelMatcher {
    matcher: Matcher,
}

impl Default for LabelMatcher {
    fn default() -> Self {
        Self { matcher: Matcher::new(Config::DEFAULT) }
    }
}

impl LabelMatcher {
    /// The rows whose label matches `pattern`, best first; ties keep the order of `labels`. Each row has the positions
    /// of the characters that match; they are empty after the first 400 rows. `None` if `is_cancelled` becomes true.
    pub fn matches(
        &mut self,
        pattern: &str,
        labels: impl Iterator<Item = (usize, String)>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Vec<(usize, Vec<u32>)>> {
        let pattern = Pattern::parse(pattern, CaseMatching::Smart, Normalization::Smart);
        let mut matches = Vec::new();
        let mut characters = Vec::new();
        for (position, (row, label)) in labels.enumerate() {
            if position.is_multiple_of(BLOCK) && is_cancelled() {
                return None;
            }
            if let Some(score) = pattern.score(Utf32Str::new(&label, &mut characters), &mut self.matcher) {
                matches.push((Reverse(score), position, row, label));
            }
        }
        matches.shared_sort_by_key(|(score, position, ..)| (*score, *position));
        let ranked = matches.into_iter().enumerate().map(|(rank, (.., row, label))| {
            let mut positions = Vec::new();
            if rank < MAX_WITH_POSITIONS {
                pattern.indices(Utf32Str::new(&label, &mut characters), &mut self.matcher, &mut positions);
                positions.sort_unstable();
                positions.dedup();
            }
            (row, positions)
        });
        Some(ranked.collect())
    }
}

/// The positions of the labels that match `pattern` fuzzily, best first, each with the positions of the characters that
/// match. If the pattern is empty, all labels match.
pub fn fuzzy_matches<S: AsRef<str>>(pattern: &str, labels: &[S]) -> Vec<(usize, Vec<u32>)> {
    let pattern = Pattern::parse(pattern, CaseMatching::Smart, Normalization::Smart);
    let mut matches = scored_matches(&pattern, labels);
    matches.shared_sort_by_key(|(score, row, _)| (*score, *row));
    matches.into_iter().map(|(_, row, positions)| (row, positions)).collect()
}

/// The positions of the labels that contain every word of `pattern`, ascending, each with the positions of the
/// characters that match.
pub fn substring_matches<S: AsRef<str>>(pattern: &str, labels: &[S]) -> Vec<(usize, Vec<u32>)> {
    let pattern = Pattern::new(pattern, CaseMatching::Ignore, Normalization::Smart, AtomKind::Substring);
    scored_matches(&pattern, labels).into_iter().map(|(_, row, positions)| (row, positions)).collect()
}

/// The positions of the characters of `text` that belong to any word of `pattern`, ascending.
pub fn word_positions(pattern: &str, text: &str) -> Vec<u32> {
    let words = pattern.split_whitespace();
    let matches = words.flat_map(|word| substring_matches(word, &[text]));
    let mut positions: Vec<u32> = matches.flat_map(|(_, positions)| positions).collect();
    positions.sort_unstable();
    positions.dedup();
    positions
}

fn scored_matches<S: AsRef<str>>(pattern: &Pattern, labels: &[S]) -> Vec<(Reverse<u32>, usize, Vec<u32>)> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut characters = Vec::new();
    let mut matches = Vec::new();
    for (row, label) in labels.iter().enumerate() {
        let mut positions = Vec::new();
        let label = Utf32Str::new(label.as_ref(), &mut characters);
        if let Some(score) = pattern.indices(label, &mut matcher, &mut positions) {
            positions.sort_unstable();
            positions.dedup();
            matches.push((Reverse(score), row, positions));
        }
    }
    matches
}
