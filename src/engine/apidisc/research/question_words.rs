//! The words of a question, and the abbreviations of word groups.

use rustc_hash::FxHashSet;

use apidisc_answering::{
    discover::stem,
    terms::{is_stop_word, words},
};
use apidisc_indexing::index::Index;
use apidisc_stubs::intent::IntentWords;

/// The least and the greatest number of words that an abbreviation stands for.
const ABBREVIATED: [usize; 2] = [3, 4];

/// The words of a question about exceptions, as stems.
const EXCEPTIONS: [&str; 5] = ["except", "rais", "throw", "catch", "caught"];

/// The words of a question.
pub(super) struct QuestionWords {
    intent: IntentWords,
    stems: FxHashSet<String>,
}

impl QuestionWords {
    pub(super) fn new(question: &str) -> Self {
        let stems = words(question).filter(|word| !is_stop_word(word)).map(|word| stem(&word)).collect();
        Self { intent: IntentWords::new(question), stems }
    }

    /// The words as stubs look for them.
    pub(super) fn intent(&self) -> &IntentWords {
        &self.intent
    }

    /// True if the question is about tests.
    pub(super) fn asks_for_tests(&self) -> bool {
        self.stems.contains("test")
    }

    /// True if the question is about exceptions.
    pub(super) fn asks_for_exceptions(&self) -> bool {
        EXCEPTIONS.iter().any(|stem| self.stems.contains(*stem))
    }

    /// The number of different words of the question that a text has.
    pub(super) fn count_in(&self, text: &str) -> usize {
        let found: FxHashSet<String> =
            words(text).map(|word| stem(&word)).filter(|word| self.stems.contains(word)).collect();
        found.len()
    }
}

/// The question with the abbreviations of its words that names of the index have: `jwt` for "JSON web tokens".
pub(super) fn with_abbreviations(index: &Index, question: &str) -> String {
    let said: Vec<String> = words(question).collect();
    let mut candidates: Vec<String> = Vec::new();
    for window in ABBREVIATED.into_iter().flat_map(|length| said.windows(length)) {
        let is_plain = |word: &String| word.starts_with(char::is_alphabetic) && !is_stop_word(word);
        if window.iter().all(is_plain) {
            candidates.push(window.iter().filter_map(|word| word.chars().next()).collect());
        }
    }
    candidates.sort_unstable();
    candidates.dedup();
    let is_name = |abbreviation: &String| {
        let has_it = |name: &str| {
            name.len() >= abbreviation.len()
                && name.to_lowercase().contains(abbreviation.as_str())
                && words(name).any(|word| word == *abbreviation)
        };
        index.definitions.iter().any(|definition| definition.is_public && has_it(&definition.name))
    };
    candidates.retain(is_name);
    [&[question.to_owned()], &candidates[..]].concat().join(" ")
}
