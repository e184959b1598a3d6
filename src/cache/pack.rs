//! A pack: one file with the facts of a source and the contents that the source had.
//!
//! ```text
//! MAGIC  version  counts      the version of facts; how many facts and files, bytes of paths and of facts
//! table                       per facts: key, offset, size, checksum
//! files                       per file of the source: short hash of the content, length of the path
//! paths                       the paths of these files, one after the other
//! checksum                    of everything above
//! facts                       the bytes that the table points into
//! ```
//!
//! Numbers are little endian. A damaged pack counts as missing, and so do facts whose checksum is wrong.

use std::{
    io::{self, Write},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use apidisc::{
    files::RegularFile,
    hash::ContentHash,
    indexer::{FactsBytes, FactsKey},
    source::Contents,
};

const MAGIC: &[u8; 8] = b"apifacts";
/// The size in bytes of the parts before the table.
const HEAD_BYTES: usize = MAGIC.len() + ContentHash::BYTES + 4 * U64;
/// The size of a row of the table of facts, in bytes.
const ROW_BYTES: usize = ContentHash::BYTES + 3 * U64;
/// The size of the entry of a file without its path, in bytes.
const FILE_BYTES: usize = 2 * U64;
const U64: usize = size_of::<u64>();

/// A pack whose table has been read.
#[derive(Debug)]
pub(super) struct Pack {
    /// Sorted by key.
    table: Vec<Row>,
    contents: Contents,
    facts: FactsPlace,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    key: FactsKey,
    offset: u64,
    size: u64,
    checksum: u64,
}

/// The facts of a pack: in memory or in the file.
#[derive(Debug)]
enum FactsPlace {
    Memory(Arc<Vec<u8>>),
    /// In the file, from this offset on.
    File(Mutex<RegularFile>, u64),
}

impl Pack {
    /// Opens the pack at `path`. Its facts are read when they are asked for, or at once if `is_whole`. `None` if there
    /// is no file, and for a file that is no pack of this version.
    pub(super) fn open(path: &Path, version: ContentHash, is_whole: bool) -> Option<Self> {
        let mut file = RegularFile::open(path).ok()?;
        let head = file.read_at(0, HEAD_BYTES as u64).ok()?;
        let mut parts = ByteReader(&head);
        let is_known = parts.take(MAGIC.len())? == MAGIC && parts.take(ContentHash::BYTES)? == version.bytes();
        let [rows, files, paths, facts] = [parts.number()?, parts.number()?, parts.number()?, parts.number()?];
        let tables = rows
            .checked_mul(ROW_BYTES as u64)?
            .checked_add(files.checked_mul(FILE_BYTES as u64)?)?
            .checked_add(paths)?
            .checked_add(ContentHash::BYTES as u64)?;
        let begin = tables.checked_add(HEAD_BYTES as u64)?;
        if !is_known || begin.checked_add(facts)? != file.len() {
            return None;
        }
        let tables = file.read_at(0, begin).ok()?;
        let (tables, checksum) = tables.split_last_chunk::<{ ContentHash::BYTES }>()?;
        if ContentHash::of(tables) != ContentHash::from_bytes(*checksum) {
            return None;
        }
        let mut parts = ByteReader(tables.get(HEAD_BYTES..)?);
        let table = (0..rows).map(|_| parts.row()).collect::<Option<Vec<Row>>>()?;
        let files = (0..files).map(|_| Some((parts.number()?, parts.number()?))).collect::<Option<Vec<_>>>()?;
        let with_path = |(content, length): (u64, u64)| {
            let path = parts.take(usize::try_from(length).ok()?)?;
            Some((std::str::from_utf8(path).ok()?.into(), content))
        };
        let contents = Contents::new(files.into_iter().map(with_path).collect::<Option<_>>()?);
        let facts = if is_whole {
            FactsPlace::Memory(Arc::new(file.read_at(begin, facts).ok()?))
        } else {
            FactsPlace::File(Mutex::new(file), begin)
        };
        Some(Self { table, contents, facts })
    }

    /// The facts under a key; `None` if the pack does not have them or if their checksum is wrong.
    pub(super) fn get(&self, key: FactsKey) -> Option<FactsBytes> {
        let row = self.table[self.table.binary_search_by_key(&key, |row| row.key).ok()?];
        let bytes = match &self.facts {
            FactsPlace::Memory(all) => {
                let offset = usize::try_from(row.offset).ok()?;
                FactsBytes::new(Arc::clone(all), offset..offset.checked_add(usize::try_from(row.size).ok()?)?)?
            }
            FactsPlace::File(file, begin) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                FactsBytes::from(file.read_at(begin.checked_add(row.offset)?, row.size).ok()?)
            }
        };
        (checksum(key, &bytes) == row.checksum).then_some(bytes)
    }

    /// The files of the source when the pack was written.
    pub(super) fn contents(&self) -> &Contents {
        &self.contents
    }

    /// As [`Self::contents`], but consumes the pack.
    pub(super) fn into_contents(self) -> Contents {
        self.contents
    }

    /// The number of facts.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }
}

/// Writes a pack. `facts` are sorted by key, no key twice.
pub(super) fn write(
    out: &mut dyn Write,
    version: ContentHash,
    facts: &[(FactsKey, FactsBytes)],
    contents: &Contents,
) -> io::Result<()> {
    let files = contents.files();
    let paths: usize = files.iter().map(|(path, _)| path.len()).sum();
    let size: usize = facts.iter().map(|(_, bytes)| bytes.len()).sum();
    let mut tables = Vec::with_capacity(HEAD_BYTES + facts.len() * ROW_BYTES + files.len() * FILE_BYTES + paths);
    tables.extend_from_slice(MAGIC);
    tables.extend_from_slice(version.bytes());
    for count in [facts.len(), files.len(), paths, size] {
        tables.extend_from_slice(&(count as u64).to_le_bytes());
    }
    let mut offset = 0;
    for (key, bytes) in facts {
        tables.extend_from_slice(key.bytes());
        for number in [offset, bytes.len() as u64, checksum(*key, bytes)] {
            tables.extend_from_slice(&number.to_le_bytes());
        }
        offset += bytes.len() as u64;
    }
    for (path, content) in files {
        tables.extend_from_slice(&content.to_le_bytes());
        tables.extend_from_slice(&(path.len() as u64).to_le_bytes());
    }
    for (path, _) in files {
        tables.extend_from_slice(path.as_bytes());
    }
    out.write_all(&tables)?;
    out.write_all(ContentHash::of(&tables).bytes())?;
    facts.iter().try_for_each(|(_, bytes)| out.write_all(bytes))
}

fn checksum(key: FactsKey, bytes: &[u8]) -> u64 {
    ContentHash::of_parts(&[key.bytes(), bytes]).short()
}

/// Reads numbers and pieces from the front of bytes.
struct ByteReader<'b>(&'b [u8]);

impl<'b> ByteReader<'b> {
    fn take(&mut self, size: usize) -> Option<&'b [u8]> {
        let (part, rest) = self.0.split_at_checked(size)?;
        self.0 = rest;
        Some(part)
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(U64)?.try_into().ok()?))
    }

    fn hash(&mut self) -> Option<ContentHash> {
        Some(ContentHash::from_bytes(self.take(ContentHash::BYTES)?.try_into().ok()?))
    }

    fn row(&mut self) -> Option<Row> {
        let key = FactsKey::from_bytes(*self.hash()?.bytes());
        Some(Row { key, offset: self.number()?, size: self.number()?, checksum: self.number()? })
    }
}
