//! An index that outlives the process: its bytes, and what it was made from, which tells whether it is still true.
//!
//! ```text
//! size        of the next part, 8 bytes, little endian
//! origin      the sources, their files and the problems of walking them
//! index       everything else, compressed
//! ```

use compact_str::CompactString;
use rayon::prelude::*;

use super::compressed::{compress_bytes, decompress_bytes};
use crate::{
    diagnostic::Diagnostic,
    hash::ContentHash,
    index::Index,
    packed::{Packed, Packer, Unpacker, packed_structs},
    source::{self, Contents, FileEntry, Roots, Source},
};

/// What an index was made from. Two sources of the same origin have the same index.
#[derive(Default)]
pub(super) struct IndexOrigin {
    /// The folder and the enclosing package of each source.
    roots: Vec<(CompactString, CompactString)>,
    /// Sorted by path.
    files: Vec<StampedFile>,
    /// The problems of the walk.
    diagnostics: Vec<Diagnostic>,
}

/// A file that an index was made from.
pub(super) struct StampedFile {
    path: CompactString,
    size: u64,
    /// See [`source::stamp`].
    stamp: ContentHash,
    /// The short hash of the content.
    content: u64,
}

packed_structs! {
    IndexOrigin { roots, files, diagnostics }
    StampedFile { path, size, stamp, content }
}

impl StampedFile {
    /// A file with these hashes of it.
    pub(super) fn new(file: &FileEntry, content: ContentHash, stamp: ContentHash) -> Self {
        Self { path: file.path.clone(), size: file.size, stamp, content: content.short() }
    }
}

impl IndexOrigin {
    /// The origin of an index of these files, in any order.
    pub(super) fn new(roots: &Roots, mut files: Vec<StampedFile>, diagnostics: Vec<Diagnostic>) -> Self {
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        files.shrink_to_fit();
        Self { roots: names(roots), files, diagnostics }
    }

    /// The files with the hashes of their contents.
    pub(super) fn contents(&self) -> Contents {
        Contents::new(self.files.iter().map(|file| (file.path.clone(), file.content)).collect())
    }

    /// True if a source as a walk has found it has this origin. Files whose sizes are equal are read.
    pub(super) fn is_same(
        &self,
        source: &Source,
        roots: &Roots,
        found: &[FileEntry],
        project: &[FileEntry],
        diagnostics: &[Diagnostic],
    ) -> bool {
        let mut entries: Vec<&FileEntry> = found.iter().chain(project).collect();
        entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        let is_listed = |(file, entry): (&StampedFile, &&FileEntry)| file.path == entry.path && file.size == entry.size;
        entries.len() == self.files.len()
            && self.files.iter().zip(&entries).all(is_listed)
            && self.diagnostics == diagnostics
            && self.roots == names(roots)
            && self.files.par_iter().zip(entries).all(|(file, entry)| source::stamp(source, entry) == file.stamp)
    }
}

fn names(roots: &Roots) -> Vec<(CompactString, CompactString)> {
    roots.iter().map(|root| (root.folder.clone(), root.enclosing.clone())).collect()
}

/// An index of this origin as bytes.
pub(super) fn pack(origin: &IndexOrigin, index: &Index) -> Vec<u8> {
    let mut inputs = Packer::default();
    origin.pack(&mut inputs);
    let inputs = inputs.finish();
    let mut packer = Packer::default();
    index.pack(&mut packer);
    let index = compress_bytes(&packer.finish());
    [&(inputs.len() as u64).to_le_bytes()[..], &inputs, &index].concat()
}

/// The index in `bytes` and its origin, if a source as a walk has found it has this origin. `None` if it has another
/// one, and for bytes that [`pack`] does not write.
pub(super) fn restore(
    bytes: &[u8],
    source: &Source,
    roots: &Roots,
    found: &[FileEntry],
    project: &[FileEntry],
    diagnostics: &[Diagnostic],
) -> Option<(IndexOrigin, Index)> {
    let (size, rest) = bytes.split_first_chunk()?;
    let (inputs, index) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*size)).ok()?)?;
    let origin = IndexOrigin::unpack(&mut Unpacker::new(inputs))?;
    if !origin.is_same(source, roots, found, project, diagnostics) {
        return None;
    }
    let unpack = || {
        let bytes = decompress_bytes(index)?;
        Index::unpack(&mut Unpacker::new(&bytes), source.metas(), origin.contents().into())
    };
    unpack().map(|index| (origin, index))
}
