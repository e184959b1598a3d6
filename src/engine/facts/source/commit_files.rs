//! The contents of all files of a commit, for a package that is taken out of a repository.

use std::ops::ControlFlow;

use git2::{ObjectType, Oid};

use super::{
    commit::{BUDGET, Commit, MAX_FILES, MAX_PATH_BYTES, is_odd_name},
    git_objects::{ObjectReader, Stop},
};

/// A function that reads a file. `None` for a file with more than the given number of bytes.
///
/// # Errors
/// One line, if the file's object is missing or damaged.
pub type ReadBlob<'r> = &'r dyn Fn(u64) -> Result<Option<Vec<u8>>, String>;

/// The greatest sum of the lengths of the paths of folders that are still to be listed, in bytes.
const MAX_PENDING: usize = 64 << 20;

impl Commit {
    /// Calls `take` for each file with its path. Links and submodules are left out. Ends early if `take` breaks.
    ///
    /// # Errors
    /// One line, if the commit is damaged or has too many files.
    pub fn each_file(&self, take: &mut dyn FnMut(&str, ReadBlob<'_>) -> ControlFlow<()>) -> Result<(), String> {
        let listed = self.with_repository(|repository| {
            let mut budget = BUDGET;
            let mut objects = ObjectReader::new(repository, &mut budget, &|| false).ok_or(Stop::Unreadable)?;
            let database = repository.odb().map_err(|_| Stop::Unreadable)?;
            let read = |id: Oid, limit: u64| match database.read_header(id) {
                Ok((size, ObjectType::Blob)) if size as u64 > limit => Ok(None),
                Ok((_, ObjectType::Blob)) => database.read(id).map(|blob| Some(blob.data().to_vec())),
                Ok(_) => Err(git2::Error::from_str("it is no file")),
                Err(error) => Err(error),
            };
            let mut pending = vec![(String::new(), objects.commit(self.object_id())?.tree_id())];
            let (mut files, mut pending_bytes) = (0, 0);
            while let Some((folder, tree)) = pending.pop() {
                pending_bytes -= folder.len();
                for entry in &objects.tree(tree)? {
                    let Ok(name) = entry.name() else { continue };
                    if is_odd_name(name) || folder.len() + name.len() >= MAX_PATH_BYTES {
                        continue;
                    }
                    let path = format!("{folder}{name}");
                    match entry.kind() {
                        Some(ObjectType::Tree) => {
                            let path = path + "/";
                            pending_bytes += path.len();
                            if pending_bytes > MAX_PENDING {
                                return Err(Stop::Limit);
                            }
                            pending.push((path, entry.id()));
                        }
                        Some(ObjectType::Blob) if entry.filemode() & 0o170_000 == 0o100_000 => {
                            files += 1;
                            if files > MAX_FILES {
                                return Err(Stop::Limit);
                            }
                            let read = |limit| read(entry.id(), limit).map_err(|error| format!("{path}: {error}"));
                            if take(&path, &read).is_break() {
                                return Ok(());
                            }
                        }
                        _ => {}
                    }
                }
            }
            Ok(())
        })?;
        listed.map_err(|stop| self.unlisted(stop))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use git2::{IndexAddOption, Repository, Signature};

    use super::*;

    #[test]
    fn every_plain_file_is_given_and_large_ones_are_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let top = folder.path();
        fs::create_dir_all(top.join("src/kit")).expect("a folder");
        for (path, text) in
            [("src/kit/__init__.py", "x = 1\n"), ("setup.cfg", "[metadata]\n"), ("large.py", "123456789")]
        {
            fs::write(top.join(path), text).expect("written");
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", top.join("link.py")).expect("a link");
        let repository = Repository::init(top).expect("a repository");
        let mut index = repository.index().expect("an index");
        index.add_all(["*"], IndexAddOption::DEFAULT, None).expect("added");
        let tree = repository.find_tree(index.write_tree().expect("a tree")).expect("a tree");
        let author = Signature::now("a", "a@example.org").expect("a signature");
        repository.commit(Some("HEAD"), &author, &author, "one", &tree, &[]).expect("a commit");
        let commit = Commit::open(top, "kit", "HEAD").expect("a commit");
        let mut found = Vec::new();
        let given = commit.each_file(&mut |path, read| {
            found.push((path.to_owned(), read(8).expect("its object").map(|bytes| bytes.len())));
            ControlFlow::Continue(())
        });
        found.sort();
        assert_eq!(given, Ok(()));
        let wanted = [("large.py", None), ("setup.cfg", None), ("src/kit/__init__.py", Some(6))];
        assert_eq!(found, wanted.map(|(path, size)| (path.to_owned(), size)));
    }
}
