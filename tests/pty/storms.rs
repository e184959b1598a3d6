//! Input that comes faster than a hand can type it: all of it is read, and Ctrl-C ends the program in every state.

use std::{fmt::Write as _, process::Command};

use crate::{demo, terminal::Terminal};

/// Events of the wheel, enough to fill the terminal's buffer and that of a reader many times.
fn wheel(count: usize) -> String {
    let mut events = String::new();
    for at in 0..count {
        let _ = write!(events, "\x1b[<{};{};{}M", 64 + at % 2, 2 + at % 90, 2 + at % 25);
    }
    events
}

/// The keys that lead from the panes to other states, and a text that is on the screen then.
const STATES: [(&str, &str); 9] = [
    ("", "Enter open"),
    ("f", "go there"),
    ("/", "Enter keep"),
    ("?", "one row up"),
    (":", "Commands"),
    ("w", "Write the stub to"),
    ("d", "Page"),
    ("u", "Curve"),
    ("\x01", "Ask"),
];

#[test]
fn control_c_ends_the_program_in_every_state() {
    for (keys, shown) in STATES {
        let mut terminal = demo(100, 30, &[]);
        terminal.send(keys);
        terminal.wait_for(shown);
        terminal.send(&wheel(300));
        terminal.resize(90, 28);
        terminal.send(&wheel(300));
        terminal.send("\x03");
        terminal.assert_given_back(0);
    }
}

#[test]
fn no_key_is_left_behind_many_mouse_events() {
    let mut terminal = demo(100, 30, &[]);
    for columns in [90, 100] {
        terminal.send(&wheel(3_000));
        terminal.resize(columns, 30);
        terminal.send("?");
        terminal.wait_for("one row up");
        terminal.send(&wheel(300));
        terminal.send("q");
        terminal.wait_until_gone("one row up");
    }
    terminal.send("q");
    terminal.assert_given_back(0);
}

#[test]
fn a_large_paste_is_cut_and_says_so() {
    let large = "statio".repeat(4_000);
    let bracketed = format!("\x1b[200~{}\x1b[201~", "statio".repeat(40_000));
    for (keys, shown) in [("f", "go there"), ("/", "Enter keep"), ("w\x15", "Write the stub to")] {
        for pasted in [&large, &bracketed] {
            let mut terminal = demo(120, 40, &[]);
            terminal.send(keys);
            terminal.wait_for(shown);
            terminal.send(pasted);
            terminal.wait_for("cut at 4,000");
            // The field is usable again.
            terminal.send("\x15");
            terminal.wait_until_gone("cut at 4,000");
            terminal.send(pasted);
            terminal.send("\x03");
            terminal.assert_given_back(0);
        }
    }
}

#[test]
fn a_paste_or_a_key_without_an_end_does_not_keep_signals_away() {
    for part in ["\x1b[200~pasted", "\x1b[", "\x1b[<64;10"] {
        let mut terminal = demo(80, 24, &[]);
        terminal.send("?");
        terminal.wait_for("one row up");
        terminal.send(part);
        kill(&terminal);
        terminal.assert_given_back(143);
    }
}

fn kill(terminal: &Terminal) {
    assert!(Command::new("kill").arg(terminal.pid().to_string()).status().unwrap().success());
}
