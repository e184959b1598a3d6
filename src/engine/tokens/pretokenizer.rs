//! Pre-tokenisation: splits a text into the pre-tokens that byte-pair encoding works on.
//!
//! The patterns that are published with `tiktoken` contain the lookahead `\s+(?!\S)`, which leaves the last white space
//! character before a word to that word. The patterns here omit the lookahead; instead, [`PreTokenizer::split`] moves
//! the last white space character to the next pre-token. So a regular expression engine without lookahead suffices. It
//! takes linear time on any text, whereas backtracking engines fail on very long runs of white space.

use regex_automata::{Anchored, Input, meta::Regex};

use crate::encoding::Encoding;

/// The pre-tokeniser of one encoding.
pub(super) struct PreTokenizer {
    pattern: Regex,
    /// True if white space that ends in a line break is a pre-token of its own: its last character is not moved to the
    /// next word.
    keeps_line_breaks: bool,
}

impl PreTokenizer {
    pub(super) fn new(encoding: Encoding) -> Self {
        let (pattern, keeps_line_breaks) = match encoding {
            Encoding::O200kBase | Encoding::O200kHarmony => (O200K, true),
            Encoding::Cl100kBase => (CL100K, true),
            Encoding::P50kBase | Encoding::P50kEdit | Encoding::R50kBase => (R50K, false),
        };
        Self { pattern: Regex::new(pattern).expect("the patterns of encodings are well formed"), keeps_line_breaks }
    }

    /// The pre-tokens of a text in order. Together they are the whole text.
    pub(super) fn split<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let mut at = 0;
        std::iter::from_fn(move || {
            // Every character begins a match, so the next match begins at `at`. A search that is bound to `at` needs
            // no second pass, backwards from the end of the match, to find the start.
            let found = self.pattern.find(Input::new(text).range(at..).anchored(Anchored::Yes))?;
            let last = text[found.range()].chars().next_back()?;
            // A match whose last character is white space consists of white space, or of punctuation and the line
            // breaks after it.
            let gives_back = last.is_whitespace()
                && !(self.keeps_line_breaks && matches!(last, '\r' | '\n'))
                && found.len() > last.len_utf8()
                && found.end() < text.len();
            at = found.end() - if gives_back { last.len_utf8() } else { 0 };
            Some(&text[found.start()..at])
        })
    }
}

const O200K: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+"
);
const CL100K: &str = concat!(
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*",
    r"|\s+$|\s*[\r\n]|\s+"
);
const R50K: &str = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+";

#[cfg(test)]
mod tests {
    use super::*;

    /// The pre-tokens of `text`, joined by `|`.
    fn joined(encoding: Encoding, text: &str) -> String {
        PreTokenizer::new(encoding).split(text).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn the_last_white_space_before_a_word_belongs_to_the_word() {
        for encoding in Encoding::ALL {
            assert_eq!(joined(encoding, "a   b"), "a|  | b", "{encoding}");
            assert_eq!(joined(encoding, "a  "), "a|  ", "{encoding}");
        }
    }

    #[test]
    fn line_breaks_are_pre_tokens_of_their_own_in_newer_encodings() {
        assert_eq!(joined(Encoding::O200kBase, "a\n\n  b"), "a|\n\n| | b");
        assert_eq!(joined(Encoding::Cl100kBase, "a;\n\n  b"), "a|;\n\n| | b");
        assert_eq!(joined(Encoding::R50kBase, "a\n\n  b"), "a|\n\n | b");
        assert_eq!(joined(Encoding::R50kBase, "a\n\nb"), "a|\n|\n|b");
    }
}
