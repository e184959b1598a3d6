//! The facts of files, compressed: between two builds, and between two runs of the program.
//!
//! The facts of a file are what the parser extracts from its text. A build keeps the facts of all files, because few
//! files change before the next build. Serialized and compressed, they take an eighth of the memory, and one allocation
//! replaces millions of small ones. A [`FactsStore`](super::FactsStore) keeps the same bytes.

use std::sync::{Arc, Mutex, PoisonError};

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    facts_store::{FactsBytes, FactsKey},
    parsed_file::{ParsedFile, Unit},
};
use apidisc_base::diagnostic::{LineRange, Problem};

/// The greatest number of bytes that LZ4 decompresses one byte to.
const MAX_RATIO: usize = 255;

/// The size of the number that precedes the compressed bytes, which is the number of decompressed bytes.
const SIZE_BYTES: usize = size_of::<u32>();

/// The facts of one file, compressed.
#[derive(Debug)]
pub(super) struct CompressedFacts {
    pub(super) key: FactsKey,
    /// The number of call sites.
    pub(super) call_count: usize,
    /// The problems of the text, each with its lines.
    pub(super) problems: Box<[(Problem, LineRange)]>,
    is_auxiliary: bool,
    /// The compressed facts, in one allocation with those of other files. Many small allocations would keep otherwise
    /// free memory pages from being returned to the operating system.
    pub(super) bytes: FactsBytes,
}

impl CompressedFacts {
    /// The facts that a store kept as `bytes`, both as compressed and as decoded facts. `None` if the bytes cannot be
    /// decoded.
    pub(super) fn restore(
        bytes: FactsBytes,
        path: &CompactString,
        key: FactsKey,
        is_auxiliary: bool,
    ) -> Option<(Self, ParsedFile)> {
        let file = ParsedFile::new(path.clone(), key, is_auxiliary, decode(&bytes)?);
        Some((Self::new(&file, bytes), file))
    }

    /// Restores the file at `path` with its facts.
    pub(super) fn decompress(&self, path: &CompactString) -> ParsedFile {
        let units = decode(&self.bytes).expect("bytes that this process wrote or has decoded before");
        ParsedFile::new(path.clone(), self.key, self.is_auxiliary, units)
    }

    fn new(file: &ParsedFile, bytes: FactsBytes) -> Self {
        Self {
            key: file.key(),
            call_count: file.call_count(),
            problems: file.problems().into(),
            is_auxiliary: file.is_auxiliary(),
            bytes,
        }
    }
}

/// Facts as bytes.
pub(super) fn encode(units: &[Unit]) -> Vec<u8> {
    compress_bytes(&postcard::to_allocvec(units).expect("tables of known length"))
}

/// Facts from bytes; `None` if [`encode`] does not write such bytes.
pub(super) fn decode(bytes: &[u8]) -> Option<Vec<Unit>> {
    postcard::from_bytes(&decompress_bytes(bytes)?).ok()
}

/// Compresses bytes; [`decompress_bytes`] is the inverse.
pub(super) fn compress_bytes(bytes: &[u8]) -> Vec<u8> {
    lz4_flex::block::compress_prepend_size(bytes)
}

/// The bytes that were compressed; `None` if [`compress_bytes`] does not write such bytes.
pub(super) fn decompress_bytes(bytes: &[u8]) -> Option<Vec<u8>> {
    let size = u32::from_le_bytes(*bytes.first_chunk::<SIZE_BYTES>()?);
    if size as usize > bytes.len().saturating_mul(MAX_RATIO) {
        return None;
    }
    lz4_flex::block::decompress_size_prepended(bytes).ok()
}

/// Drops `value` on a new thread, without waiting for it.
///
/// The allocator reuses freed memory in the thread that freed it. If the current thread dropped `value`, it would next
/// allocate long-lived parts of an index on the freed pages, which could then not be returned to the operating system.
pub(super) fn drop_on_new_thread<T: Send + 'static>(value: T) {
    let _ = std::thread::Builder::new().spawn(|| drop(value));
}

/// Compresses `files` into one new allocation, and copies the bytes of `compressed` into it. Returns all files by path.
pub(super) fn compress(
    files: impl ParallelIterator<Item = ParsedFile>,
    compressed: FxHashMap<CompactString, CompressedFacts>,
) -> FxHashMap<CompactString, CompressedFacts> {
    let bytes = Mutex::new(Vec::with_capacity(compressed.values().map(|facts| facts.bytes.len()).sum()));
    let append = |facts: &[u8]| {
        let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.extend_from_slice(facts);
        bytes.len() - facts.len()..bytes.len()
    };
    let compress_file = |file: ParsedFile| {
        let range = append(&encode(file.units()));
        (file.path().clone(), range, CompressedFacts::new(&file, FactsBytes::default()))
    };
    let copy = |(path, facts): (CompactString, CompressedFacts)| (path, append(&facts.bytes), facts);
    let mut all: Vec<_> = files.map(compress_file).collect();
    all.extend(compressed.into_iter().map(copy));
    let mut bytes = bytes.into_inner().unwrap_or_else(PoisonError::into_inner);
    bytes.shrink_to_fit();
    let bytes = Arc::new(bytes);
    let with_bytes = |(path, range, facts)| {
        let bytes = FactsBytes::new(Arc::clone(&bytes), range)?;
        Some((path, CompressedFacts { bytes, ..facts }))
    };
    all.into_iter().filter_map(with_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow::Continue;

    use apidisc_base::language::Language;
    use apidisc_facts::source::{self, FileEntry, Source};

    /// A file of this repository, parsed.
    fn parsed(path: &str, language: Language) -> ParsedFile {
        let source = Source::Folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../../..").into());
        let found = FileEntry { path: path.into(), size: 0, language: Some(language) };
        let read = source::read(&source, &found, &mut Vec::new());
        let key = FactsKey::new(&found, read.content);
        ParsedFile::parse(&found, &found.path, key, read.text.expect("a file"), &mut || Continue(()))
    }

    #[test]
    fn compressing_preserves_facts() {
        let files = [
            ("assets/demo/src/windvane/transport.py", Language::Python),
            ("src/engine/link/typescript/declarations/platform.d.ts", Language::TypeScript),
        ];
        for (path, language) in files {
            let file = parsed(path, language);
            let (path, key, calls, facts) = (file.path().clone(), file.key(), file.call_count(), format!("{file:?}"));
            let mut compressed = compress(vec![file].into_par_iter(), FxHashMap::default());
            // Compressing again copies the bytes.
            for _ in 0..2 {
                assert_eq!((compressed[&path].key, compressed[&path].call_count), (key, calls));
                assert_eq!(format!("{:?}", compressed[&path].decompress(&path)), facts);
                compressed = compress(rayon::iter::empty(), compressed);
            }
        }
    }

    #[test]
    fn bytes_that_are_no_facts_are_refused() {
        let bytes = encode(parsed("assets/demo/src/windvane/transport.py", Language::Python).units());
        assert!(decode(&bytes).is_some());
        for cut in 0..bytes.len() {
            assert!(decode(&bytes[..cut]).is_none(), "{cut}");
        }
        // A size that no compressed bytes reach reserves no memory.
        let vast = [&u32::MAX.to_le_bytes()[..], &bytes[SIZE_BYTES..]].concat();
        assert!(decode(&vast).is_none());
    }
}
