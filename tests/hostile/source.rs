//! Files of a source, which may come from anybody.

use std::{fs, path::Path, process::Command};

use tempfile::TempDir;

use crate::{
    bounded::{Outcome, run},
    plant::Kind,
};

/// A source with one function that is called, a repository of git, and a file outside.
struct Hostile(TempDir);

impl Hostile {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("source")).unwrap();
        fs::write(folder.path().join("source/kept.py"), "def kept_function(a): ...\nkept_function(1)\n").unwrap();
        fs::write(folder.path().join("source/kept.ts"), "export function keptToo(a: number) {}\nkeptToo(1);\n")
            .unwrap();
        fs::write(folder.path().join("outside"), "*.py\ndef outside_secret(): ...\noutside_secret()\n").unwrap();
        let init = Command::new("git").args(["init", "-q"]).arg(folder.path().join("source")).status();
        assert!(init.unwrap().success());
        Self(folder)
    }

    /// Indexes the source with `kind` in the place of a file; `None` if there can be none of this kind.
    fn index_with(&self, place: &str, kind: Kind) -> Option<Outcome> {
        let source = self.0.path().join("source");
        let is_planted = kind.plant(&source.join(place), &self.0.path().join("outside"));
        is_planted.then(|| run(self.0.path(), &["index", "source", "-v", "--min-usage-threshold", "1"]))
    }
}

/// What must be true of each run: it ends well, the rest is indexed, and nothing of the outside is.
#[track_caller]
fn check(outcome: &Outcome, place: &str, kind: Kind) {
    assert_eq!(outcome.code, Some(0), "{place}, {kind:?}: {}", outcome.stderr);
    assert!(outcome.stdout.contains("kept_function"), "{place}, {kind:?}: {}", outcome.stdout);
    assert!(outcome.stdout.contains("keptToo"), "{place}, {kind:?}: {}", outcome.stdout);
    assert!(!outcome.stdout.contains("outside_secret"), "{place}, {kind:?}: {}", outcome.stdout);
}

/// Plants every kind at a place. The program says it of each kind but those of `silent`.
fn check_all(place: &str, silent: &[Kind]) {
    for kind in Kind::ALL {
        let hostile = Hostile::new();
        let Some(outcome) = hostile.index_with(place, kind) else { continue };
        check(&outcome, place, kind);
        let is_said = outcome.stderr.lines().any(|line| line.contains(&format!("{place}: ")));
        assert_eq!(is_said, !silent.contains(&kind), "{place}, {kind:?}: {}", outcome.stderr);
    }
}

#[test]
fn in_the_place_of_an_ignore_file() {
    for place in [".gitignore", ".ignore", ".git/info/exclude"] {
        check_all(place, &[]);
    }
}

#[test]
fn in_the_place_of_files_of_git() {
    check_all(".git/index", &[]);
    // A folder without an index is a repository without tracked files.
    check_all(".git", &[Kind::Folder]);
    // Neither is needed for an index: without HEAD the commit is not known.
    for place in [".git/config", ".git/HEAD"] {
        check_all(place, &Kind::ALL);
    }
}

#[test]
fn in_the_place_of_a_source_file() {
    // A folder may have any name.
    for place in ["bad.py", "bad.ts", "bad.ipynb"] {
        check_all(place, &[Kind::Folder]);
    }
}

#[test]
fn in_the_place_of_a_project_file() {
    for place in ["package.json", "tsconfig.json"] {
        check_all(place, &[Kind::Folder]);
    }
}

#[test]
fn in_the_place_of_a_profile() {
    for kind in Kind::ALL {
        let hostile = Hostile::new();
        let place = Path::new("source/.apidisc/core.toml");
        if !kind.plant(&hostile.0.path().join(place), &hostile.0.path().join("outside")) {
            continue;
        }
        let outcome = run(hostile.0.path(), &["--export", "source", "--profile", "core"]);
        assert_eq!(outcome.code, Some(1), "{kind:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("core.toml: ") && outcome.stderr.lines().count() == 1, "{}", outcome.stderr);
    }
}

#[test]
fn a_folder_of_profiles_that_is_a_link_is_not_followed() {
    let hostile = Hostile::new();
    let elsewhere = hostile.0.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("core.toml"), "").unwrap();
    std::os::unix::fs::symlink(&elsewhere, hostile.0.path().join("source/.apidisc")).unwrap();
    let outcome = run(hostile.0.path(), &["--export", "source", "--profile", "core"]);
    assert!(outcome.code == Some(1) && outcome.stderr.contains("links are not followed"), "{}", outcome.stderr);
}
