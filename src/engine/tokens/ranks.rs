//! The ranks of an encoding's tokens, in some 4 MB.
//!
//! The library keeps a hundred thousand or two of them three times over, each token in an allocation of its own:
//! 30 MB that would stay for as long as the screen does. Counting needs one direction only.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use tiktoken_rs::CoreBPE;

/// Every token of an encoding by its bytes.
pub(super) struct Ranks {
    /// The tokens' bytes, one after the other by rank.
    bytes: Box<[u8]>,
    /// Where the bytes of each rank end. A rank that no token has is empty.
    ends: Box<[u32]>,
    /// Ranks by the hash of their bytes.
    by_hash: HashTable<u32>,
    /// Bytes of the longest token.
    longest: usize,
}

impl Ranks {
    /// Above every rank of every encoding.
    const LIMIT: u32 = 1 << 18;

    /// Takes the ordinary tokens out of the library's tokenizer.
    pub(super) fn of(library: &CoreBPE) -> Self {
        let special = library.special_tokens();
        let (mut bytes, mut ends, mut longest) = (Vec::new(), Vec::new(), 0);
        for rank in 0..Self::LIMIT {
            if let Ok(token) = library.decode_bytes(&[rank])
                && !std::str::from_utf8(&token).is_ok_and(|text| special.contains(text))
            {
                ends.resize(rank as usize, bytes.len() as u32);
                bytes.extend_from_slice(&token);
                ends.push(bytes.len() as u32);
                longest = longest.max(token.len());
            }
        }
        let mut ranks = Self {
            bytes: bytes.into(),
            by_hash: HashTable::with_capacity(ends.len()),
            ends: ends.into(),
            longest,
        };
        for rank in 0..ranks.ends.len() as u32 {
            let token = token(&ranks.bytes, &ranks.ends, rank);
            if !token.is_empty() {
                ranks.by_hash.insert_unique(hash(token), rank, |&other| {
                    hash(self::token(&ranks.bytes, &ranks.ends, other))
                });
            }
        }
        ranks
    }

    /// The rank of the token that consists of these bytes.
    pub(super) fn get(&self, bytes: &[u8]) -> Option<u32> {
        if bytes.len() > self.longest {
            return None;
        }
        self.by_hash.find(hash(bytes), |&rank| token(&self.bytes, &self.ends, rank) == bytes).copied()
    }
}

/// The bytes of a rank's token.
fn token<'a>(bytes: &'a [u8], ends: &[u32], rank: u32) -> &'a [u8] {
    let start = rank.checked_sub(1).map_or(0, |before| ends[before as usize]);
    &bytes[start as usize..ends[rank as usize] as usize]
}

fn hash(bytes: &[u8]) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::tokens::Encoding;

    #[test]
    fn every_ordinary_token_has_its_rank_and_no_special_one() {
        // Counts of the published files of ranks.
        for (encoding, tokens) in [
            (Encoding::O200kBase, 199_998),
            (Encoding::Cl100kBase, 100_256),
            (Encoding::P50kBase, 50_280),
            (Encoding::R50kBase, 50_256),
        ] {
            let library = encoding.library();
            let ranks = Ranks::of(&library);
            let mut found = 0;
            for rank in 0..Ranks::LIMIT {
                let Ok(token) = library.decode_bytes(&[rank]) else { continue };
                let is_special = library.special_tokens().iter().any(|text| text.as_bytes() == token);
                assert_eq!(ranks.get(&token), (!is_special).then_some(rank), "{encoding} {rank}");
                found += usize::from(!is_special);
            }
            assert_eq!(found, tokens, "{encoding}");
            assert_eq!(ranks.get(b""), None);
            assert_eq!(ranks.get(&[b'x'; 4_000]), None);
        }
    }
}
