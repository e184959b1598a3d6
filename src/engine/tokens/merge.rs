//! Byte-pair encoding of one pre-token. It begins with one token per byte. As long as two neighbouring tokens join to a
//! token of the vocabulary, it joins the pair with the lowest merge rank, the leftmost of equal ranks first.

use std::{cmp::Reverse, collections::BinaryHeap};

use smallvec::SmallVec;

use super::rank_table::RankTable;

/// From this length in bytes on, a heap finds the next pair to join; below it, a linear scan is faster.
const MIN_HEAP_LENGTH: usize = 100;
/// The rank of a pair that does not join to a token.
const NO_RANK: u32 = u32::MAX;

/// The number of tokens of a pre-token.
pub(super) fn count_tokens(ranks: &RankTable, pre_token: &[u8]) -> usize {
    match pre_token.len() {
        short @ (0 | 1) => short,
        _ if ranks.get(pre_token).is_some() => 1,
        short if short < MIN_HEAP_LENGTH => count_by_scanning(ranks, pre_token),
        _ => count_with_heap(ranks, pre_token),
    }
}

/// Finds each pair to join by a linear scan. The time is quadratic in the length of the pre-token. There is no
/// allocation if the pre-token is at most [`MIN_HEAP_LENGTH`] bytes long.
fn count_by_scanning(ranks: &RankTable, pre_token: &[u8]) -> usize {
    // The start of each token, and the rank of its pair with the next token. The last entry marks the end.
    let mut tokens: SmallVec<[(usize, u32); MIN_HEAP_LENGTH + 1]> = (0..=pre_token.len())
        .map(|at| (at, pre_token.get(at..at + 2).and_then(|pair| ranks.get(pair)).unwrap_or(NO_RANK)))
        .collect();
    loop {
        let lowest = (0..tokens.len()).min_by_key(|&at| tokens[at].1).unwrap_or(0);
        if tokens[lowest].1 == NO_RANK {
            return tokens.len() - 1;
        }
        tokens.remove(lowest + 1);
        for at in lowest.saturating_sub(1)..=lowest {
            let rank = tokens.get(at + 2).and_then(|&(end, _)| ranks.get(&pre_token[tokens[at].0..end]));
            tokens[at].1 = rank.unwrap_or(NO_RANK);
        }
    }
}

/// A token in a doubly linked list, which is indexed by the byte at which the token starts.
struct LinkedToken {
    /// The start of the previous token; the token's own start if it is the first.
    previous: usize,
    /// The end of this token, which is the start of the next one.
    end: usize,
    /// The rank of its pair with the next token.
    pair_rank: u32,
}

/// Finds each pair to join with a heap. The time is `O(n log n)` in the length of the pre-token.
fn count_with_heap(ranks: &RankTable, pre_token: &[u8]) -> usize {
    let mut tokens: Vec<LinkedToken> = (0..pre_token.len())
        .map(|at| LinkedToken { previous: at.saturating_sub(1), end: at + 1, pair_rank: NO_RANK })
        .collect();
    let mut pairs = BinaryHeap::with_capacity(pre_token.len());
    let rank_pair = |tokens: &mut [LinkedToken], pairs: &mut BinaryHeap<_>, at: usize| {
        let rank = tokens.get(tokens[at].end).and_then(|next| ranks.get(&pre_token[at..next.end]));
        tokens[at].pair_rank = rank.unwrap_or(NO_RANK);
        pairs.extend(rank.map(|rank| Reverse((rank, at))));
    };
    for at in 0..pre_token.len() {
        rank_pair(&mut tokens, &mut pairs, at);
    }
    let mut count = pre_token.len();
    while let Some(Reverse((rank, at))) = pairs.pop() {
        // The heap still holds pairs that a join has replaced. Their rank differs from the token's `pair_rank`.
        if tokens[at].pair_rank != rank {
            continue;
        }
        let next = tokens[at].end;
        let end = tokens[next].end;
        tokens[next].pair_rank = NO_RANK;
        tokens[at].end = end;
        if let Some(after) = tokens.get_mut(end) {
            after.previous = at;
        }
        rank_pair(&mut tokens, &mut pairs, at);
        let previous = tokens[at].previous;
        if previous != at {
            rank_pair(&mut tokens, &mut pairs, previous);
        }
        count -= 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::super::Encoding;
    use super::*;

    #[test]
    fn scanning_and_the_heap_count_alike() {
        let ranks = Encoding::R50kBase.rank_table();
        let mut state = 7_usize;
        for length in (2..MIN_HEAP_LENGTH).cycle().take(4_000) {
            // A small alphabet, so that pairs overlap and ranks repeat.
            let pre_token: Vec<u8> = std::iter::repeat_with(|| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                b"aenst_ =\xc3\xa4"[(state >> 33) % 10]
            })
            .take(length)
            .collect();
            assert_eq!(count_by_scanning(&ranks, &pre_token), count_with_heap(&ranks, &pre_token), "{pre_token:?}");
        }
    }
}
