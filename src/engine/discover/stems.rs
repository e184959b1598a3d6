//! Stems of English words: `retries`, `retried` and `retry` have one stem.

use frostem::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;

/// The longest word that has a stem, in bytes. Longer ones are hashes, keys and the like.
const LONGEST_WORD: usize = 40;

/// The stem of a word in lower case.
pub(super) fn stem(word: &str) -> String {
    if word.len() > LONGEST_WORD || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    Stemmer::new(Algorithm::English).stem(word).into_owned()
}

/// Stems that are computed once per word.
#[derive(Default)]
pub(super) struct Stems(FxHashMap<Box<str>, Box<str>>);

impl Stems {
    /// The stem of a word in lower case.
    pub(super) fn of(&mut self, word: &str) -> &str {
        // Two look-ups, since a word that is known need not be copied.
        if !self.0.contains_key(word) {
            self.0.insert(word.into(), stem(word).into());
        }
        &self.0[word]
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for words in [&["retry", "retries", "retried", "retrying"][..], &["connect", "connection", "connected"]] {
            let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{stems:?}");
        }
        assert_eq!(["utf8", "größe", "загрузить"].map(stem), ["utf8", "größe", "загрузить"]);
    }
}
