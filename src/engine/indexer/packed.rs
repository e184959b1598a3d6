//! Facts at rest, between two builds.
//!
//! All of them wait for the few files that will change. As bytes they take an eighth of the room, and the pages that
//! their millions of small values lay in are free for something else.

use std::{
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::parsed_file::ParsedFile;
use crate::diagnostic::Problem;

/// What is kept of a file between two builds.
#[derive(Debug)]
pub(super) struct PackedFacts {
    /// What stands for its content.
    pub(super) content: u64,
    /// Its call sites.
    pub(super) calls: usize,
    /// What is wrong with it, with the line.
    pub(super) problems: Box<[(Problem, u32)]>,
    /// How many bytes its facts have before they are compressed.
    size: usize,
    /// Where in `packed` they are.
    place: Range<usize>,
    /// The facts of all files, one after the other: boxes of their own would lie between what is freed, and keep it.
    packed: Arc<Vec<u8>>,
}

impl PackedFacts {
    /// The facts that were packed.
    pub(super) fn unpack(&self) -> ParsedFile {
        let bytes = lz4_flex::block::decompress(self.bytes(), self.size).expect("bytes of this process");
        postcard::from_bytes(&bytes).expect("bytes of this process")
    }

    fn bytes(&self) -> &[u8] {
        &self.packed[self.place.clone()]
    }
}

/// Frees what is needed no longer on a thread that ends with it. A thread that goes on allocates next where it has freed
/// last: parts of the index, which stay, would keep the memory around them. And it does not wait.
pub(super) fn free<T: Send + 'static>(part: T) {
    let _ = std::thread::Builder::new().spawn(|| drop(part));
}

/// Packs files of some content, and those that are packed already together with them.
pub(super) fn pack(
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
    let pack = |(content, file): (u64, ParsedFile)| {
        let bytes = postcard::to_allocvec(&file).expect("tables of known length");
        let place = append(&lz4_flex::block::compress(&bytes));
        let (calls, problems) = (file.call_count(), file.problems().into());
        let kept = PackedFacts { content, calls, problems, size: bytes.len(), place, packed: Arc::clone(&none) };
        (file.path().clone(), kept)
    };
    let again = |(path, kept): (CompactString, PackedFacts)| {
        let place = append(kept.bytes());
        (path, PackedFacts { place, ..kept })
    };
    let mut all: FxHashMap<CompactString, PackedFacts> = files.map(pack).collect();
    all.extend(kept.into_iter().map(again));
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
    fn facts_are_the_same_after_a_rest() {
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
            let mut kept = pack(vec![(7, file)].into_par_iter(), FxHashMap::default());
            // And once more, which leaves them as they are.
            for _ in 0..2 {
                assert_eq!((kept[&path].content, kept[&path].calls), (7, calls));
                assert_eq!(format!("{:?}", kept[&path].unpack()), facts);
                kept = pack(rayon::iter::empty(), kept);
            }
        }
    }
}
