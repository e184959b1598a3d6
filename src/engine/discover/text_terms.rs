//! The words of `discover` for searches that are not in an index, such as those in API documents: all searches have one
//! vocabulary of stems and synonyms.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{intent::Intent, stems::Stems};
use crate::terms::{Alternative, DocumentTerms, DocumentTermsBuilder, Field, words};

/// Calls `search` with the words of a query, each with its synonyms.
pub(crate) fn with_query<T>(query: &str, search: impl FnOnce(&[Vec<Alternative<'_>>]) -> T) -> T {
    search(&Intent::new(query).query())
}

/// Collects the stems of the words of texts as the terms of documents.
pub(crate) struct TextTerms<const N: usize> {
    builder: DocumentTermsBuilder<N>,
    stems: Stems,
    /// The numbers of the terms of each run of letters and digits: most of them come again and again.
    known: FxHashMap<Box<str>, SmallVec<[u32; 2]>>,
}

impl<const N: usize> TextTerms<N> {
    pub(crate) fn new(fields: [Field; N]) -> Self {
        Self { builder: DocumentTermsBuilder::new(fields), stems: Stems::default(), known: FxHashMap::default() }
    }

    /// Begins the next document.
    pub(crate) fn begin(&mut self) {
        self.builder.begin();
    }

    /// Adds the stems of the words of a text to a field of the document that was begun last.
    pub(crate) fn add(&mut self, field: usize, text: &str) {
        if text.is_ascii() {
            let runs = text.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
            runs.filter_map(|run| std::str::from_utf8(run).ok()).for_each(|run| self.add_run(field, run));
        } else {
            text.split(|c: char| !c.is_alphanumeric()).for_each(|run| self.add_run(field, run));
        }
    }

    /// Adds the stems of the words of a text without separators.
    fn add_run(&mut self, field: usize, run: &str) {
        if run.is_empty() {
            return;
        }
        if !self.known.contains_key(run) {
            let mut numbers = SmallVec::new();
            words(run).for_each(|word| numbers.extend(self.builder.number(self.stems.of(&word))));
            self.known.insert(run.into(), numbers);
        }
        let numbers = &self.known[run];
        numbers.iter().for_each(|number| self.builder.add_number(field, *number));
    }

    /// The terms of all documents.
    pub(crate) fn finish(self) -> DocumentTerms {
        self.builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{TextTerms, words};
    use crate::{
        discover::stems::stem,
        terms::{DocumentTermsBuilder, Field},
    };

    #[test]
    fn a_text_has_the_stems_of_its_words() {
        let fields = [Field { weight: 1.0, b: 0.5 }; 2];
        let (mut texts, mut terms) = (TextTerms::new(fields), DocumentTermsBuilder::new(fields));
        for text in ["getHTTPServer retries, get_HTTP", "Größe: über_größe retried", "", "a--b\u{2014}c"] {
            texts.begin();
            terms.begin();
            for field in [0, 1, 0] {
                texts.add(field, text);
                words(text).for_each(|word| terms.add(field, &stem(&word)));
            }
        }
        let (texts, terms) = (texts.finish(), terms.finish());
        assert_eq!(texts.terms(), terms.terms());
        assert!((0..4).all(|at| texts.of(at) == terms.of(at)));
    }
}
