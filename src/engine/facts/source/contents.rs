//! The files that an index was made from, with their content hashes, which tell whether the index is stale.

use compact_str::CompactString;

/// The files of a source and the [short](apidisc_base::hash::ContentHash::short) hashes of their contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Sorted by path.
    files: Vec<(CompactString, u64)>,
}

/// The files in which two states of a source differ, as sorted paths from its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentChanges {
    /// Files whose content differs.
    pub modified: Vec<CompactString>,
    /// Files that only the later state has.
    pub added: Vec<CompactString>,
    /// Files that only the earlier state has.
    pub removed: Vec<CompactString>,
}

impl ContentChanges {
    /// True if the two states are equal.
    pub fn is_empty(&self) -> bool {
        self.modified.is_empty() && self.added.is_empty() && self.removed.is_empty()
    }
}

impl Contents {
    /// Files in any order, no path twice.
    pub fn new(mut files: Vec<(CompactString, u64)>) -> Self {
        files.sort_unstable();
        files.shrink_to_fit();
        Self { files }
    }

    /// The files, sorted by path.
    pub fn files(&self) -> &[(CompactString, u64)] {
        &self.files
    }

    /// The hash of the file at `path`.
    pub fn of_file(&self, path: &str) -> Option<u64> {
        let found = self.files.binary_search_by(|(other, _)| other.as_str().cmp(path)).ok()?;
        Some(self.files[found].1)
    }

    /// The differences from the contents `earlier`.
    pub fn changes_since(&self, earlier: &Self) -> ContentChanges {
        let mut changes = ContentChanges::default();
        let mut before = earlier.files.iter().peekable();
        for (path, content) in &self.files {
            while let Some((removed, _)) = before.next_if(|(other, _)| other < path) {
                changes.removed.push(removed.clone());
            }
            match before.next_if(|(other, _)| other == path) {
                Some((_, other)) if other == content => {}
                Some(_) => changes.modified.push(path.clone()),
                None => changes.added.push(path.clone()),
            }
        }
        changes.removed.extend(before.map(|(path, _)| path.clone()));
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use apidisc_base::hash::ContentHash;

    #[test]
    fn changes_are_named_by_their_paths() {
        let contents = |files: &[(&str, &str)]| {
            let hash = |text: &str| ContentHash::of(text.as_bytes()).short();
            Contents::new(files.iter().map(|(path, text)| ((*path).into(), hash(text))).collect())
        };
        let before = contents(&[("b.py", "1"), ("a.py", "1"), ("d.py", "1"), ("f.py", "1")]);
        let after = contents(&[("a.py", "1"), ("b.py", "2"), ("c.py", "1"), ("e.py", "1")]);
        let changes = after.changes_since(&before);
        assert_eq!(changes.modified, ["b.py"]);
        assert_eq!(changes.added, ["c.py", "e.py"]);
        assert_eq!(changes.removed, ["d.py", "f.py"]);
        assert!(after.changes_since(&after).is_empty() && !changes.is_empty());
    }
}
