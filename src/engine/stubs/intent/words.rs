//! The words of an intent, and how well each of them occurs in names and texts.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use apidisc_indexing::index::Definition;
use apidisc_words::{everyday, is_stop_word, said_words, stem, synonyms, values, words};

/// The longest part of an intent that is read, in bytes.
const LONGEST_INTENT: usize = 4_000;
/// The greatest number of different words of an intent.
const MAX_WORDS: usize = 32;
/// The least length of an abbreviation, such as `sep` for `separator`, in bytes.
const LEAST_ABBREVIATION: usize = 3;
/// How well a word occurs where its abbreviation does.
const SHARE_OF_ABBREVIATION: f32 = 0.6;
/// How well an expression occurs where a further word for it does: `parallel` for `at the same time`.
const SHARE_OF_AN_EXPRESSION: f32 = 0.7;
/// How well a word occurs where a synonym does.
const SHARE_OF_SYNONYM: f32 = 0.4;
/// How well a word occurs in a declaration whose summary has it.
const SHARE_OF_A_SUMMARY: f32 = 0.5;

/// The words of an intent that say something about code. Two are equal if their intents are the same text.
#[derive(Clone, Debug, Default)]
pub struct IntentWords {
    /// The intent, as far as it is read.
    intent: Box<str>,
    /// Each stem once, with the word as it was typed first, in lower case.
    words: Vec<(String, String)>,
    /// What other words say: the words of the intent that occur where a stem does, and how well.
    others: FxHashMap<Box<str>, Occurrences>,
}

/// Positions of words of an intent, each with how well the word occurs, from 0 to 1.
pub(super) type Occurrences = SmallVec<[(u8, f32); 2]>;

impl IntentWords {
    /// Reads the words of an intent.
    pub fn new(intent: &str) -> Self {
        let intent = &intent[..intent.floor_char_boundary(LONGEST_INTENT)];
        let mut said = said_words(intent);
        if said.iter().all(|said| is_stop_word(&said.word)) {
            said.clear();
        }
        let mut known: FxHashSet<String> = FxHashSet::default();
        let pairs = said.iter().map(|said| (stem(&said.word), said.word.clone()));
        let words: Vec<(String, String)> =
            pairs.filter(|(stem, _)| known.insert(stem.clone())).take(MAX_WORDS).collect();
        let position = |word: &str| words.iter().position(|(own, _)| *own == stem(word));
        let mut others: FxHashMap<Box<str>, Occurrences> = FxHashMap::default();
        let mut add = |term: Box<str>, at: usize, share: f32| {
            if !known.contains(&*term) {
                others.entry(term).or_default().push((at as u8, share));
            }
        };
        // Two words side by side may be one word in names: `time out`, `timeout`.
        for pair in said.windows(2) {
            let joined = stem(&[pair[0].word.as_str(), &pair[1].word].concat());
            for at in pair.iter().filter_map(|said| position(&said.word)) {
                add(joined.as_str().into(), at, 1.0);
            }
        }
        for said in &said {
            if let Some(at) = position(&said.word) {
                said.others.iter().for_each(|word| add(stem(word).into(), at, SHARE_OF_AN_EXPRESSION));
            }
        }
        for (word, kinds) in values(intent) {
            if let Some(at) = position(&word) {
                for kind in kinds {
                    add(stem(kind).into(), at, SHARE_OF_AN_EXPRESSION);
                }
            }
        }
        for (at, (stem, _)) in words.iter().enumerate() {
            for synonym in synonyms(stem).iter().chain(everyday(stem)) {
                add(synonym.clone(), at, SHARE_OF_SYNONYM);
            }
        }
        Self { intent: intent.into(), words, others }
    }

    /// How many words of the intent occur in a name, each by how well it does: its synonyms count less.
    pub(crate) fn relevance(&self, name: &str) -> f32 {
        Occurring::new(self).in_name(name).occurrences.iter().map(|(_, share)| share).sum()
    }

    /// How well each word of the intent occurs in a declaration: in its name, its summary and the names of its
    /// parameters.
    pub(crate) fn in_declaration(&self, definition: &Definition) -> Vec<f32> {
        let mut occurring = Occurring::new(self);
        let mut words = vec![0.0_f32; self.len()];
        let mut add = |found: Found, weight: f32| {
            for (at, share) in found.occurrences {
                let most = &mut words[usize::from(at)];
                *most = most.max(share * weight);
            }
        };
        add(occurring.in_name(&definition.name), 1.0);
        if let Some(summary) = &definition.summary {
            add(occurring.in_text(summary), SHARE_OF_A_SUMMARY);
        }
        for parameter in definition.signature.iter().flat_map(|signature| &signature.parameters) {
            add(occurring.in_name(&parameter.name), 1.0);
        }
        words
    }

    /// True if the intent has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The number of words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The words of the intent that occur where a word in lower case does. `may_abbreviate` says whether the word may
    /// be an abbreviation, as a part of a name may be.
    fn occurrences(&self, word: &str, may_abbreviate: bool) -> Occurrences {
        let own = stem(word);
        if let Some(at) = self.words.iter().position(|(stem, _)| *stem == own) {
            return SmallVec::from_slice(&[(at as u8, 1.0)]);
        }
        if let Some(others) = self.others.get(own.as_str()) {
            return others.clone();
        }
        let is_long_enough = may_abbreviate && word.len() >= LEAST_ABBREVIATION;
        let abbreviated = |(_, typed): &(String, String)| typed.len() > word.len() + 1 && typed.starts_with(word);
        let long = self.words.iter().position(abbreviated).filter(|_| is_long_enough);
        long.into_iter().map(|at| (at as u8, SHARE_OF_ABBREVIATION)).collect()
    }
}

impl PartialEq for IntentWords {
    fn eq(&self, other: &Self) -> bool {
        self.intent == other.intent
    }
}

impl Eq for IntentWords {}

impl Hash for IntentWords {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.intent.hash(state);
    }
}

/// Looks words of names and texts up. Each word is compared with the intent once.
pub(super) struct Occurring<'i> {
    intent: &'i IntentWords,
    of_names: FxHashMap<String, Occurrences>,
    of_texts: FxHashMap<String, Occurrences>,
}

/// The words of a text.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The number of words that say something about code: `on` of `on_conflict` does not.
    pub(super) length: usize,
    /// The part of the words that stand for words of the intent, each by how well it does.
    pub(super) matched: f32,
    /// How well each word of the intent occurs; most do not.
    pub(super) occurrences: Occurrences,
}

impl<'i> Occurring<'i> {
    pub(super) fn new(intent: &'i IntentWords) -> Self {
        Self { intent, of_names: FxHashMap::default(), of_texts: FxHashMap::default() }
    }

    /// The words of the intent in a name.
    pub(super) fn in_name(&mut self, name: &str) -> Found {
        let Self { intent, of_names, .. } = self;
        found(words(name), of_names, |word| intent.occurrences(word, true))
    }

    /// The words of the intent in a text.
    pub(super) fn in_text(&mut self, text: &str) -> Found {
        let Self { intent, of_texts, .. } = self;
        found(words(text), of_texts, |word| intent.occurrences(word, false))
    }
}

fn found(
    words: impl Iterator<Item = String>,
    known: &mut FxHashMap<String, Occurrences>,
    occurrences: impl Fn(&str) -> Occurrences,
) -> Found {
    let mut found = Found::default();
    for word in words {
        found.length += usize::from(!is_stop_word(&word));
        let of_word = known.entry(word).or_insert_with_key(|word| occurrences(word));
        found.matched += of_word.iter().map(|(_, share)| *share).fold(0.0, f32::max);
        for &(at, share) in of_word.iter() {
            match found.occurrences.iter_mut().find(|(other, _)| *other == at) {
                Some((_, most)) => *most = most.max(share),
                None => found.occurrences.push((at, share)),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_name(intent: &str, name: &str) -> Vec<(u8, f32)> {
        Occurring::new(&IntentWords::new(intent)).in_name(name).occurrences.to_vec()
    }

    #[test]
    fn a_name_has_words_of_an_intent_by_their_stems_and_synonyms() {
        assert_eq!(in_name("how often are failures retried", "max_retries"), [(2, 1.0)]);
        assert_eq!(in_name("remove the folder", "deleteDir"), [(0, SHARE_OF_SYNONYM), (1, SHARE_OF_SYNONYM)]);
        assert_eq!(in_name("set a time out", "timeout"), [(1, 1.0), (2, 1.0)]);
        assert_eq!(in_name("at 18:30", "hour"), [(0, SHARE_OF_AN_EXPRESSION)]);
        assert!(in_name("send a request", "colour").is_empty());
    }

    #[test]
    fn names_are_abbreviated_and_texts_are_not() {
        let words = IntentWords::new("another separator");
        let mut occurring = Occurring::new(&words);
        assert_eq!(occurring.in_name("sep").occurrences.to_vec(), [(1, SHARE_OF_ABBREVIATION)]);
        assert!(occurring.in_text("sep").occurrences.is_empty());
    }

    #[test]
    fn any_text_is_an_intent() {
        for text in ["", "the of", "🎉", "日本語", &"word ".repeat(5_000), &"x".repeat(5_000)] {
            assert!(IntentWords::new(text).len() <= MAX_WORDS);
        }
        assert!(IntentWords::new(" ").is_empty() && !IntentWords::new("retry").is_empty());
    }
}
