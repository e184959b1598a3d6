//! Words as subsequences: a name has a word if it contains the letters of the word in order.

use memchr::memchr2;

/// A word of a query. A name matches if it contains the letters of the word in order.
pub(super) struct Subsequence {
    /// The two bytes that match each letter: a lower-case letter matches its capital too.
    letters: Vec<(u8, u8)>,
}

impl Subsequence {
    /// Smart case: a word without a capital letter ignores case. `word` has to be ASCII.
    pub(super) fn new(word: &str) -> Self {
        let ignores_case = !word.bytes().any(|byte| byte.is_ascii_uppercase());
        let other_case = |byte: u8| if ignores_case { byte.to_ascii_uppercase() } else { byte };
        Self { letters: word.bytes().map(|byte| (byte, other_case(byte))).collect() }
    }

    /// The number of letters in the word.
    pub(super) fn len(&self) -> usize {
        self.letters.len()
    }

    /// The number of letters of the word that are matched after `parts`, if earlier text has matched the first
    /// `matched` letters.
    pub(super) fn advance<const N: usize>(&self, mut matched: usize, parts: [&[u8]; N]) -> usize {
        for mut rest in parts {
            while let Some(&(one, other)) = self.letters.get(matched) {
                let Some(at) = memchr2(one, other, rest) else { break };
                rest = &rest[at + 1..];
                matched += 1;
            }
        }
        matched
    }

    /// True if the concatenated parts contain all letters in order.
    pub(super) fn is_in<const N: usize>(&self, parts: [&[u8]; N]) -> bool {
        self.advance(0, parts) == self.len()
    }

    /// An upper bound of nucleo's score for an ASCII text that begins with `text` and has no strong delimiter. nucleo
    /// scores a match like this:
    ///
    /// - Each letter that matches scores 16.
    /// - A letter has a bonus of 10 in a match without gaps from the beginning of the text, elsewhere of at most 8.
    /// - The bonus of the first letter counts twice.
    /// - A gap costs 3.
    pub(super) fn score_bound(&self, text: &[u8]) -> u32 {
        let begun = self.letters.iter().zip(text).take_while(|((one, other), byte)| *byte == one || *byte == other);
        let (begun, all) = (begun.count() as u32, self.len() as u32);
        match begun {
            0 => 24 * all + 8,
            _ if begun == all => 26 * all + 10,
            _ => 24 * all + 2 * begun + 7,
        }
    }
}
