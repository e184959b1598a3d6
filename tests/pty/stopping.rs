//! Stopping a long indexing run: the partial index is shown, and indexing can be continued.

use std::{fmt::Write as _, fs};

use crate::terminal::Terminal;

/// The number of files: enough that indexing takes noticeably longer than a key press.
const FILES: usize = 600;
/// The number of calls in each file.
const CALLS: usize = 120;

/// A library whose function is called in many large files.
fn repository() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("api.py"), "def first(a, b=1, *, c=None): ...\n").unwrap();
    for number in 0..FILES {
        let mut text = "from api import first\n".to_owned();
        for call in 0..CALLS {
            let _ = writeln!(text, "value_{call} = [first({call}, c={{'key': [1, 2, 3]}}), 'and {number} more words']");
        }
        fs::write(root.path().join(format!("use_{number}.py")), text).unwrap();
    }
    root
}

#[test]
fn indexing_is_stopped_and_continued() {
    let root = repository();
    let mut terminal = Terminal::open(120, 30, &["--no-watch", root.path().to_str().unwrap()], &[]);
    terminal.wait_for("601 files");
    terminal.send("x");
    terminal.wait_for("stopped at ");
    terminal.wait_for(" of 601 files · R goes on");
    // The partial index is shown.
    terminal.wait_for("Stub · ");
    terminal.send("R");
    terminal.wait_for(" resolved");
    terminal.wait_for("72,000 calls into");
    // The note about the files comes after the index, and would replace an earlier note.
    terminal.wait_for("601 files were read again");
    terminal.send("x");
    terminal.wait_for("nothing is being indexed");
    terminal.send("q");
    terminal.assert_given_back(0);
}
