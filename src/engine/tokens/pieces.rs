//! Cutting a text into the pieces whose bytes are merged.
//!
//! The published patterns look ahead: `\s+(?!\S)` leaves the last white space before a word to the word. Ours leave
//! that out and give the last white space back, so that a pattern without looking ahead does: it takes linear time on
//! any text, where one that looks ahead gives up on white space without end.

use regex::Regex;

use super::Encoding;

/// What cuts a text as an encoding does.
pub(super) struct Pieces {
    pattern: Regex,
    /// Whether white space that ends in a line break is a piece by itself.
    breaks_end: bool,
}

impl Pieces {
    pub(super) fn of(encoding: Encoding) -> Self {
        let (pattern, breaks_end) = match encoding {
            Encoding::O200kBase | Encoding::O200kHarmony => (O200K, true),
            Encoding::Cl100kBase => (CL100K, true),
            Encoding::P50kBase | Encoding::P50kEdit | Encoding::R50kBase => (R50K, false),
        };
        Self { pattern: Regex::new(pattern).expect("the patterns of encodings are well formed"), breaks_end }
    }

    /// The pieces of a text: all of it, in order.
    pub(super) fn iter<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let found = self.pattern.find_at(text, at)?;
            let last = found.as_str().chars().next_back()?;
            // What ends in white space is nothing but white space, or ends in line breaks.
            let gives_back = last.is_whitespace()
                && !(self.breaks_end && matches!(last, '\r' | '\n'))
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

    /// The pieces of `text`, joined by `|`.
    fn cut(encoding: Encoding, text: &str) -> String {
        Pieces::of(encoding).iter(text).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn the_last_white_space_goes_to_the_word() {
        for encoding in Encoding::ALL {
            assert_eq!(cut(encoding, "a   b"), "a|  | b", "{encoding}");
            assert_eq!(cut(encoding, "a  "), "a|  ", "{encoding}");
        }
    }

    #[test]
    fn line_breaks_are_pieces_of_their_own_in_newer_encodings() {
        assert_eq!(cut(Encoding::O200kBase, "a\n\n  b"), "a|\n\n| | b");
        assert_eq!(cut(Encoding::Cl100kBase, "a;\n\n  b"), "a|;\n\n| | b");
        assert_eq!(cut(Encoding::R50kBase, "a\n\n  b"), "a|\n\n | b");
        assert_eq!(cut(Encoding::R50kBase, "a\n\nb"), "a|\n|\n|b");
    }
}
