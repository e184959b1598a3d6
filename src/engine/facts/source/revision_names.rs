//! The names by which a person may call the commits of a repository.

use std::{cmp::Reverse, path::Path};

use git2::{ObjectType, Repository};

use super::git::{self, GitFolder};

/// The greatest number of branches and tags that are looked at.
const MAX_REFERENCES: usize = 10_000;

/// A branch or a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionName {
    /// The name, without `refs/heads/` or `refs/tags/`.
    pub name: String,
    /// True for a tag.
    pub is_tag: bool,
}

/// The branches and tags of the repository whose working tree, or whose own folder, is `folder`; those with the newest
/// commits first. Empty without a repository that can be read.
pub fn revision_names(folder: &Path) -> Vec<RevisionName> {
    let found = git::find(folder).ok().flatten().or_else(|| GitFolder::bare(folder));
    let Some(repository) = found.and_then(|found| found.history()) else { return Vec::new() };
    let Ok(references) = repository.references() else { return Vec::new() };
    let mut names = Vec::new();
    for reference in references.take(MAX_REFERENCES).flatten() {
        let Ok(full) = reference.name() else { continue };
        let (name, is_tag) = match (full.strip_prefix("refs/heads/"), full.strip_prefix("refs/tags/")) {
            (Some(name), _) => (name, false),
            (_, Some(name)) => (name, true),
            _ => continue,
        };
        if let Some(time) = time(&repository, full) {
            names.push((time, RevisionName { name: name.to_owned(), is_tag }));
        }
    }
    names.sort_by(|(a_time, a), (b_time, b)| {
        (Reverse(a_time), a.is_tag, &a.name).cmp(&(Reverse(b_time), b.is_tag, &b.name))
    });
    names.into_iter().map(|(_, name)| name).collect()
}

/// The time of the commit that a reference leads to, in seconds.
fn time(repository: &Repository, full: &str) -> Option<i64> {
    let object = repository.find_reference(full).ok()?.peel(ObjectType::Commit).ok()?;
    Some(object.as_commit()?.time().seconds())
}

#[cfg(test)]
mod tests {
    use git2::{Signature, Time};

    use super::*;

    #[test]
    fn the_newest_branch_or_tag_comes_first() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(revision_names(folder.path()), []);
        let repository = Repository::init(folder.path()).expect("a repository");
        let commit = |branch: &str, seconds: i64| {
            let who = Signature::new("a", "a@example.org", &Time::new(seconds, 0)).expect("a name");
            let tree = repository.treebuilder(None).and_then(|builder| builder.write()).expect("a tree");
            let tree = repository.find_tree(tree).expect("a tree");
            let made = repository.commit(Some(&format!("refs/heads/{branch}")), &who, &who, "x", &tree, &[]);
            repository.find_object(made.expect("a commit"), None).expect("a commit")
        };
        let old = commit("old", 1_000);
        let who = Signature::now("a", "a@example.org").expect("a name");
        repository.tag("v1", &old, &who, "x", false).expect("a tag");
        commit("trunk", 2_000);
        let names: Vec<String> = revision_names(folder.path()).into_iter().map(|found| found.name).collect();
        assert_eq!(names, ["trunk", "old", "v1"]);
    }
}
