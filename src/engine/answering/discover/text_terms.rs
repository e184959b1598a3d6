//! The stems and synonyms of `discover` for searches in other texts than those of an index, such as API documents: all
//! searches treat words alike.

use rustc_hash::FxHashMap;

use super::{intent::Intent, stems::Stems};
use crate::terms::{Alternative, DocumentTerms, DocumentTermsBuilder, Field, words};

/// Calls `search` with the words of a query, each with its synonyms.
pub fn with_query<T>(query: &str, search: impl FnOnce(&[Vec<Alternative<'_>>]) -> T) -> T {
    search(&Intent::new(query).query())
}

/// Collects the stems of the words of texts as the terms of documents.
pub struct TextTerms<const N: usize> {
    builder: DocumentTermsBuilder<N>,
    stems: Stems,
    /// For each run of letters and digits, the range of its terms in `numbers`. The table saves time because most runs
    /// recur.
    known: FxHashMap<Box<str>, (u32, u32)>,
    /// The numbers of the terms of all runs.
    numbers: Vec<u32>,
}

impl<const N: usize> TextTerms<N> {
    /// A collector of documents with these fields.
    pub fn new(fields: [Field; N]) -> Self {
        Self {
            builder: DocumentTermsBuilder::new(fields),
            stems: Stems::default(),
            known: FxHashMap::default(),
            numbers: Vec::new(),
        }
    }

    /// Begins the next document.
    pub fn begin(&mut self) {
        self.builder.begin();
    }

    /// Adds the stems of the words of a text to a field of the document that was begun last.
    pub fn add(&mut self, field: usize, text: &str) {
        if text.is_ascii() {
            let mut start = 0;
            for (at, byte) in text.bytes().enumerate() {
                if !byte.is_ascii_alphanumeric() {
                    self.add_run(field, &text[start..at]);
                    start = at + 1;
                }
            }
            self.add_run(field, &text[start..]);
        } else {
            text.split(|c: char| !c.is_alphanumeric()).for_each(|run| self.add_run(field, run));
        }
    }

    /// Adds the stems of the words of a text without separators.
    fn add_run(&mut self, field: usize, run: &str) {
        if run.is_empty() {
            return;
        }
        let (start, end) = match self.known.get(run) {
            Some(known) => *known,
            None => self.intern(run),
        };
        self.numbers[start as usize..end as usize].iter().for_each(|number| self.builder.add_number(field, *number));
    }

    /// Stores the numbers of the terms of a run, and returns their range.
    fn intern(&mut self, run: &str) -> (u32, u32) {
        let start = self.numbers.len() as u32;
        words(run).for_each(|word| self.numbers.extend(self.builder.number(self.stems.of(&word))));
        let place = (start, self.numbers.len() as u32);
        self.known.insert(run.into(), place);
        place
    }

    /// Adds the documents of another collection behind those of this one, which gets no further text.
    #[must_use]
    pub fn joined(mut self, other: Self) -> Self {
        self.builder.append(other.builder);
        self
    }

    /// The terms of all documents.
    pub fn finish(self) -> DocumentTerms {
        self.builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{TextTerms, words};
    use crate::{
        discover::stem,
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

    #[test]
    fn documents_collected_apart_have_the_terms_of_all() {
        let fields = [Field { weight: 2.0, b: 0.5 }; 2];
        let texts = ["get a file", "the files of a folder", "", "Getting the folder", "a new word: größe"];
        let collect = |texts: &[&str]| {
            let mut terms = TextTerms::new(fields);
            for text in texts {
                terms.begin();
                for field in [1, 0] {
                    terms.add(field, text);
                }
            }
            terms
        };
        let whole = collect(&texts).finish();
        for split in 0..=texts.len() {
            let (first, second) = texts.split_at(split);
            let joined = collect(first).joined(collect(second)).finish();
            assert_eq!((joined.terms(), joined.count()), (whole.terms(), whole.count()));
            assert!((0..whole.count()).all(|at| joined.of(at) == whole.of(at)), "{split}");
        }
    }
}
