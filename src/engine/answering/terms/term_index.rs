//! An inverted index of documents, and BM25F over them: a search adds `idf × frequency / (K1 + frequency)` for each of
//! its terms.

use super::{
    documents::DocumentTerms,
    postings::{self, Postings},
};
use apidisc_base::packed::{PackReader, PackWriter, Packed};

/// The saturation of term frequencies.
const K1: f32 = 1.2;
/// The score of a match by prefix, relative to a match of the whole term.
const PREFIX_SHARE: f32 = 0.4;
/// The fewest letters of a term that also matches by prefix.
const MIN_PREFIX_LETTERS: usize = 3;
/// The greatest number of terms that a prefix stands for.
const MAX_EXPANSIONS: usize = 200;

/// The terms of documents. A document is identified by its position.
#[derive(Debug, Default)]
pub struct TermIndex {
    /// All terms one after the other, sorted.
    text: Box<str>,
    /// For each term, its end in `text`.
    text_ends: Vec<u32>,
    /// For each term, the number of its documents.
    counts: Vec<u32>,
    /// For each term, the end of its postings in `postings`.
    ends: Vec<u64>,
    postings: Box<[u8]>,
    documents: usize,
}

/// One of the terms that satisfy a word of a query.
#[derive(Clone, Copy, Debug)]
pub struct Alternative<'q> {
    pub(crate) term: &'q str,
    /// The score of a match, relative to a match of the word itself.
    pub(crate) share: f32,
    /// True if longer terms that begin with this one match as well, for a smaller score.
    pub(crate) is_prefix: bool,
}

/// The documents that have at least one word of a query.
#[derive(Debug)]
pub struct Matches {
    /// The score of each document; 0 for a document without a match.
    pub scores: Vec<f32>,
    /// The number of words of the query that each document has.
    pub matched: Vec<u32>,
}

impl TermIndex {
    /// The index of these documents.
    pub fn new(documents: &DocumentTerms) -> Self {
        let terms = documents.terms();
        let (mut text, mut text_ends) = (String::new(), Vec::with_capacity(terms.len()));
        for term in terms {
            text.push_str(term);
            text_ends.push(text.len() as u32);
        }
        let (postings, counts, ends) = postings::write(documents);
        Self { text: text.into(), text_ends, counts, ends, postings, documents: documents.count() }
    }

    /// The number of documents.
    pub(crate) fn documents(&self) -> usize {
        self.documents
    }

    /// The documents that have at least one word of a query. Each word is given by its alternatives, of which only the
    /// best match in a document counts, and none counts as more informative than the word itself.
    pub fn matches<'q>(&self, query: impl IntoIterator<Item = &'q [Alternative<'q>]>) -> Matches {
        let mut matches = Matches { scores: vec![0.0; self.documents], matched: vec![0; self.documents] };
        let mut best = vec![0.0_f32; self.documents];
        let mut touched: Vec<u32> = Vec::new();
        for alternatives in query {
            let information = self.information(alternatives);
            for alternative in alternatives {
                for (term, share) in self.terms_of(alternative) {
                    let idf = self.idf(self.counts[term] as usize).min(information);
                    for (document, frequency) in self.postings_of(term) {
                        let score = share * idf * frequency / (K1 + frequency);
                        // The bytes may come from a file that is damaged: a document beyond the last one ends the
                        // postings of the term.
                        let Some(slot) = best.get_mut(document as usize) else { break };
                        if *slot == 0.0 {
                            touched.push(document);
                        }
                        *slot = slot.max(score);
                    }
                }
            }
            for document in touched.drain(..) {
                let at = document as usize;
                matches.scores[at] += std::mem::take(&mut best[at]);
                matches.matched[at] += 1;
            }
        }
        matches
    }

    /// The information of a word: the inverse document frequency of the word itself, whatever its alternatives. A word
    /// that no document has is as informative as a word that one document has.
    pub fn information(&self, alternatives: &[Alternative<'_>]) -> f32 {
        let own = alternatives.iter().find(|alternative| alternative.share >= 1.0);
        let known = own.and_then(|own| {
            let at = self.first_at_or_after(own.term);
            (self.terms_from(at).next() == Some(own.term)).then_some(at)
        });
        self.idf(known.map_or(1, |term| self.counts[term] as usize))
    }

    /// The positions of the terms that an alternative stands for, with their shares.
    fn terms_of(&self, alternative: &Alternative<'_>) -> impl Iterator<Item = (usize, f32)> {
        let Alternative { term, share, is_prefix } = *alternative;
        let start = self.first_at_or_after(term);
        let is_expanded = is_prefix && term.chars().count() >= MIN_PREFIX_LETTERS;
        let found = self.terms_from(start).take(MAX_EXPANSIONS).enumerate();
        found.take_while(move |(_, other)| other.starts_with(term)).map_while(move |(at, other)| {
            let is_whole = other.len() == term.len();
            (is_whole || is_expanded).then_some((start + at, if is_whole { share } else { share * PREFIX_SHARE }))
        })
    }

    fn idf(&self, documents_with_it: usize) -> f32 {
        (1.0 + (self.documents as f32 - documents_with_it as f32 + 0.5) / (documents_with_it as f32 + 0.5)).ln()
    }

    /// The position of the first term that is not less than `wanted`.
    fn first_at_or_after(&self, wanted: &str) -> usize {
        let (mut low, mut high) = (0, self.text_ends.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.terms_from(middle).next().is_some_and(|term| term < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The terms from a position on.
    fn terms_from(&self, position: usize) -> impl Iterator<Item = &str> {
        let start = position.checked_sub(1).map_or(0, |before| self.text_ends[before]);
        let ends = self.text_ends[position..].iter().copied();
        ends.scan(start, |start, end| {
            let term = self.text.get(std::mem::replace(start, end) as usize..end as usize);
            Some(term.unwrap_or_default())
        })
    }

    fn postings_of(&self, term: usize) -> Postings<'_> {
        let start = term.checked_sub(1).map_or(0, |before| self.ends[before]);
        Postings::new(self.postings.get(start as usize..self.ends[term] as usize).unwrap_or_default())
    }
}

impl Packed for TermIndex {
    fn pack(&self, to: &mut PackWriter) {
        let Self { text, text_ends, counts, ends, postings, documents } = self;
        to.bytes(text.as_bytes());
        text_ends.pack(to);
        counts.pack(to);
        ends.pack(to);
        to.bytes(postings);
        to.number(*documents as u64);
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        let index = Self {
            text: std::str::from_utf8(from.sized_bytes()?).ok()?.into(),
            text_ends: Packed::unpack(from)?,
            counts: Packed::unpack(from)?,
            ends: Packed::unpack(from)?,
            postings: from.sized_bytes()?.into(),
            documents: usize::try_from(from.number()?).ok()?,
        };
        let terms = index.text_ends.len();
        (index.counts.len() == terms && index.ends.len() == terms).then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::{Alternative, TermIndex};
    use crate::terms::{DocumentTermsBuilder, Field};
    use apidisc_base::packed::{PackReader, PackWriter, Packed};

    const NAME: usize = 0;
    const TEXT: usize = 1;

    fn index(documents: &[(&str, &str)]) -> TermIndex {
        let mut builder = DocumentTermsBuilder::new([Field { weight: 5.0, b: 0.5 }, Field { weight: 1.0, b: 0.75 }]);
        for (name, text) in documents {
            builder.begin();
            name.split(' ').for_each(|term| builder.add(NAME, term));
            text.split(' ').for_each(|term| builder.add(TEXT, term));
        }
        TermIndex::new(&builder.finish())
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
    fn an_index_that_was_kept_gives_the_same_scores() {
        let index = index(&[("open file", "the file is opened"), ("close", "file file file"), ("größe", "")]);
        let mut writer = PackWriter::default();
        index.pack(&mut writer);
        let bytes = writer.finish();
        let kept = TermIndex::unpack(&mut PackReader::new(&bytes)).unwrap();
        for query in [("file", 1.0, false), ("open", 0.5, true), ("größe", 1.0, false), ("none", 1.0, true)] {
            assert_eq!(scores(&kept, &[query]), scores(&index, &[query]), "{query:?}");
        }
        for cut in 0..bytes.len() {
            assert!(TermIndex::unpack(&mut PackReader::new(&bytes[..cut])).is_none(), "{cut}");
        }
    }

    #[test]
    fn nothing_matches_nothing() {
        assert_eq!(scores(&index(&[]), &[("a", 1.0, true)]), [0.0; 0]);
    }
}
