//! Reads the objects of git repositories, which may be hostile.
//!
//! A small repository may describe an enormous one: a tree may contain the same subtree twice, forty levels deep, and a
//! few compressed bytes may become gigabytes. So each object is read only if its size, which its header states, is
//! within a budget.

use git2::{Commit, ObjectType, Odb, Oid, Repository, Tree};

/// The size in bytes of the largest commit or tree that is read. The largest folders of known repositories have trees
/// of 2 MB.
const MAX_OBJECT_BYTES: usize = 16 << 20;

/// The work that may still be done on the objects of a repository.
#[derive(Clone, Debug)]
pub(super) struct ObjectBudget {
    /// The number of commits and trees that may be read.
    pub(super) objects: usize,
    /// The number of bytes that these may have together.
    pub(super) bytes: usize,
}

/// Why reading ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The caller no longer needs the answer.
    Replaced,
    /// A budget is used up.
    Limit,
    /// The object does not exist, is broken or larger than [`MAX_OBJECT_BYTES`].
    Unreadable,
}

/// Reads commits and trees of a repository within a budget.
pub(super) struct ObjectReader<'r> {
    repository: &'r Repository,
    database: Odb<'r>,
    budget: &'r mut ObjectBudget,
    is_replaced: &'r dyn Fn() -> bool,
}

impl<'r> ObjectReader<'r> {
    /// A reader that calls `is_replaced` before each object, and subtracts each object from `budget`.
    pub(super) fn new(
        repository: &'r Repository,
        budget: &'r mut ObjectBudget,
        is_replaced: &'r dyn Fn() -> bool,
    ) -> Option<Self> {
        Some(Self { repository, database: repository.odb().ok()?, budget, is_replaced })
    }

    /// The commit with this id.
    pub(super) fn commit(&mut self, id: Oid) -> Result<Commit<'r>, Stop> {
        self.charge(id, ObjectType::Commit)?;
        self.repository.find_commit(id).map_err(|_| Stop::Unreadable)
    }

    /// The tree with this id.
    pub(super) fn tree(&mut self, id: Oid) -> Result<Tree<'r>, Stop> {
        self.charge(id, ObjectType::Tree)?;
        self.repository.find_tree(id).map_err(|_| Stop::Unreadable)
    }

    /// Subtracts the size of an object from the budget, before the object is read. Fails if the object is too large or
    /// the budget is used up.
    fn charge(&mut self, id: Oid, expected: ObjectType) -> Result<(), Stop> {
        if (self.is_replaced)() {
            return Err(Stop::Replaced);
        }
        self.budget.objects = self.budget.objects.checked_sub(1).ok_or(Stop::Limit)?;
        let (size, kind) = self.database.read_header(id).map_err(|_| Stop::Unreadable)?;
        if kind != expected || size > MAX_OBJECT_BYTES {
            return Err(Stop::Unreadable);
        }
        self.budget.bytes = self.budget.bytes.checked_sub(size).ok_or(Stop::Limit)?;
        Ok(())
    }
}

/// The id of the commit that is checked out. No object is read, except for the header of the commit.
pub(super) fn head(repository: &Repository) -> Option<Oid> {
    let id = repository.head().ok()?.target()?;
    let (_, kind) = repository.odb().ok()?.read_header(id).ok()?;
    (kind == ObjectType::Commit).then_some(id)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_commit_that_is_checked_out_is_known_without_reading_it() {
        let root = tempfile::tempdir().expect("a folder");
        let repository = Repository::init(root.path()).expect("a repository");
        assert_eq!(head(&repository), None);
        let blob = repository.blob(b"no commit").expect("a blob");
        let mut name = repository.path().to_path_buf();
        name.push("HEAD");
        fs::write(&name, format!("{blob}\n")).expect("written");
        assert_eq!(head(&repository), None);
        // References that lead in a circle.
        fs::write(&name, "ref: refs/heads/a\n").expect("written");
        fs::write(repository.path().join("refs/heads/a"), "ref: refs/heads/b\n").expect("written");
        fs::write(repository.path().join("refs/heads/b"), "ref: refs/heads/a\n").expect("written");
        assert_eq!(head(&repository), None);
    }
}
