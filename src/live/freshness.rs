//! Tells whether an index is stale, and which files have changed since it was made.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use apidisc::{
    indexer::{self, BuildError},
    source::{ContentChanges, Contents, Source},
};
use compact_str::CompactString;
use serde::Serialize;

/// The contents that an index was made from, and the time.
#[derive(Clone, Debug)]
pub struct IndexedContents {
    /// The files and their hashes.
    pub contents: Arc<Contents>,
    /// The time at which the index was made.
    pub time: SystemTime,
}

/// The answer of [`check_index`]. Its fields are the keys of the JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Freshness {
    /// True if a file differs, if the index is older than the allowed age, or if there is no index. Also true if the
    /// index was refreshed by this call.
    pub is_stale: bool,
    /// The age of the index; `None` if there is none.
    pub age_seconds: Option<u64>,
    /// Files whose content differs. The paths in this field and in the following two are relative to the root, and
    /// sorted.
    pub modified_files: Vec<CompactString>,
    /// Files that the index does not have.
    pub added_files: Vec<CompactString>,
    /// Files that no longer exist.
    pub removed_files: Vec<CompactString>,
    /// True if the call has made the index again.
    pub refreshed: bool,
}

/// Compares the contents that an index was made from with the present contents of its source. The source is walked and
/// read, not parsed. Without an index, every file counts as added.
///
/// # Errors
/// [`BuildError`] if the source cannot be opened.
pub fn check_index(
    source: &Source,
    indexed: Option<&IndexedContents>,
    max_age: Duration,
) -> Result<Freshness, BuildError> {
    let now = indexer::contents(source)?;
    let age = indexed.map(|indexed| SystemTime::now().duration_since(indexed.time).unwrap_or_default());
    let changes = now.changes_since(indexed.map_or(&Contents::default(), |indexed| &indexed.contents));
    let is_stale = age.is_none_or(|age| age > max_age) || !changes.is_empty();
    let ContentChanges { modified, added, removed } = changes;
    Ok(Freshness {
        is_stale,
        age_seconds: age.map(|age| age.as_secs()),
        modified_files: modified,
        added_files: added,
        removed_files: removed,
        refreshed: false,
    })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn source(files: &[(&str, &'static str)]) -> Source {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), Cow::Borrowed(text.as_bytes()))).collect();
        Source::Memory { name: "m".to_owned(), files }
    }

    #[test]
    fn an_index_is_stale_if_a_file_differs_or_time_has_passed() {
        let before = source(&[("a.py", "1"), ("b.py", "1"), ("c.txt", "1")]);
        let contents = Arc::new(indexer::contents(&before).expect("files"));
        let hour = Duration::from_hours(1);
        let check = |source: &Source, age| {
            let indexed = IndexedContents { contents: Arc::clone(&contents), time: SystemTime::now() - age };
            check_index(source, Some(&indexed), hour).expect("files")
        };
        let fresh = check(&before, hour / 2);
        assert_eq!((fresh.is_stale, fresh.age_seconds), (false, Some(1800)));
        let old = check(&before, 2 * hour);
        assert!(old.is_stale && old.modified_files.is_empty() && old.age_seconds == Some(7200));
        // Files that a build does not read do not make an index stale.
        assert!(!check(&source(&[("a.py", "1"), ("b.py", "1"), ("c.txt", "2")]), Duration::ZERO).is_stale);
        let changed = check(&source(&[("a.py", "2"), ("d.md", "1")]), Duration::ZERO);
        assert!(changed.is_stale);
        assert_eq!(changed.modified_files, ["a.py"]);
        assert_eq!((changed.added_files, changed.removed_files), (vec!["d.md".into()], vec!["b.py".into()]));
        // If the clock was set back, the age is 0.
        let ahead = IndexedContents { contents: Arc::clone(&contents), time: SystemTime::now() + hour };
        assert_eq!(check_index(&before, Some(&ahead), hour).expect("files").age_seconds, Some(0));
    }

    #[test]
    fn without_an_index_every_file_is_added() {
        let found = check_index(&source(&[("a.py", "1")]), None, Duration::MAX).expect("files");
        assert!(found.is_stale && found.age_seconds.is_none() && found.added_files == ["a.py"]);
    }
}
