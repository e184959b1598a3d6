//! The compressed facts of files between two builds.
//!
//! Few files change from one build to the next, so the facts of the others are kept. Serialized and compressed they
//! take an eighth of the memory, and the memory of their millions of small values is free for other things.

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
pub(super) struct PackedFacts {
    /// The hash of its content.
    pub(super) content: u64,
    /// Its call sites.
    pub(super) calls: usize,
    /// Its problems, each with its line.
    pub(super) problems: Box<[(Problem, u32)]>,
    /// The size of its facts before compression, in bytes.
    size: usize,
    /// The position of its facts in `packed`.
    place: Range<usize>,
    /// The compressed facts of all files. One allocation: many small ones would keep the pages alive in which freed
    /// values lay.
    packed: Arc<Vec<u8>>,
}

impl PackedFacts {
    /// The facts.
    pub(super) fn decompress(&self) -> ParsedFile {
        let bytes = lz4_flex::block::decompress(self.bytes(), self.size).expect("bytes of this process");
        postcard::from_bytes(&bytes).expect("bytes of this process")
    }

    fn bytes(&self) -> &[u8] {
        &self.packed[self.place.clone()]
    }
}

/// Frees values on a thread of its own, which ends after that, so the caller does not wait. A thread that goes on would
/// allocate next where it has freed last: parts of the index, which stay, would keep the pages around them.
pub(super) fn free<T: Send + 'static>(value: T) {
    let _ = std::thread::Builder::new().spawn(|| drop(value));
}

/// Compresses the facts of files, each with the hash of its content, into one allocation together with those that are
/// compressed already.
pub(super) fn compress(
    files: impl ParallelIterator<Item = (u64, ParsedFile)>,
    kept: FxHashMap<CompactString, PackedFacts>,
) -> FxHashMap<CompactString, PackedFacts> {
    let packed = Mutex::new(Vec::with_capacity(kept.values().map(|kept| kept.place.len()).sum()));
    let append = |bytes: &[u8]| {
        let mut packed = packed.lock().unwrap_or_else(PoisonError::into_inner);
        packed.extend_from_slice(bytes);
        packed.len() - bytes.len()..packed.len()
    };
    let none = Arc::default();
    let compress_file = |(content, file): (u64, ParsedFile)| {
        let bytes = postcard::to_allocvec(&file).expect("tables of known length");
        let place = append(&lz4_flex::block::compress(&bytes));
        let (calls, problems) = (file.call_count(), file.problems().into());
        let kept = PackedFacts { content, calls, problems, size: bytes.len(), place, packed: Arc::clone(&none) };
        (file.path().clone(), kept)
    };
    let copy = |(path, kept): (CompactString, PackedFacts)| {
        let place = append(kept.bytes());
        (path, PackedFacts { place, ..kept })
    };
    let mut all: FxHashMap<CompactString, PackedFacts> = files.map(compress_file).collect();
    all.extend(kept.into_iter().map(copy));
    let mut packed = packed.into_inner().unwrap_or_else(PoisonError::into_inner);
    packed.shrink_to_fit();
    let packed = Arc::new(packed);
    for kept in all.values_mut() {
        kept.packed = Arc::clone(&packed);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        language::Language,
        source::{self, FoundFile, Source},
    };

    #[test]
    fn facts_are_the_same_after_compression() {
        let source = Source::Folder(concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into());
        let found = |path: &str, language| FoundFile { path: path.into(), size: 0, language };
        let files = [
            found("assets/demo/src/windvane/transport.py", Language::Python),
            found("src/engine/link/typescript/platform.d.ts", Language::TypeScript),
        ];
        for found in files {
            let text = source::read(&source, &found, &mut Vec::new()).expect("a file");
            let file = ParsedFile::parse(&found, text, &rustc_hash::FxHashSet::default());
            let (path, calls, facts) = (file.path().clone(), file.call_count(), format!("{file:?}"));
            let mut kept = compress(vec![(7, file)].into_par_iter(), FxHashMap::default());
            // Compressing again copies them.
            for _ in 0..2 {
                assert_eq!((kept[&path].content, kept[&path].calls), (7, calls));
                assert_eq!(format!("{:?}", kept[&path].decompress()), facts);
                kept = compress(rayon::iter::empty(), kept);
            }
        }
    }
}
