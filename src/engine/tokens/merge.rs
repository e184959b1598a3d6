//! Byte pair encoding of one piece: the neighbours whose join has the lowest rank are joined first, the leftmost of
//! equals, until no two make a token.

use std::{cmp::Reverse, collections::BinaryHeap};

use smallvec::SmallVec;

use super::table::Table;

/// From so many bytes on a heap finds the next join; below, looking at all of them is faster.
const LONG: usize = 100;
/// The rank of a join that makes no token.
const NONE: u32 = u32::MAX;

/// Tokens that a piece is made of.
pub(super) fn count(ranks: &Table, piece: &[u8]) -> usize {
    match piece.len() {
        short @ (0 | 1) => short,
        _ if ranks.get(piece).is_some() => 1,
        short if short < LONG => count_short(ranks, piece),
        _ => count_long(ranks, piece),
    }
}

fn count_short(ranks: &Table, piece: &[u8]) -> usize {
    // Where each part starts, and the rank of its join with the next. The last one is the end.
    let mut parts: SmallVec<[(usize, u32); LONG + 1]> = (0..=piece.len())
        .map(|at| (at, piece.get(at..at + 2).and_then(|pair| ranks.get(pair)).unwrap_or(NONE)))
        .collect();
    loop {
        let lowest = (0..parts.len()).min_by_key(|&at| parts[at].1).unwrap_or(0);
        if parts[lowest].1 == NONE {
            return parts.len() - 1;
        }
        parts.remove(lowest + 1);
        for at in lowest.saturating_sub(1)..=lowest {
            let join = parts.get(at + 2).and_then(|&(end, _)| ranks.get(&piece[parts[at].0..end]));
            parts[at].1 = join.unwrap_or(NONE);
        }
    }
}

/// A part of a long piece, found by where it starts.
struct Part {
    /// Where the part before it starts.
    before: usize,
    /// Where it ends and the next one starts.
    end: usize,
    /// The rank of its join with the next.
    join: u32,
}

fn count_long(ranks: &Table, piece: &[u8]) -> usize {
    let mut parts: Vec<Part> =
        (0..piece.len()).map(|at| Part { before: at.saturating_sub(1), end: at + 1, join: NONE }).collect();
    let mut joins = BinaryHeap::with_capacity(piece.len());
    let rank = |parts: &mut [Part], joins: &mut BinaryHeap<_>, at: usize| {
        let join = parts.get(parts[at].end).and_then(|next| ranks.get(&piece[at..next.end]));
        parts[at].join = join.unwrap_or(NONE);
        joins.extend(join.map(|rank| Reverse((rank, at))));
    };
    for at in 0..piece.len() {
        rank(&mut parts, &mut joins, at);
    }
    let mut tokens = piece.len();
    while let Some(Reverse((join, at))) = joins.pop() {
        // What was joined since has another rank.
        if parts[at].join != join {
            continue;
        }
        let next = parts[at].end;
        let end = parts[next].end;
        parts[next].join = NONE;
        parts[at].end = end;
        if let Some(after) = parts.get_mut(end) {
            after.before = at;
        }
        rank(&mut parts, &mut joins, at);
        let before = parts[at].before;
        if before != at {
            rank(&mut parts, &mut joins, before);
        }
        tokens -= 1;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::super::Encoding;
    use super::*;

    #[test]
    fn both_ways_of_joining_count_alike() {
        let ranks = Encoding::R50kBase.table();
        let mut state = 7_usize;
        for length in (2..LONG).cycle().take(4_000) {
            // Few letters, so that joins overlap and ranks repeat.
            let piece: Vec<u8> = std::iter::repeat_with(|| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                b"aenst_ =\xc3\xa4"[(state >> 33) % 10]
            })
            .take(length)
            .collect();
            assert_eq!(count_short(&ranks, &piece), count_long(&ranks, &piece), "{piece:?}");
        }
    }
}
