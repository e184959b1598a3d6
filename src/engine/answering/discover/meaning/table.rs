//! The bytes of a table of words with their vectors.
//!
//! The table that comes with the program is `words.table` beside this file; the scripts in `assets/model` train and
//! write such tables. The build reads it, too, so that no program is built with a broken table. All numbers are little
//! endian:
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

use thiserror::Error;

pub(super) const MAGIC: &[u8] = b"apidisc words 1\n";
/// The greatest number of dimensions of a table.
const MAX_DIMENSIONS: usize = 2_048;

/// The parts of a table.
#[derive(Debug)]
pub(super) struct Table<'b> {
    /// Sorted.
    pub words: Vec<&'b str>,
    pub(super) dimensions: usize,
    pub(super) weights: Vec<f32>,
    pub(super) scales: Vec<f32>,
    /// The vectors, in the form of the file.
    pub(super) packed: &'b [u8],
}

/// The reason why bytes are no table of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum TableError {
    /// The bytes do not begin with the signature of this version.
    #[error("it does not begin with the signature of a table of words, version 1")]
    Signature,
    /// The bytes end too early.
    #[error("it is cut off")]
    Cut,
    /// The number of dimensions is odd, 0 or too great.
    #[error("its number of dimensions is odd, 0 or above {MAX_DIMENSIONS}")]
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

impl<'b> Table<'b> {
    /// Reads a table.
    ///
    /// # Errors
    /// [`TableError`] for bytes that are not in the form of this module's documentation.
    pub(super) fn parse(bytes: &'b [u8]) -> Result<Self, TableError> {
        let mut rest = Reader(bytes.strip_prefix(MAGIC).ok_or(TableError::Signature)?);
        let count = rest.number()? as usize;
        let dimensions = rest.number()? as usize;
        if dimensions == 0 || !dimensions.is_multiple_of(2) || dimensions > MAX_DIMENSIONS {
            return Err(TableError::Dimensions);
        }
        let mut words: Vec<&str> = Vec::new();
        for _ in 0..count {
            let length = rest.take(1)?[0];
            let word = str::from_utf8(rest.take(usize::from(length))?).map_err(|_| TableError::Words)?;
            if words.last().is_some_and(|last| word <= *last) {
                return Err(TableError::Words);
            }
            words.push(word);
        }
        let weights = rest.floats(count)?;
        let scales = rest.floats(count)?;
        let packed = rest.take(count.checked_mul(dimensions / 2).ok_or(TableError::Cut)?)?;
        if !rest.0.is_empty() {
            return Err(TableError::Rest);
        }
        Ok(Self { words, dimensions, weights, scales, packed })
    }
}

/// The bytes of a table that are not read yet.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn take(&mut self, length: usize) -> Result<&'b [u8], TableError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(TableError::Cut)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, TableError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(TableError::Cut)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*bytes))
    }

    fn floats(&mut self, count: usize) -> Result<Vec<f32>, TableError> {
        let bytes = self.take(count.checked_mul(4).ok_or(TableError::Cut)?)?;
        let floats = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        let floats: Vec<f32> = floats.collect();
        if floats.iter().all(|float| float.is_finite()) { Ok(floats) } else { Err(TableError::Numbers) }
    }
}
