//! The words of a question: the abbreviations of word groups, and the parameters that the words name.

use rustc_hash::FxHashSet;

use apidisc_answering::{
    discover::stem,
    terms::{is_stop_word, words},
};
use apidisc_facts::program::DefinitionId;
use apidisc_indexing::index::Index;
use apidisc_stubs::overrides::{OverrideTarget, Overrides};

/// The least and the greatest number of words that an abbreviation stands for.
const ABBREVIATED: [usize; 2] = [3, 4];
/// The greatest number of parameters that a stub shows because the question names them.
const MAX_PINS: usize = 6;

/// The words of a question.
pub(super) struct QuestionWords {
    stems: FxHashSet<String>,
}

impl QuestionWords {
    pub(super) fn new(question: &str) -> Self {
        Self { stems: words(question).filter(|word| !is_stop_word(word)).map(|word| stem(&word)).collect() }
    }

    /// The number of different words of the question that a text has.
    pub(super) fn count_in(&self, text: &str) -> usize {
        let found: FxHashSet<String> =
            words(text).map(|word| stem(&word)).filter(|word| self.stems.contains(word)).collect();
        found.len()
    }

    /// The optional parameters of a definition and of its members whose names consist of words of the question. A stub
    /// shows them even if few calls pass them.
    pub(super) fn pins(&self, index: &Index, id: DefinitionId) -> Overrides {
        let is_asked = |name: &str| {
            let mut parts = words(name).peekable();
            parts.peek().is_some() && parts.all(|word| self.stems.contains(&stem(&word)))
        };
        let mut pins = Overrides::default();
        for id in [id].into_iter().chain(index.members_of(id)) {
            let definition = index.definition(id);
            let Some(signature) = definition.signature.as_ref().filter(|_| definition.is_public) else { continue };
            for (at, parameter) in signature.parameters.iter().enumerate() {
                let is_optional = !parameter.is_variadic() && !signature.is_always_required(at);
                if is_optional && pins.pinned.len() < MAX_PINS && is_asked(&parameter.name) {
                    let (definition, parameter) = (definition.fqn.as_str().into(), Some(signature.label(at)));
                    pins.pinned.insert(OverrideTarget { definition, parameter });
                }
            }
        }
        pins
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
