//! The facts of files, compressed between two builds.
//!
//! The facts of a file are what the parser extracts from its text. A build keeps the facts of all files, because few
//! files change before the next build. Serialized and compressed, they take an eighth of the memory, and one allocation
//! replaces millions of small ones, whose memory pages return to the operating system.

use std::{
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::parsed_file::ParsedFile;
use crate::diagnostic::Problem;

/// The facts of one file, compressed.
#[derive(Debug)]
pub(super) struct CompressedFacts {
    /// The hash of the file's content.
    pub(super) content_hash: u64,
    /// The number of call sites.
    pub(super) call_count: usize,
    /// The problems of the text, each with its line.
    pub(super) problems: Box<[(Problem, u32)]>,
    /// The size of the serialized facts before compression, in bytes.
    size: usize,
    /// The position of the compressed facts in `bytes`.
    range: Range<usize>,
    /// The compressed facts of all files, in one allocation. Many small allocations would keep otherwise free memory
    /// pages from being returned to the operating system.
    bytes: Arc<Vec<u8>>,
}

impl CompressedFacts {
    /// Restores the file with its facts.
    pub(super) fn decompress(&self) -> ParsedFile {
        let bytes = lz4_flex::block::decompress(self.bytes(), self.size).expect("bytes that this process compressed");
        postcard::from_bytes(&bytes).expect("bytes that this process serialized")
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }
}

/// Drops `value` on a new thread, without waiting for it.
///
/// The allocator reuses freed memory in the thread that freed it. If the current thread dropped `value`, it would next
/// allocate long-lived parts of an index on the freed pages, which could then not be returned to the operating system.
pub(super) fn drop_on_new_thread<T: Send + 'static>(value: T) {
    let _ = std::thread::Builder::new().spawn(|| drop(value));
}

/// Compresses `files`, each given with its content hash, into one new allocation, and copies the bytes of `compressed`
/// into it. Returns all files by path.
pub(super) fn compress(
    files: impl ParallelIterator<Item = (u64, ParsedFile)>,
    compressed: FxHashMap<CompactString, CompressedFacts>,
) -> FxHashMap<CompactString, CompressedFacts> {
    let bytes = Mutex::new(Vec::with_capacity(compressed.values().map(|facts| facts.range.len()).sum()));
    let append = |facts: &[u8]| {
        let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.extend_from_slice(facts);
        bytes.len() - facts.len()..bytes.len()
    };
    let no_bytes = Arc::default();
    let compress_file = |(content_hash, file): (u64, ParsedFile)| {
        let serialized = postcard::to_allocvec(&file).expect("tables of known length");
        let facts = CompressedFacts {
            content_hash,
            call_count: file.call_count(),
            problems: file.problems().into(),
            size: serialized.len(),
            range: append(&lz4_flex::block::compress(&serialized)),
            bytes: Arc::clone(&no_bytes),
        };
        (file.path().clone(), facts)
    };
    let copy = |(path, facts): (CompactString, CompressedFacts)| {
        let range = append(facts.bytes());
        (path, CompressedFacts { range, ..facts })
    };
    let mut all: FxHashMap<CompactString, CompressedFacts> = files.map(compress_file).collect();
    all.extend(compressed.into_iter().map(copy));
    let mut bytes = bytes.into_inner().unwrap_or_else(PoisonError::into_inner);
    bytes.shrink_to_fit();
    let bytes = Arc::new(bytes);
    for facts in all.values_mut() {
        facts.bytes = Arc::clone(&bytes);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow::Continue;

    use crate::{
        language::Language,
        source::{self, FileEntry, Source},
    };

    #[test]
    fn compressing_preserves_facts() {
        let source = Source::Folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into());
        let found = |path: &str, language| FileEntry { path: path.into(), size: 0, language: Some(language) };
        let files = [
            found("assets/demo/src/windvane/transport.py", Language::Python),
            found("src/engine/link/typescript/platform.d.ts", Language::TypeScript),
        ];
        for found in files {
            let text = source::read(&source, &found, &mut Vec::new()).expect("a file");
            let file = ParsedFile::parse(&found, text, &mut || Continue(())).expect("facts");
            let (path, calls, facts) = (file.path().clone(), file.call_count(), format!("{file:?}"));
            let mut compressed = compress(vec![(7, file)].into_par_iter(), FxHashMap::default());
            // Compressing again copies the bytes.
            for _ in 0..2 {
                assert_eq!((compressed[&path].content_hash, compressed[&path].call_count), (7, calls));
                assert_eq!(format!("{:?}", compressed[&path].decompress()), facts);
                compressed = compress(rayon::iter::empty(), compressed);
            }
        }
    }
}
