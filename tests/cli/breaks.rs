//! `breaks`: what another version of a package does to the calls of a program.

mod npm;
mod repository;

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};
use serde_json::Value;

use crate::program::{Outcome, Project, command, outcome};

/// A program, and two versions of the package `kit` in environments.
const FILES: [(&str, &str); 8] = [
    (
        "app/app.py",
        "import kit\nfrom kit import Gone, Lost, _fast, go\nfrom kit.lazy import Old\n\n\
         go(1, retries=3)\n\
         go(1, speed=2)\n\
         go(1, 2)\n\
         go(*kit.rest())\n\
         kit.late(1)\n\
         kit.Client(proxies={}).send(1)\n\
         kit.Client().fetch(1)\n\
         kit.take(colour=1)\n\
         kit.wait(1)\n\
         kit.late(1, mode=2)\n",
    ),
    (
        "old/lib/python3.12/site-packages/kit/__init__.py",
        "class Gone: ...\n\
         class Lost: ...\n\
         class Client:\n    def __init__(self, proxies=None): ...\n    def send(self, x): ...\n    def fetch(self, x): ...\n\
         def go(a, b=0, speed=1, retries=1): ...\n\
         def rest(): ...\n\
         def late(a, mode=0): ...\n\
         def take(colour=0, **more): ...\n\
         def wait(a, timeout=5): ...\n",
    ),
    ("old/lib/python3.12/site-packages/kit/_fast.py", "def run(): ...\n"),
    // The new version has compiled the module.
    ("new/kit/_fast.cpython-312-x86_64-linux-gnu.so", "machine code"),
    ("old/lib/python3.12/site-packages/kit/lazy.py", "class Old: ...\n"),
    ("old/lib/python3.12/site-packages/kit-1.0.dist-info/METADATA", "Name: kit\nVersion: 1.0\n"),
    (
        "new/kit/__init__.py",
        "from typing_extensions import deprecated\n\
         class Client:\n    def __init__(self, proxy=None):\n        \
         # In 1.5: 'proxies' is deprecated. Use 'proxy' instead.\n        ...\n    def fetch(self, x): ...\n\
         def go(a, speed: int = 1, b=0, *, max_retries=1): ...\n\
         def rest(): ...\n\
         @deprecated('late is deprecated; use `soon`.')\n\
         def late(a): ...\n\
         def take(**more): ...\n\
         def wait(a, timeout=9): ...\n",
    ),
    (
        "new/kit/lazy.py",
        "def __getattr__(name):\n    if name == 'Old':\n        \
         warn(\"'Old' is deprecated. Use 'New' instead.\", DeprecationWarning)\n        return _Old\n",
    ),
];
const METADATA: &str = "Metadata-Version: 2.1\nName: kit\nVersion: 2.0\n";

/// The files of the new version.
fn new_files() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().filter_map(|(path, text)| Some((path.strip_prefix("new/")?, *text)))
}

/// The program and the versions. The new one is an environment.
pub(crate) fn project() -> Project {
    let site = "venv-new/lib/python3.12/site-packages";
    let mut project = Project::with(&format!("{site}/kit-2.0.dist-info/METADATA"), METADATA);
    for (path, text) in FILES {
        project = match path.strip_prefix("new/") {
            Some(inner) => project.and(&format!("{site}/{inner}"), text),
            None => project.and(path, text),
        };
    }
    project
}

/// The new version as a wheel.
pub(crate) fn wheel(folder: &Path) -> PathBuf {
    let path = folder.join("kit-2.0-py3-none-any.whl");
    let mut archive = zip::ZipWriter::new(fs::File::create(&path).expect("a file"));
    let options = zip::write::SimpleFileOptions::default();
    // Entries that lead elsewhere are left out.
    let hostile = [("../../evil.py", "x = 1"), ("/tmp/evil.py", "x = 1")];
    for (path, text) in new_files().chain([("kit-2.0.dist-info/METADATA", METADATA)]).chain(hostile) {
        archive.start_file(path, options).expect("an entry");
        archive.write_all(text.as_bytes()).expect("written");
    }
    archive.finish().expect("written");
    path
}

pub(crate) fn breaks(folder: &Path, to: &Path, more: &[&str]) -> Outcome {
    let mut command = command(["breaks", "--no-cache", "--package", "kit", "--env"]);
    command.arg(folder.join("old")).arg("--to").arg(to).args(more).arg(folder.join("app"));
    outcome(&mut command)
}

/// Line, verdict, rule, parameter and replacement of each use, as text.
fn rows(run: Outcome) -> Vec<String> {
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| row[name].as_str().unwrap_or("-").to_owned();
        format!("{} {} {} {} {}", row["line"], text("verdict"), text("rule"), text("param"), text("now"))
    };
    run.success().lines().map(row).collect()
}

#[test]
fn each_use_gets_a_verdict() {
    let project = project();
    let run = breaks(project.path(), &project.path().join("venv-new"), &["--format", "jsonl"]);
    let expected = [
        "2 break removed-symbol - -",
        "2 break removed-symbol - -",
        "3 deprecated deprecated-symbol - New",
        "5 break removed-parameter retries max_retries",
        "6 ok - - -",
        "7 silent moved-position b -",
        "8 unknown - - -",
        "8 ok - - -",
        "9 deprecated deprecated-symbol - soon",
        "10 break removed-parameter proxies proxy",
        "10 break removed-symbol - -",
        "11 ok - - -",
        "11 ok - - -",
        "12 silent swallowed-by-kwargs colour -",
        "13 silent changed-default timeout 9",
        // The function is deprecated as well.
        "14 break removed-parameter mode -",
    ];
    assert_eq!(rows(run), expected);
}

#[test]
fn the_other_version_may_be_an_archive_or_a_folder_of_modules() {
    let project = project();
    let wheel = wheel(project.path());
    let expected = rows(breaks(project.path(), &project.path().join("venv-new"), &["--format", "jsonl"]));
    assert_eq!(rows(breaks(project.path(), &wheel, &["--format", "jsonl"])), expected);
    assert!(!project.path().parent().expect("a parent").join("evil.py").exists());
    // A source distribution has a folder around all.
    let path = project.path().join("kit-2.0.tar.gz");
    let mut archive = tar::Builder::new(GzEncoder::new(fs::File::create(&path).expect("a file"), Compression::fast()));
    for (path, text) in new_files().chain([("PKG-INFO", METADATA)]) {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_cksum();
        archive.append_data(&mut header, format!("kit-2.0/{path}"), text.as_bytes()).expect("an entry");
    }
    archive.into_inner().expect("written").finish().expect("written");
    assert_eq!(rows(breaks(project.path(), &path, &["--format", "jsonl"])), expected);
}

#[test]
fn the_table_names_what_breaks_first() {
    let project = project();
    insta::assert_snapshot!(breaks(project.path(), &wheel(project.path()), &[]).success(), @r"
    kit 1.0 → 2.0
    break  kit.Client(proxies)  removed-parameter → proxy  1 use
        app.py:10
        - Client(proxies=None)
        + Client(proxy=None)
    break  kit.Client.send  removed-symbol  1 use
        app.py:10
        - send(x)
    break  kit.Gone  removed-symbol  1 use
        app.py:2
    break  kit.Lost  removed-symbol  1 use
        app.py:2
    break  kit.go(retries)  removed-parameter → max_retries  1 use
        app.py:5
        - go(…, b=0, …, retries=1)
        + go(…, b=0, *, max_retries=1)
    break  kit.late(mode)  removed-parameter  1 use
        app.py:14
        - late(…, mode=0)
        + late(…)
    silent  kit.go(b)  moved-position  1 use
        app.py:7
        - go(…, b=0, …, retries=1)
        + go(…, b=0, *, max_retries=1)
    silent  kit.take(colour)  swallowed-by-kwargs  1 use
        app.py:12
        - take(colour=0, …)
        + take(…)
    silent  kit.wait(timeout)  changed-default → 9  1 use
        app.py:13
        - wait(…, timeout=5)
        + wait(…, timeout=9)
    deprecated  kit.late  deprecated-symbol → soon  1 use
        app.py:9
    deprecated  kit.lazy.Old  deprecated-symbol → New  1 use
        app.py:3
    unknown  1 use: kit.go 1
    9 of 16 uses of kit still work
    ");
    let marks = breaks(project.path(), &wheel(project.path()), &["--format", "github"]).success();
    assert!(marks.starts_with("::error file=app.py,line=2,col=1::break  kit.Gone  removed-symbol"), "{marks}");
}

#[test]
fn a_check_fails_on_a_verdict() {
    let project = project();
    let new = project.path().join("venv-new");
    let run = breaks(project.path(), &new, &["--check"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), "apidisc-tui: 6 uses of kit would fail the check\n"));
    breaks(project.path(), &project.path().join("old"), &["--check", "--fail-on", "deprecated"]).success();
}

#[test]
fn a_version_that_cannot_be_used_is_told() {
    let project = project();
    let told = |to: &str, name: &str, bytes: &[u8]| {
        let path = project.path().join(to);
        if !name.is_empty() {
            fs::write(&path, bytes).expect("a file");
        }
        let run = breaks(project.path(), &path, &[]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
        run.stderr.replace(&project.path().display().to_string(), "DIR")
    };
    assert_eq!(
        told("none", "", b""),
        "apidisc-tui: DIR/none is not there; name an environment, the folder of a package, or an archive\n"
    );
    assert_eq!(
        told("notes.txt", "x", b"x"),
        "apidisc-tui: DIR/notes.txt is no archive of a package; name a .whl, a .tgz of npm, or a .tar.gz\n"
    );
    assert!(told("kit.whl", "x", b"no archive").contains("cannot be read"));
    assert!(told("kit.tgz", "x", b"no archive").contains("cannot be read"));
}
