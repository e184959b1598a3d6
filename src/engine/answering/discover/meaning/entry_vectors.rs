//! The vectors of the entries of a corpus.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::WordModel;
use crate::terms::DocumentTerms;
use apidisc_base::packed::{PackReader, PackWriter, Packed};
use apidisc_base::sort::SharedSort as _;

/// The number of words that are looked up in parallel at a time, which bounds the memory for their vectors.
const BLOCK: usize = 4_096;
/// The number of values of word vectors above which no more words are looked up: 128 MB.
const MAX_VALUES: usize = 32 << 20;

/// The greatest absolute value in four bits.
const GREATEST: f32 = 7.0;
/// The four bits of the value 0: they hold the value plus 8.
const ZERO: u8 = 8;

/// The direction of the mean vector of each entry's words.
#[derive(Debug)]
pub(in super::super) struct EntryVectors {
    dimensions: usize,
    /// The values of all entries, as multiples of the scale of the entry: two values in a byte, the first one in the
    /// lower four bits. A vector with an odd number of values has a byte of its own for the last one.
    values: Box<[u8]>,
    /// For each entry, the scale that makes its vector as long as 1; 0 for an entry without known words.
    scales: Box<[f32]>,
}

/// The vector of an intent.
struct Direction {
    /// The first and second value for each byte of an entry.
    values: Box<[(i16, i16)]>,
    /// The difference between a dot product with the stored bits of an entry and the product with its values: the bits
    /// of the value 0 are [`ZERO`].
    excess: i32,
    scale: f32,
}

impl EntryVectors {
    /// The vectors of documents. `words` has a word for each term of the documents. A word counts by the square root of
    /// its weighted frequency, so that twenty occurrences in a long docstring do not hide the name.
    pub(in super::super) fn new(model: &dyn WordModel, words: &[&str], documents: &DocumentTerms) -> Self {
        let dimensions = model.dimensions();
        let (rows, vectors) = vectors(model, words, documents);
        let count = documents.count();
        let bytes = dimensions.div_ceil(2);
        let (mut values, mut scales) = (vec![0; count * bytes], vec![0.0; count]);
        let entries = values.par_chunks_exact_mut(bytes).zip(&mut scales).enumerate();
        entries.for_each_init(
            || vec![0.0_f32; dimensions],
            |sum, (document, (values, scale))| {
                sum.fill(0.0);
                for (term, frequency) in documents.of(document) {
                    let row = rows[*term as usize] as usize;
                    let vector = &vectors[row * dimensions..(row + 1) * dimensions];
                    let factor = frequency.sqrt();
                    sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += factor * value);
                }
                *scale = pack(sum, values);
            },
        );
        Self { dimensions, values: values.into(), scales: scales.into() }
    }

    /// True if the vectors are those of `count` entries by a model of as many dimensions.
    pub(in super::super) fn is_of(&self, count: usize, dimensions: usize) -> bool {
        self.dimensions == dimensions && self.scales.len() == count
    }

    /// The similarity of some words to each entry, from 0 to 1: the cosine of their vectors, where 0 stands for the
    /// average cosine of all entries or less. `None` if the model knows none of the words.
    pub(in super::super) fn similarities<'w>(
        &self,
        model: &dyn WordModel,
        words: impl Iterator<Item = &'w str>,
    ) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; self.dimensions];
        words.for_each(|word| _ = model.add(word, 1.0, &mut sum));
        let direction = Direction::of(&sum)?;
        let entries = self.values.chunks_exact(self.dimensions.div_ceil(2)).zip(&self.scales);
        let cosine = |(values, scale): (&[u8], &f32)| direction.dot(values) as f32 * scale * direction.scale;
        let mut cosines: Vec<f32> = entries.map(cosine).collect();
        let average = cosines.iter().sum::<f32>() / cosines.len().max(1) as f32;
        let rest = (1.0 - average).max(f32::MIN_POSITIVE);
        for cosine in &mut cosines {
            *cosine = ((*cosine - average) / rest).clamp(0.0, 1.0);
        }
        Some(cosines)
    }
}

impl Packed for EntryVectors {
    fn pack(&self, to: &mut PackWriter) {
        let Self { dimensions, values, scales } = self;
        dimensions.pack(to);
        to.number(scales.len() as u64);
        to.raw(values);
        for scale in scales {
            to.raw(&scale.to_le_bytes());
        }
    }

    fn unpack(from: &mut PackReader<'_>) -> Option<Self> {
        let dimensions = usize::unpack(from)?;
        let count = usize::unpack(from)?;
        let values = from.raw(count.checked_mul(dimensions.div_ceil(2))?)?.into();
        let scales = from.raw(count.checked_mul(size_of::<f32>())?)?.as_chunks().0;
        Some(Self { dimensions, values, scales: scales.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect() })
    }
}

/// The vectors of words, one after the other, and for each word the number of its vector. Words that the model does not
/// know share the first vector, which is 0. So do the rarest words, if all vectors had more than [`MAX_VALUES`].
fn vectors(model: &dyn WordModel, words: &[&str], documents: &DocumentTerms) -> (Vec<u32>, Vec<f32>) {
    let dimensions = model.dimensions();
    let mut counts = vec![0_u32; words.len()];
    let terms = (0..documents.count()).flat_map(|document| documents.of(document));
    terms.for_each(|(term, _)| counts[*term as usize] += 1);
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.shared_sort_by_key(|word| Reverse(counts[*word]));
    let of_word = |word: &usize| {
        let mut vector = vec![0.0_f32; dimensions];
        model.add(words[*word], 1.0, &mut vector).then_some(vector)
    };
    let mut vectors = vec![0.0_f32; dimensions];
    let mut rows = vec![0; words.len()];
    for block in order.chunks(BLOCK) {
        if vectors.len() > MAX_VALUES {
            break;
        }
        let found: Vec<Option<Vec<f32>>> = block.par_iter().map(of_word).collect();
        for (word, vector) in block.iter().zip(found) {
            if let Some(vector) = vector {
                rows[*word] = (vectors.len() / dimensions) as u32;
                vectors.extend_from_slice(&vector);
            }
        }
    }
    (rows, vectors)
}

impl Direction {
    /// The direction of a vector; `None` for a vector of zeros.
    fn of(vector: &[f32]) -> Option<Self> {
        let greatest = greatest(vector)?;
        let rounded = |value: Option<&f32>| (value.unwrap_or(&0.0) * f32::from(i8::MAX) / greatest).round() as i16;
        let pairs = vector.chunks(2).map(|pair| (rounded(pair.first()), rounded(pair.get(1))));
        let values: Box<[(i16, i16)]> = pairs.collect();
        let sum: i32 = values.iter().map(|(one, other)| i32::from(*one) + i32::from(*other)).sum();
        let square: i32 = values.iter().map(|(one, other)| i32::from(*one).pow(2) + i32::from(*other).pow(2)).sum();
        Some(Self { values, excess: sum * i32::from(ZERO), scale: 1.0 / (square as f32).sqrt() })
    }

    /// The dot product with the vector of an entry.
    fn dot(&self, entry: &[u8]) -> i32 {
        let products = self.values.iter().zip(entry).map(|((one, other), byte)| {
            i32::from(*one) * i32::from(i16::from(byte & 15)) + i32::from(*other) * i32::from(i16::from(byte >> 4))
        });
        products.sum::<i32>() - self.excess
    }
}

/// The greatest absolute value of a vector; `None` for a vector of zeros.
fn greatest(vector: &[f32]) -> Option<f32> {
    let greatest = vector.iter().fold(0.0_f32, |greatest, value| greatest.max(value.abs()));
    (greatest > 0.0).then_some(greatest)
}

/// Writes a vector as multiples of a scale, and returns the scale with which the written vector has the length 1; 0 for
/// a vector of zeros.
fn pack(vector: &[f32], packed: &mut [u8]) -> f32 {
    packed.fill(ZERO | ZERO << 4);
    let Some(greatest) = greatest(vector) else { return 0.0 };
    let mut square = 0.0;
    for (byte, pair) in packed.iter_mut().zip(vector.chunks(2)) {
        for (value, shift) in pair.iter().zip([0, 4]) {
            let rounded = (value * GREATEST / greatest).round();
            square += rounded * rounded;
            *byte = *byte & !(15 << shift) | ((rounded + f32::from(ZERO)) as u8) << shift;
        }
    }
    1.0 / square.sqrt()
}

#[cfg(test)]
mod tests {
    use super::{
        super::word_vectors::{WordVectors, tests::table},
        Direction, EntryVectors, pack,
    };
    use crate::terms::{DocumentTermsBuilder, Field};

    #[test]
    fn entries_are_near_to_words_of_the_same_direction() {
        let table = WordVectors::parse(&table(&[("cut", [7, 1]), ("drop", [6, 0]), ("print", [0, 7])])).unwrap();
        let mut builder = DocumentTermsBuilder::new([Field { weight: 1.0, b: 0.5 }]);
        for text in ["drop it", "print it", "unknown"] {
            builder.begin();
            text.split(' ').for_each(|term| builder.add(0, term));
        }
        let documents = builder.finish();
        let words: Vec<&str> = documents.terms().iter().map(|term| &**term).collect();
        let vectors = EntryVectors::new(&table, &words, &documents);
        let similarities = vectors.similarities(&table, ["cuts", "other"].into_iter()).unwrap();
        assert!(similarities[0] > 0.95 && similarities[1] == 0.0 && similarities[2] == 0.0, "{similarities:?}");
        assert_eq!(vectors.similarities(&table, ["other"].into_iter()), None);
    }

    #[test]
    fn four_bits_keep_the_direction_of_a_vector() {
        let vector = [0.3, -0.8, 0.1, 0.5, -0.2, 0.7, 0.05];
        let mut packed = [0; 4];
        let scale = pack(&vector, &mut packed);
        let cosine = |other: &[f32]| {
            let direction = Direction::of(other).unwrap();
            direction.dot(&packed) as f32 * direction.scale * scale
        };
        assert!(cosine(&vector) > 0.99 && cosine(&vector.map(|value| -value)) < -0.99);
        // (0.3, 0.8) is orthogonal to (-0.8, 0.3).
        assert!(cosine(&[0.8, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0]).abs() < 0.1);
        assert!(Direction::of(&[0.0; 7]).is_none() && pack(&[0.0; 7], &mut packed) == 0.0);
    }
}
