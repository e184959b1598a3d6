//! The engine knows no face, and the faces do not know each other.

use crate::sources::{File, below, check};

/// Screens, terminals, processes, networks, async runtimes, and the faces themselves.
const NOT_FOR_THE_ENGINE: &[&str] = &[
    "crate::cli",
    "crate::tui",
    "crate::clipboard",
    "crate::demo",
    "std::process",
    "std::net",
    "std::time::Instant",
    "std::time::SystemTime",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
];
const NOT_IN_THE_ENGINE: &[&str] = &[
    "ratatui",
    "crossterm",
    "tokio",
    "clap",
    "arboard",
    "Instant",
    "SystemTime",
    "stdin",
    "stdout",
    "stderr",
    "print",
    "println",
    "eprint",
    "eprintln",
    "dbg",
];

fn engine(file: &File) -> Option<String> {
    let found = file.names(NOT_FOR_THE_ENGINE).or_else(|| file.says(NOT_IN_THE_ENGINE))?;
    Some(format!("the engine knows no face, but names {found}"))
}

#[test]
fn the_engine_knows_no_face() {
    check(&below("src/engine"), engine);
}

#[test]
fn the_command_line_never_calls_the_explorer() {
    check(&below("src/cli"), |file| file.names(&["crate::tui"]).map(|path| format!("names {path}")));
}

#[test]
fn the_explorer_never_calls_the_command_line() {
    check(&below("src/tui"), |file| file.names(&["crate::cli"]).map(|path| format!("names {path}")));
}

#[test]
fn the_rule_has_teeth() {
    for bad in [
        "use std::{fmt, process::Command};",
        "use crate::{engine::index::Index, tui::Options};",
        "use super::super::tui;",
        "fn f() { let now = std::time::Instant::now(); }",
        "fn f() { println!(\"{}\", 1); }",
        "use ratatui::layout::Rect;",
    ] {
        assert!(engine(&File::new("src/engine/stub/mod.rs", bad)).is_some(), "{bad}");
    }
    let good = "//! No println!, no stdout.\nuse std::{fmt, io};\nuse super::index::Index;\n";
    assert_eq!(engine(&File::new("src/engine/stub/mod.rs", good)), None);
}
