//! A record of what was looked at on the disk, by which a later run of the program knows that it would find the same.
//!
//! [`listing`] notes every look of a thread while [`recorded`] runs on that thread. Nothing else in this package
//! touches the disk, so the record has everything that the thread looks at, except the sizes of files. The record does
//! not cover files whose code is read: a later run recognizes these files by hashes of their contents.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use apidisc_base::hash::ContentHash;
use serde::{Deserialize, Serialize};

use crate::listing;

thread_local! {
    /// The record of this thread, while [`recorded`] runs.
    static RECORD: RefCell<Option<Looks>> = const { RefCell::new(None) };
}

/// What a look asks about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Question {
    /// Whether a file or a folder is there.
    Kind,
    /// The path without symbolic links.
    RealPath,
    /// The entries of a folder.
    Entries,
    /// Whether a folder is there and cannot be listed.
    IsUnreadable,
    /// The text of a small file.
    Text,
}

/// Paths that were looked at, each with what was asked and a hash of the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looks(BTreeMap<(PathBuf, Question), [u8; ContentHash::BYTES]>);

/// A path that was looked at, with what was asked and the answer.
#[derive(Clone, Copy, Debug)]
pub struct Look<'l> {
    path: &'l Path,
    question: Question,
    answer: ContentHash,
}

impl Looks {
    /// The looks, in any order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Look<'_>> {
        self.0.iter().map(|((path, question), answer)| {
            let (question, answer) = (*question, ContentHash::from_bytes(*answer));
            Look { path, question, answer }
        })
    }
}

impl Look<'_> {
    /// True if the look would have the same answer now.
    pub fn is_current(&self) -> bool {
        let answer = match self.question {
            Question::Kind => hash_of_kind(listing::kind(self.path)),
            Question::RealPath => hash_of_path(listing::real_path(self.path).as_deref()),
            Question::Entries => hash_of_entries(&listing::entries(self.path)),
            Question::IsUnreadable => hash_of_flag(listing::is_unreadable(self.path)),
            Question::Text => hash_of_text(listing::text(self.path).as_deref()),
        };
        answer == self.answer
    }
}

/// Runs `look`, and records what this thread looks at meanwhile.
pub fn recorded<T>(look: impl FnOnce() -> T) -> (T, Looks) {
    let before = RECORD.replace(Some(Looks::default()));
    let found = look();
    (found, RECORD.replace(before).unwrap_or_default())
}

/// Adds a look to the record of this thread, if it has one.
pub(crate) fn note(path: &Path, question: Question, answer: impl FnOnce() -> ContentHash) {
    RECORD.with_borrow_mut(|record| {
        if let Some(Looks(record)) = record {
            record.insert((path.to_owned(), question), *answer().bytes());
        }
    });
}

pub(crate) fn hash_of_kind(kind: Option<listing::Kind>) -> ContentHash {
    let kind: &[u8] = match kind {
        None => b"none",
        Some(listing::Kind::File) => b"file",
        Some(listing::Kind::Folder) => b"folder",
        Some(listing::Kind::Other) => b"other",
    };
    ContentHash::of(kind)
}

pub(crate) fn hash_of_flag(flag: bool) -> ContentHash {
    ContentHash::of(&[u8::from(flag)])
}

pub(crate) fn hash_of_path(path: Option<&Path>) -> ContentHash {
    let parts: Vec<&[u8]> = path.map(|path| path.as_os_str().as_encoded_bytes()).into_iter().collect();
    ContentHash::of_parts(&parts)
}

pub(crate) fn hash_of_entries(entries: &[listing::Entry]) -> ContentHash {
    let kind = |entry: &listing::Entry| if entry.is_folder { b"folder".as_slice() } else { b"file" };
    let parts: Vec<&[u8]> = entries.iter().flat_map(|entry| [entry.name.as_bytes(), kind(entry)]).collect();
    ContentHash::of_parts(&parts)
}

pub(crate) fn hash_of_text(text: Option<&str>) -> ContentHash {
    let parts: Vec<&[u8]> = text.map(str::as_bytes).into_iter().collect();
    ContentHash::of_parts(&parts)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_look_is_current_until_its_answer_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "one").expect("a file");
        let look = || {
            listing::entries(folder.path());
            listing::text(&path("a"));
            listing::is_folder(&path("b"));
            listing::real_path(&path("c"));
        };
        let changed = |looks: &Looks| looks.iter().filter(|look| !look.is_current()).count();
        let ((), looks) = recorded(look);
        assert_eq!((looks.iter().len(), changed(&looks)), (4, 0));
        fs::write(path("a"), "two").expect("a file");
        assert_eq!(changed(&looks), 1, "the text");
        fs::create_dir(path("b")).expect("a folder");
        assert_eq!(changed(&looks), 3, "the text, the entries, the folder");
        fs::write(path("c"), "").expect("a file");
        assert_eq!(changed(&looks), 4, "all");
        let ((), looks) = recorded(look);
        assert_eq!(changed(&looks), 0);
    }

    #[test]
    fn looks_are_recorded_while_a_record_is_kept() {
        listing::text(Path::new("before"));
        let (((), inner), outer) = recorded(|| {
            listing::text(Path::new("outer"));
            recorded(|| assert!(listing::text(Path::new("inner")).is_none()))
        });
        listing::text(Path::new("after"));
        let paths = |looks: &Looks| looks.iter().map(|look| look.path.to_owned()).collect::<Vec<_>>();
        assert_eq!((paths(&outer), paths(&inner)), (vec!["outer".into()], vec!["inner".into()]));
    }
}
