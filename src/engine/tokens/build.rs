//! Writes the merge ranks of every tokenizer as hash tables that the program reads in place.
//!
//! `tiktoken-rs` holds the ranks as text and parses them into three tables on the heap: 30 MB and a tenth of a second,
//! which is too slow for a command that prints one page.

mod rank_table;

use std::{env, fs, path::Path};

use rank_table::{BLOCK, EMPTY_SLOT, RANK_LIMIT, RankTable, hash, probe, slot};
use tiktoken_rs::CoreBPE;

fn main() {
    println!("cargo::rerun-if-changed=rank_table.rs");
    let folder = env::var_os("OUT_DIR").expect("Cargo says where the output goes");
    let libraries = [
        ("o200k_base", tiktoken_rs::o200k_base()),
        ("cl100k_base", tiktoken_rs::cl100k_base()),
        ("p50k_base", tiktoken_rs::p50k_base()),
    ];
    for (name, library) in libraries {
        let library = library.expect("the library reads the ranks that are built into it");
        let path = Path::new(&folder).join(name).with_extension("ranks");
        fs::write(path, rank_table(&library)).expect("the output folder can be written to");
    }
}

/// The ranks of a library's ordinary tokens, in the format that [`RankTable`] reads.
fn rank_table(library: &CoreBPE) -> Vec<u8> {
    let special = library.special_tokens();
    let token = |rank| library.decode_bytes(&[rank]).ok();
    let is_ordinary = |token: &Vec<u8>| !special.iter().any(|text| text.as_bytes() == token);
    let tokens: Vec<(u32, Vec<u8>)> =
        (0..RANK_LIMIT).filter_map(|rank| Some((rank, token(rank).filter(is_ordinary)?))).collect();

    let mut slots = vec![EMPTY_SLOT; (tokens.len() * 5 / 4).next_power_of_two()];
    let ranks = tokens.last().map_or(0, |(rank, _)| *rank as usize + 1);
    let (mut lengths, mut bytes) = (vec![0_u8; ranks.next_multiple_of(4)], Vec::new());
    for (rank, token) in &tokens {
        let hash = hash(token);
        let free = probe(hash, slots.len()).find(|&at| slots[at] == EMPTY_SLOT).expect("a fifth of the slots is free");
        slots[free] = slot(*rank, hash);
        lengths[*rank as usize] = u8::try_from(token.len()).expect("a token has at most 255 bytes");
        bytes.extend_from_slice(token);
    }
    let starts = lengths.chunks(BLOCK).scan(0, |start, block| {
        let found = *start;
        *start += block.iter().map(|length| u32::from(*length)).sum::<u32>();
        Some(found)
    });
    let starts: Vec<u32> = starts.take(ranks.div_ceil(BLOCK)).collect();
    let longest = tokens.iter().map(|(_, token)| token.len()).max().unwrap_or(0);
    let numbers = [slots.len() as u32, ranks as u32, longest as u32];
    let numbers = numbers.iter().chain(&slots).chain(&starts).flat_map(|number| number.to_le_bytes());
    let written: Vec<u8> = numbers.chain(lengths).chain(bytes).collect();

    let table = RankTable::new(&written);
    assert!(tokens.iter().all(|(rank, token)| table.get(token) == Some(*rank)), "every token has its rank");
    written
}
