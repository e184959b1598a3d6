//! Tells the program the hash of its sources, and checks the table of words.

#[allow(dead_code, reason = "the build reads the table only to check it")]
#[path = "discover/meaning/table.rs"]
mod table;

use std::fs;

fn main() {
    apidisc_sources::tell();
    check_words();
}

/// Fails the build if the table of words is broken: without it, search by intent would find less and say nothing.
fn check_words() {
    const PATH: &str = "discover/meaning/words.table";
    println!("cargo::rerun-if-changed={PATH}");
    let bytes = fs::read(PATH).expect("the table of words can be read");
    let table = table::Table::parse(&bytes).unwrap_or_else(|why| panic!("{PATH}: {why}"));
    assert!(!table.words.is_empty(), "{PATH} has no word");
}
