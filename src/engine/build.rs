//! Lays out the ranks of every tokenizer as tables that are read where they lie.
//!
//! `tiktoken-rs` holds them as text and reads them into three tables of 30 MB together, which takes a tenth of a second:
//! too long for a command that prints a page, too much for a screen that stays.

#[path = "tokens/table.rs"]
mod table;

use std::{env, fs, path::Path};

use table::{EMPTY, RANKS, Table, hash, places, slot};
use tiktoken_rs::CoreBPE;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=tokens/table.rs");
    let folder = env::var_os("OUT_DIR").expect("Cargo says where the output goes");
    let libraries = [
        ("o200k_base", tiktoken_rs::o200k_base()),
        ("cl100k_base", tiktoken_rs::cl100k_base()),
        ("p50k_base", tiktoken_rs::p50k_base()),
        ("r50k_base", tiktoken_rs::r50k_base()),
    ];
    for (name, library) in libraries {
        let library = library.expect("the library reads the ranks that are built into it");
        let path = Path::new(&folder).join(name).with_extension("ranks");
        fs::write(path, table_of(&library)).expect("the output folder can be written to");
    }
}

/// The table of a library's ordinary tokens, as [`Table`] reads it.
fn table_of(library: &CoreBPE) -> Vec<u8> {
    let special = library.special_tokens();
    let token = |rank| library.decode_bytes(&[rank]).ok();
    let is_ordinary = |token: &Vec<u8>| !special.iter().any(|text| text.as_bytes() == token);
    let tokens: Vec<(u32, Vec<u8>)> =
        (0..RANKS).filter_map(|rank| Some((rank, token(rank).filter(is_ordinary)?))).collect();

    let mut slots = vec![EMPTY; (tokens.len() * 5 / 4).next_power_of_two()];
    let (mut ends, mut bytes) = (Vec::new(), Vec::new());
    for (rank, token) in &tokens {
        let hash = hash(token);
        let free =
            places(hash, slots.len()).find(|&place| slots[place] == EMPTY).expect("a fifth of the slots is free");
        slots[free] = slot(*rank, hash);
        ends.resize(*rank as usize, bytes.len() as u32);
        bytes.extend_from_slice(token);
        ends.push(bytes.len() as u32);
    }
    let longest = tokens.iter().map(|(_, token)| token.len()).max().unwrap_or(0);
    let numbers = [slots.len() as u32, ends.len() as u32, longest as u32];
    let numbers = numbers.iter().chain(&slots).chain(&ends).flat_map(|number| number.to_le_bytes());
    let written: Vec<u8> = numbers.chain(bytes).collect();

    let table = Table::new(&written);
    assert!(tokens.iter().all(|(rank, token)| table.get(token) == Some(*rank)), "every token is found");
    written
}
