//! Facts at rest, between two builds.
//!
//! All of them wait for the few files that will change. As bytes they take an eighth of the room, and the pages that
//! their millions of small values lay in are free for something else.

use serde::{Serialize, de::DeserializeOwned};

use super::parsed::ParsedFile;
use crate::engine::diagnostic::Problem;

/// What is kept of a file between two builds.
#[derive(Debug)]
pub(super) struct Kept {
    /// What stands for its content.
    pub(super) content: u64,
    /// Its call sites.
    pub(super) calls: usize,
    /// What is wrong with it, with the line.
    pub(super) problems: Box<[(Problem, u32)]>,
    facts: Packed,
}

impl Kept {
    /// Packs the facts of a file of that content.
    pub(super) fn new(content: u64, file: &ParsedFile) -> Self {
        Self { content, calls: file.calls(), problems: file.problems().into(), facts: Packed::new(file) }
    }

    /// The facts that were packed.
    pub(super) fn unpack(&self) -> ParsedFile {
        match &self.facts {
            Packed::Python(bytes) => ParsedFile::Python(Box::new(bytes.value())),
            Packed::TypeScript(bytes) => ParsedFile::TypeScript(Box::new(bytes.value())),
        }
    }
}

/// The facts of one file as bytes that only this process reads.
#[derive(Debug)]
enum Packed {
    Python(Bytes),
    TypeScript(Bytes),
}

/// A compressed value.
#[derive(Debug)]
struct Bytes {
    /// How many bytes it has before it is compressed.
    size: usize,
    compressed: Box<[u8]>,
}

impl Packed {
    fn new(file: &ParsedFile) -> Self {
        match file {
            ParsedFile::Python(file) => Self::Python(Bytes::new(file)),
            ParsedFile::TypeScript(file) => Self::TypeScript(Bytes::new(file)),
        }
    }
}

impl Bytes {
    fn new(value: &impl Serialize) -> Self {
        let bytes = postcard::to_allocvec(value).expect("tables of known length");
        Self { size: bytes.len(), compressed: lz4_flex::block::compress(&bytes).into() }
    }

    fn value<T: DeserializeOwned>(&self) -> T {
        let bytes = lz4_flex::block::decompress(&self.compressed, self.size).expect("bytes of this process");
        postcard::from_bytes(&bytes).expect("bytes of this process")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{
        index::{Language, parsed},
        source::{self, Found, Source},
    };

    #[test]
    fn facts_are_the_same_after_a_rest() {
        let source = Source::Folder(env!("CARGO_MANIFEST_DIR").into());
        let found = |path: &str, language| Found { path: path.into(), size: 0, language };
        let files = [
            found("assets/demo/src/windvane/transport.py", Language::Python),
            found("src/engine/link/typescript/platform.d.ts", Language::TypeScript),
        ];
        for found in files {
            let text = source::read(&source, &found, &mut Vec::new()).expect("a file");
            let file = parsed::file(&found, text, &rustc_hash::FxHashSet::default());
            let kept = Kept::new(7, &file);
            assert_eq!((kept.content, kept.calls), (7, file.calls()));
            assert_eq!(format!("{:?}", kept.unpack()), format!("{file:?}"));
        }
    }
}
