//! The files that an index was made from, as `$meta` writes them: per folder, the hash of each file.

use std::fmt;

use compact_str::{CompactString, format_compact};
use indexmap::IndexMap;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, Unexpected, Visitor},
};

use apidisc_facts::source::Contents;

/// The folder of files that are in no folder.
const ROOT: &str = ".";

/// The short hash of a file, written as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileHash(u64);

/// Files by folder.
pub(super) type Folders = IndexMap<CompactString, IndexMap<CompactString, FileHash>>;

/// The files of `contents` by folder, in the order of their paths.
pub(super) fn folders(contents: &Contents) -> Folders {
    let mut folders = Folders::new();
    for (path, hash) in contents.files() {
        let (folder, name) = path.rsplit_once('/').unwrap_or((ROOT, path));
        folders.entry(folder.into()).or_default().insert(name.into(), FileHash(*hash));
    }
    folders
}

/// The files that [`folders`] wrote.
pub(super) fn contents(folders: &Folders) -> Contents {
    let files = folders.iter().flat_map(|(folder, files)| files.iter().map(move |(name, hash)| (folder, name, hash)));
    let path = |folder: &CompactString, name: &CompactString| {
        if folder == ROOT { name.clone() } else { format_compact!("{folder}/{name}") }
    };
    Contents::new(files.map(|(folder, name, hash)| (path(folder, name), hash.0)).collect())
}

impl Serialize for FileHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for FileHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Digits;
        impl Visitor<'_> for Digits {
            type Value = FileHash;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("16 hexadecimal digits")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<FileHash, E> {
                let is_hash = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
                let hash = is_hash.then(|| u64::from_str_radix(text, 16).ok()).flatten();
                hash.map(FileHash).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_str(Digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_read_as_they_were_written() {
        let files = [("a.py", 1), ("b/c.py", u64::MAX), ("b/d/e.py", 0x1234), ("b/d e/f.py", 0x0123_4567_8901_2345)];
        let original = Contents::new(files.iter().map(|&(path, hash)| (path.into(), hash)).collect());
        let text = serde_yaml::to_string(&folders(&original)).expect("a text");
        assert!(text.contains("b/d:\n  e.py: '0000000000001234'\n"), "{text}");
        assert_eq!(contents(&serde_yaml::from_str(&text).expect("the text")), original);
        for bad in [".: {a.py: 'x'}", ".: {a.py: '+000000000001234'}", ".: {a.py: '00000000000012345'}"] {
            assert!(serde_yaml::from_str::<Folders>(bad).is_err(), "{bad}");
        }
    }
}
