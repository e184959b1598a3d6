//! Another version of a package that is a commit of its repository.

use std::{fs, path::Path};

use super::{breaks, new_files, project, rows, wheel};
use crate::program::{Outcome, Project, command, git, outcome};

/// The project, and a repository whose tag `v2` has the new version below `python/src`.
fn with_repository() -> Project {
    let project = project();
    let repository = project.join("repo");
    let files = new_files().map(|(path, text)| (format!("python/src/{path}"), text));
    // A package of the same name that is none of the published ones.
    let others = ("tests/kit/__init__.py".to_owned(), "def helper(): ...\n");
    for (path, text) in files.chain([others, ("pyproject.toml".to_owned(), "[project]\nname = 'kit'\n")]) {
        let path = repository.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    for words in [&["init", "-q", "-b", "trunk"][..], &["add", "."], &["commit", "-qm", "two"], &["tag", "v2"]] {
        git(&repository, words);
    }
    project
}

/// `breaks` with the version at a URL, and a cache of clones in the project.
fn breaks_at(project: &Project, url: &str, more: &[&str]) -> Outcome {
    let mut command = command(["breaks", "--no-cache", "--package", "kit", "--env"]);
    command.arg(project.join("old")).args(["--to", url]).args(more).arg(project.join("app"));
    command.env("HOME", project.path()).env("XDG_CACHE_HOME", project.join("cache"));
    outcome(&mut command)
}

#[test]
fn a_tag_of_the_repository_is_a_version() {
    let project = with_repository();
    let url = format!("file://{}@v2", project.join("repo").display());
    let of_wheel = breaks(project.path(), &wheel(project.path()), &["--format", "jsonl"]);
    assert_eq!(rows(breaks_at(&project, &url, &["--format", "jsonl"])), rows(of_wheel));
    let table = breaks_at(&project, &url, &[]).success();
    assert!(table.starts_with("kit 1.0 → v2\n"), "{table}");
}

#[test]
fn a_repository_that_cannot_be_used_is_told() {
    let project = with_repository();
    let told = |place: &str| {
        let run = breaks_at(&project, place, &[]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{place}");
        run.stderr.replace(&project.path().display().to_string(), "DIR")
    };
    let repository = project.join("repo");
    let url = |name: &Path| format!("file://{}", name.display());
    assert!(told(&format!("{}@v9", url(&repository))).contains("DIR/repo: it has no branch or tag `v9`"));
    assert!(told(&format!("{}@-x", url(&repository))).contains("`-x` is no branch, tag or commit"));
    assert!(told("ext::sh@v1").contains("no URL of a repository") || told("ext::sh@v1").contains("is not used"));
    assert!(told(&url(&project.join("gone"))).contains("git says"));
    fs::remove_dir_all(repository.join("python")).expect("removed");
    git(&repository, &["commit", "-qam", "three"]);
    let line = told(&format!("{}@trunk", url(&repository)));
    assert_eq!(line, "apidisc-tui: file://DIR/repo@trunk holds no package kit; name its repository, or an archive\n");
}
