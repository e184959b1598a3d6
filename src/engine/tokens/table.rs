//! The ranks of an encoding's tokens, found by their bytes in a table that the build lays out: nothing is loaded.
//!
//! The build script has this module too, to write for [`Table::get`] what it reads. All numbers are little-endian:
//!
//! | bytes | what |
//! | --- | --- |
//! | 4, 4, 4 | slots, a power of two; ranks; bytes of the longest token |
//! | 4 a slot | rank and tag of a token, see [`slot`]; [`EMPTY`] |
//! | 4 a rank | where the bytes of its token end; a rank that no token has is empty |
//! | the rest | the tokens' bytes by rank |

/// A slot without a token. No rank is as high.
pub(super) const EMPTY: u32 = u32::MAX;

/// Bits of a slot that hold the rank; those above hold the tag.
const RANK_BITS: u32 = 18;

/// Above every rank of every encoding.
pub(super) const RANKS: u32 = (1 << RANK_BITS) - 1;

/// What a slot holds: a token's rank, and as a tag what the place of the slot does not tell of its hash, so that other
/// tokens are seldom looked at.
pub(super) fn slot(rank: u32, hash: u64) -> u32 {
    rank | (hash as u32) << RANK_BITS
}

/// The slots where a token may be, in the order in which they are filled.
pub(super) fn places(hash: u64, slots: usize) -> impl Iterator<Item = usize> {
    let first = (hash >> 32) as usize & (slots - 1);
    (first..slots).chain(0..first)
}

/// The same on every machine: the build's may be another than the one that counts.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(bytes.len() as u64, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mixed = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    })
}

/// Every ordinary token of an encoding by its bytes.
pub(super) struct Table<'a> {
    slots: &'a [[u8; 4]],
    ends: &'a [[u8; 4]],
    bytes: &'a [u8],
    longest: usize,
}

impl<'a> Table<'a> {
    /// The table in what the build wrote.
    ///
    /// # Panics
    ///
    /// If that is cut short.
    pub(super) fn new(written: &'a [u8]) -> Self {
        let (numbers, rest) = written.as_chunks::<4>().0.split_at(3);
        let [slots, ranks, longest] = [0, 1, 2].map(|at| u32::from_le_bytes(numbers[at]) as usize);
        let (slots, rest) = rest.split_at(slots);
        let ends = &rest[..ranks];
        let bytes = &written[4 * (numbers.len() + slots.len() + ends.len())..];
        Self { slots, ends, bytes, longest }
    }

    /// The rank of the token that consists of these bytes.
    pub(super) fn get(&self, bytes: &[u8]) -> Option<u32> {
        if bytes.len() > self.longest {
            return None;
        }
        let hash = hash(bytes);
        for place in places(hash, self.slots.len()) {
            let found = u32::from_le_bytes(self.slots[place]);
            let rank = found & RANKS;
            if found == EMPTY {
                return None;
            }
            if found == slot(rank, hash) && self.token(rank as usize) == bytes {
                return Some(rank);
            }
        }
        None
    }

    fn token(&self, rank: usize) -> &'a [u8] {
        let end = |rank: usize| u32::from_le_bytes(self.ends[rank]) as usize;
        &self.bytes[rank.checked_sub(1).map_or(0, end)..end(rank)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Encoding, tests::library};
    use super::*;

    #[test]
    fn every_ordinary_token_has_its_rank_and_no_special_one() {
        // Counts of the published files of ranks.
        for (encoding, tokens) in [
            (Encoding::O200kBase, 199_998),
            (Encoding::Cl100kBase, 100_256),
            (Encoding::P50kBase, 50_280),
            (Encoding::R50kBase, 50_256),
        ] {
            let library = library(encoding);
            let table = encoding.table();
            let mut found = 0;
            for rank in 0..RANKS {
                let Ok(token) = library.decode_bytes(&[rank]) else { continue };
                let is_special = library.special_tokens().iter().any(|text| text.as_bytes() == token);
                assert_eq!(table.get(&token), (!is_special).then_some(rank), "{encoding} {rank}");
                found += usize::from(!is_special);
            }
            assert_eq!(found, tokens, "{encoding}");
            assert_eq!(table.get(b""), None);
            assert_eq!(table.get(&[b'x'; 4_000]), None);
        }
    }
}
