//! Words that are looked for: whether a name has them, how well, and how well it could at best.
//!
//! How well is for nucleo to say. That takes several times as long as to see that the letters are there in their order,
//! and only the best names are shown, so most names are never asked about it: those whose best would not do.

use memchr::memchr2;
use nucleo::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};

use super::names::{self, Names};

/// Any match in the last parts of a name comes before one that needs the whole.
pub(super) const IN_NAME: u32 = 1 << 20;
/// What is added where the very last part of a name matches by itself: as much as a letter counts. A class comes before
/// its members and parameters that match by its name alone.
const IN_LAST: u32 = 16;

/// Where a name is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Name,
    Whole,
}

/// What matching needs of memory; a thread has its own.
pub(super) struct Matching {
    matcher: Matcher,
    characters: Vec<char>,
}

impl Default for Matching {
    fn default() -> Self {
        Self { matcher: Matcher::new(Config::DEFAULT), characters: Vec::new() }
    }
}

pub(super) struct Needle<'a> {
    pattern: Pattern,
    /// The letters that a name must have to match.
    letters: u64,
    words: &'a str,
    /// The words, where each is only to be there letter by letter.
    plain: Option<Vec<Word>>,
}

/// A word whose letters are to be there in their order: each as it may be written.
struct Word {
    letters: Vec<(u8, u8)>,
}

impl<'a> Needle<'a> {
    pub(super) fn new(words: &'a str) -> Self {
        let pattern = Pattern::parse(words, CaseMatching::Smart, Normalization::Smart);
        // A word that begins with `!` must not be there.
        let wanted = words.split(' ').filter(|word| !word.starts_with('!'));
        let letters = wanted.flat_map(str::bytes).fold(0, |mask, byte| mask | names::letter(byte));
        let is_plain = words.is_ascii() && is_plain(words) && !words.contains(['(', ')']);
        Self { pattern, letters, words, plain: is_plain.then(|| words.split_whitespace().map(Word::new).collect()) }
    }

    /// True where everything matches.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many letters of each plain word each home has already, in their order.
    pub(super) fn taken_by_homes(&self, names: &Names) -> Vec<u32> {
        let words = self.plain.as_deref().unwrap_or_default();
        names.homes().flat_map(|home| words.iter().map(|word| word.taken(0, [home.as_bytes()]) as u32)).collect()
    }

    /// True where the last parts of a name have every word.
    pub(super) fn is_in_name(&self, names: &Names, row: u32, scratch: &mut Scratch) -> bool {
        let letters = names.letters(row);
        self.letters & !letters == 0
            && match self.plain_in(letters) {
                Some(words) => words.iter().all(|word| word.is_in(names.pieces(row))),
                None => self.match_score(names.name(row, &mut scratch.text), &mut scratch.matching).is_some(),
            }
    }

    /// True where the whole of a name has every word; `taken` is by home.
    pub(super) fn is_in_whole(&self, names: &Names, row: u32, taken: &[u32], scratch: &mut Scratch) -> bool {
        let letters = names.letters_in_whole(row);
        if self.letters & !letters != 0 {
            return false;
        }
        let Some(words) = self.plain_in(letters) else {
            return self.match_score(names.whole(row, &mut scratch.text), &mut scratch.matching).is_some();
        };
        let (taken, pieces) = (&taken[names.home_of(row) * words.len()..], names.pieces(row));
        words.iter().zip(taken).all(|(word, taken)| word.taken(*taken as usize, pieces) == word.letters.len())
    }

    /// How well a name that matches does so; `None` where that would not be above `floor`.
    pub(super) fn score(
        &self,
        names: &Names,
        row: u32,
        part: Part,
        floor: u32,
        Scratch { text, matching }: &mut Scratch,
    ) -> Option<u32> {
        let score = if self.is_empty() {
            IN_NAME
        } else if part == Part::Whole {
            self.match_score(names.whole(row, text), matching)?
        } else {
            let letters = names.letters(row);
            let last = names.last(row);
            // A letter by itself is nearly everywhere, and says nothing.
            let is_last = names.is_last_all(row)
                || self.words.len() > 1
                    && match self.plain_in(letters) {
                        Some(words) => words.iter().all(|word| word.is_in([last.as_bytes()])),
                        None => self.match_score(last, matching).is_some(),
                    };
            // Of equally good ones that first which is called just so.
            let is_exact = last.eq_ignore_ascii_case(self.words);
            let total = |score: u32| {
                let score = score + if is_last { IN_LAST } else { 0 };
                IN_NAME + 4 * score + 2 * u32::from(is_exact) + u32::from(names.is_meant(row))
            };
            let bounded = self.plain.as_deref().filter(|_| letters & names::STRONG == 0);
            let bound = bounded.map(|words| words.iter().map(|word| word.bound(names.pieces(row)[0])).sum());
            if bound.is_some_and(|bound| total(bound) <= floor) {
                return None;
            }
            total(self.match_score(names.name(row, text), matching)?)
        };
        Some(score).filter(|score| *score > floor)
    }

    /// The characters of `text` that match from byte `from` on.
    pub(super) fn positions(&self, text: &str, from: usize, matching: &mut Matching) -> Vec<u32> {
        let mut positions = Vec::new();
        let Matching { matcher, characters } = matching;
        self.pattern.indices(Utf32Str::new(&text[from..], characters), matcher, &mut positions);
        positions.sort_unstable();
        positions.dedup();
        let before = Utf32Str::new(&text[..from], characters).len() as u32;
        for position in &mut positions {
            *position += before;
        }
        positions
    }

    fn match_score(&self, text: &str, matching: &mut Matching) -> Option<u32> {
        let Matching { matcher, characters } = matching;
        self.pattern.score(Utf32Str::new(text, characters), matcher)
    }

    /// The words, where they can be looked for letter by letter in a text with these letters.
    fn plain_in(&self, letters: u64) -> Option<&[Word]> {
        self.plain.as_deref().filter(|_| letters != names::BEYOND_ASCII)
    }
}

/// True where no character has a meaning of its own.
pub(super) fn is_plain(words: &str) -> bool {
    !words.contains(['!', '^', '$', '\'', '\\'])
}

/// What looking at names needs of memory; a thread has its own.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) text: String,
    pub(super) matching: Matching,
}

impl Word {
    /// A word in small letters means capital ones too.
    fn new(word: &str) -> Self {
        let is_any_case = !word.bytes().any(|byte| byte.is_ascii_uppercase());
        let other = |byte: u8| if is_any_case { byte.to_ascii_uppercase() } else { byte };
        Self { letters: word.bytes().map(|byte| (byte, other(byte))).collect() }
    }

    /// How many letters are there in their order after the first `taken` have been found elsewhere.
    fn taken<const N: usize>(&self, mut taken: usize, pieces: [&[u8]; N]) -> usize {
        for mut rest in pieces {
            while let Some(&(one, other)) = self.letters.get(taken) {
                let Some(at) = memchr2(one, other, rest) else { break };
                rest = &rest[at + 1..];
                taken += 1;
            }
        }
        taken
    }

    /// True where all letters are there in their order.
    fn is_in<const N: usize>(&self, pieces: [&[u8]; N]) -> bool {
        self.taken(0, pieces) == self.letters.len()
    }

    /// What nucleo's score cannot exceed for an ASCII text without strong characters that begins so. A letter that
    /// matches counts 16, and 10 more where it begins the text or goes on with a match that does, at most 8 more
    /// elsewhere; what the first letter has more counts twice; a gap costs 3.
    fn bound(&self, text: &[u8]) -> u32 {
        let begun = self.letters.iter().zip(text).take_while(|((one, other), byte)| *byte == one || *byte == other);
        let (begun, all) = (begun.count() as u32, self.letters.len() as u32);
        match begun {
            0 => 24 * all + 8,
            _ if begun == all => 26 * all + 10,
            _ => 24 * all + 2 * begun + 7,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text of up to six of some pieces in which capitals, digits, words and their limits meet.
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
    fn words_match_as_nucleo_matches_them_and_no_better_than_their_bound() {
        let (texts, mut matching) = (texts(), Matching::default());
        for words in ["a", "A", "ab", "ba", "aB", "a_b", "aab", "b1", ".a", "a b", "abab"] {
            let needle = Needle::new(words);
            let plain = needle.plain.as_deref().expect("plain words");
            for text in &texts {
                let score = needle.match_score(text, &mut matching);
                let is_in = plain.iter().all(|word| word.is_in([text.as_bytes()]));
                assert_eq!(is_in, score.is_some(), "{words} in {text}");
                assert!(!is_in || needle.letters & !names::letters(text) == 0, "letters of {words} in {text}");
                let bound: u32 = plain.iter().map(|word| word.bound(text.as_bytes())).sum();
                assert!(score.is_none_or(|score| score <= bound), "{words} in {text}: {score:?} of {bound}");
            }
        }
    }

    #[test]
    fn words_with_signs_are_left_to_nucleo() {
        for words in ["!a", "^a", "a$", "'ab", "run(", "größe"] {
            assert!(Needle::new(words).plain.is_none(), "{words}");
        }
    }
}
