//! The explorer of a list of sources opens before its remote repositories are cloned, and shows how far git is.

use std::{fs, io::Read as _, os::unix::fs::PermissionsExt as _, path::PathBuf, process::Command};

use crate::terminal::Terminal;

/// A folder with an application, the repository of the library that it calls, and a list of both. The program named
/// `git` in the folder `bin` prints a line of progress with an escape sequence and waits for the file `gate` before it
/// clones.
struct Setup {
    root: tempfile::TempDir,
}

impl Setup {
    fn new(urls: &[&str]) -> Self {
        let setup = Self { root: tempfile::tempdir().unwrap() };
        setup.write("app/app.py", "import kit\n\ndef own(x): ...\n\nown(1)\nkit.fetch('u')\nkit.fetch('v')\n");
        setup.write("lib/kit/__init__.py", "def fetch(url): ...\n");
        for words in [&["init", "-q", "-b", "main"][..], &["add", "."], &["commit", "-qm", "x"]] {
            let who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
            let done = Command::new("git").arg("-C").arg(setup.path("lib")).args(who).args(words).output().unwrap();
            assert!(done.status.success(), "{words:?}");
        }
        let urls: Vec<String> = urls.iter().map(|url| format!("  - url: {url}\n")).collect();
        let list = format!("sources:\n{}", urls.concat());
        setup.write("sources.yaml", &list.replace("ROOT", &setup.root.path().display().to_string()));
        let script = "#!/bin/sh\ncase \" $* \" in *' clone '*)\nprintf 'Receiving objects:  42%% (3/7)\\033[31m\\r' >&2\n\
                      while [ ! -e ROOT/gate ]; do sleep 0.02; done ;;\nesac\nPATH=REST exec git \"$@\"\n";
        let script = script.replace("ROOT", &setup.root.path().display().to_string());
        setup.write("bin/git", &script.replace("REST", &std::env::var("PATH").unwrap()));
        fs::set_permissions(setup.path("bin/git"), fs::Permissions::from_mode(0o755)).unwrap();
        setup
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn open(&self) -> Terminal {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap());
        let list = self.path("sources.yaml");
        Terminal::open(160, 30, &["--config", list.to_str().unwrap()], &[("PATH", &path)])
    }
}

#[test]
fn the_sources_that_are_there_are_shown_while_git_clones_the_others() {
    let setup = Setup::new(&["app", "file://ROOT/lib"]);
    let mut terminal = setup.open();
    terminal.wait_for("cloning ");
    terminal.wait_for("lib: Receiving objects:  42% (3/7)");
    // The application is indexed meanwhile, and keys work.
    terminal.send("f");
    terminal.wait_for("own");
    assert!(!terminal.text().contains("kit.fetch"), "{}", terminal.text());
    terminal.send("\x1b");
    fs::write(setup.path("gate"), "").unwrap();
    terminal.wait_for(" 3 calls into");
    terminal.wait_for("kit");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn a_source_that_cannot_be_cloned_is_a_problem_that_says_what_to_do() {
    let setup = Setup::new(&["app", "file://ROOT/nowhere"]);
    let mut terminal = setup.open();
    terminal.wait_for(" 1 problem");
    terminal.send("!");
    terminal.wait_for("git ls-remote");
    let text = terminal.text();
    assert!(text.contains("nowhere") && text.contains("git says"), "{text}");
    terminal.send("qq");
    terminal.assert_given_back(0);
}

#[test]
fn an_only_source_is_shown_while_it_is_cloned() {
    let setup = Setup::new(&["file://ROOT/lib"]);
    let mut terminal = setup.open();
    terminal.wait_for("42% (3/7)");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn git_ends_with_the_explorer() {
    let setup = Setup::new(&["app", "file://ROOT/lib"]);
    // A program that git starts, such as ssh, holds the pipe open as long as it runs.
    let pipe = setup.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let script = fs::read_to_string(setup.path("bin/git")).unwrap();
    let starts = format!("(sleep 20; echo alive) > {} &\nwhile [ ! -e", pipe.display());
    fs::write(setup.path("bin/git"), script.replace("while [ ! -e", &starts)).unwrap();
    let mut terminal = setup.open();
    terminal.wait_for("42% (3/7)");
    // Opening the pipe waits for the program.
    let mut pipe = fs::File::open(&pipe).unwrap();
    terminal.send("q");
    terminal.assert_given_back(0);
    let mut said = String::new();
    pipe.read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
}

#[test]
fn a_clone_that_failed_is_tried_again() {
    let setup = Setup::new(&["app", "file://ROOT/later"]);
    fs::write(setup.path("gate"), "").unwrap();
    let mut terminal = setup.open();
    terminal.wait_for(" 1 problem");
    fs::rename(setup.path("lib"), setup.path("later")).unwrap();
    terminal.send("R");
    terminal.wait_for(" 3 calls into");
    assert!(!terminal.text().contains(" 1 problem"), "{}", terminal.text());
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn a_newer_comparison_stops_the_clone_of_the_one_before() {
    let setup = Setup::new(&[]);
    setup.write("code/app.py", "from kit import fetch\n\nfetch('u')\nfetch(url='v')\n");
    setup.write("code/.venv/pyvenv.cfg", "version = 3.12\n");
    setup.write("code/.venv/lib/python3.12/site-packages/kit/__init__.py", "def fetch(url): ...\n");
    setup.write("newer/pyvenv.cfg", "version = 3.12\n");
    setup.write("newer/lib/python3.12/site-packages/kit/__init__.py", "def fetch(address): ...\n");
    // Git waits until it is stopped, and a program that it starts holds the pipe open as long.
    let pipe = setup.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let script = fs::read_to_string(setup.path("bin/git")).unwrap();
    let starts = format!("(sleep 60; echo alive) > {} &\nwhile [ ! -e", pipe.display());
    fs::write(setup.path("bin/git"), script.replace("while [ ! -e", &starts)).unwrap();
    let path = format!("{}:{}", setup.path("bin").display(), std::env::var("PATH").unwrap());
    let code = setup.path("code");
    let mut terminal = Terminal::open(140, 30, &[code.to_str().unwrap()], &[("PATH", &path)]);
    terminal.wait_for("1 package (D)");
    terminal.send("D");
    terminal.wait_for("all packages");
    terminal.send("j");
    terminal.wait_for("Stub · kit ");
    terminal.send("B");
    terminal.wait_for("Esc closes");
    terminal.send(&format!("file://{}\r", setup.path("lib").display()));
    // Opening the pipe waits for the program.
    let mut pipe = fs::File::open(&pipe).unwrap();
    terminal.send("B");
    terminal.wait_for("Esc closes");
    terminal.send(&format!("{}\r", setup.path("newer").display()));
    let mut said = String::new();
    pipe.read_to_string(&mut said).unwrap();
    assert_eq!(said, "", "git was stopped, with what it started");
    terminal.wait_for("1 of 2 uses of kit still work");
    terminal.send("qqq");
    terminal.assert_given_back(0);
}
