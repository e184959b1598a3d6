//! The file of an index: a mark, the version of indexes, a checksum, and the bytes of the index. A file in which anything
//! is odd is none.

use std::{
    io::{self, Write},
    path::Path,
};

use apidisc::{files::RegularFile, hash::ContentHash};

const MAGIC: &[u8; 8] = b"apiindex";

/// The bytes of the index in the file at `path`. `None` if there is no file, and for a file that is no index of this
/// version.
pub(super) fn read(path: &Path, version: ContentHash) -> Option<Vec<u8>> {
    let mut file = RegularFile::open(path).ok()?;
    let head = (MAGIC.len() + 2 * ContentHash::BYTES) as u64;
    let marks = file.read_at(0, head).ok()?;
    let (marks, checksum) = marks.split_last_chunk::<{ ContentHash::BYTES }>()?;
    if marks.strip_prefix(MAGIC)? != version.bytes() {
        return None;
    }
    let size = file.len().checked_sub(head)?;
    let bytes = file.read_at(head, size).ok()?;
    (ContentHash::of(&bytes) == ContentHash::from_bytes(*checksum)).then_some(bytes)
}

/// Writes the file of an index.
pub(super) fn write(out: &mut dyn Write, version: ContentHash, index: &[u8]) -> io::Result<()> {
    [&MAGIC[..], version.bytes(), ContentHash::of(index).bytes(), index]
        .into_iter()
        .try_for_each(|part| out.write_all(part))
}
