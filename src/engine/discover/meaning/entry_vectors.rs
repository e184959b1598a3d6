//! The vectors of the entries of a corpus.

use rayon::prelude::*;

use super::WordVectors;
use crate::terms::TermIndex;

/// The number of entries whose vectors are summed at a time, which bounds the memory for sums.
const BLOCK: usize = 4_096;

/// The direction of the mean vector of each entry's words.
#[derive(Debug)]
pub(in super::super) struct EntryVectors {
    dimensions: usize,
    /// The values of all entries, as multiples of the scale of the entry.
    values: Vec<i8>,
    /// For each entry, the scale that makes its vector as long as 1; 0 for an entry without known words.
    scales: Vec<f32>,
}

impl EntryVectors {
    /// The vectors of all documents of an index. A word counts by the square root of its weighted frequency, so that
    /// twenty occurrences in a long docstring do not hide the name.
    pub(in super::super) fn new(table: &WordVectors, terms: &TermIndex) -> Self {
        let known: Vec<(u32, &[(u32, f32)])> =
            terms.postings().filter_map(|(term, postings)| Some((table.position(term)?, postings))).collect();
        let dimensions = table.dimensions();
        let count = terms.documents();
        let mut made = Self { dimensions, values: vec![0; count * dimensions], scales: vec![0.0; count] };
        let blocks = made.values.par_chunks_mut(BLOCK * dimensions).zip(made.scales.par_chunks_mut(BLOCK));
        blocks.enumerate().for_each(|(block, (values, scales))| {
            let first = (block * BLOCK) as u32;
            let mut sums = vec![0.0_f32; values.len()];
            for (word, postings) in &known {
                let start = postings.partition_point(|(document, _)| *document < first);
                let of_block = postings[start..].iter().take_while(|(document, _)| *document < first + BLOCK as u32);
                for (document, frequency) in of_block {
                    let at = (document - first) as usize * dimensions;
                    table.add(*word, frequency.sqrt(), &mut sums[at..at + dimensions]);
                }
            }
            let entries = values.chunks_exact_mut(dimensions).zip(scales).zip(sums.chunks_exact(dimensions));
            entries.for_each(|((values, scale), sum)| *scale = pack(sum, values));
        });
        made
    }

    /// The similarity of some words to each entry, from 0 to 1: the cosine of their vectors, where 0 stands for the
    /// average cosine of all entries or less. `None` if the table has none of the words.
    pub(in super::super) fn similarities<'w>(
        &self,
        table: &WordVectors,
        words: impl Iterator<Item = &'w str>,
    ) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; self.dimensions];
        words.filter_map(|word| table.position(word)).for_each(|word| table.add(word, 1.0, &mut sum));
        let mut packed = vec![0; self.dimensions];
        let scale = pack(&sum, &mut packed);
        if scale == 0.0 {
            return None;
        }
        let entries = self.values.chunks_exact(self.dimensions).zip(&self.scales);
        let mut cosines: Vec<f32> =
            entries.map(|(values, of_entry)| dot(values, &packed) as f32 * of_entry * scale).collect();
        let average = cosines.iter().sum::<f32>() / cosines.len().max(1) as f32;
        let rest = (1.0 - average).max(f32::MIN_POSITIVE);
        for cosine in &mut cosines {
            *cosine = ((*cosine - average) / rest).clamp(0.0, 1.0);
        }
        Some(cosines)
    }
}

/// Writes a vector as multiples of a scale, and returns the scale with which the written vector has the length 1; 0 for
/// a vector of zeros.
fn pack(vector: &[f32], packed: &mut [i8]) -> f32 {
    let greatest = vector.iter().fold(0.0_f32, |greatest, value| greatest.max(value.abs()));
    if greatest == 0.0 {
        return 0.0;
    }
    let factor = f32::from(i8::MAX) / greatest;
    for (packed, value) in packed.iter_mut().zip(vector) {
        *packed = (value * factor).round() as i8;
    }
    1.0 / (dot(packed, packed) as f32).sqrt()
}

fn dot(one: &[i8], other: &[i8]) -> i32 {
    one.iter().zip(other).map(|(one, other)| i32::from(*one) * i32::from(*other)).sum()
}

#[cfg(test)]
mod tests {
    use super::{
        super::{WordVectors, word_vectors::tests::table},
        EntryVectors,
    };
    use crate::terms::{Field, TermIndexBuilder};

    #[test]
    fn entries_are_near_to_words_of_the_same_direction() {
        let table = WordVectors::parse(&table(&[("delete", [7, 1]), ("print", [0, 7]), ("remove", [6, 0])])).unwrap();
        let mut builder = TermIndexBuilder::new([Field { weight: 1.0, b: 0.5 }]);
        for text in ["remove it", "print it", "unknown"] {
            builder.begin();
            text.split(' ').for_each(|term| builder.add(0, term));
        }
        let vectors = EntryVectors::new(&table, &builder.finish());
        let similarities = vectors.similarities(&table, ["delete", "other"].into_iter()).unwrap();
        assert!(similarities[0] > 0.95 && similarities[1] == 0.0 && similarities[2] == 0.0, "{similarities:?}");
        assert_eq!(vectors.similarities(&table, ["other"].into_iter()), None);
    }
}
