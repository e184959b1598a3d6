//! An index that is written to `api_metadata.yaml` and read back gives the same answers: each request for a symbol or a
//! module has the same bytes, or the same error.

use std::{env, fmt::Write as _, sync::Arc};

use apidisc::{
    delivery::{Format, StubRequest},
    index::{
        Index,
        metadata::{MetadataOptions, read, write},
    },
    indexer::build,
    source::Source,
    strategy::Strategy,
};
use proptest::prelude::*;

use crate::{
    chance::cases,
    linking::index_bytes,
    program::{Comments, program},
};

/// The strategies that every request is delivered with.
const STRATEGIES: [Strategy; 4] = [
    Strategy::Exhaustive,
    Strategy::TokenBudget { max_tokens: 300 },
    Strategy::Coverage { target: 0.8 },
    Strategy::Threshold { min_frequency: 0.2 },
];

/// The names for which an index with this threshold must answer as its source does.
fn requests(index: &Index, threshold: u32) -> Vec<StubRequest> {
    let mut requests = Vec::new();
    for definition in &index.definitions {
        if threshold == 0 || definition.kind.is_callable() && definition.usage.total_calls >= threshold {
            let symbol = Some(definition.fqn.to_string());
            requests.push(StubRequest { symbol, ..StubRequest::default() });
        }
    }
    if threshold == 0 {
        requests.push(StubRequest::default());
        for module in &index.modules {
            let module = Some(module.fqn.to_string());
            requests.push(StubRequest { module, ..StubRequest::default() });
        }
    }
    requests
}

fn answer(index: &Arc<Index>, request: &StubRequest) -> String {
    request.deliver(index).map_or_else(|error| error.to_string(), |delivery| delivery.text)
}

/// The index that is read from the file of `index`.
fn read_back(index: &Index, min_usage_threshold: u32) -> Arc<Index> {
    let options = MetadataOptions { min_usage_threshold, ..MetadataOptions::default() };
    let text = write(index, &options).expect("a text");
    let read_back = read(&text).unwrap_or_else(|error| panic!("{error}"));
    let again = write(&read_back, &options).expect("a text");
    let changed = text.lines().zip(again.lines()).enumerate().find(|(_, (old, new))| old != new);
    assert!(again == text, "rewriting a file changes line {changed:?}");
    Arc::new(read_back)
}

/// The first differences between the answers of an index and of the one that is read from its file, and their number.
fn differences(index: &Arc<Index>, threshold: u32, strategies: &[Strategy]) -> (usize, String) {
    let read_back = read_back(index, threshold);
    let (mut count, mut first) = (0, String::new());
    for request in requests(index, threshold) {
        for strategy in strategies {
            // The object of JSON contains the bytes of the stub.
            let request = StubRequest { strategy: *strategy, format: Format::Json, ..request.clone() };
            let (expected, found) = (answer(index, &request), answer(&read_back, &request));
            if expected != found {
                count += 1;
                if count <= 3 {
                    let _ = writeln!(first, "{request:?}\n--- source\n{expected}\n--- file\n{found}");
                }
            }
        }
    }
    (count, first)
}

fn assert_same_answers(index: &Arc<Index>, thresholds: &[u32], strategies: &[Strategy]) {
    for &threshold in thresholds {
        let (count, first) = differences(index, threshold, strategies);
        assert!(count == 0, "{count} answers differ with the threshold {threshold}:\n{first}");
    }
}

#[test]
fn a_written_index_of_the_demo_gives_the_same_answers() {
    let index = Arc::new(crate::targets::index(&apidisc_tui::demo::source()).expect("the demo"));
    assert_same_answers(&index, &[0, 2], &STRATEGIES[..1]);
    assert_same_answers(&index, &[2], &STRATEGIES[1..2]);
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn a_written_index_of_a_program_gives_the_same_answers(program in program()) {
        let files = program.files(Comments("text")).into_iter().map(|(path, text)| (path, text.into_bytes()));
        assert_same_answers(&Arc::new(index_bytes(files)), &[0, 1, 2], &STRATEGIES[..1]);
    }
}

/// Compares the answers for the folders in `APIDISC_REPOSITORIES`, which are separated by `:`.
#[test]
#[ignore = "it reads repositories that an environment variable names"]
fn written_indexes_of_repositories_give_the_same_answers() {
    let folders = env::var_os("APIDISC_REPOSITORIES").expect("APIDISC_REPOSITORIES names folders");
    for folder in env::split_paths(&folders) {
        let index = build(&Source::Folder(folder.clone()), &mut |_| apidisc::control::Control::Continue);
        let index = Arc::new(index.expect("a folder").expect("not cancelled"));
        for threshold in [0, 2] {
            let (count, first) = differences(&index, threshold, &STRATEGIES[..2]);
            let (folder, requests) = (folder.display(), requests(&index, threshold).len());
            println!("{folder}, threshold {threshold}: {count} answers to {requests} requests differ");
            assert!(count == 0, "{first}");
        }
    }
}

#[test]
fn methods_that_are_called_through_this_are_found_in_the_file() {
    let text = "class C {\n  g(a: number) { return a; }\n  f() { return this.g(1) + this.g(2); }\n}\n\
                export const c = new C();\nexport interface I { a(): void; b(): void }\n\
                export function h(i: I) { i.b(); i.b(); }\n";
    let index = Arc::new(index_bytes([("a.ts".to_owned(), text.as_bytes().to_owned())].into_iter()));
    assert_eq!(index.definition(index.definition_of("a#C.g").expect("a method")).usage.total_calls, 2);
    assert_same_answers(&index, &[0, 1, 2], &STRATEGIES);
}

#[test]
fn definitions_with_the_same_name_are_read_back() {
    let text = "import x\nif x:\n    class A:\n        def m(self, a): ...\n    def f(a): ...\nelse:\n    class A:\n        \
                def m(self, b, c=1): ...\n    def f(b, c=1): ...\nf(1)\nf(2)\nA().m(1)\nA().m(2)\n";
    let index = Arc::new(index_bytes([("a.py".to_owned(), text.as_bytes().to_owned())].into_iter()));
    assert_same_answers(&index, &[0, 1, 2], &STRATEGIES);
}

#[test]
fn a_file_that_is_cut_off_is_refused() {
    let text = write(&crate::sample::agents().build(), &MetadataOptions::default()).expect("a text");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("$end: ")), "{text}");
    let cuts = text.lines().scan(0, |end, line| {
        *end += line.len() + 1;
        Some(*end)
    });
    // The last line break is no loss.
    for cut in cuts.chain((0..text.len()).step_by(7)).filter(|&cut| text.is_char_boundary(cut) && cut + 1 < text.len())
    {
        let refused = read(&text[..cut]).err().unwrap_or_else(|| panic!("cut after byte {cut}: {:?}", &text[..cut]));
        assert!(refused.to_string().ends_with("anew with `apidisc-tui index PATH -o FILE`"), "{refused}");
    }
    assert!(read(&text[..text.len() - 1]).is_ok());
}

#[test]
fn a_file_that_lost_entries_says_how_many() {
    let text = write(&crate::sample::agents().build(), &MetadataOptions::default()).expect("a text");
    let (entries, end) = text.split_once("$end: ").expect("a last line");
    let more = format!("{entries}$end: 9{end}");
    let error = read(&more).expect_err("90 entries are missing").to_string();
    assert!(
        error.starts_with(&format!("the file is cut off: it holds {} of 9{} entries;", end.trim(), end.trim())),
        "{error}"
    );
    let without = entries.to_owned();
    let error = read(&without).expect_err("the last line is missing").to_string();
    assert!(error.starts_with("the file is cut off: its last line, `$end`, is missing;"), "{error}");
}
