//! Tests of the real binary in a pseudoterminal: the most frequent journeys of users.

// Tests may panic: that is how they fail.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod answering;
mod asking;
mod choosing;
mod cloning;
mod documents;
mod exploring;
mod failing;
mod packages;
mod remembering;
mod replaying;
mod setup;
mod stopping;
mod storms;
mod terminal;
mod tuning;
mod watching;

use std::{fs, process::Command};

use terminal::Terminal;

/// An environment variable that makes a copy go through the terminal, where [`Terminal::copied`] reads it.
const OVER_SSH: (&str, &str) = ("SSH_TTY", "/dev/pts/9");

/// The standard output of the binary with these arguments.
fn printed(arguments: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_apidisc-tui")).args(arguments).env("APIDISC_CACHE", "off").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Opens the explorer on the demo, and waits for the complete index.
fn demo(columns: u16, rows: u16, environment: &[(&str, &str)]) -> Terminal {
    let terminal = Terminal::open(columns, rows, &["--demo"], environment);
    terminal.wait_for(" resolved");
    terminal
}

#[test]
fn the_preview_equals_the_export_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("station.pyi");
    let mut terminal = demo(120, 40, &[]);
    // Find the class by a filter, and choose another budget.
    terminal.send("\t/station");
    terminal.wait_for("Stub · Station ");
    terminal.send("\r---");
    terminal.wait_for("budget 700");
    terminal.wait_for("of 700 tokens");
    let stub = printed(&["--export", "--demo", "--symbol", "windvane.Station", "--max-tokens", "700"]);
    // The screen shows the first lines of the stub, cut at the width of the pane.
    let screen = terminal.text();
    for line in stub.lines().take(5) {
        let shown: String = line.chars().take(50).collect();
        assert!(screen.contains(shown.trim_end()), "`{shown}` is not on the screen:\n{screen}");
    }
    // The written file has the same bytes; the prompt names the command.
    terminal.send("w");
    terminal.wait_for("--max-tokens 700");
    terminal.send("\x15");
    terminal.send(file.to_str().unwrap());
    terminal.send("\r");
    terminal.wait_for("wrote ");
    assert_eq!(fs::read_to_string(&file).unwrap(), stub);
    // Another strategy and tokenizer, written to the same file: it is replaced only after a confirmation.
    terminal.send("se");
    terminal.wait_for("threshold 20%  o200k_harmony");
    terminal.send("w\x15");
    terminal.send(file.to_str().unwrap());
    terminal.send("\r");
    terminal.wait_for("is there already");
    assert_eq!(fs::read_to_string(&file).unwrap(), stub);
    terminal.send("\r");
    terminal.wait_for("wrote ");
    let arguments = ["--export", "--demo", "--symbol", "windvane.Station", "--min-frequency", "0.2"];
    let stub = printed(&[&arguments[..], &["--encoding", "o200k_harmony"]].concat());
    assert_eq!(fs::read_to_string(&file).unwrap(), stub);
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn a_module_is_delivered_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("module.pyi");
    let mut terminal = demo(100, 30, &[]);
    terminal.send("/sensors\r");
    terminal.wait_for("Stub · windvane.sensors ");
    terminal.send("w\x15");
    terminal.send(file.to_str().unwrap());
    terminal.send("\r");
    terminal.wait_for("wrote ");
    assert_eq!(fs::read_to_string(&file).unwrap(), printed(&["--export", "--demo", "--module", "windvane.sensors"]));
    terminal.send("\x03");
    terminal.assert_given_back(0);
}

#[test]
fn a_copy_over_ssh_goes_through_the_terminal() {
    let mut terminal = demo(100, 30, &[("SSH_TTY", "/dev/pts/9"), ("TMUX", "")]);
    terminal.wait_for("tokens ");
    terminal.send("y");
    terminal.wait_for("tokens by OSC 52");
    assert_eq!(terminal.clipboard().unwrap(), printed(&["--export", "--demo"]));
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn the_editor_gets_a_clean_terminal_and_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    let editor = format!(
        "sh -c 'printf \"%s\\n\" \"$@\" >{0}.part; cat \"$2\" >>{0}.part; mv {0}.part {0}; echo EDITING; read line' vi",
        record.display()
    );
    let mut terminal = demo(100, 30, &[("VISUAL", &editor)]);
    terminal.send("\t/station\r");
    terminal.wait_for("Stub · Station ");
    terminal.send("o");
    terminal.wait_for("EDITING");
    assert!(!terminal.is_taken(), "the editor has the screen as the shell left it");
    let text = fs::read_to_string(&record).unwrap();
    let mut lines = text.lines();
    let number: usize = lines.next().unwrap().strip_prefix('+').unwrap().parse().unwrap();
    assert!(lines.next().unwrap().ends_with("src/windvane/station.py"));
    assert!(lines.nth(number - 1).unwrap().contains("class Station"));
    // Until the editor ends, it receives the keys.
    terminal.send("q\r");
    terminal.wait_for("Stub · Station ");
    assert!(terminal.is_taken());
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn suspending_restores_the_terminal_for_the_shell() {
    // A shell with job control: it gets the terminal when the program is stopped, until `fg`.
    let script = "set -m; \"$BINARY\" --demo; echo STOPPED $(stty -a | grep -o -e '-*icanon'); read line; \
                  stty rows 40 cols 130; fg; echo ENDED $?";
    let mut terminal = Terminal::shell(100, 30, script);
    terminal.wait_for(" resolved");
    terminal.send("\tj?");
    terminal.wait_for("one row up");
    terminal.send("\x1a");
    terminal.wait_for("STOPPED icanon");
    assert!(!terminal.is_taken() && !terminal.has_mouse());
    terminal.resize(130, 40);
    terminal.send("\r");
    // The same overlay is open, in a window of another size.
    terminal.wait_for("one row up");
    assert!(terminal.is_taken() && terminal.has_mouse());
    terminal.send("q");
    terminal.wait_for("Enter page");
    terminal.send("q");
    terminal.wait_for("ENDED 0");
    terminal.assert_given_back(0);
}

#[test]
fn without_a_shell_the_program_is_not_suspended() {
    let mut terminal = demo(100, 30, &[]);
    terminal.send("\x1a");
    terminal.send("?");
    terminal.wait_for("one row up");
    assert!(terminal.is_taken());
    terminal.send("qq");
    terminal.assert_given_back(0);
}

#[test]
fn a_stopped_program_continues_with_its_screen() {
    let mut terminal = demo(100, 30, &[]);
    let pid = terminal.pid().to_string();
    for signal in ["STOP", "CONT"] {
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
    }
    terminal.send("?");
    terminal.wait_for("one row up");
    assert!(terminal.is_taken());
    terminal.send("qq");
    terminal.assert_given_back(0);
}

#[test]
fn the_mouse_is_left_to_the_terminal_after_the_editor_too() {
    let mut terminal = demo(100, 30, &[("VISUAL", "true")]);
    assert!(terminal.has_mouse());
    terminal.send("M");
    terminal.wait_for("mouse off");
    assert!(!terminal.has_mouse());
    terminal.send("\to?");
    terminal.wait_for("one row up");
    assert!(!terminal.has_mouse());
    terminal.send("qM");
    terminal.wait_for("the mouse is for the panes");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn the_window_changes_its_size() {
    let mut terminal = demo(100, 30, &[]);
    terminal.resize(30, 8);
    terminal.wait_for("too small");
    terminal.resize(130, 40);
    terminal.wait_for("Stub · everything");
    terminal.send("?");
    terminal.wait_for("one row up");
    terminal.send("qq");
    terminal.assert_given_back(0);
}

#[test]
fn signals_restore_the_terminal() {
    for (signal, code) in [("TERM", 143), ("HUP", 129), ("INT", 130), ("QUIT", 131)] {
        let mut terminal = demo(80, 24, &[]);
        let pid = terminal.pid().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
        terminal.assert_given_back(code);
    }
}

#[test]
fn a_failure_to_start_or_to_index_is_shown() {
    let mut terminal = Terminal::open(100, 30, &["--theme", "neon", "--demo"], &[]);
    terminal.wait_for("there is no theme `neon`");
    assert_eq!(terminal.exit_code(), 1);
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::open(100, 30, &[folder.path().to_str().unwrap()], &[]);
    terminal.wait_for("no Python or TypeScript files here");
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn a_terminal_without_cursor_movement_is_refused() {
    let mut terminal = Terminal::open(80, 24, &["--demo"], &[("TERM", "dumb")]);
    terminal.wait_for("--export");
    assert_eq!(terminal.exit_code(), 1);
}

/// A terminal may never answer a query of its cursor position, its capabilities, its colours or its size.
#[test]
fn the_terminal_is_never_queried() {
    let mut terminal = demo(100, 30, &[]);
    terminal.send("\tyq");
    terminal.assert_given_back(0);
    let written = terminal.written();
    for question in ["[6n", "[c", "[0c", "[>c", "[>0c", "[?u", "]10;?", "]11;?", "]4;", "P+q", "[14t", "[18t"] {
        assert!(!written.contains(&format!("\x1b{question}")), "{question} was asked");
    }
}

/// True if an escape sequence for colours or modes begins with one of these.
fn has_colour(written: &str, beginnings: &[&str]) -> bool {
    written.split("\x1b[").any(|rest| {
        let sequence = rest.split(|c: char| !c.is_ascii_digit() && c != ';').next().unwrap_or_default();
        rest[sequence.len()..].starts_with('m') && beginnings.iter().any(|beginning| sequence.starts_with(beginning))
    })
}

#[test]
fn colours_fit_the_depth_of_the_terminal() {
    let written = |theme: &str, environment: &[(&str, &str)]| {
        let mut terminal = Terminal::open(100, 30, &["--demo", "--theme", theme], environment);
        terminal.wait_for(" resolved");
        terminal.send("\tq");
        terminal.assert_given_back(0);
        terminal.written()
    };
    let (all, palette) = (&["38;2;", "48;2;"], &["38;5;", "48;5;"]);
    let sixteen = &["30", "31", "32", "33", "34", "35", "36", "37", "9", "40", "46", "104"];
    let screen = written("dark", &[("COLORTERM", "truecolor")]);
    assert!(has_colour(&screen, all) && !has_colour(&screen, palette));
    let screen = written("dark", &[("COLORTERM", "")]);
    assert!(has_colour(&screen, palette) && !has_colour(&screen, all));
    for theme in ["dark", "terminal"] {
        let screen = written(theme, &[("COLORTERM", ""), ("TERM", "xterm")]);
        assert!(has_colour(&screen, sixteen) && !has_colour(&screen, all) && !has_colour(&screen, palette));
        let screen = written(theme, &[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]);
        assert!(!has_colour(&screen, sixteen) && !has_colour(&screen, all) && !has_colour(&screen, palette));
        assert!(has_colour(&screen, &["7"]), "what is selected is reversed");
    }
}
