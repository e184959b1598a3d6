//! A file format whose content is verified when it is read: a mark, a version, a checksum, and the content. A file that
//! is damaged or of another version counts as missing. The cache keeps indexes and corpora in such files.

use std::{
    io::{self, Write},
    path::Path,
};

use apidisc::{files::RegularFile, hash::ContentHash};

/// The mark at the beginning of a file, which identifies the kind of its content.
pub(super) type Mark = [u8; 8];

/// The bytes in the file at `path`. `None` if there is no file, and for a file that is damaged or has another mark or
/// version.
pub(super) fn read(path: &Path, mark: Mark, version: ContentHash) -> Option<Vec<u8>> {
    let mut file = RegularFile::open(path).ok()?;
    let head = (mark.len() + 2 * ContentHash::BYTES) as u64;
    let marks = file.read_at(0, head).ok()?;
    let (marks, checksum) = marks.split_last_chunk::<{ ContentHash::BYTES }>()?;
    if marks.strip_prefix(&mark)? != version.bytes() {
        return None;
    }
    let size = file.len().checked_sub(head)?;
    let bytes = file.read_at(head, size).ok()?;
    (ContentHash::of(&bytes) == ContentHash::from_bytes(*checksum)).then_some(bytes)
}

/// Writes a file with this content.
pub(super) fn write(out: &mut dyn Write, mark: Mark, version: ContentHash, bytes: &[u8]) -> io::Result<()> {
    [&mark[..], version.bytes(), ContentHash::of(bytes).bytes(), bytes]
        .into_iter()
        .try_for_each(|part| out.write_all(part))
}
