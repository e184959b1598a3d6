//! What the README says is what the program does.

use std::{fs, path::Path};

use apidisc::{strategy::Strategy, tokens::Encoding};
use apidisc_tui::tui::command;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// Mends the README when it is run with `UPDATE_README=1`.
#[test]
fn the_keys_are_those_of_the_command_table() {
    let text = readme();
    let (before, rest) = text.split_once("<!-- keys -->\n").unwrap();
    let (table, after) = rest.split_once("<!-- /keys -->\n").unwrap();
    let expected = command::markdown();
    if std::env::var_os("UPDATE_README").is_some() {
        let text = format!("{before}<!-- keys -->\n{expected}<!-- /keys -->\n{after}");
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"), text).unwrap();
        return;
    }
    assert_eq!(table, expected, "run: UPDATE_README=1 cargo test --test arch");
}

#[test]
fn every_strategy_and_every_encoding_is_named() {
    let text = readme();
    let strategies = [
        Strategy::default(),
        Strategy::Threshold { min_frequency: 0.2 },
        Strategy::Coverage { target: 0.95 },
        Strategy::Exhaustive,
    ];
    let names = strategies.map(Strategy::name).into_iter().chain(Encoding::ALL.map(Encoding::name));
    for name in names {
        assert!(text.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn a_fresh_machine_needs_two_commands() {
    let text = readme();
    let block = text.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(block, "cargo run --release -- --demo\ncargo test\n");
}
