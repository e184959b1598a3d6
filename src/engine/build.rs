//! Writes the merge ranks of every tokenizer as hash tables that the program reads in place, tells the program the hashes
//! of the sources that determine facts, indexes and corpora, and checks the table of words.
//!
//! `tiktoken-rs` holds the ranks as text and parses them into three tables on the heap: 30 MB and a tenth of a second,
//! which is too slow for a command that prints one page.

#[path = "tokens/rank_table.rs"]
mod rank_table;
#[allow(dead_code, reason = "the build reads the table only to check it")]
#[path = "discover/meaning/table.rs"]
mod table;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use rank_table::{EMPTY_SLOT, RANK_LIMIT, RankTable, hash, probe, slot};
use tiktoken_rs::CoreBPE;

/// The folders of `AFTER_FACTS` that determine how an index is made of facts, and what it contains.
const INDEX: [&str; 2] = ["index", "usage"];

/// The folders of `AFTER_FACTS` that determine what a search by intent makes of an index.
const CORPUS: [&str; 4] = ["answers", "discover", "recipes", "terms"];

/// The folders and files that come after facts in the data flow, so that no fact depends on them. Everything else in
/// this folder counts. A name that is missing here makes kept facts outdated too early, which changes no answer.
const AFTER_FACTS: &[&str] = &[
    "answers",
    "code_check",
    "delivery",
    "discover",
    "entry_points",
    "http",
    "index",
    "openapi",
    "overrides.rs",
    "recipes",
    "research",
    "route",
    "search",
    "session",
    "strategy",
    "stub",
    "terms",
    "tokens",
    "usage",
];

fn main() {
    println!("cargo::rustc-env=FACTS_SOURCES={}", facts_sources().expect("the sources can be read"));
    println!("cargo::rustc-env=INDEX_SOURCES={}", sources(&INDEX).expect("the sources can be read"));
    println!("cargo::rustc-env=CORPUS_SOURCES={}", sources(&CORPUS).expect("the sources can be read"));
    check_words();
    write_ranks();
}

/// The hash of all sources that determine facts and their encoding, and of the versions of all crates.
fn facts_sources() -> io::Result<blake3::Hash> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(".")? {
        let entry = entry?;
        if !AFTER_FACTS.iter().any(|name| entry.file_name() == *name) {
            println!("cargo::rerun-if-changed={}", entry.path().display());
            add_files(entry.path(), &mut paths)?;
        }
    }
    // Another package that uses the engine has no such file at this place.
    let lock = PathBuf::from("../../Cargo.lock");
    if lock.is_file() {
        println!("cargo::rerun-if-changed={}", lock.display());
        paths.push(lock);
    }
    hash_of(paths)
}

/// The hash of all sources in some folders.
fn sources(folders: &[&str]) -> io::Result<blake3::Hash> {
    let mut paths = Vec::new();
    for folder in folders {
        println!("cargo::rerun-if-changed={folder}");
        add_files(folder.into(), &mut paths)?;
    }
    hash_of(paths)
}

/// The hash of files, with their paths.
fn hash_of(mut paths: Vec<PathBuf>) -> io::Result<blake3::Hash> {
    paths.sort();
    let mut hasher = blake3::Hasher::new();
    for path in paths {
        hasher.update(blake3::hash(path.to_string_lossy().as_bytes()).as_bytes());
        hasher.update(blake3::hash(&fs::read(path)?).as_bytes());
    }
    Ok(hasher.finalize())
}

/// Adds a file, or all files below a folder.
fn add_files(path: PathBuf, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            add_files(entry?.path(), files)?;
        }
    } else {
        files.push(path);
    }
    Ok(())
}

/// Fails the build if the table of words is broken: without it, search by intent would find less and say nothing.
fn check_words() {
    const PATH: &str = "../../assets/model/words.table";
    println!("cargo::rerun-if-changed={PATH}");
    let bytes = fs::read(PATH).expect("the table of words can be read");
    let table = table::Table::parse(&bytes).unwrap_or_else(|why| panic!("{PATH}: {why}"));
    assert!(!table.words.is_empty(), "{PATH} has no word");
}

fn write_ranks() {
    println!("cargo::rerun-if-changed=tokens/rank_table.rs");
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
    let (mut ends, mut bytes) = (Vec::new(), Vec::new());
    for (rank, token) in &tokens {
        let hash = hash(token);
        let free = probe(hash, slots.len()).find(|&at| slots[at] == EMPTY_SLOT).expect("a fifth of the slots is free");
        slots[free] = slot(*rank, hash);
        ends.resize(*rank as usize, bytes.len() as u32);
        bytes.extend_from_slice(token);
        ends.push(bytes.len() as u32);
    }
    let longest = tokens.iter().map(|(_, token)| token.len()).max().unwrap_or(0);
    let numbers = [slots.len() as u32, ends.len() as u32, longest as u32];
    let numbers = numbers.iter().chain(&slots).chain(&ends).flat_map(|number| number.to_le_bytes());
    let written: Vec<u8> = numbers.chain(bytes).collect();

    let table = RankTable::new(&written);
    assert!(tokens.iter().all(|(rank, token)| table.get(token) == Some(*rank)), "every token has its rank");
    written
}
