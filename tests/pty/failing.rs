//! Bugs in threads: whatever thread panics, the terminal is given back, and the explorer says what has happened.

use std::{env, process::Command, sync::Arc};

use apidisc::{discover::WordModel, environment::python::EnvironmentSetting, hash::ContentHash};
use apidisc_tui::{
    demo,
    tui::{self, Content, ExplorerOptions, Setup},
};

use crate::terminal::Terminal;

/// The variable that tells the child of a test that it has a terminal.
const IN_TERMINAL: &str = "APIDISC_TEST_IN_TERMINAL";

/// The arguments of this test program that run [`the_explorer_with_buggy_models`] alone.
const ARGUMENTS: [&str; 3] = ["--exact", "failing::the_explorer_with_buggy_models", "--nocapture"];

/// A model of words with a bug.
#[derive(Debug)]
struct BuggyModel;

impl WordModel for BuggyModel {
    fn dimensions(&self) -> usize {
        8
    }

    fn id(&self) -> ContentHash {
        ContentHash::of(b"buggy")
    }

    fn add(&self, word: &str, _: f32, _: &mut [f32]) -> bool {
        panic!("no word is like {word}");
    }
}

/// The explorer with models that panic. The other tests run it in a terminal; it does nothing elsewhere.
#[test]
fn the_explorer_with_buggy_models() {
    if env::var_os(IN_TERMINAL).is_none() {
        return;
    }
    tui::run(ExplorerOptions {
        content: Content::Source(demo::source(), None),
        model: Arc::new(BuggyModel),
        assistant: None,
        conversations: None,
        title: "demo".to_owned(),
        argument: "--demo".to_owned(),
        strategy: None,
        wording: None,
        docs: None,
        encoding: None,
        weights: None,
        overrides: None,
        session_file: None,
        request_log: None,
        theme: None,
        documents: None,
        environment: EnvironmentSetting::None,
        setup: Setup::default(),
        module: None,
        symbol: None,
    })
    .unwrap();
}

/// Searches by meaning, and waits until the bug is shown.
fn search(terminal: &mut Terminal) {
    terminal.send("f");
    terminal.wait_for("go there");
    terminal.send("station");
    terminal.wait_for("a bug of apidisc-tui: no word is like");
}

#[test]
fn a_worker_that_panics_is_reported_and_works_on() {
    let program = env::current_exe().unwrap();
    let script = format!("\"$BUGGY\" {}; echo ENDED $? $(stty -a | grep -o -e '-*icanon')", ARGUMENTS.join(" "));
    let environment = [("BUGGY", program.to_str().unwrap()), (IN_TERMINAL, "1")];
    let mut terminal = Terminal::start("sh", 100, 30, &["-c", &script], &environment);
    terminal.wait_for(" resolved");
    search(&mut terminal);
    assert!(terminal.is_taken() && terminal.has_mouse());
    // Other threads work on, and so does this one.
    terminal.send("\x15reading kind:class\r");
    terminal.wait_for("Stub · Reading ");
    terminal.send("q");
    terminal.wait_for("ENDED 0 icanon");
    terminal.assert_given_back(0);
}

#[test]
fn a_signal_restores_the_terminal_after_a_panic_too() {
    let program = env::current_exe().unwrap();
    let mut terminal = Terminal::start(program.to_str().unwrap(), 100, 30, &ARGUMENTS, &[(IN_TERMINAL, "1")]);
    terminal.wait_for(" resolved");
    search(&mut terminal);
    assert!(Command::new("kill").arg(terminal.pid().to_string()).status().unwrap().success());
    terminal.assert_given_back(143);
}
