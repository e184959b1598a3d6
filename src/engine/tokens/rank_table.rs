//! The merge ranks of an encoding: open-addressing hash tables from the bytes of a token to its rank.
//!
//! A table is built when it is first needed, which takes some milliseconds. Written into the program, the tables of all
//! encodings would be an eighth of it. Most texts need only the tokens of ASCII characters, so these have a table of
//! their own.

use std::{
    hash::{BuildHasher as _, Hasher as _},
    sync::OnceLock,
};

use rustc_hash::FxBuildHasher;

use super::vocabulary::{RANK_BITS, Tokens};

/// The low bits of a slot hold the rank, the other bits are those of the hash, as a tag. The position of a slot depends
/// on the low bits of the hash only, so the tag avoids most comparisons with the bytes of other tokens.
const RANK: u32 = (1 << RANK_BITS) - 1;

/// A slot without a token. It differs from every occupied slot, since no token has the rank [`RANK`].
const EMPTY: u32 = u32::MAX;

/// A list of tokens and the ranks of an encoding, see [`Tokens::read`].
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) list: &'static [u8],
    pub(super) ranks: &'static [u8],
}

/// The ranks of the ordinary tokens of one encoding.
pub(super) struct RankTable {
    ascii: Table,
    /// The tokens with other characters, or with a part of one, once a text has some.
    other: OnceLock<Table>,
    other_part: Part,
    limit: u32,
}

impl RankTable {
    /// The table of the tokens with ranks below `limit`: those of ASCII characters, and the others.
    pub(super) fn new([ascii, other_part]: [Part; 2], limit: u32) -> Self {
        Self { ascii: Table::new(ascii, limit), other: OnceLock::new(), other_part, limit }
    }

    /// The rank of the token that consists of exactly these bytes.
    pub(super) fn get(&self, bytes: &[u8]) -> Option<u32> {
        let is_ascii = bytes.is_ascii();
        let other = || self.other.get_or_init(|| Table::new(self.other_part, self.limit));
        if is_ascii { self.ascii.get(bytes) } else { other().get(bytes) }
    }
}

struct Table {
    slots: Vec<u32>,
    tokens: Tokens,
}

impl Table {
    fn new(part: Part, limit: u32) -> Self {
        let mut slots = vec![EMPTY; (Tokens::count(part.ranks) * 5 / 4 + 1).next_power_of_two()];
        let tokens = Tokens::read(part.list, part.ranks, limit, |rank, token| {
            let hash = hash(token);
            let mut at = hash as usize & (slots.len() - 1);
            while slots[at] != EMPTY {
                at = (at + 1) & (slots.len() - 1);
            }
            slots[at] = hash & !RANK | rank;
        });
        Self { slots, tokens }
    }

    fn get(&self, bytes: &[u8]) -> Option<u32> {
        let hash = hash(bytes);
        let mut at = hash as usize & (self.slots.len() - 1);
        // A fifth of the slots is empty.
        while self.slots[at] != EMPTY {
            let slot = self.slots[at];
            if (slot ^ hash) & !RANK == 0 && self.tokens.get(slot & RANK) == bytes {
                return Some(slot & RANK);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        None
    }
}

/// The low bits of a hash, which are its best.
fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = FxBuildHasher.build_hasher();
    hasher.write(bytes);
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::super::{Encoding, tests::tiktoken};
    use super::RANK;

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
            for rank in 0..RANK {
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
