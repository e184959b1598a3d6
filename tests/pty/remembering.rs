//! Sessions: the state of a repository that is saved in files and restored.

use std::{fs, path::PathBuf};

use crate::terminal::Terminal;

struct Home {
    folder: tempfile::TempDir,
    library: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        let library = tempfile::tempdir().unwrap();
        fs::write(library.path().join("api.py"), "def first(a, b=1): ...\nfirst(1)\nfirst(2, b=2)\n").unwrap();
        Self { folder: tempfile::tempdir().unwrap(), library }
    }

    fn open(&self, arguments: &[&str]) -> Terminal {
        let state = self.folder.path().join("state");
        // XDG_STATE_HOME counts only on Linux; HOME keeps other platforms inside the test's folder too.
        let environment = [("XDG_STATE_HOME", state.to_str().unwrap()), ("HOME", self.folder.path().to_str().unwrap())];
        Terminal::open(120, 30, arguments, &environment)
    }

    fn explore(&self, arguments: &[&str]) -> Terminal {
        let terminal = self.open(&[arguments, &[self.library.path().to_str().unwrap()]].concat());
        terminal.wait_for(" resolved");
        terminal
    }

    /// All session files.
    fn files(&self) -> Vec<PathBuf> {
        let folder = self.folder.path().join("state/apidisc-tui/remembered");
        fs::read_dir(folder).map_or_else(|_| vec![], |entries| entries.map(|entry| entry.unwrap().path()).collect())
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_next_session_continues_at_the_last_location() {
    let home = Home::new();
    let mut terminal = home.explore(&[]);
    terminal.send("\tss2");
    terminal.wait_for("coverage 95%");
    terminal.wait_for("without tests");
    terminal.send("q");
    terminal.assert_given_back(0);
    let [file] = &home.files()[..] else { panic!("{:?}", home.files()) };
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains("api.first") && text.contains("tests=0"), "{text}");
    let mut terminal = home.explore(&[]);
    terminal.wait_for("coverage 95%");
    terminal.wait_for("without tests");
    terminal.wait_for("Stub · first");
    // The command line takes precedence.
    terminal.send("q");
    terminal.assert_given_back(0);
    let mut terminal = home.explore(&["--max-tokens", "300", "--weights", "src=1"]);
    terminal.wait_for("budget 300");
    terminal.wait_for("Stub · first");
    assert!(!terminal.text().contains("without tests"));
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
#[cfg(target_os = "linux")]
fn an_invalid_session_file_is_reported_and_ignored() {
    let home = Home::new();
    let mut terminal = home.explore(&[]);
    terminal.send("q");
    terminal.assert_given_back(0);
    let [file] = &home.files()[..] else { panic!("{:?}", home.files()) };
    for text in ["strategy = [", "strategy = 'hope'", &format!("theme = '{}'", "x".repeat(2 << 20))] {
        fs::write(file, text).unwrap();
        let mut terminal = home.explore(&[]);
        terminal.wait_for("Enter open");
        terminal.send("!");
        terminal.wait_for("what is remembered: not used");
        terminal.send("\x03");
        terminal.assert_given_back(0);
        assert!(fs::read_to_string(file).unwrap().contains("strategy = \"token-budget\""));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_session_is_saved_for_the_demo() {
    let home = Home::new();
    let mut terminal = home.open(&["--demo"]);
    terminal.wait_for(" resolved");
    terminal.send("sq");
    terminal.assert_given_back(0);
    assert!(home.files().is_empty());
}

#[test]
#[cfg(target_os = "linux")]
fn replacing_the_session_of_another_explorer_is_said() {
    let home = Home::new();
    let (mut first, mut second) = (home.explore(&[]), home.explore(&[]));
    first.send("ss2");
    first.wait_for("coverage 95%");
    first.send("q");
    first.assert_given_back(0);
    assert!(!first.text().contains("remembered meanwhile"));
    second.send("q");
    second.wait_for("another explorer of this repository was remembered meanwhile");
    second.assert_given_back(0);
    let [file] = &home.files()[..] else { panic!("{:?}", home.files()) };
    assert!(fs::read_to_string(file).unwrap().contains("strategy = \"token-budget\""));
    // An explorer alone replaces only its own session.
    let mut third = home.explore(&[]);
    third.send("q");
    third.assert_given_back(0);
    assert!(!third.text().contains("remembered meanwhile"));
}
