//! A table of words as a model.

use std::collections::HashMap;

use super::{
    WordModel,
    table::{Table, TableError},
};
use apidisc_base::hash::ContentHash;
use apidisc_words::stem;

/// The bits of the value 0.
const ZERO: f32 = 8.0;

/// Words with their vectors.
#[derive(Debug)]
pub(super) struct WordVectors {
    id: ContentHash,
    positions: HashMap<Box<str>, u32, rustc_hash::FxBuildHasher>,
    dimensions: usize,
    weights: Vec<f32>,
    scales: Vec<f32>,
    /// The vectors, in the form of the file.
    packed: Box<[u8]>,
}

impl WordVectors {
    /// Reads a table.
    ///
    /// # Errors
    /// [`TableError`] for bytes that are no table.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, TableError> {
        let Table { words, dimensions, weights, scales, packed } = Table::parse(bytes)?;
        let positions = words.into_iter().map(Into::into).zip(0..).collect();
        Ok(Self { id: ContentHash::of(bytes), positions, dimensions, weights, scales, packed: packed.into() })
    }
}

impl WordModel for WordVectors {
    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn id(&self) -> ContentHash {
        self.id
    }

    fn add(&self, word: &str, factor: f32, sum: &mut [f32]) -> bool {
        let Some(&position) = self.positions.get(stem(word).as_str()) else { return false };
        let at = position as usize;
        let half = self.dimensions / 2;
        let factor = factor * self.weights[at] * self.scales[at];
        let packed = &self.packed[at * half..(at + 1) * half];
        for (pair, byte) in sum.chunks_exact_mut(2).zip(packed) {
            pair[0] += factor * (f32::from(byte & 15) - ZERO);
            pair[1] += factor * (f32::from(byte >> 4) - ZERO);
        }
        true
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{
        super::{
            built_in_model,
            table::{MAGIC, TableError},
        },
        WordModel as _, WordVectors,
    };

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
        assert!(table.add("opened", 1.0, &mut sum));
        assert_eq!(rounded(sum), [3, -8]);
        assert!(table.add("read", 2.0, &mut sum));
        assert_eq!(rounded(sum), [1, 6]);
        assert!(!table.add("write", 1.0, &mut sum));
        assert_eq!(rounded(sum), [1, 6]);
    }

    #[test]
    fn bad_tables_are_refused() {
        let good = table(&[("a", [1, 1]), ("b", [1, 1])]);
        let parse = |bytes: &[u8]| WordVectors::parse(bytes).map(|_| ());
        assert_eq!(parse(&good), Ok(()));
        assert_eq!(parse(b""), Err(TableError::Signature));
        for length in MAGIC.len()..good.len() {
            assert_eq!(parse(&good[..length]), Err(TableError::Cut), "{length}");
        }
        assert_eq!(parse(&[&good[..], b"x"].concat()), Err(TableError::Rest));
        assert_eq!(parse(&table(&[("b", [1, 1]), ("a", [1, 1])])), Err(TableError::Words));
        let mut odd = good.clone();
        odd[MAGIC.len() + 4] = 3;
        assert_eq!(parse(&odd), Err(TableError::Dimensions));
        let mut huge = good;
        huge[MAGIC.len()..MAGIC.len() + 4].fill(0xff);
        assert!(parse(&huge).is_err());
    }

    #[test]
    fn the_table_of_the_program_has_the_stems_of_common_words() {
        let model = built_in_model();
        let words = ["retry", "connections", "timeout", "response", "serialize", "arguments", "directory", "queries"];
        for word in words {
            assert!(model.add(word, 1.0, &mut vec![0.0; model.dimensions()]), "{word}");
        }
    }
}
