//! The words of a query with several words. A name must contain each of them, whole or abbreviated.
//!
//! A query of one word only requires its letters in order. For several words this would be too weak: nearly every long
//! name contains the letters of three short words in order.

use super::tier::begins_word;

/// The greatest number of letters of a word that are compared: one bit each, and one for the empty beginning.
const MAX_LETTERS: usize = 63;

/// A word of a query of several words.
///
/// A name has the word in one of three ways: as a whole; as a beginning of one of its words with letters left out
/// (`clnt` in `HttpClient`); as beginnings of several of its words, in order (`gall` in `get_all`).
/// `setTimeoutAfterReset` does not have `start`, whose letters it contains in order.
pub(super) struct Abbreviation {
    /// For each ASCII character, the positions in the word where the character stands, one bit each.
    places: Box<[u64; 128]>,
    letters: usize,
}

impl Abbreviation {
    /// Smart case: a word without a capital letter ignores case. `word` has to be ASCII.
    pub(super) fn new(word: &str) -> Self {
        let ignores_case = !word.bytes().any(|byte| byte.is_ascii_uppercase());
        let mut places = Box::new([0; 128]);
        for (at, byte) in word.bytes().take(MAX_LETTERS).enumerate() {
            let other_case = if ignores_case { byte.to_ascii_uppercase() } else { byte };
            for byte in [byte, other_case] {
                places[usize::from(byte & 127)] |= 1 << at;
            }
        }
        Self { places, letters: word.len().min(MAX_LETTERS) }
    }

    /// True if the name that consists of `parts` has the word. A word of the name begins at each part.
    pub(super) fn is_in<const N: usize>(&self, parts: [&[u8]; N]) -> bool {
        let all = 1_u64 << self.letters;
        // In each mask, bit n is set if the first n letters of the abbreviation are matched. In `before`, they are
        // matched by beginnings of words before the current word; in `added`, by such beginnings and a beginning of the
        // current word.
        let (mut before, mut added) = (1_u64, 0_u64);
        for part in parts {
            // In `whole`, they are matched by the bytes that end here, without a gap; in `beginning`, by `before` and
            // then all bytes of the current word up to here; in `one_word`, by the current word alone, with some of its
            // letters left out.
            let (mut whole, mut beginning, mut one_word) = (0_u64, 0_u64, 0_u64);
            for (at, byte) in part.iter().enumerate() {
                let places = if byte.is_ascii() { self.places[usize::from(*byte)] } else { 0 };
                whole = ((whole | 1) & places) << 1;
                if begins_word(part, at) {
                    before |= std::mem::take(&mut added);
                    beginning = (before & places) << 1;
                    one_word = (1 & places) << 1;
                } else {
                    beginning = (beginning & places) << 1;
                    one_word |= (one_word & places) << 1;
                }
                added |= beginning;
                if (whole | added | one_word) & all != 0 {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Abbreviation;

    fn has(name: &str, word: &str) -> bool {
        Abbreviation::new(word).is_in([name.as_bytes()])
    }

    #[test]
    fn a_word_stands_whole_or_abbreviates_one_or_more_words() {
        for (name, words) in [
            ("HttpClient.get_all", &["client", "clnt", "hc", "ga", "hcliget", "http", "_all", "t.g", "ien", "gal"][..]),
            ("HTTPServer", &["server", "hs", "HTTPS"]),
            ("Client", &["C", "Clt", "t"]),
        ] {
            for word in words {
                assert!(has(name, word), "{word} in {name}");
            }
        }
    }

    #[test]
    fn scattered_letters_are_no_word() {
        for (name, words) in [
            ("setTimeoutAfterReset", &["start", "otter", "stra"][..]),
            ("HttpClient.get_all", &["lall", "cgl_", "tget", "clients", "gA", "hcnt"]),
            ("", &["a"]),
        ] {
            for word in words {
                assert!(!has(name, word), "{word} in {name}");
            }
        }
    }

    #[test]
    fn each_part_of_a_name_begins_a_word() {
        let word = Abbreviation::new("gt");
        assert!(word.is_in([b"get".as_slice(), b"timeout"]) && !word.is_in([b"a".as_slice(), b"agat"]));
        assert!(!Abbreviation::new("ab").is_in([b"xa".as_slice(), b"xb"]));
    }

    #[test]
    fn a_longer_word_is_in_no_further_name() {
        let names = ["get_all", "HttpClient.getAllItems", "parseJSONBody", "a1b2", "_x__y"];
        for letters in ["getal", "gai", "pjb", "jsonb", "ab2", "x_y", "tall"] {
            for name in names {
                let found: Vec<bool> = (1..=letters.len()).map(|length| has(name, &letters[..length])).collect();
                assert!(found.windows(2).all(|pair| pair[0] || !pair[1]), "{letters} in {name}: {found:?}");
            }
        }
    }

    #[test]
    fn only_the_first_letters_of_a_long_word_are_compared() {
        assert!(has(&"a".repeat(80), &"a".repeat(90)) && !has(&"a".repeat(80), &"b".repeat(90)));
    }
}
