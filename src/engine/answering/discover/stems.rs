//! The stems of the words of many texts, each computed once.

use apidisc_words::stem;
use rustc_hash::FxHashMap;

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

    /// For each of some stems, the shortest of the words that have it, which stands for all of them: `retry` for
    /// `retri`. Of equally short ones it is the first in the alphabet; a stem without words stands for itself.
    pub(super) fn words<'s>(&'s self, stems: &'s [Box<str>]) -> Vec<&'s str> {
        let mut words: FxHashMap<&str, &str> = FxHashMap::default();
        for (word, stem) in &self.0 {
            let slot = words.entry(stem).or_insert(word);
            if (word.len(), &**word) < (slot.len(), &**slot) {
                *slot = word;
            }
        }
        stems.iter().map(|stem| words.get(&**stem).copied().unwrap_or(stem)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Stems;

    #[test]
    fn a_stem_stands_for_its_shortest_word() {
        let mut stems = Stems::default();
        for word in ["retries", "retrying", "retry", "url"] {
            stems.of(word);
        }
        assert_eq!(stems.words(&["retri".into(), "url".into(), "other".into()]), ["retry", "url", "other"]);
    }
}
