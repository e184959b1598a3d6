//! A bounded cache of the token counts of lines.

use std::{
    hash::{BuildHasher, BuildHasherDefault},
    sync::{Mutex, PoisonError},
};

use rustc_hash::{FxHashMap, FxHasher};

/// Token counts by line. The cache is sharded, because all cores count lines at the same time.
#[derive(Default)]
pub(super) struct LineCountCache([Mutex<LineCountShard>; 16]);

#[derive(Default)]
struct LineCountShard {
    counts: FxHashMap<Box<str>, u32>,
    /// The estimated size of `counts`, in bytes.
    bytes: usize,
}

impl LineCountCache {
    /// A shard that grows beyond this number of bytes is emptied. The limit is small, because most lines of a large
    /// module are counted only once, and because the cache lives as long as the program, which may open many indexes.
    const MAX_SHARD_BYTES: usize = 64 << 10;
    /// The estimated size of an entry without its text, in bytes.
    const ENTRY_BYTES: usize = 48;

    /// The remembered count of a line; `count` computes it if the line is not in the cache.
    pub(super) fn get_or_insert_with(&self, line: &str, count: impl FnOnce() -> usize) -> usize {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(line);
        let shard = &self.0[(hash >> 32) as usize % self.0.len()];
        if let Some(&tokens) = shard.lock().unwrap_or_else(PoisonError::into_inner).counts.get(line) {
            return tokens as usize;
        }
        let tokens = count();
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        shard.bytes += line.len() + Self::ENTRY_BYTES;
        if shard.bytes > Self::MAX_SHARD_BYTES {
            *shard = LineCountShard::default();
        } else {
            shard.counts.insert(line.into(), tokens as u32);
        }
        tokens
    }
}
