//! The merge ranks of an encoding: an open-addressing hash table from the bytes of a token to its rank.
//!
//! The build script writes the table with the functions of this module, and [`RankTable::get`] reads the written bytes
//! in place, so that nothing is loaded at start-up. All numbers are little-endian `u32`:
//!
//! | bytes | content |
//! | --- | --- |
//! | 4, 4, 4 | number of slots (a power of two), number of ranks, length of the longest token in bytes |
//! | 4 per slot | rank and hash tag of a token, see [`slot`], or [`EMPTY_SLOT`] |
//! | 4 per block of [`BLOCK`] ranks | where the first token of the block starts in the token bytes |
//! | 1 per rank, up to a multiple of 4 | the length of its token in bytes; 0 for a rank without a token |
//! | the remainder | token bytes in the order of their ranks |

/// A slot without a token. It differs from every occupied slot, since no token has the rank [`RANK_LIMIT`].
pub(super) const EMPTY_SLOT: u32 = u32::MAX;

/// The low bits of a slot hold the rank, the other bits hold the hash tag.
const RANK_BITS: u32 = 18;

/// Greater than every rank of every encoding; also the bit mask of the rank in a slot.
pub(super) const RANK_LIMIT: u32 = (1 << RANK_BITS) - 1;

/// The number of ranks whose tokens are found from one start, by adding lengths.
pub(super) const BLOCK: usize = 16;

/// The content of an occupied slot: the rank, and the low bits of the hash as a tag. The position of the slot depends
/// on the high bits only, so the tag avoids most comparisons with the bytes of other tokens.
pub(super) fn slot(rank: u32, hash: u64) -> u32 {
    rank | (hash as u32) << RANK_BITS
}

/// The positions of the slots that may hold a token with this hash, in probing order: linear probing that wraps around.
pub(super) fn probe(hash: u64, slots: usize) -> impl Iterator<Item = usize> {
    let first = (hash >> 32) as usize & (slots - 1);
    (first..slots).chain(0..first)
}

/// A hash that is the same on every machine, because a table may be built on one machine and read on another.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(bytes.len() as u64, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mixed = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    })
}

/// The ranks of all ordinary tokens of one encoding.
pub(super) struct RankTable<'a> {
    slots: &'a [[u8; 4]],
    /// By block of [`BLOCK`] ranks, the start of its first token in `token_bytes`.
    starts: &'a [[u8; 4]],
    /// By rank, the length of the token.
    lengths: &'a [u8],
    token_bytes: &'a [u8],
    longest_token: usize,
    /// Greater than the ranks of the encoding. The table may have those of a larger encoding, too.
    limit: u32,
}

impl<'a> RankTable<'a> {
    /// Reads the header of a table that the build script has written.
    ///
    /// # Panics
    ///
    /// If `written` is truncated.
    pub(super) fn new(written: &'a [u8]) -> Self {
        let (numbers, rest) = written.as_chunks::<4>().0.split_at(3);
        let [slots, ranks, longest_token] = [0, 1, 2].map(|at| u32::from_le_bytes(numbers[at]) as usize);
        let (slots, rest) = rest.split_at(slots);
        let starts = &rest[..ranks.div_ceil(BLOCK)];
        let rest = &written[4 * (numbers.len() + slots.len() + starts.len())..];
        let (lengths, token_bytes) = (&rest[..ranks], &rest[ranks.next_multiple_of(4)..]);
        Self { slots, starts, lengths, token_bytes, longest_token, limit: RANK_LIMIT }
    }

    /// The table of the encoding that has only the ranks below `limit`.
    #[allow(dead_code, reason = "the build script writes whole tables only")]
    pub(super) fn below(self, limit: u32) -> Self {
        Self { limit, ..self }
    }

    /// The rank of the token that consists of exactly these bytes.
    pub(super) fn get(&self, bytes: &[u8]) -> Option<u32> {
        if bytes.len() > self.longest_token {
            return None;
        }
        let hash = hash(bytes);
        for position in probe(hash, self.slots.len()) {
            let found = u32::from_le_bytes(self.slots[position]);
            let rank = found & RANK_LIMIT;
            if found == EMPTY_SLOT {
                return None;
            }
            if found == slot(rank, hash) && self.token(rank as usize) == bytes {
                return (rank < self.limit).then_some(rank);
            }
        }
        None
    }

    /// The bytes of the token with that rank.
    fn token(&self, rank: usize) -> &'a [u8] {
        let first = rank - rank % BLOCK;
        let before: usize = self.lengths[first..rank].iter().map(|length| usize::from(*length)).sum();
        let start = u32::from_le_bytes(self.starts[first / BLOCK]) as usize + before;
        &self.token_bytes[start..start + usize::from(self.lengths[rank])]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Encoding, tests::tiktoken};
    use super::*;

    #[test]
    fn every_ordinary_token_has_its_rank_and_special_tokens_have_none() {
        // The numbers of tokens in the published rank files.
        for (encoding, tokens) in [
            (Encoding::O200kBase, 199_998),
            (Encoding::Cl100kBase, 100_256),
            (Encoding::P50kBase, 50_280),
            (Encoding::R50kBase, 50_256),
        ] {
            let library = tiktoken(encoding);
            let table = encoding.rank_table();
            let mut found = 0;
            for rank in 0..RANK_LIMIT {
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
