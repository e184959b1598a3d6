//! Tests of the history: repositories whose objects are written one by one.

use std::cell::Cell;

use git2::{DiffOptions, FileMode, Signature, Sort, Time};

use super::*;

/// A folder with a bare repository, whose objects are written directly.
struct Objects(Repository, #[expect(dead_code, reason = "dropping it removes the folder")] tempfile::TempDir);

impl Objects {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self(Repository::init_bare(folder.path()).expect("a repository"), folder)
    }

    fn file(&self, text: &str) -> Oid {
        self.0.blob(text.as_bytes()).expect("a blob")
    }

    fn tree(&self, entries: &[(&str, Oid, FileMode)]) -> Oid {
        let mut builder = self.0.treebuilder(None).expect("a builder");
        for (name, id, mode) in entries {
            builder.insert(name, *id, (*mode).into()).expect("an entry");
        }
        builder.write().expect("a tree")
    }

    fn commit(&self, seconds: i64, tree: Oid, parents: &[Oid]) -> Oid {
        let who = Signature::new("a", "a@example.org", &Time::new(seconds, 0)).expect("a name");
        let tree = self.0.find_tree(tree).expect("a tree");
        let parents: Vec<_> = parents.iter().map(|id| self.0.find_commit(*id).expect("a commit")).collect();
        self.0.commit(None, &who, &who, "change", &tree, &parents.iter().collect::<Vec<_>>()).expect("a commit")
    }

    /// A tree that contains the same tree twice, `depth` levels deep.
    fn bomb(&self, depth: usize, text: &str) -> Oid {
        let mut tree = self.tree(&[("a.py", self.file(text), FileMode::Blob)]);
        for _ in 0..depth {
            tree = self.tree(&[("x", tree, FileMode::Tree), ("y", tree, FileMode::Tree)]);
        }
        tree
    }
}

/// The times of all paths, by the differences that libgit2 finds.
fn times_by_libgit2(repository: &Repository, head: Oid) -> FxHashMap<CompactString, i64> {
    let mut times = FxHashMap::default();
    let mut walk = repository.revwalk().expect("a walk");
    walk.set_sorting(Sort::TIME).expect("sorted");
    walk.push(head).expect("pushed");
    for id in walk.take(MAX_COMMITS) {
        let commit = repository.find_commit(id.expect("an id")).expect("a commit");
        if commit.parent_count() > 1 {
            continue;
        }
        let before = commit.parent(0).and_then(|parent| parent.tree()).ok();
        let after = commit.tree().expect("a tree");
        let mut options = DiffOptions::new();
        options.skip_binary_check(true);
        let diff = repository.diff_tree_to_tree(before.as_ref(), Some(&after), Some(&mut options)).expect("compared");
        for delta in diff.deltas() {
            if let Some(path) = delta.new_file().path().and_then(std::path::Path::to_str) {
                times.entry(path.into()).or_insert(commit.time().seconds());
            }
        }
    }
    times
}

fn read_all(repository: &Repository, head: Oid) -> History {
    let mut history = History::new(head);
    history.read(repository, &["no such path".into()], &|| false).expect("it is not replaced");
    history
}

#[test]
fn times_are_those_of_the_differences_that_libgit2_finds() {
    // A congruential generator (Knuth, MMIX).
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..8 {
        let objects = Objects::new();
        let mut commits: Vec<Oid> = Vec::new();
        for second in 0..30 {
            // A name is a file in one commit and a folder in another. Names differ in the characters around `/`.
            let mut folder = |depth: usize, inner: &[Oid]| {
                let names = ["a", "a-b", "a.py", "a0", "b"];
                let mut entries = Vec::new();
                for name in names {
                    match random(4) {
                        0 => entries.push((name, objects.file(&random(3).to_string()), FileMode::Blob)),
                        1 => entries.push((name, objects.file("0"), FileMode::BlobExecutable)),
                        2 if depth > 0 => {
                            entries.push((name, inner[random(inner.len() as u64) as usize], FileMode::Tree));
                        }
                        _ => {}
                    }
                }
                objects.tree(&entries)
            };
            let leaves: Vec<Oid> = (0..3).map(|_| folder(0, &[])).collect();
            let inner: Vec<Oid> = (0..3).map(|_| folder(1, &leaves)).collect();
            let root = folder(2, &inner);
            let mut parents: Vec<Oid> = commits.last().copied().into_iter().collect();
            if commits.len() > 3 && random(3) == 0 {
                parents.push(commits[random(commits.len() as u64 - 1) as usize]);
            }
            parents.dedup();
            commits.push(objects.commit(second, root, &parents));
        }
        let head = commits[commits.len() - 1];
        let history = read_all(&objects.0, head);
        assert!(!history.is_limited);
        assert_eq!(history.times, times_by_libgit2(&objects.0, head));
    }
}

#[test]
fn a_tree_of_exponential_size_ends_at_the_budget() {
    let objects = Objects::new();
    let first = objects.commit(1, objects.bomb(40, "1"), &[]);
    let head = objects.commit(2, objects.bomb(40, "2"), &[first]);
    let mut history = History { budget: ObjectBudget { objects: 3_000, bytes: 1 << 30 }, ..History::new(head) };
    history.read(&objects.0, &["z.py".into()], &|| false).expect("it is not replaced");
    assert!(history.is_limited && history.times.len() <= 3_000);
    // The number of bytes and the memory for paths are limits, too.
    let mut history = History { budget: ObjectBudget { objects: 1 << 40, bytes: 100_000 }, ..History::new(head) };
    history.read(&objects.0, &["z.py".into()], &|| false).expect("it is not replaced");
    assert!(history.is_limited && history.times.len() <= 100_000 / 60);
    let mut history = History { memory: 100_000, ..History::new(head) };
    history.read(&objects.0, &["z.py".into()], &|| false).expect("it is not replaced");
    assert!(history.is_limited && history.times.len() <= 100_000 / BYTES_PER_PATH);
}

#[test]
fn reading_ends_inside_a_commit_and_goes_on_later() {
    let objects = Objects::new();
    let head = objects.commit(1, objects.bomb(8, "1"), &[]);
    let mut history = History::new(head);
    let asked = Cell::new(0);
    let is_replaced = || asked.replace(asked.get() + 1) >= 20;
    assert_eq!(history.read(&objects.0, &["z.py".into()], &is_replaced), Err(Stop::Replaced));
    assert_eq!(asked.get(), 21);
    assert!(history.times.len() < 20);
    history.read(&objects.0, &["z.py".into()], &|| false).expect("it is not replaced");
    assert_eq!(history.times.len(), 256);
    // A history that was read to its end is not read again.
    asked.set(0);
    history.read(&objects.0, &["z.py".into()], &is_replaced).expect("nothing is left to read");
    assert_eq!(asked.get(), 0);
}

#[test]
fn a_commit_that_is_too_large_ends_only_its_own_branch() {
    let objects = Objects::new();
    let tree = |text| objects.tree(&[("a.py", objects.file(text), FileMode::Blob)]);
    let who = "a <a@example.org> 1 +0000";
    let message = "m".repeat(17 << 20);
    let text = format!("tree {}\nauthor {who}\ncommitter {who}\n\n{message}", tree("1"));
    let large = objects.0.odb().expect("objects").write(ObjectType::Commit, text.as_bytes()).expect("written");
    let head = objects.commit(2, tree("2"), &[large]);
    let history = read_all(&objects.0, head);
    assert_eq!((history.time("a.py"), history.found.len()), (Some(2), 1));
}

#[test]
fn files_of_a_commit_are_found_in_their_folders() {
    let objects = Objects::new();
    let file = objects.file("1");
    let inner = objects.tree(&[("b.py", file, FileMode::Blob)]);
    let root = objects.tree(&[("a.py", file, FileMode::Blob), ("in", inner, FileMode::Tree)]);
    let head = objects.commit(1, objects.tree(&[("pkg", root, FileMode::Tree)]), &[]);
    objects.0.set_head_detached(head).expect("checked out");
    let mut budget = ObjectBudget { objects: 100, bytes: 10_000 };
    let mut files = CommitFiles::of_head(&objects.0, &mut budget, &|| false).expect("a commit");
    let found = ["pkg", "pkg/a.py", "pkg/in/b.py", "a.py", "pkg/a.py/b", "pkg/no/b.py", "pkg/in/"]
        .map(|path| files.contains(path));
    assert_eq!(found, [true, true, true, false, false, false, false]);
    drop(files);
    // One commit and three folders: each is read once.
    assert_eq!(budget.objects, 96);
}
