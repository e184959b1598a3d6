//! Mutants: small random changes to the demo's sources, valid or not. Each mutant is indexed without a panic, its stubs
//! hold no control characters, and Python and the TypeScript compiler accept them.
//!
//! `PROPTEST_CASES=2000` tries 2,000 mutants of each language; `PROPTEST_RNG_SEED` changes them.

use std::{borrow::Cow, fs, path::Path, sync::Arc};

use apidisc::{
    control::Control,
    delivery::{Format, Packer},
    index::Scope,
    indexer::build,
    language::Language,
    source::Source,
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};
use proptest::{
    prelude::RngExt,
    test_runner::{RngAlgorithm, RngSeed, TestRng},
};

use crate::{chance::cases, compiler, stub};

/// Texts that a mutation inserts: ends of strings and comments, brackets, keywords in odd places, characters that steer
/// a terminal or hide.
const INSERTED: [&str; 48] = [
    "\"\"\"",
    "'''",
    "\"",
    "'",
    "`",
    "${",
    "*/",
    "/*",
    "//",
    "#",
    "\\",
    "\\\n",
    "(",
    ")",
    "[[[[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "=>",
    "->",
    "...",
    "*",
    "**",
    "/, ",
    "?: ",
    ": ",
    " = ",
    " | ",
    "@",
    "\n",
    "\n    ",
    "\t",
    "\r",
    "\0",
    "\u{1b}[31m",
    "\u{9b}",
    "\u{202e}",
    "\u{2028}",
    "\u{ad}",
    "\u{feff}",
    "é😀",
    " class ",
    " def ",
    " export default ",
    " await ",
    " null ",
];

type Files = Vec<(String, String)>;

/// The demo's files of one language, and the project files.
fn demo(language: Language) -> Files {
    fn add(folder: &Path, root: &Path, language: Language, files: &mut Files) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = path.strip_prefix(root).expect("below").to_string_lossy().into_owned();
            if path.is_dir() {
                add(&path, root, language, files);
            } else if Language::of_path(&name) == Some(language)
                || path.extension().is_some_and(|ending| ending == "json")
            {
                files.push((name, fs::read_to_string(&path).expect("a text")));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/demo");
    let mut files = Vec::new();
    add(&root, &root, language, &mut files);
    files.sort();
    files
}

/// A position between two characters.
fn position(text: &str, rng: &mut TestRng) -> usize {
    let mut at = rng.random_range(0..=text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A short range of a text.
fn range(text: &str, rng: &mut TestRng) -> std::ops::Range<usize> {
    let start = position(text, rng);
    let mut end = (start + rng.random_range(1..60)).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    start..end.max(start)
}

/// Deletes, repeats, moves, inserts or exchanges a piece of a text, or cuts its end off.
fn mutate(text: &mut String, rng: &mut TestRng) {
    match rng.random_range(0..8) {
        0 => text.replace_range(range(text, rng), ""),
        1 => {
            let piece = text[range(text, rng)].to_owned();
            text.insert_str(position(text, rng), &piece);
        }
        2 => {
            let from = range(text, rng);
            let piece = text[from.clone()].to_owned();
            text.replace_range(from, "");
            text.insert_str(position(text, rng), &piece);
        }
        3 => {
            let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            let word = words[rng.random_range(0..words.len())].to_owned();
            let to = range(text, rng);
            text.replace_range(to, &word);
        }
        4 if rng.random_range(0..4) == 0 => text.truncate(position(text, rng)),
        _ => text.insert_str(position(text, rng), INSERTED[rng.random_range(0..INSERTED.len())]),
    }
}

/// The stubs of the mutants of one language.
fn stubs(language: Language) -> Vec<String> {
    let config = cases(12);
    let mutants = config.cases;
    let RngSeed::Fixed(seed) = config.rng_seed else { panic!("the seed is fixed") };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let original = demo(language);
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let mut texts = Vec::new();
    for _ in 0..mutants {
        let mut files = original.clone();
        for _ in 0..rng.random_range(1..12) {
            let file = rng.random_range(0..files.len());
            mutate(&mut files[file].1, &mut rng);
        }
        let files = files.into_iter().map(|(path, text)| (path, Cow::Owned(text.into_bytes()))).collect();
        let source = Source::Memory { name: "mutant".to_owned(), files };
        let index = Arc::new(build(&source, &mut |_| Control::Continue).expect("it opens").expect("nobody cancels"));
        let Ok(packer) = Packer::new(&index, Scope::Repository, &tokenizer) else { continue };
        for strategy in [Strategy::Exhaustive, Strategy::TokenBudget { max_tokens: 800 }] {
            let Ok(delivery) = packer.deliver(&strategy, Format::Stub) else { continue };
            let control = delivery.text.chars().find(|c| c.is_control() && *c != '\n');
            assert_eq!(control, None, "{}", delivery.text);
            texts.push(delivery.text);
        }
    }
    assert!(texts.len() as u32 > mutants, "only {} stubs of {mutants} mutants", texts.len());
    texts
}

#[test]
fn python_parses_the_stubs_of_mutants() {
    stub::assert_python_parses(&stubs(Language::Python));
}

#[test]
fn the_compiler_accepts_the_stubs_of_mutants() {
    compiler::assert_compiles(&stubs(Language::TypeScript));
}
