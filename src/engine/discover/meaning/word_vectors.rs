//! The table of words with their vectors.
//!
//! The table that comes with the program is `assets/model/words.table`; the scripts beside it train and write such
//! tables. All numbers of the file are little endian:
//!
//! | part | form |
//! | --- | --- |
//! | magic | the bytes `apidisc words 1\n` |
//! | number of words, dimensions | two `u32`; the dimensions are even |
//! | words | for each word, one byte for the length and the word in UTF-8; sorted by bytes; stems in lower case |
//! | weights | for each word, an `f32`: the factor of its vector in a sum of words; rare words have greater ones |
//! | scales | for each word, an `f32`: the unit of the values of its vector |
//! | vectors | for each word, `dimensions / 2` bytes with two values each, the first one in the lower four bits |
//!
//! A value is `(bits - 8) × scale`.

use std::{collections::HashMap, sync::LazyLock};

use thiserror::Error;

const MAGIC: &[u8] = b"apidisc words 1\n";
/// The greatest number of dimensions of a table.
const MOST_DIMENSIONS: usize = 2_048;
/// The bits of the value 0.
const ZERO: f32 = 8.0;

/// Words with their vectors.
#[derive(Debug)]
pub(in super::super) struct WordVectors {
    positions: HashMap<Box<str>, u32, rustc_hash::FxBuildHasher>,
    dimensions: usize,
    weights: Vec<f32>,
    scales: Vec<f32>,
    /// The vectors, in the form of the file.
    packed: Box<[u8]>,
}

/// The reason why bytes are no table of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(in super::super) enum WordVectorsError {
    /// The bytes do not begin with the signature of this version.
    #[error("it does not begin with the signature of a table of words, version 1")]
    Signature,
    /// The bytes end too early.
    #[error("it is cut off")]
    Cut,
    /// The number of dimensions is odd, 0 or too great.
    #[error("its number of dimensions is odd, 0 or above {MOST_DIMENSIONS}")]
    Dimensions,
    /// A word is not in UTF-8, or the words are not sorted.
    #[error("a word is not in UTF-8, or the words are not sorted")]
    Words,
    /// A weight or a scale is infinite or no number.
    #[error("a weight or a scale is not a number")]
    Numbers,
    /// Bytes follow the vectors.
    #[error("bytes follow its end")]
    Rest,
}

impl WordVectors {
    /// The table that comes with the program.
    pub(in super::super) fn built_in() -> &'static Self {
        static TABLE: LazyLock<WordVectors> = LazyLock::new(|| {
            let bytes = include_bytes!("../../../../assets/model/words.table");
            WordVectors::parse(bytes).unwrap_or_else(|_| WordVectors::empty())
        });
        &TABLE
    }

    /// A table without words. With it, only the words that an intent and an entry share count.
    fn empty() -> Self {
        let positions = HashMap::default();
        Self { positions, dimensions: 2, weights: Vec::new(), scales: Vec::new(), packed: Box::default() }
    }

    /// Reads a table.
    ///
    /// # Errors
    /// [`WordVectorsError`] for bytes that are not in the form of this module's documentation.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, WordVectorsError> {
        let mut rest = Reader(bytes.strip_prefix(MAGIC).ok_or(WordVectorsError::Signature)?);
        let count = rest.number()? as usize;
        let dimensions = rest.number()? as usize;
        if dimensions == 0 || !dimensions.is_multiple_of(2) || dimensions > MOST_DIMENSIONS {
            return Err(WordVectorsError::Dimensions);
        }
        let mut positions = HashMap::default();
        let mut last: &[u8] = &[];
        for position in 0..count {
            let length = rest.take(1)?[0];
            let word = rest.take(usize::from(length))?;
            if position > 0 && word <= last {
                return Err(WordVectorsError::Words);
            }
            last = word;
            let word = str::from_utf8(word).map_err(|_| WordVectorsError::Words)?;
            positions.insert(word.into(), position as u32);
        }
        let weights = rest.floats(count)?;
        let scales = rest.floats(count)?;
        let packed = rest.take(count.checked_mul(dimensions / 2).ok_or(WordVectorsError::Cut)?)?.into();
        if !rest.0.is_empty() {
            return Err(WordVectorsError::Rest);
        }
        Ok(Self { positions, dimensions, weights, scales, packed })
    }

    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The position of a word: a stem in lower case.
    pub(super) fn position(&self, word: &str) -> Option<u32> {
        self.positions.get(word).copied()
    }

    /// Adds `factor` times the weighted vector of a word to `sum`, which has as many values as the table has dimensions.
    pub(super) fn add(&self, position: u32, factor: f32, sum: &mut [f32]) {
        let at = position as usize;
        let half = self.dimensions / 2;
        let factor = factor * self.weights[at] * self.scales[at];
        let packed = &self.packed[at * half..(at + 1) * half];
        for (pair, byte) in sum.chunks_exact_mut(2).zip(packed) {
            pair[0] += factor * (f32::from(byte & 15) - ZERO);
            pair[1] += factor * (f32::from(byte >> 4) - ZERO);
        }
    }
}

/// The bytes of a table that are not read yet.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], WordVectorsError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(WordVectorsError::Cut)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, WordVectorsError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(WordVectorsError::Cut)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*bytes))
    }

    fn floats(&mut self, count: usize) -> Result<Vec<f32>, WordVectorsError> {
        let bytes = self.take(count.checked_mul(4).ok_or(WordVectorsError::Cut)?)?;
        let floats = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        let floats: Vec<f32> = floats.collect();
        if floats.iter().all(|float| float.is_finite()) { Ok(floats) } else { Err(WordVectorsError::Numbers) }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{MAGIC, WordVectors, WordVectorsError};

    /// The bytes of a table with weights and scales of 1.
    pub(in super::super) fn table(words: &[(&str, [i8; 2])]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((words.len() as u32).to_le_bytes());
        bytes.extend(2_u32.to_le_bytes());
        for (word, _) in words {
            bytes.push(word.len() as u8);
            bytes.extend(word.bytes());
        }
        words.iter().chain(words).for_each(|_| bytes.extend(1.0_f32.to_le_bytes()));
        bytes.extend(words.iter().map(|(_, [one, other])| ((one + 8) | ((other + 8) << 4)) as u8));
        bytes
    }

    #[test]
    fn a_word_has_the_values_of_the_file() {
        let table = WordVectors::parse(&table(&[("open", [3, -8]), ("read", [-1, 7])])).unwrap();
        let mut sum = [0.0; 2];
        let rounded = |sum: [f32; 2]| sum.map(|value| value.round() as i32);
        table.add(table.position("open").unwrap(), 1.0, &mut sum);
        assert_eq!(rounded(sum), [3, -8]);
        table.add(table.position("read").unwrap(), 2.0, &mut sum);
        assert_eq!(rounded(sum), [1, 6]);
        assert_eq!(table.position("write"), None);
    }

    #[test]
    fn bad_tables_are_refused() {
        let good = table(&[("a", [1, 1]), ("b", [1, 1])]);
        let parse = |bytes: &[u8]| WordVectors::parse(bytes).map(|_| ());
        assert_eq!(parse(&good), Ok(()));
        assert_eq!(parse(b""), Err(WordVectorsError::Signature));
        for length in MAGIC.len()..good.len() {
            assert_eq!(parse(&good[..length]), Err(WordVectorsError::Cut), "{length}");
        }
        assert_eq!(parse(&[&good[..], b"x"].concat()), Err(WordVectorsError::Rest));
        assert_eq!(parse(&table(&[("b", [1, 1]), ("a", [1, 1])])), Err(WordVectorsError::Words));
        let mut odd = good.clone();
        odd[MAGIC.len() + 4] = 3;
        assert_eq!(parse(&odd), Err(WordVectorsError::Dimensions));
        let mut huge = good;
        huge[MAGIC.len()..MAGIC.len() + 4].fill(0xff);
        assert!(parse(&huge).is_err());
    }

    #[test]
    fn the_table_of_the_program_has_the_stems_of_common_words() {
        let table = WordVectors::built_in();
        let words = ["retry", "connections", "timeout", "response", "serialize", "arguments", "directory", "queries"];
        for word in words.map(crate::discover::stems::stem) {
            assert!(table.position(&word).is_some(), "{word}");
        }
    }
}
