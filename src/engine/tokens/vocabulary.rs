//! The tokens of all encodings in lists, and the ranks of an encoding: small in the program and in its packages.
//!
//! The encodings share most of their tokens, and neighbours of a sorted list begin alike. So a list has, by token in
//! the order of its bytes, how many bytes it shares with the token before, and its further bytes. The build script
//! writes the lists and the ranks, [`Tokens::read`] reads them:
//!
//! | of the list | content |
//! | --- | --- |
//! | 4 bytes | the number of tokens, little-endian |
//! | 1 byte per token | in its high half the number of shared bytes, in its low half that of further bytes, see [`LONG`] |
//! | the remainder | for each token the numbers that are [`LONG`] or more, a byte each, then the further bytes |
//!
//! | of the ranks | content |
//! | --- | --- |
//! | 4, 4 bytes | the number of the encoding's tokens, and that of their bytes, little-endian |
//! | 1 byte | the number of bits of a rank, at most [`RANK_BITS`] |
//! | 1 bit per token of the list | whether the encoding has it; up to a full byte |
//! | the remainder | the ranks of these tokens, each in that many bits, lowest bits of a byte first; 4 zeros |

/// The greatest number of bits of a rank.
pub(super) const RANK_BITS: u8 = 18;

/// In half a byte: this number, or a greater one that a byte of the remainder holds.
pub(super) const LONG: u8 = 15;

/// The low bits of a place hold the length of a token.
const LENGTH_BITS: u32 = 8;

/// The tokens of an encoding by their ranks.
pub(super) struct Tokens {
    bytes: Vec<u8>,
    /// By rank, where the bytes of its token are: the first of `bytes`, and their number in the low bits.
    places: Vec<u32>,
}

impl Tokens {
    /// Reads the tokens whose ranks are below `limit`, and calls `each` with the rank and the bytes of each token.
    ///
    /// # Panics
    ///
    /// If the build script did not write the list and the ranks.
    pub(super) fn read(list: &[u8], ranks: &[u8], limit: u32, mut each: impl FnMut(u32, &[u8])) -> Self {
        let (count, list) = number(list);
        let (lengths, mut remainder) = list.split_at(count);
        let (_, ranks) = number(ranks);
        let (total, ranks) = number(ranks);
        let (bits, ranks) = (usize::from(ranks[0]), &ranks[1..]);
        let (members, ranks) = ranks.split_at(count.div_ceil(8));
        // The last token is written in full where another one may follow.
        let mut bytes = vec![0; total + usize::from(u8::MAX)];
        let mut places = vec![0; limit as usize];
        let (mut before, mut start, mut bit) = (0, 0, 0);
        for (number, length) in lengths.iter().enumerate() {
            let mut whole = |half| {
                if half < LONG {
                    return usize::from(half);
                }
                let byte = usize::from(remainder[0]);
                remainder = &remainder[1..];
                byte
            };
            let (shared, further) = (whole(length >> 4), whole(length & 15));
            if before < start {
                copy_within(&mut bytes, before, start, shared);
            }
            let end = start + shared + further;
            copy(remainder, &mut bytes[start + shared..], further);
            remainder = &remainder[further..];
            before = start;
            if members[number / 8] >> (number % 8) & 1 == 1 {
                let word = ranks[bit / 8..].first_chunk().expect("a rank is within four bytes");
                let rank = u32::from_le_bytes(*word) >> (bit % 8) & ((1 << bits) - 1);
                bit += bits;
                if let Some(place) = places.get_mut(rank as usize) {
                    *place = (start as u32) << LENGTH_BITS | (end - start) as u32;
                    each(rank, &bytes[start..end]);
                    start = end;
                }
            }
        }
        Self { bytes, places }
    }

    /// The number of an encoding's tokens, by its ranks.
    pub(super) fn count(ranks: &[u8]) -> usize {
        number(ranks).0
    }

    /// The bytes of the token with that rank; none for a rank without a token.
    pub(super) fn get(&self, rank: u32) -> &[u8] {
        let place = self.places[rank as usize];
        let start = (place >> LENGTH_BITS) as usize;
        &self.bytes[start..start + (place & ((1 << LENGTH_BITS) - 1)) as usize]
    }
}

/// The little-endian number at the beginning, and what follows.
fn number(bytes: &[u8]) -> (usize, &[u8]) {
    let (number, after) = bytes.split_first_chunk().expect("a number has four bytes");
    (u32::from_le_bytes(*number) as usize, after)
}

/// Most tokens are short: a copy of so many bytes, whatever is needed, takes no call of a function.
const SHORT: usize = 16;

/// Copies `length` bytes. What follows them may be overwritten.
fn copy(from: &[u8], to: &mut [u8], length: usize) {
    match (from.first_chunk::<SHORT>(), to.first_chunk_mut::<SHORT>()) {
        (Some(from), Some(to)) if length <= SHORT => *to = *from,
        _ => to[..length].copy_from_slice(&from[..length]),
    }
}

/// Copies `length` bytes to a later place. What follows them may be overwritten.
fn copy_within(bytes: &mut [u8], from: usize, to: usize, length: usize) {
    let short = bytes[from..].first_chunk::<SHORT>().copied();
    match (short, bytes[to..].first_chunk_mut::<SHORT>()) {
        (Some(short), Some(to)) if length <= SHORT => *to = short,
        _ => bytes.copy_within(from..from + length, to),
    }
}
