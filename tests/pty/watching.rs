//! Watching files: changes of files are indexed.

use std::{fs, path::Path};

use crate::terminal::Terminal;

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A small library with one call.
fn library() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "pkg/api.py", "def first(a, b=1): ...\ndef second(a, b=1): ...\n");
    write(root.path(), "pkg/use.py", "from pkg.api import first, second\nfirst(1)\nsecond(1)\nsecond(2)\n");
    root
}

fn open(root: &Path, arguments: &[&str]) -> Terminal {
    let terminal = Terminal::open(120, 30, &[arguments, &[root.to_str().unwrap()]].concat(), &[]);
    terminal.wait_for(" 3 calls into");
    terminal
}

#[test]
fn a_changed_file_is_indexed_and_the_selection_stays() {
    let root = library();
    let mut terminal = open(root.path(), &[]);
    terminal.send("\tj");
    terminal.wait_for("Stub · first");
    // The selected function is now called more often than the one that was above it.
    write(root.path(), "pkg/use.py", "from pkg.api import first\nfirst(1)\nfirst(1, b=2)\nfirst(3)\nfirst(4)\n");
    terminal.wait_for("1 file was read again");
    terminal.wait_for("4 calls");
    terminal.wait_for("Stub · first");
    // Editors save by renaming, and folders are created and removed.
    write(root.path(), "new/more.tmp", "from pkg.api import first\nfirst(5)\n");
    fs::rename(root.path().join("new/more.tmp"), root.path().join("new/more.py")).unwrap();
    terminal.wait_for(" 5 calls into");
    write(root.path(), "new/deep/er.py", "from pkg.api import first\nfirst(6)\n");
    terminal.wait_for(" 6 calls into");
    write(root.path(), "new/deep/er.py", "from pkg.api import first\nfirst(6)\nfirst(7)\n");
    terminal.wait_for(" 7 calls into");
    fs::remove_dir_all(root.path().join("new")).unwrap();
    terminal.wait_for(" 4 calls into");
    terminal.wait_for("Stub · first");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn without_watching_a_key_indexes_again() {
    let root = library();
    let mut terminal = open(root.path(), &["--no-watch"]);
    write(root.path(), "pkg/use.py", "from pkg.api import first\nfirst(1)\n");
    terminal.send("R");
    terminal.wait_for(" 1 call into");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn ignored_files_are_not_watched() {
    let root = library();
    write(root.path(), ".gitignore", "ignored/\n");
    fs::create_dir(root.path().join(".git")).unwrap();
    write(root.path(), "ignored/x.py", "");
    let mut terminal = open(root.path(), &[]);
    write(root.path(), "ignored/x.py", "from pkg.api import first\nfirst(1)\n");
    write(root.path(), "node_modules/y.py", "from pkg.api import first\nfirst(1)\n");
    write(root.path(), "notes.txt", "nothing");
    // The answer to the requested indexing is the next one: the ignored file caused none in between.
    terminal.send("R");
    terminal.wait_for("nothing has changed");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn a_folder_opened_alone_counts_the_calls_of_its_repository_on_request() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join(".git")).unwrap();
    write(root.path(), "kit/pkg/__init__.py", "def first(a, b=1): ...\n\n\nfirst(1)\n");
    write(root.path(), "kit/pyproject.toml", "[project]\nname = 'pkg'\n");
    write(root.path(), "app/main.py", "from pkg import first\n\nfirst(2, b=3)\nfirst(4)\n");
    let kit = root.path().join("kit");
    let mut terminal = Terminal::open(140, 30, &[kit.to_str().unwrap()], &[]);
    terminal.wait_for("1 call into this code, of it alone (U)");
    terminal.send("U");
    terminal.wait_for("3 calls into this code, with those of all of ");
    // What was opened is selected.
    terminal.wait_for("Stub · kit");
    terminal.send("U");
    terminal.wait_for("1 call into this code, of it alone (U)");
    terminal.send("q");
    terminal.assert_given_back(0);
}
