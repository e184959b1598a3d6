//! The fuzz targets: one function each, which takes any bytes and must neither panic nor break its promise.
//!
//! The fuzzer's programs and the tests of `cargo test` both include this file: what the fuzzer runs on its own inputs,
//! the tests run on every file of `seeds/`.

pub(crate) mod programs;

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use apidisc::{
    control::Control,
    delivery::{Delivery, DeliveryError, Format, Packer, profile::Profile},
    index::{
        Index, Scope,
        metadata::{self, MetadataOptions},
    },
    indexer,
    language::Language,
    openapi::{ApiIndex, GetChunks, SearchChunks, get_chunks, search_chunks},
    search::{Catalog, Query, Searcher, fuzzy_matches, substring_matches, word_positions},
    source::Source,
    strategy::Strategy,
    syntax::{python, typescript},
    tokens::{Encoding, Tokenizer},
};
use apidisc_tui::tui::{
    complaint::Complaint,
    config::UserConfig,
    session::Session,
    theme::{ColourDepth, Themes, UserTheme},
};

/// The function of a target.
pub(crate) type Target = fn(&[u8]);

/// Every target with its name: that of its program in `fuzz_targets/` and of its folder in `seeds/`.
#[allow(dead_code)] // a program of the fuzzer runs one of them
pub(crate) const TARGETS: [(&str, Target); 17] = [
    ("configuration", configuration),
    ("finder", finder),
    ("metadata", metadata),
    ("notebook", notebook),
    ("openapi", openapi),
    ("profile", profile),
    ("project", project),
    ("python_index", python_index),
    ("python_syntax", python_syntax),
    ("python_types", python_types),
    ("session", session),
    ("snippet", snippet),
    ("theme", theme),
    ("tokens", tokens),
    ("typescript_index", typescript_index),
    ("typescript_syntax", typescript_syntax),
    ("typescript_types", typescript_types),
];

/// The facts of one file of Python.
pub(crate) fn python_syntax(bytes: &[u8]) {
    python::read(&String::from_utf8_lossy(bytes));
}

/// The facts of one file of TypeScript, in each dialect, as a module and as a declaration file.
pub(crate) fn typescript_syntax(bytes: &[u8]) {
    use typescript::Dialect::{JavaScript, Tsx, TypeScript};
    let text = String::from_utf8_lossy(bytes);
    for (dialect, is_declaration) in [(TypeScript, false), (TypeScript, true), (Tsx, false), (JavaScript, false)] {
        typescript::read(&text, dialect, is_declaration);
    }
}

/// An API document of JSON, and of YAML, whose references lead from one to the other.
pub(crate) fn openapi(bytes: &[u8]) {
    let files = ["api.json", "api.yaml"].map(|path| (path.to_owned(), Cow::Owned(bytes.to_vec())));
    let source = Source::Memory { name: "api".to_owned(), files: files.into() };
    let index = ApiIndex::read(&source).expect("files in memory");
    let ids: Vec<String> = index.chunks.all().iter().take(20).map(|chunk| chunk.id.clone()).collect();
    if ids.is_empty() {
        return;
    }
    let request = GetChunks { chunk_ids: ids, max_tokens: 2_000, ..GetChunks::default() };
    if let Ok(answer) = get_chunks(&index, &request, Encoding::default()) {
        assert!(answer.tokens <= 2_000);
        assert_eq!(answer.data.truncated, !answer.data.left_out.is_empty());
    }
    let query = String::from_utf8_lossy(&bytes[..bytes.len().min(50)]).into_owned();
    let _ = search_chunks(&index, &SearchChunks { query, ..SearchChunks::default() }, Encoding::default());
}

/// Files of Python, from bytes to a stub.
pub(crate) fn python_index(bytes: &[u8]) {
    index_and_export(files(bytes, "main.py"));
}

/// Files of TypeScript and JavaScript, from bytes to a stub.
pub(crate) fn typescript_index(bytes: &[u8]) {
    index_and_export(files(bytes, "main.tsx"));
}

/// A program of recursive types in Python, which the bytes choose.
pub(crate) fn python_types(bytes: &[u8]) {
    index_and_export(program(&programs::PYTHON, bytes));
}

/// A program of recursive types in TypeScript, which the bytes choose.
pub(crate) fn typescript_types(bytes: &[u8]) {
    index_and_export(program(&programs::TYPESCRIPT, bytes));
}

/// The example of a call at each of the first words of a file, the documentation of a definition of that name, and the
/// code that a document with these bytes quotes.
pub(crate) fn snippet(bytes: &[u8]) {
    const MAX_WORDS: usize = 24;
    let text = String::from_utf8_lossy(bytes);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let starts = text.char_indices().filter(|(at, c)| is_word(*c) && !text[..*at].ends_with(is_word));
    for (at, _) in starts.take(MAX_WORDS) {
        let word = text[at..].split(|c| !is_word(c)).next().unwrap_or_default();
        let line = text[..at].matches('\n').count() as u32 + 1;
        let column = (at - text[..at].rfind('\n').map_or(0, |end| end + 1)) as u32;
        for (path, language) in [("main.py", Language::Python), ("main.tsx", Language::TypeScript)] {
            if let Some(example) = apidisc::snippet::example(&text, path, language, at) {
                let lines = example.lines.iter().chain(&example.call);
                assert!(!example.lines.is_empty() && !lines.clone().any(|line| line.contains('\n')), "{example:?}");
            }
            apidisc::snippet::documentation(&text, path, language, line, word);
            for document in ["main.md", "main.rst", path] {
                let quoted = apidisc::snippet::QuotedCode::new(document, &text, language);
                assert!(quoted.offset(line, column).is_none_or(|place| quoted.text.is_char_boundary(place)));
            }
        }
    }
}

/// A notebook.
pub(crate) fn notebook(bytes: &[u8]) {
    index_and_export(files(bytes, "main.ipynb"));
}

/// The files that say how the modules of TypeScript are found: `tsconfig.json`, `package.json`.
pub(crate) fn project(bytes: &[u8]) {
    const SOURCES: [(&str, &str); 3] = [
        ("src/main.ts", "import { f } from '@/other'\nimport { A } from '#other'\nf(new A<string>())\n"),
        ("src/other.ts", "export function f(a: A<string>) {}\nexport class A<T> { constructor(x?: T) {} }\n"),
        ("packages/one/src/index.ts", "import { f } from '@scope/whole'\nexport * from '../../../src/other'\nf()\n"),
    ];
    let mut files = files(bytes, "tsconfig.json");
    for (path, text) in SOURCES {
        if files.iter().all(|(known, _)| known != path) {
            files.push((path.to_owned(), text.as_bytes().to_vec()));
        }
    }
    index_and_export(files);
}

/// An `api_metadata.yaml`.
pub(crate) fn metadata(bytes: &[u8]) {
    let Ok(index) = metadata::read(&String::from_utf8_lossy(bytes)) else { return };
    export(&Arc::new(index));
}

/// A saved profile: if it can be read, it can be written and read again, and then gives the same text.
pub(crate) fn profile(bytes: &[u8]) {
    let Ok(profile) = Profile::parse(&String::from_utf8_lossy(bytes)) else { return };
    let text = profile.text("name");
    let again = Profile::parse(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(again.text("name"), text);
}

/// The explorer's configuration: each complaint has its place, and what is printed of it is read without any.
pub(crate) fn configuration(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (config, complaints) = UserConfig::read("config.toml", &text);
    assert_placed(&complaints, &text);
    let (again, complaints) = UserConfig::read("config.toml", &config.to_toml());
    assert!(complaints.is_empty(), "what is printed is right: {complaints:?}");
    assert_eq!(again.to_toml(), config.to_toml());
}

/// A theme of the user.
pub(crate) fn theme(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let own = UserTheme { name: "mine".to_owned(), file: "mine.toml".to_owned(), text: text.clone() };
    for depth in [ColourDepth::True, ColourDepth::Palette, ColourDepth::Sixteen, ColourDepth::None] {
        if let Ok((_, complaints)) = Themes::new(vec![own.clone()], depth).load("mine") {
            assert_placed(&complaints, &text);
        }
    }
}

/// The saved session of a folder: a session that is read is written and read again unchanged.
pub(crate) fn session(bytes: &[u8]) {
    let Ok(session) = Session::parse(&String::from_utf8_lossy(bytes)) else { return };
    let text = session.to_toml("/path");
    let again = Session::parse(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(again.to_toml("/path"), text);
}

/// The text that is typed into the finder: the lines are searched one after the other by one searcher, and each is
/// found as by a new searcher.
pub(crate) fn finder(bytes: &[u8]) {
    const HITS: usize = 100;
    static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
        let index = index(&apidisc_tui::demo::source()).expect("the demo can be indexed");
        Catalog::new(Arc::new(index), 1)
    });
    let text = String::from_utf8_lossy(bytes);
    let mut searcher = Searcher::new(&CATALOG);
    let places: Vec<&str> = CATALOG.index.definitions.iter().take(50).map(|definition| &*definition.alias).collect();
    for typed in text.lines().take(8).map(|line| line.chars().take(60).collect::<String>()) {
        let query = Query::parse(&typed);
        let once = searcher.search(&CATALOG, &query, HITS, &mut |_| true).expect("nobody cancels");
        let fresh = Searcher::new(&CATALOG).search(&CATALOG, &query, HITS, &mut |_| true).expect("nobody cancels");
        assert_eq!(format!("{once:?}"), format!("{fresh:?}"), "what was typed before changes what is found");
        for (row, marks) in fuzzy_matches(&typed, &places).into_iter().chain(substring_matches(&typed, &places)) {
            let characters = places[row].chars().count();
            assert!(marks.iter().all(|&mark| (mark as usize) < characters), "{typed:?} marks {marks:?}");
        }
        word_positions(&typed, &typed);
    }
}

/// Texts to count: a token is a byte or more, and lines that are remembered count the same.
pub(crate) fn tokens(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for tokenizer in Encoding::ALL.map(Tokenizer::load) {
        let tokens = tokenizer.count(&text);
        assert!(tokens <= text.len() && (tokens == 0) == text.is_empty(), "{tokens} tokens");
        assert_eq!(tokenizer.count_line(&text), tokens);
    }
}

/// The files of an input: each begins with a line `=== PATH`; the text before the first such line is the file `first`.
/// Paths are those of files in a folder, each once.
fn files(bytes: &[u8], first: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![(first.to_owned(), Vec::new())];
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let path = line.strip_prefix(b"=== ").and_then(|path| str::from_utf8(path).ok()).map(str::trim_end);
        match path.filter(|path| is_path(path)) {
            Some(path) if files.iter().all(|(known, _)| known != path) => files.push((path.to_owned(), Vec::new())),
            _ => files.last_mut().expect("the first").1.extend_from_slice(line),
        }
    }
    files
}

fn is_path(path: &str) -> bool {
    let is_name = |part: &str| {
        !matches!(part, "" | "." | "..") && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.@".contains(c))
    };
    path.split('/').all(is_name)
}

fn program(grammar: &'static programs::Grammar, bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let files = programs::program(grammar, bytes).files;
    files.into_iter().map(|(path, text)| (path, text.into_bytes())).collect()
}

/// The index of a source; files in memory can always be opened.
pub(crate) fn index(source: &Source) -> Option<Index> {
    indexer::build(source, &mut |_| Control::Continue).expect("files in memory can be opened")
}

/// Indexes files, and checks the index and its stubs.
pub(crate) fn index_and_export(files: Vec<(String, Vec<u8>)>) {
    let files = files.into_iter().map(|(path, bytes)| (path, Cow::Owned(bytes))).collect();
    let index = index(&Source::Memory { name: "input".to_owned(), files }).expect("nobody cancels");
    assert_eq!(index.ledger.total() as usize, index.calls.len(), "{:?}", index.ledger);
    let places: Vec<_> = index.calls.iter().map(|call| (call.file, call.line, call.col)).collect();
    assert!(places.is_sorted(), "calls are not in the order of their places");
    export(&Arc::new(index));
}

/// Checks an index: stubs stay within their budget, their tokens are counted exactly, and they contain no control
/// characters. The `api_metadata.yaml` of the index can be read, and an index that was read from such a file is written
/// as the same text.
fn export(index: &Arc<Index>) {
    let text = metadata::write(index, &MetadataOptions::default()).expect("an index can be written");
    let again = metadata::read(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
    let kept = metadata::write(&again, &MetadataOptions::default()).expect("it can be written");
    let again = metadata::read(&kept).unwrap_or_else(|error| panic!("{error} in {kept}"));
    assert_eq!(metadata::write(&again, &MetadataOptions::default()).expect("it can be written"), kept);
    let tokenizer = Tokenizer::load(Encoding::default());
    let Ok(packer) = Packer::new(index, Scope::Repository, &tokenizer) else { return };
    let budget = |max_tokens| packer.deliver(&Strategy::TokenBudget { max_tokens }, Format::Stub);
    let check = |delivery: &Delivery| {
        assert_eq!(tokenizer.count(&delivery.text), delivery.tokens, "{}", delivery.text);
        assert!(!delivery.text.contains(|c: char| c.is_control() && c != '\n'), "{:?}", delivery.text);
    };
    check(&packer.deliver(&Strategy::Exhaustive, Format::Stub).expect("no budget, no refusal"));
    match budget(200) {
        Ok(delivery) => {
            check(&delivery);
            assert!(delivery.tokens <= 200, "{}", delivery.text);
        }
        Err(DeliveryError::BudgetTooSmall { smallest, .. }) => {
            assert!(smallest > 200);
            check(&budget(smallest).expect("the smallest budget works"));
        }
        Err(error) => panic!("{error}"),
    }
}

/// Asserts that every complaint has a line of the file and a printable message.
fn assert_placed(complaints: &[Complaint], text: &str) {
    for complaint in complaints {
        let Complaint { line, message, .. } = complaint;
        assert!(*line <= text.split('\n').count(), "line {line} of {text:?}");
        assert!(!message.is_empty());
        assert!(!complaint.to_string().contains(char::is_control), "{complaint}");
    }
}
