//! The terms of documents with several fields, document by document.
//!
//! The weighted frequency of a term in a document is the sum over the fields of `weight × frequency / length norm`
//! (Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields, 2004).

use rustc_hash::FxHashMap;

/// The bits of an occurrence that hold its field.
const FIELD_BITS: u32 = 4;
/// The greatest number of different terms. Further ones are left out.
const MAX_TERMS: u32 = 1 << (u32::BITS - FIELD_BITS);

/// The parameters of BM25F for a field of a document.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// How much an occurrence in the field counts.
    pub weight: f32,
    /// How much the length of the field reduces its frequencies, from 0 to 1: `b` of BM25F.
    pub b: f32,
}

/// Collects the terms of documents, one document after the other.
pub struct DocumentTermsBuilder<const N: usize> {
    fields: [Field; N],
    numbers: FxHashMap<Box<str>, u32>,
    /// For each document, the number of terms in each field.
    lengths: Vec<[u32; N]>,
    /// The occurrences in the order in which they were added: the number of a term, and a field in the lowest bits.
    occurrences: Vec<u32>,
    /// The terms of [`Self::add_if_known`], each with its document and field. A term counts if [`Self::add`] or
    /// [`Self::add_number`] adds it to any document.
    joined: Vec<(u32, u32, Box<str>)>,
}

/// The terms of documents with their weighted frequencies.
#[derive(Debug, Default)]
pub struct DocumentTerms {
    /// All terms, sorted.
    terms: Vec<Box<str>>,
    /// For each document, the end of its part of `frequencies`.
    ends: Vec<usize>,
    /// The position of a term, and its weighted frequency; each term once for each document.
    frequencies: Vec<(u32, f32)>,
}

impl<const N: usize> DocumentTermsBuilder<N> {
    pub(crate) fn new(fields: [Field; N]) -> Self {
        const { assert!(N <= 1 << FIELD_BITS, "a field has too few bits") };
        Self { fields, numbers: FxHashMap::default(), lengths: Vec::new(), occurrences: Vec::new(), joined: Vec::new() }
    }

    /// Begins the next document.
    pub(crate) fn begin(&mut self) {
        self.lengths.push([0; N]);
    }

    /// Adds a term to a field of the document that was begun last.
    pub(crate) fn add(&mut self, field: usize, term: &str) {
        if let Some(number) = self.number(term) {
            self.add_number(field, number);
        }
    }

    /// The number of a term; `None` if there are too many terms.
    pub(crate) fn number(&mut self, term: &str) -> Option<u32> {
        if let Some(known) = self.numbers.get(term) {
            return Some(*known);
        }
        let number = self.numbers.len() as u32;
        if number == MAX_TERMS {
            return None;
        }
        self.numbers.insert(term.into(), number);
        Some(number)
    }

    /// Adds the term with a number to a field of the document that was begun last.
    pub(crate) fn add_number(&mut self, field: usize, number: u32) {
        let Some(lengths) = self.lengths.last_mut() else { return };
        lengths[field] += 1;
        self.occurrences.push(number << FIELD_BITS | field as u32);
    }

    /// Adds a term to a field of the document that was begun last, if [`Self::add`] or [`Self::add_number`] adds the
    /// term to any document, before or later. The field does not become longer.
    pub(crate) fn add_if_known(&mut self, field: usize, term: &str) {
        if let Some(document) = self.lengths.len().checked_sub(1) {
            self.joined.push((document as u32, field as u32, term.into()));
        }
    }

    /// Adds the documents of another builder behind those of this one.
    pub(crate) fn append(&mut self, other: Self) {
        let mut numbers = vec![0; other.numbers.len()];
        for (term, number) in &other.numbers {
            // Terms beyond the greatest number of terms, which no memory holds, share the last number.
            numbers[*number as usize] = self.number(term).unwrap_or(MAX_TERMS - 1);
        }
        let first = self.lengths.len() as u32;
        self.lengths.extend(other.lengths);
        let renumbered = |occurrence: u32| {
            let field = occurrence & ((1 << FIELD_BITS) - 1);
            numbers[(occurrence >> FIELD_BITS) as usize] << FIELD_BITS | field
        };
        self.occurrences.extend(other.occurrences.into_iter().map(renumbered));
        let joined = other.joined.into_iter();
        self.joined.extend(joined.map(|(document, field, term)| (first + document, field, term)));
    }

    /// The terms of all documents.
    pub(crate) fn finish(self) -> DocumentTerms {
        let known = |(document, field, term): &(u32, u32, Box<str>)| {
            self.numbers.get(term).map(|number| (*document, number << FIELD_BITS | field))
        };
        let mut joined = self.joined.iter().filter_map(known).collect::<Vec<_>>().into_iter().peekable();
        let count = self.lengths.len() as f32;
        let mut average = [0.0_f32; N];
        for lengths in &self.lengths {
            for (sum, length) in average.iter_mut().zip(lengths) {
                *sum += *length as f32 / count;
            }
        }
        let mut terms: Vec<(Box<str>, u32)> = self.numbers.into_iter().collect();
        terms.sort_unstable();
        let mut positions = vec![0_u32; terms.len()];
        (0..).zip(&terms).for_each(|(position, (_, number))| positions[*number as usize] = position);
        let mut made = DocumentTerms { terms: terms.into_iter().map(|(term, _)| term).collect(), ..Default::default() };
        made.ends.reserve_exact(self.lengths.len());
        // The sum of each term in the document at hand, and 0 elsewhere.
        let mut sums = vec![0.0_f32; positions.len()];
        let mut rest = &self.occurrences[..];
        for (document, lengths) in (0..).zip(&self.lengths) {
            let (own, others) = rest.split_at(lengths.iter().sum::<u32>() as usize);
            rest = others;
            let first = made.frequencies.len();
            let joined = std::iter::from_fn(|| joined.next_if(|(other, _)| *other == document));
            for occurrence in own.iter().copied().chain(joined.map(|(_, occurrence)| occurrence)) {
                let field = (occurrence & ((1 << FIELD_BITS) - 1)) as usize;
                let Field { weight, b } = self.fields[field];
                let term = positions[(occurrence >> FIELD_BITS) as usize];
                let sum = &mut sums[term as usize];
                if *sum == 0.0 {
                    made.frequencies.push((term, 0.0));
                }
                *sum += weight / (1.0 - b + b * lengths[field] as f32 / average[field].max(1.0));
            }
            for (term, frequency) in &mut made.frequencies[first..] {
                *frequency = std::mem::take(&mut sums[*term as usize]);
            }
            made.ends.push(made.frequencies.len());
        }
        made
    }
}

impl DocumentTerms {
    /// All terms, sorted.
    pub(crate) fn terms(&self) -> &[Box<str>] {
        &self.terms
    }

    /// The number of documents.
    pub(crate) fn count(&self) -> usize {
        self.ends.len()
    }

    /// The terms of a document: their positions in the list of all terms, and their weighted frequencies.
    pub(crate) fn of(&self, document: usize) -> &[(u32, f32)] {
        let start = document.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.frequencies[start..self.ends[document]]
    }
}
