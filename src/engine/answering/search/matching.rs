//! Matches one name with a query: tests whether the name has every word, and computes its score.
//!
//! The fuzzy matcher `nucleo` computes the score, which takes several times as long as the test. Only the best names
//! are kept, so a name is not scored if an upper bound of its score is below the worst kept score.

use nucleo::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};

use super::{
    abbreviation::Abbreviation,
    letters::{self, letter_bit},
    names::NameTable,
    subsequence::Subsequence,
    tier::{MatchTier, QueryParts},
};

/// Any match within a label scores higher than any match that needs the full name.
const LABEL_MATCH: u32 = 1 << 20;
/// The difference in score between two tiers: any match of a tier scores higher than any match of a lower tier. The
/// scores of `nucleo` are far lower.
const TIER: u32 = 1 << 24;
/// The bonus for a match of the simple name alone, as high as the score of one letter: a class comes before its members
/// and parameters that match only by the name of the class.
const SIMPLE_NAME_BONUS: u32 = 16;

/// The part of a name that is matched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchedPart {
    Label,
    FullName,
}

/// Memory that matching reuses; each thread has its own.
#[derive(Default)]
pub(super) struct MatchBuffers {
    pub(super) text: String,
    pub(super) nucleo: NucleoBuffers,
}

pub(super) struct NucleoBuffers {
    matcher: Matcher,
    characters: Vec<char>,
}

impl Default for NucleoBuffers {
    fn default() -> Self {
        Self { matcher: Matcher::new(Config::DEFAULT), characters: Vec::new() }
    }
}

/// The words of a query, prepared for matching.
pub(super) struct WordMatcher<'a> {
    pattern: Pattern,
    /// The letters that a name must have to match.
    letters: u64,
    words: &'a str,
    parts: QueryParts<'a>,
    /// The words as subsequences; `None` if a character is not ASCII or special to nucleo, so that nucleo has to match
    /// them.
    subsequences: Option<Vec<Subsequence>>,
    /// The words as abbreviations, for a query of several words; empty for one word, and if `subsequences` is `None`.
    abbreviations: Vec<Abbreviation>,
}

impl<'a> WordMatcher<'a> {
    pub(super) fn new(words: &'a str) -> Self {
        let pattern = Pattern::parse(words, CaseMatching::Smart, Normalization::Smart);
        // In nucleo's syntax a word that begins with `!` must not match.
        let wanted = words.split(' ').filter(|word| !word.starts_with('!'));
        let letters = wanted.flat_map(str::bytes).fold(0, |mask, byte| mask | letter_bit(byte));
        let is_plain = words.is_ascii() && is_plain(words) && !words.contains(['(', ')']);
        let split = || words.split_whitespace();
        let subsequences = is_plain.then(|| split().map(Subsequence::new).collect());
        let abbreviations =
            if is_plain && split().nth(1).is_some() { split().map(Abbreviation::new).collect() } else { Vec::new() };
        Self { pattern, letters, words, parts: QueryParts::new(words), subsequences, abbreviations }
    }

    /// True if the query has no words, so that every name matches.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// For each prefix and each word, the number of letters of the word that the prefix alone matches.
    pub(super) fn matched_by_prefixes(&self, names: &NameTable) -> Vec<u32> {
        let words = self.subsequences.as_deref().unwrap_or_default();
        names
            .prefixes()
            .flat_map(|prefix| words.iter().map(|word| word.advance(0, [prefix.as_bytes()]) as u32))
            .collect()
    }

    /// True if a label has every word.
    pub(super) fn is_in_label(&self, names: &NameTable, row: u32, buffers: &mut MatchBuffers) -> bool {
        let letters = names.label_letters(row);
        self.letters & !letters == 0
            && match self.subsequences_for(letters) {
                Some(words) => {
                    let parts = names.label_parts(row);
                    words.iter().all(|word| word.is_in(parts))
                        && self.abbreviations.iter().all(|word| word.is_in(parts))
                }
                None => self.nucleo_score(names.label(row, &mut buffers.text), &mut buffers.nucleo).is_some(),
            }
    }

    /// True if a full name has every word; `by_prefix` is the result of [`Self::matched_by_prefixes`].
    pub(super) fn is_in_full_name(
        &self,
        names: &NameTable,
        row: u32,
        by_prefix: &[u32],
        buffers: &mut MatchBuffers,
    ) -> bool {
        let letters = names.full_name_letters(row);
        if self.letters & !letters != 0 {
            return false;
        }
        let Some(words) = self.subsequences_for(letters) else {
            return self.nucleo_score(names.full_name(row, &mut buffers.text), &mut buffers.nucleo).is_some();
        };
        let matched = &by_prefix[names.prefix_position(row) * words.len()..];
        let [label, parameter] = names.label_parts(row);
        let has_letters =
            |(word, matched): (&Subsequence, &u32)| word.advance(*matched as usize, [label, parameter]) == word.len();
        let full_name = [names.prefix(row).as_bytes(), label, parameter];
        words.iter().zip(matched).all(has_letters) && self.abbreviations.iter().all(|word| word.is_in(full_name))
    }

    /// True if a row is worth matching by its full name although enough labels match: the query has several parts, and
    /// the last is the simple name of the row.
    pub(super) fn ends_in_name(&self, names: &NameTable, row: u32) -> bool {
        self.parts.ends_in_name(names, row)
    }

    /// True if the letters of a query of one word match a name in order, but nowhere one after the other.
    pub(super) fn is_scattered(
        &self,
        names: &NameTable,
        row: u32,
        part: MatchedPart,
        MatchBuffers { text, .. }: &mut MatchBuffers,
    ) -> bool {
        let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if self.words.len() < 2 || !is_word(self.words) {
            return false;
        }
        let word = self.words.as_bytes();
        let name = match part {
            MatchedPart::Label => names.label(row, text),
            MatchedPart::FullName => names.full_name(row, text),
        };
        !name.as_bytes().windows(word.len()).any(|window| window.eq_ignore_ascii_case(word))
    }

    /// True for the score of a name whose last part equals the last part of the query.
    pub(super) fn is_exact(score: u32) -> bool {
        score >= MatchTier::LastPart as u32 * TIER
    }

    /// The score of a name that matches; `None` if the score is not above `floor`. In the tiers of exact matches the
    /// order of rows decides between most names.
    pub(super) fn score(
        &self,
        names: &NameTable,
        row: u32,
        part: MatchedPart,
        floor: u32,
        MatchBuffers { text, nucleo }: &mut MatchBuffers,
    ) -> Option<u32> {
        let tier = if self.is_empty() { MatchTier::Letters } else { self.parts.tier(names, row) };
        let score = if self.is_empty() {
            LABEL_MATCH
        } else if tier >= MatchTier::Prefix {
            tier as u32 * TIER + u32::from(self.parts.names_parent(names, row))
        } else if part == MatchedPart::FullName {
            self.nucleo_score(names.full_name(row, text), nucleo)?
        } else {
            let letters = names.label_letters(row);
            let simple_name = names.simple_name(row);
            // A query of one letter matches nearly every simple name, so it earns no bonus.
            let has_simple_name_match = names.is_label_simple(row)
                || self.words.len() > 1
                    && match self.subsequences_for(letters) {
                        Some(words) => words.iter().all(|word| word.is_in([simple_name.as_bytes()])),
                        None => self.nucleo_score(simple_name, nucleo).is_some(),
                    };
            let total = |score: u32| {
                let score = score + if has_simple_name_match { SIMPLE_NAME_BONUS } else { 0 };
                tier as u32 * TIER + LABEL_MATCH + 2 * score + u32::from(names.is_public_source(row))
            };
            let bounded = self.subsequences.as_deref().filter(|_| letters & letters::STRONG_DELIMITER == 0);
            let bound = bounded.map(|words| words.iter().map(|word| word.score_bound(names.label_parts(row)[0])).sum());
            if bound.is_some_and(|bound| total(bound) <= floor) {
                return None;
            }
            total(self.nucleo_score(names.label(row, text), nucleo)?)
        };
        Some(score).filter(|score| *score > floor)
    }

    /// The positions of the matched characters, in characters from the start of `text`, ascending. The words are
    /// matched in the label, which begins at byte `label`, if it has all of them.
    pub(super) fn positions(&self, text: &str, label: usize, buffers: &mut NucleoBuffers) -> Vec<u32> {
        let from = if self.nucleo_score(&text[label..], buffers).is_some() { label } else { 0 };
        let mut positions = Vec::new();
        let NucleoBuffers { matcher, characters } = buffers;
        self.pattern.indices(Utf32Str::new(&text[from..], characters), matcher, &mut positions);
        positions.sort_unstable();
        positions.dedup();
        let before = Utf32Str::new(&text[..from], characters).len() as u32;
        for position in &mut positions {
            *position += before;
        }
        positions
    }

    fn nucleo_score(&self, text: &str, buffers: &mut NucleoBuffers) -> Option<u32> {
        let NucleoBuffers { matcher, characters } = buffers;
        self.pattern.score(Utf32Str::new(text, characters), matcher)
    }

    /// The words as subsequences; `None` if `nucleo` has to match the words, given the letters of the text.
    fn subsequences_for(&self, letters: u64) -> Option<&[Subsequence]> {
        self.subsequences.as_deref().filter(|_| letters != letters::NOT_ASCII)
    }
}

/// True if no character has a special meaning in nucleo's syntax.
pub(super) fn is_plain(words: &str) -> bool {
    !words.contains(['!', '^', '$', '\'', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every concatenation of up to five pieces, so that lower-case letters, capitals, digits and delimiters occur in
    /// every order.
    fn texts() -> Vec<String> {
        let pieces = ["a", "b", "A", "1", "_", ".", "ab"];
        let mut texts = vec![String::new()];
        let mut longest = 0..1;
        for _ in 0..5 {
            let end = texts.len();
            for at in longest {
                texts.extend(pieces.map(|piece| format!("{}{piece}", texts[at])));
            }
            longest = end..texts.len();
        }
        texts
    }

    #[test]
    fn subsequences_match_as_nucleo_matches_and_score_no_more_than_their_bound() {
        let (texts, mut buffers) = (texts(), NucleoBuffers::default());
        for words in ["a", "A", "ab", "ba", "aB", "a_b", "aab", "b1", ".a", "a b", "abab"] {
            let matcher = WordMatcher::new(words);
            let subsequences = matcher.subsequences.as_deref().expect("plain words");
            for text in &texts {
                let score = matcher.nucleo_score(text, &mut buffers);
                let is_in = subsequences.iter().all(|word| word.is_in([text.as_bytes()]));
                assert_eq!(is_in, score.is_some(), "{words} in {text}");
                let has_letters = matcher.letters & !letters::letter_mask(text) == 0;
                assert!(!is_in || has_letters, "letters of {words} in {text}");
                let bound: u32 = subsequences.iter().map(|word| word.score_bound(text.as_bytes())).sum();
                assert!(score.is_none_or(|score| score <= bound), "{words} in {text}: {score:?} of {bound}");
            }
        }
    }

    #[test]
    fn words_with_special_characters_are_left_to_nucleo() {
        for words in ["!a", "^a", "a$", "'ab", "run(", "größe"] {
            assert!(WordMatcher::new(words).subsequences.is_none(), "{words}");
        }
    }
}
