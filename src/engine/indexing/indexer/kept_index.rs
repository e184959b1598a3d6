//! An index that outlives the process: its bytes and its provenance, which tells whether the index is up to date.
//!
//! ```text
//! size        of the next part, 8 bytes, little endian
//! provenance  the sources, their files and the problems of walking them
//! size        of the next part, 8 bytes, little endian; 0 for an index without packages
//! packages    what was found of installed packages, compressed
//! index       everything else, compressed
//! ```

use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    compressed::{compress_bytes, decompress_bytes},
    libraries::FoundPackages,
};
use crate::index::Index;
use apidisc_base::{
    diagnostic::Diagnostic,
    hash::ContentHash,
    packed::{PackReader, PackWriter, Packed, packed_structs},
    sort::SharedSort as _,
};
use apidisc_facts::source::{self, Contents, FileEntry, Roots, Source, SourceMeta};

/// The inputs that an index was made from. Two sources with equal provenance have equal indexes.
#[derive(Default)]
pub(super) struct Provenance {
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
    /// The hash by which the file is recognized: see [`source::stamp`].
    stamp: ContentHash,
    content: ContentHash,
    /// Whether the file is auxiliary, for a file that was read without problems and whose stamp is known without
    /// reading it.
    is_auxiliary: Option<bool>,
}

/// The files of an earlier index that need not be read again if git still has the same object for them, by path.
#[derive(Default)]
pub(super) struct KnownFiles(FxHashMap<CompactString, StampedFile>);

packed_structs! {
    Provenance { roots, files, diagnostics }
    StampedFile { path, size, stamp, content, is_auxiliary }
}

impl StampedFile {
    /// A file with its hashes.
    pub(super) fn new(file: &FileEntry, content: ContentHash, stamp: ContentHash, is_auxiliary: Option<bool>) -> Self {
        Self { path: file.path.clone(), size: file.size, stamp, content, is_auxiliary }
    }
}

impl KnownFiles {
    /// The content of a file and whether the file is auxiliary, without reading it. `None` if the file has to be read.
    pub(super) fn find(&self, source: &Source, file: &FileEntry) -> Option<(ContentHash, bool)> {
        let known = self.0.get(&file.path)?;
        let is_auxiliary = known.is_auxiliary?;
        (source::object_stamp(source, file)? == known.stamp).then_some((known.content, is_auxiliary))
    }
}

impl Provenance {
    /// The provenance of an index of these files, in any order.
    pub(super) fn new(roots: &Roots, mut files: Vec<StampedFile>, diagnostics: Vec<Diagnostic>) -> Self {
        files.shared_sort_by(|a, b| a.path.cmp(&b.path));
        files.shrink_to_fit();
        Self { roots: names(roots), files, diagnostics }
    }

    /// The files with the hashes of their contents.
    pub(super) fn contents(&self) -> Contents {
        Contents::new(self.files.iter().map(|file| (file.path.clone(), file.content.short())).collect())
    }

    /// True if a source has this provenance. `found`, `project` and `diagnostics` are the results of walking the
    /// source. Files are read only if the paths and sizes of all files are equal.
    pub(super) fn is_same(
        &self,
        source: &Source,
        roots: &Roots,
        found: &[FileEntry],
        project: &[FileEntry],
        diagnostics: &[Diagnostic],
    ) -> bool {
        let mut entries: Vec<&FileEntry> = found.iter().chain(project).collect();
        entries.shared_sort_by(|a, b| a.path.cmp(&b.path));
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

/// An index of this provenance as bytes, with what was found of installed packages if they belong to the index. `None`
/// if the name of a file of a package cannot be written.
pub(super) fn pack(provenance: &Provenance, packages: Option<&FoundPackages>, index: &Index) -> Option<Vec<u8>> {
    let mut inputs = PackWriter::default();
    provenance.pack(&mut inputs);
    let inputs = inputs.finish();
    let packages = match packages {
        Some(packages) => compress_bytes(&postcard::to_allocvec(packages).ok()?),
        None => Vec::new(),
    };
    let mut writer = PackWriter::default();
    index.pack(&mut writer);
    let index = compress_bytes(&writer.finish());
    let sizes = [&inputs, &packages].map(|part| (part.len() as u64).to_le_bytes());
    Some([&sizes[0][..], &inputs, &sizes[1][..], &packages, &index].concat())
}

/// An index in the bytes that [`pack`] has written. The provenance is decoded, the rest is not.
pub(super) struct KeptIndex<'b> {
    pub(super) provenance: Provenance,
    packages: &'b [u8],
    index: &'b [u8],
}

impl<'b> KeptIndex<'b> {
    /// The index in `bytes`; `None` for bytes that [`pack`] does not write.
    pub(super) fn new(bytes: &'b [u8]) -> Option<Self> {
        let sized = |bytes: &'b [u8]| {
            let (size, rest) = bytes.split_first_chunk()?;
            rest.split_at_checked(usize::try_from(u64::from_le_bytes(*size)).ok()?)
        };
        let (inputs, rest) = sized(bytes)?;
        let (packages, index) = sized(rest)?;
        Some(Self { provenance: Provenance::unpack(&mut PackReader::new(inputs))?, packages, index })
    }

    /// Decodes what was found of installed packages; `None` for an index without packages.
    pub(super) fn packages(&self) -> Option<FoundPackages> {
        postcard::from_bytes(&decompress_bytes(self.packages)?).ok()
    }

    /// Decodes the index of these sources, if they have the same provenance.
    pub(super) fn unpack(&self, sources: Vec<SourceMeta>) -> Option<Index> {
        let bytes = decompress_bytes(self.index)?;
        Index::unpack(&mut PackReader::new(&bytes), sources, self.provenance.contents().into())
    }

    /// The files of the kept index, by which files of commits need not be read again.
    pub(super) fn into_known_files(self) -> KnownFiles {
        let known = self.provenance.files.into_iter().filter(|file| file.is_auxiliary.is_some());
        KnownFiles(known.map(|file| (file.path.clone(), file)).collect())
    }
}
