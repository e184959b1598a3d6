//! Counts of lines that are likely to be counted again.

use std::{
    hash::{BuildHasher, BuildHasherDefault},
    sync::{Mutex, PoisonError},
};

use rustc_hash::{FxHashMap, FxHasher};

/// Counts by line. Sharded, since a scope's lines are counted on every core.
#[derive(Default)]
pub(super) struct Lines([Mutex<Shard>; 16]);

#[derive(Default)]
struct Shard {
    counts: FxHashMap<Box<str>, u32>,
    bytes: usize,
}

impl Lines {
    /// Above so many bytes a shard starts anew: most lines of a large scope are counted once, and indexes come and go in
    /// a long session.
    const LIMIT: usize = 64 << 10;
    /// What a line takes beside its text.
    const OVERHEAD: usize = 48;

    /// The line's count, which `count` finds if it is not remembered.
    pub(super) fn get_or_insert_with(&self, line: &str, count: impl FnOnce() -> usize) -> usize {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(line);
        let shard = &self.0[(hash >> 32) as usize % self.0.len()];
        if let Some(&tokens) = shard.lock().unwrap_or_else(PoisonError::into_inner).counts.get(line) {
            return tokens as usize;
        }
        let tokens = count();
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        shard.bytes += line.len() + Self::OVERHEAD;
        if shard.bytes > Self::LIMIT {
            *shard = Shard::default();
        } else {
            shard.counts.insert(line.into(), tokens as u32);
        }
        tokens
    }
}
