//! Fuzzy matching of short lists of texts: filtered lists, menus, rows of a page.

use std::cmp::Reverse;

use super::tier::begins_word;
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
    /// The rows whose label matches `pattern`, best first; ties keep the order of `labels`. Labels with scattered
    /// letters are left out if others contain the word. Each row has the positions of the characters that match; they
    /// are empty after the first 400 rows. `None` if `is_cancelled` becomes true.
    pub fn matches(
        &mut self,
        pattern: &str,
        labels: impl Iterator<Item = (usize, String)>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Vec<(usize, Vec<u32>)>> {
        let word = Some(pattern).filter(|word| word.len() > 1 && !word.contains(|c: char| !c.is_ascii_alphanumeric()));
        let pattern = Pattern::parse(pattern, CaseMatching::Smart, Normalization::Smart);
        let mut matches = Vec::new();
        let mut characters = Vec::new();
        for (position, (row, label)) in labels.enumerate() {
            if position.is_multiple_of(BLOCK) && is_cancelled() {
                return None;
            }
            if let Some(score) = pattern.score(Utf32Str::new(&label, &mut characters), &mut self.matcher) {
                let tier = word.map_or(Tier::Scattered, |word| Tier::of(&label, word));
                // Labels that contain the word keep their order: a class comes before its attributes.
                let score = if tier == Tier::Scattered { score } else { 0 };
                matches.push(((tier, Reverse(score), position), row, label));
            }
        }
        matches.shared_sort_by_key(|(rank, ..)| *rank);
        if matches.first().is_some_and(|((tier, ..), ..)| *tier != Tier::Scattered) {
            matches.retain(|((tier, ..), ..)| *tier != Tier::Scattered);
        }
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

/// How a label contains a word, ignoring case, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    /// The label is the word, or ends in it after a separator.
    Name,
    /// A word of the label begins with it.
    Word,
    /// The label contains it.
    Part,
    /// The label has only its letters, in order; also for patterns of several words or with signs.
    Scattered,
}

impl Tier {
    fn of(label: &str, word: &str) -> Self {
        let (label, word) = (label.as_bytes(), word.as_bytes());
        let mut best = Self::Scattered;
        for (at, window) in label.windows(word.len()).enumerate() {
            if !window.eq_ignore_ascii_case(word) {
                continue;
            }
            let ends = at + word.len() == label.len();
            let separated = at == 0 || matches!(label[at - 1], b'.' | b'#' | b'/');
            let tier = if ends && separated {
                Self::Name
            } else if begins_word(label, at) {
                Self::Word
            } else {
                Self::Part
            };
            best = best.min(tier);
        }
        best
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
