//! Writes the tokens of all encodings, and the ranks of each, in the form in which the program holds them.
//!
//! `tiktoken-rs` holds each encoding as text and parses it into three tables on the heap: 30 MB and a tenth of a
//! second, which is too slow for a command that prints one page.

mod vocabulary;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
};

use tiktoken_rs::CoreBPE;
use vocabulary::{LONG, RANK_BITS, Tokens};

fn main() {
    println!("cargo::rerun-if-changed=vocabulary.rs");
    let folder = env::var_os("OUT_DIR").expect("Cargo says where the output goes");
    let write = |name: &str, bytes: &[u8]| {
        fs::write(Path::new(&folder).join(name), bytes).expect("the output folder can be written to");
    };
    let libraries = [
        ("o200k_base", tiktoken_rs::o200k_base()),
        ("cl100k_base", tiktoken_rs::cl100k_base()),
        ("p50k_base", tiktoken_rs::p50k_base()),
    ];
    let encodings =
        libraries.map(|(name, library)| (name, ordinary_tokens(&library.expect("the library reads its own ranks"))));
    let tokens = encodings.iter().flat_map(|(_, encoding)| encoding.keys().map(Vec::as_slice));
    let (ascii, other): (BTreeSet<&[u8]>, BTreeSet<&[u8]>) = tokens.partition(|token| token.is_ascii());
    for (part, tokens) in [("ascii", ascii), ("other", other)] {
        let list = list(&tokens);
        write(part, &list);
        for (name, encoding) in &encodings {
            let encoding = encoding.iter().filter(|(token, _)| tokens.contains(token.as_slice()));
            let encoding: BTreeMap<&[u8], u32> = encoding.map(|(token, rank)| (token.as_slice(), *rank)).collect();
            let ranks = ranks(&tokens, &encoding);
            let read = Tokens::read(&list, &ranks, 1 << RANK_BITS, |rank, token| {
                assert_eq!(encoding.get(token), Some(&rank), "a token has its rank");
            });
            assert_eq!(Tokens::count(&ranks), encoding.len(), "every token is counted");
            assert!(encoding.iter().all(|(token, rank)| read.get(*rank) == *token), "every token is read");
            write(&format!("{name}.{part}"), &ranks);
        }
    }
}

/// The ranks of a library's ordinary tokens.
fn ordinary_tokens(library: &CoreBPE) -> BTreeMap<Vec<u8>, u32> {
    let special = library.special_tokens();
    let is_ordinary = |token: &Vec<u8>| !special.iter().any(|text| text.as_bytes() == token);
    let token = |rank| library.decode_bytes(&[rank]).ok().filter(is_ordinary);
    (0..1 << RANK_BITS).filter_map(|rank| Some((token(rank)?, rank))).collect()
}

/// The list of these tokens.
fn list(tokens: &BTreeSet<&[u8]>) -> Vec<u8> {
    let (mut lengths, mut remainder) = (Vec::new(), Vec::new());
    let mut before: &[u8] = &[];
    for token in tokens {
        let shared = token.iter().zip(before).take_while(|(byte, other)| byte == other).count();
        let numbers = [shared, token.len() - shared].map(|number| u8::try_from(number).expect("tokens are short"));
        let [high, low] = numbers.map(|number| number.min(LONG));
        lengths.push(high << 4 | low);
        remainder.extend(numbers.iter().filter(|number| **number >= LONG));
        remainder.extend_from_slice(&token[shared..]);
        before = token;
    }
    let count = u32::try_from(tokens.len()).expect("ranks have fewer bits");
    [&count.to_le_bytes()[..], &lengths, &remainder].concat()
}

/// The ranks of an encoding's tokens, in the order of the list.
fn ranks(tokens: &BTreeSet<&[u8]>, encoding: &BTreeMap<&[u8], u32>) -> Vec<u8> {
    let ranks: Vec<Option<u32>> = tokens.iter().map(|token| encoding.get(*token).copied()).collect();
    let bits = encoding.values().max().map_or(0, |greatest| u32::BITS - greatest.leading_zeros());
    let members = packed(ranks.iter().map(|rank| u32::from(rank.is_some())), 1);
    let ranks = packed(ranks.iter().flatten().copied(), bits);
    let bits = u8::try_from(bits).expect("a rank has at most 32 bits");
    let total: usize = encoding.keys().map(|token| token.len()).sum();
    let numbers = [encoding.len(), total].map(|number| u32::try_from(number).expect("ranks have fewer bits"));
    let numbers = numbers.map(u32::to_le_bytes).concat();
    [&numbers[..], &[bits], &members, &ranks, &[0; 4]].concat()
}

/// Writes numbers side by side in `bits` bits each, the lowest bits of a byte first.
fn packed(numbers: impl Iterator<Item = u32>, bits: u32) -> Vec<u8> {
    let (mut bytes, mut waiting, mut count) = (Vec::new(), 0_u64, 0);
    for number in numbers {
        waiting |= u64::from(number) << count;
        count += bits;
        while count >= 8 {
            bytes.push(waiting as u8);
            waiting >>= 8;
            count -= 8;
        }
    }
    bytes.extend((count > 0).then_some(waiting as u8));
    bytes
}
