//! How often the context of a question has what its answer needs, as tables.
//!
//! `cargo bench --bench research -- FOLDER QUESTIONS…` asks the questions of a file (`tests/bench/questions`) about the
//! repository in the folder before it. Each question was written from an issue or a page of documentation of the
//! repository, together with the symbols and arguments that its answer needs, before the context was looked at. The
//! questions of the set `seen` may be looked at while retrieval is improved, those of `unseen` may not.
//!
//! A context has a symbol if one of its parts (a stub, a recipe, a section; a file) has the last part of its name where
//! code declares or calls it, and an argument if a part that has one of the symbols has its name where code declares or
//! passes an argument. A question counts if the context has all of them. The other way is what somebody does without an
//! index of uses: the files with the most definitions whose names have a word of the question, whole, most first, as
//! far as they fit. Both ways get the same number of tokens.
//!
//! `--check` prints what the check of answers finds in the code of the documents of each folder. Nearly all of this
//! code is right, so nearly every finding is a mistake of the check.
//!
//! `--missing` lists what the contexts of the questions of `seen` do not have.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use apidisc::{
    answers::{Context, SymbolTable},
    code_check::check_code,
    control::Control,
    discover::Corpus,
    index::Index,
    indexer,
    research::{Question, research},
    source::{Source, SourceText, reread},
    tokens::{Encoding, Tokenizer},
};
use serde::Deserialize;

/// The budgets of contexts, in tokens.
const BUDGETS: [i64; 3] = [1_000, 2_000, 4_000];
/// The least length of a word of a question that names are searched for, in characters.
const LEAST_WORD: usize = 4;

#[derive(Deserialize)]
struct Asked {
    question: String,
    set: String,
    symbols: Vec<String>,
    arguments: Vec<String>,
}

/// The number of questions, and for each way and budget the number of those whose context has everything.
#[derive(Default)]
struct Row {
    questions: usize,
    ways: [[usize; BUDGETS.len()]; 2],
}

fn main() {
    let mut folder: Option<PathBuf> = None;
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let checks = env::args().any(|argument| argument == "--check");
    // `cargo bench` and `cargo test` pass options of their own.
    let lists_missing = env::args().any(|argument| argument == "--missing");
    for argument in env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        let path = PathBuf::from(&argument);
        if path.is_dir() {
            if checks {
                check_documents(&path);
            }
            folder = Some(path);
            continue;
        }
        let folder = folder.as_ref().expect("a folder precedes each file of questions");
        let lines = fs::read_to_string(&path).expect("questions");
        let asked: Vec<Asked> = lines.lines().map(|line| serde_json::from_str(line).expect("a question")).collect();
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        ask_all(&Source::Folder(folder.clone()), &name, &asked, lists_missing, &mut rows);
    }
    match (rows.is_empty(), checks) {
        (true, true) => return,
        (true, false) => return println!("usage: cargo bench --bench research -- FOLDER QUESTIONS…"),
        (false, _) => {}
    }
    println!("| questions | | context, at {BUDGETS:?} tokens | whole files |\n| --- | --- | --- | --- |");
    for (name, row) in &rows {
        println!("| {name} | {} | {:?} | {:?} |", row.questions, row.ways[0], row.ways[1]);
    }
}

/// Prints what the check of answers finds in the documents of a folder.
fn check_documents(folder: &Path) {
    let source = Source::Folder(folder.to_owned());
    let index = indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
    let symbols = SymbolTable::new(Arc::new(index));
    let read = |path: &str| reread(&source, path);
    let context = Context::new(&symbols, &read);
    let files = symbols.index().files.iter().filter(|file| file.is_document());
    let paths: BTreeSet<&str> = files.map(|file| file.path.as_str()).collect();
    let mut found = 0;
    for path in &paths {
        let Some(text) = read(path) else { continue };
        for name in check_code(&context, &text.source) {
            println!("{}/{path}:{}: {}", folder.display(), name.line, name.words());
            found += 1;
        }
    }
    println!("{found} findings in {} documents of {}", paths.len(), folder.display());
}

fn ask_all(source: &Source, name: &str, asked: &[Asked], lists_missing: bool, rows: &mut BTreeMap<String, Row>) {
    let index = indexer::build(source, &mut |_| Control::Continue).expect("a source").expect("an index");
    let index = Arc::new(index);
    let read = |path: &str| reread(source, path);
    let corpus = Corpus::new(Arc::new(SymbolTable::new(Arc::clone(&index))), &read);
    let tokenizer = Tokenizer::load(Encoding::default());
    for asked in asked {
        let mut held = [[false; BUDGETS.len()]; 2];
        for (at, &max_tokens) in BUDGETS.iter().enumerate() {
            let question = Question { question: asked.question.clone(), max_tokens, package: None };
            let context = Context::new(corpus.symbols(), &read);
            let answer = research(&context, &corpus, None, &question).expect("a context");
            // The first line repeats the question.
            let text = answer.text.split_once('\n').map_or("", |(_, rest)| rest);
            let missing = missing(asked, text);
            held[0][at] = missing.is_empty();
            held[1][at] =
                self::missing(asked, &files(&index, &read, &asked.question, max_tokens, &tokenizer)).is_empty();
            if lists_missing && asked.set == "seen" && !missing.is_empty() {
                let parts: Vec<&str> = answer.data.parts.iter().map(|part| part.name.as_str()).collect();
                println!("{max_tokens} {:?}: no {}; it has {}", asked.question, missing.join(", "), parts.join(", "));
            }
        }
        for name in [format!("{name}, {}", asked.set), format!("all, {}", asked.set)] {
            let row = rows.entry(name).or_default();
            row.questions += 1;
            for (count, held) in row.ways.iter_mut().flatten().zip(held.iter().flatten()) {
                *count += usize::from(*held);
            }
        }
    }
}

/// The names that the answer needs and the text does not have.
fn missing<'a>(asked: &'a Asked, text: &str) -> Vec<&'a str> {
    let symbols: Vec<&str> = asked.symbols.iter().filter_map(|symbol| symbol.rsplit('.').next()).collect();
    let has_symbol = |part: &str, name: &str| {
        words(part, name).any(|(before, rest)| {
            let declares = ["class", "def", "function", "const", "interface"].iter().any(|word| before.ends_with(word));
            declares || rest.starts_with(['(', '<', ':', '='])
        })
    };
    // `name`, `name?:`, `name=`, `name,` and `name)` declare or pass an argument.
    let has_argument = |part: &str, name: &str| {
        words(part, name).any(|(_, rest)| rest.trim_start_matches(['?', ' ']).starts_with([':', '=', ',', ')']))
    };
    let parts: Vec<&str> = text.split("\n## ").collect();
    let of_symbols = |part: &&&str| symbols.iter().any(|name| has_symbol(part, name));
    let no_symbol = symbols.iter().copied().filter(|name| !parts.iter().any(|part| has_symbol(part, name)));
    let no_argument = |name: &&str| !parts.iter().filter(of_symbols).any(|part| has_argument(part, name));
    no_symbol.chain(asked.arguments.iter().map(String::as_str).filter(no_argument)).collect()
}

/// The texts before and behind each whole word of a text that is `name`.
fn words<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).filter_map(move |(start, _)| {
        let (before, rest) = (text[..start].chars().next_back(), &text[start + name.len()..]);
        (!before.is_some_and(is_part) && !rest.starts_with(is_part)).then_some((text[..start].trim_end(), rest))
    })
}

/// Whole files, those first that define the most names with a word of the question, as far as they fit.
fn files(
    index: &Index,
    read: &dyn Fn(&str) -> Option<SourceText>,
    question: &str,
    max_tokens: i64,
    tokenizer: &Tokenizer,
) -> String {
    let lower = question.to_lowercase();
    let is_long = |word: &&str| word.chars().count() >= LEAST_WORD;
    let wanted: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(is_long).collect();
    let mut hits: BTreeMap<&str, usize> = BTreeMap::new();
    for definition in index.definitions.iter().filter(|definition| definition.is_public) {
        let name = definition.name.to_lowercase();
        let count = wanted.iter().filter(|word| name.contains(**word)).count();
        *hits.entry(&index.file(definition.place.file).path).or_default() += count;
    }
    let mut files: Vec<(&str, usize)> = hits.into_iter().filter(|(_, count)| *count > 0).collect();
    files.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut text = String::new();
    let mut tokens = 0;
    for (path, _) in files {
        let Some(file) = read(path) else { continue };
        text.extend(["\n## ", path, "\n"]);
        for line in file.source.lines().map(|line| format!("{line}\n")) {
            tokens += tokenizer.count(&line);
            if tokens > max_tokens as usize {
                return text;
            }
            text += &line;
        }
    }
    text
}
