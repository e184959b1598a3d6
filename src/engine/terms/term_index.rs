//! An inverted index of documents with several fields, and BM25F over them.
//!
//! The weighted frequency of a term in a document is the sum over the fields of `weight × frequency / length norm`
//! (Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields, 2004). It is computed when the
//! index is made; a search adds `idf × frequency / (K1 + frequency)` for each of its terms.

use rustc_hash::FxHashMap;

/// The saturation of term frequencies.
const K1: f32 = 1.2;
/// The score of a match by prefix, relative to a match of the whole term.
const PREFIX_SHARE: f32 = 0.4;
/// The fewest letters of a term that also matches by prefix.
const SHORTEST_PREFIX: usize = 3;
/// The greatest number of terms that a prefix stands for.
const MOST_EXPANSIONS: usize = 200;

/// The parameters of BM25F for a field of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) weight: f32,
    /// How much the length of the field reduces its frequencies, from 0 to 1: `b` of BM25F.
    pub(crate) b: f32,
}

/// Collects the terms of documents, one document after the other.
pub(crate) struct TermIndexBuilder<const N: usize> {
    fields: [Field; N],
    numbers: FxHashMap<Box<str>, u32>,
    /// For each document, the number of terms in each field.
    lengths: Vec<[u32; N]>,
    /// The occurrences in the order in which they were added: document by document.
    occurrences: Vec<Occurrence>,
}

/// A term in a field of a document.
struct Occurrence {
    term: u32,
    document: u32,
    field: u8,
}

/// The terms of documents. A document is identified by its position.
#[derive(Debug, Default)]
pub(crate) struct TermIndex {
    /// All terms, sorted.
    terms: Vec<Box<str>>,
    /// For each term, the end of its postings in `postings`.
    ends: Vec<u32>,
    /// The postings of all terms, term by term: the position of a document, and the weighted frequency of the term in it.
    postings: Vec<(u32, f32)>,
    documents: usize,
}

/// One of the terms that satisfy a word of a query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternative<'q> {
    pub(crate) term: &'q str,
    /// The score of a match, relative to a match of the word itself.
    pub(crate) share: f32,
    /// True if longer terms that begin with this one match as well, for a smaller score.
    pub(crate) is_prefix: bool,
}

/// The documents that have at least one word of a query.
#[derive(Debug)]
pub(crate) struct Matches {
    /// The score of each document; 0 for a document without a match.
    pub(crate) scores: Vec<f32>,
    /// The number of words of the query that each document has.
    pub(crate) matched: Vec<f32>,
}

impl<const N: usize> TermIndexBuilder<N> {
    pub(crate) fn new(fields: [Field; N]) -> Self {
        Self { fields, numbers: FxHashMap::default(), lengths: Vec::new(), occurrences: Vec::new() }
    }

    /// Begins the next document.
    pub(crate) fn begin(&mut self) {
        self.lengths.push([0; N]);
    }

    /// Adds a term to a field of the document that was begun last.
    pub(crate) fn add(&mut self, field: usize, term: &str) {
        let Some(lengths) = self.lengths.last_mut() else { return };
        lengths[field] += 1;
        let known = self.numbers.get(term).copied();
        let term = known.unwrap_or_else(|| {
            let number = self.numbers.len() as u32;
            self.numbers.insert(term.into(), number);
            number
        });
        self.occurrences.push(Occurrence { term, document: self.lengths.len() as u32 - 1, field: field as u8 });
    }

    /// The index of all documents.
    pub(crate) fn finish(self) -> TermIndex {
        let documents = self.lengths.len();
        let mut average = [0.0_f32; N];
        for lengths in &self.lengths {
            for (sum, length) in average.iter_mut().zip(lengths) {
                *sum += *length as f32 / documents as f32;
            }
        }
        // The occurrences of each term, side by side and in their order.
        let mut starts = vec![0_u32; self.numbers.len() + 1];
        self.occurrences.iter().for_each(|occurrence| starts[occurrence.term as usize + 1] += 1);
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        let mut next = starts.clone();
        let mut by_term = vec![0_u32; self.occurrences.len()];
        for (at, occurrence) in self.occurrences.iter().enumerate() {
            let slot = &mut next[occurrence.term as usize];
            by_term[*slot as usize] = at as u32;
            *slot += 1;
        }
        let mut terms: Vec<(Box<str>, u32)> = self.numbers.into_iter().collect();
        terms.sort_unstable();
        let mut made = TermIndex { documents, ..TermIndex::default() };
        for (term, number) in terms {
            let of_term = &by_term[starts[number as usize] as usize..starts[number as usize + 1] as usize];
            let first = made.postings.len();
            for Occurrence { document, field, .. } in of_term.iter().map(|at| &self.occurrences[*at as usize]) {
                let Field { weight, b } = self.fields[usize::from(*field)];
                let length = self.lengths[*document as usize][usize::from(*field)];
                let value = weight / (1.0 - b + b * length as f32 / average[usize::from(*field)].max(1.0));
                match made.postings[first..].last_mut() {
                    Some((last, frequency)) if last == document => *frequency += value,
                    _ => made.postings.push((*document, value)),
                }
            }
            made.terms.push(term);
            made.ends.push(made.postings.len() as u32);
        }
        made.postings.shrink_to_fit();
        made
    }
}

impl TermIndex {
    /// The number of documents.
    pub(crate) fn documents(&self) -> usize {
        self.documents
    }

    /// Each term with its postings: the documents that have it, in ascending order, with its weighted frequencies.
    pub(crate) fn postings(&self) -> impl Iterator<Item = (&str, &[(u32, f32)])> {
        self.terms.iter().enumerate().map(|(term, text)| (&**text, self.postings_of(term)))
    }

    /// The documents that have at least one word of a query. Each word is given by its alternatives, of which only the
    /// best match in a document counts, and none counts as more informative than the word itself.
    pub(crate) fn matches<'q>(&self, query: impl IntoIterator<Item = &'q [Alternative<'q>]>) -> Matches {
        let mut matches = Matches { scores: vec![0.0; self.documents], matched: vec![0.0; self.documents] };
        let mut best = vec![0.0_f32; self.documents];
        let mut touched: Vec<u32> = Vec::new();
        for alternatives in query {
            let information = self.information(alternatives);
            for alternative in alternatives {
                for (term, share) in self.terms_of(alternative) {
                    let postings = self.postings_of(term);
                    let idf = self.idf(postings.len()).min(information);
                    for (document, frequency) in postings {
                        let score = share * idf * frequency / (K1 + frequency);
                        let slot = &mut best[*document as usize];
                        if *slot == 0.0 {
                            touched.push(*document);
                        }
                        *slot = slot.max(score);
                    }
                }
            }
            for document in touched.drain(..) {
                let at = document as usize;
                matches.scores[at] += std::mem::take(&mut best[at]);
                matches.matched[at] += 1.0;
            }
        }
        matches
    }

    /// The information of a word: the inverse document frequency of the word itself, whatever its alternatives. A word
    /// that no document has is as informative as a word that one document has.
    pub(crate) fn information(&self, alternatives: &[Alternative<'_>]) -> f32 {
        let own = alternatives.iter().find(|alternative| alternative.share >= 1.0);
        let known = own.and_then(|own| self.terms.binary_search_by(|term| (**term).cmp(own.term)).ok());
        self.idf(known.map_or(1, |term| self.postings_of(term).len()))
    }

    /// The positions of the terms that an alternative stands for, with their shares.
    fn terms_of(&self, alternative: &Alternative<'_>) -> impl Iterator<Item = (usize, f32)> {
        let Alternative { term, share, is_prefix } = *alternative;
        let start = self.terms.partition_point(|other| **other < *term);
        let is_expanded = is_prefix && term.chars().count() >= SHORTEST_PREFIX;
        let found = self.terms[start..].iter().take(MOST_EXPANSIONS).enumerate();
        found.take_while(move |(_, other)| other.starts_with(term)).map_while(move |(at, other)| {
            let is_whole = other.len() == term.len();
            (is_whole || is_expanded).then_some((start + at, if is_whole { share } else { share * PREFIX_SHARE }))
        })
    }

    fn idf(&self, documents_with_it: usize) -> f32 {
        (1.0 + (self.documents as f32 - documents_with_it as f32 + 0.5) / (documents_with_it as f32 + 0.5)).ln()
    }

    fn postings_of(&self, term: usize) -> &[(u32, f32)] {
        let start = term.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.postings[start as usize..self.ends[term] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::{Alternative, Field, TermIndex, TermIndexBuilder};

    const NAME: usize = 0;
    const TEXT: usize = 1;

    fn index(documents: &[(&str, &str)]) -> TermIndex {
        let mut builder = TermIndexBuilder::new([Field { weight: 5.0, b: 0.5 }, Field { weight: 1.0, b: 0.75 }]);
        for (name, text) in documents {
            builder.begin();
            name.split(' ').for_each(|term| builder.add(NAME, term));
            text.split(' ').for_each(|term| builder.add(TEXT, term));
        }
        builder.finish()
    }

    fn scores(index: &TermIndex, alternatives: &[(&str, f32, bool)]) -> Vec<f32> {
        let alternatives: Vec<_> = alternatives
            .iter()
            .map(|(term, share, is_prefix)| Alternative { term, share: *share, is_prefix: *is_prefix })
            .collect();
        index.matches([alternatives.as_slice()]).scores
    }

    #[test]
    fn a_field_of_greater_weight_counts_more() {
        let index = index(&[("open", "a file"), ("close", "what open has made")]);
        let scores = scores(&index, &[("open", 1.0, false)]);
        assert!(scores[0] > scores[1] && scores[1] > 0.0, "{scores:?}");
    }

    #[test]
    fn of_several_alternatives_the_best_one_counts() {
        let index = index(&[("remove", "delete"), ("delete", "x"), ("other", "y")]);
        let [one, both] = [&[("delete", 1.0, false)][..], &[("delete", 1.0, false), ("remove", 0.8, false)]]
            .map(|alternatives| scores(&index, alternatives));
        assert!(both[0] > one[0] && both[1] >= one[1] && both[2] <= 0.0, "{one:?} {both:?}");
    }

    #[test]
    fn a_rare_alternative_counts_no_more_than_the_word_itself() {
        let texts: Vec<String> = (0..20).map(|at| format!("command word{at}")).collect();
        let mut documents: Vec<(&str, &str)> = texts.iter().map(|text| ("x", text.as_str())).collect();
        documents.extend([("command", "z"), ("commandline", "z")]);
        let scores = scores(&index(&documents), &[("command", 1.0, false), ("commandline", 1.0, false)]);
        assert!((scores[20] - scores[21]).abs() < 1e-6 && scores[20] > scores[0], "{scores:?}");
    }

    #[test]
    fn a_prefix_matches_only_where_it_is_asked_for() {
        let index = index(&[("retrying", "x"), ("other", "y")]);
        assert_eq!(scores(&index, &[("retry", 1.0, false)]), [0.0, 0.0]);
        assert!(scores(&index, &[("retry", 1.0, true)])[0] > 0.0);
        assert_eq!(scores(&index, &[("re", 1.0, true)]), [0.0, 0.0]);
    }

    #[test]
    fn nothing_matches_nothing() {
        assert_eq!(scores(&index(&[]), &[("a", 1.0, true)]), [0.0; 0]);
    }
}
