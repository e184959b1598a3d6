//! An index of several sources that is written and read again still knows the usage in each source: weighing sources
//! gives the counts of the index with call sites.

use std::fmt::Write as _;

use apidisc::{
    control::Control,
    index::{
        Index, RecountError,
        metadata::{MetadataError, MetadataOptions, read, write},
    },
    indexer::build,
    source::{LinkedSources, NamedSource, Source},
    usage::{Usage, Weights},
};
use proptest::{collection::vec, prelude::*, sample::select};

use crate::chance::cases;

const LIBRARY: &str = "from typing import overload\n\n\nclass _Base:\n    limit = 1\n    def send(self, data, *, retries=3): \
                       ...\n\n\nclass Client(_Base):\n    def __init__(self, url, token=None, **options):\n        \
                       self.url = url\n\n\n@overload\ndef parse(text: str) -> int: ...\n@overload\ndef parse(text: \
                       bytes, strict: bool) -> str: ...\ndef parse(text, strict=False): ...\n";

/// Statements of a consumer. `#` becomes a number.
const STATEMENTS: [&str; 10] = [
    "kit.Client('#')",
    "kit.Client(url='#', token=#, extra#=1)",
    "kit.Client(*values)",
    "client.send(#, retries=#)",
    "client.send('#')",
    "print(client.url, client.limit)",
    "kit.parse('#')",
    "kit.parse(b'#', strict=True)",
    "kit.parse(values)",
    "own('#')",
];

/// The modules of a source, each a list of statements and numbers.
type Modules = Vec<Vec<(&'static str, u8)>>;

fn modules() -> impl Strategy<Value = Modules> {
    vec(vec((select(&STATEMENTS[..]), 0_u8..14), 0..14), 0..4)
}

fn text(statements: &[(&str, u8)]) -> String {
    let mut text = "import kit\n\ndef own(x): ...\n\ndef run(client: kit.Client, values):\n    pass\n".to_owned();
    for (statement, number) in statements {
        let _ = writeln!(text, "    {}", statement.replace('#', &number.to_string()));
    }
    text
}

/// The index of a library and of these consumers. The order of the sources is not that of their names.
fn linked(consumers: &[Modules]) -> Index {
    let mut sources = vec![("m-kit", vec![("kit/__init__.py".to_owned(), LIBRARY.to_owned())])];
    for (name, modules) in ["z", "b", "n"].into_iter().zip(consumers) {
        let path = |at: usize| if at == 0 { format!("tests/test_{name}.py") } else { format!("{name}/m{at}.py") };
        sources.push((name, modules.iter().enumerate().map(|(at, module)| (path(at), text(module))).collect()));
    }
    let named = |(name, files): (&str, Vec<(String, String)>)| {
        let files = files.into_iter().map(|(path, text)| (path, text.into_bytes().into())).collect();
        NamedSource::new(name, Source::Memory { name: name.to_owned(), files })
    };
    let source = Source::Linked(LinkedSources::new(sources.into_iter().map(named).collect()));
    build(&source, &mut |_| Control::Continue).expect("sources").expect("not cancelled")
}

fn weights(sources: [u8; 4], tests: u8) -> Weights {
    let weights = Weights::default().with(apidisc::source::Origin::Tests, tests).expect("a weight");
    let names = ["m-kit", "z", "b", "n"].into_iter().zip(sources);
    names.fold(weights, |weights, (name, weight)| weights.with_source(name, weight.into()).expect("a weight"))
}

/// The FQNs and the usages of all definitions and inherited members, without sites.
fn usages(index: &Index) -> Vec<(&str, Usage)> {
    let usage = |usage: &Usage| Usage { calls: Vec::new(), reads: Vec::new(), ..usage.clone() };
    index.every_definition().map(|(_, definition)| (definition.fqn.as_str(), usage(&definition.usage))).collect()
}

/// Asserts that two indexes have the same counts.
fn assert_same(a: &Index, b: &Index) {
    let (usages_of_a, usages_of_b) = (usages(a), usages(b));
    assert_eq!(usages_of_a.len(), usages_of_b.len());
    for (a, b) in usages_of_a.iter().zip(&usages_of_b) {
        assert_eq!(a, b);
    }
    let totals = |index: &Index| index.modules.iter().map(|m| (m.total_calls, m.total_reads)).collect::<Vec<_>>();
    assert_eq!(totals(a), totals(b));
}

fn written(index: &Index, threshold: u32) -> String {
    let options = MetadataOptions { min_usage_threshold: threshold, ..MetadataOptions::default() };
    write(index, &options).expect("a text")
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn sources_are_weighed_alike_with_and_without_call_sites(
        consumers in vec(modules(), 3),
        first in [0_u8..4, 0_u8..4, 0_u8..4, 0_u8..4],
        second in [0_u8..4, 0_u8..4, 0_u8..4, 0_u8..4],
        tests in 0_u8..3,
    ) {
        let index = linked(&consumers);
        let weighted = index.weighted(weights(first, tests)).expect("call sites");
        let read_back = read(&written(&weighted, 0)).expect("our own file");
        assert_same(&read_back, &weighted);
        for sources in [second, [1; 4], first] {
            let weights = weights(sources, tests);
            let again = read_back.weighted(weights.clone()).expect("counts of sources");
            let sites = index.weighted(weights).expect("call sites");
            assert_same(&again, &sites);
            // What was weighed is written as what was indexed, but for the examples of calls.
            let plain = |text: &str| text.lines().filter(|line| !line.contains("typical_call:")).collect::<Vec<_>>().join("\n");
            prop_assert_eq!(plain(&written(&again, 0)), plain(&written(&sites, 0)));
        }
    }

    #[test]
    fn the_sum_of_the_sources_is_the_whole(consumers in vec(modules(), 3)) {
        let index = linked(&consumers);
        let only = |at: usize| {
            let mut sources = [0; 4];
            sources[at] = 1;
            index.weighted(weights(sources, 1)).expect("call sites")
        };
        let parts: Vec<Index> = (0..4).map(only).collect();
        for (at, whole) in index.definitions.iter().enumerate() {
            let sum = |number: fn(&Usage) -> u32| {
                parts.iter().map(|part| number(&part.definitions[at].usage)).sum::<u32>()
            };
            prop_assert_eq!(sum(|usage| usage.total_calls), whole.usage.total_calls);
            prop_assert_eq!(sum(|usage| usage.total_reads), whole.usage.total_reads);
            prop_assert_eq!(sum(|usage| usage.worth() as u32), whole.usage.worth() as u32);
            prop_assert_eq!(sum(|usage| usage.worth_of_reads), whole.usage.worth_of_reads);
        }
    }
}

/// An index of the library and two sources that call it.
fn small() -> Index {
    linked(&[vec![vec![("kit.parse('#')", 1)], vec![("kit.parse('#')", 2)]], vec![vec![("kit.parse('#')", 3)]]])
}

#[test]
fn only_definitions_that_other_sources_use_say_so() {
    let text = written(&small(), 1);
    assert_eq!(text.matches("by_source:").count(), 1, "{text}");
    assert!(text.contains("  by_source:\n    z:\n      total_calls: 2\n"), "{text}");
}

#[test]
fn origins_cannot_be_weighed_without_call_sites() {
    let read_back = read(&written(&small(), 1)).expect("our own file");
    assert_eq!(read_back.weighted(weights([1; 4], 0)).err(), Some(RecountError::NoOrigins));
}

#[test]
fn an_older_file_is_read_without_the_counts_of_sources() {
    let old = written(&small(), 1).replace("schema: 4", "schema: 3");
    let read_back = read(&old).expect("an older file");
    assert_same(&read_back, &read(&written(&small(), 1)).expect("our own file"));
    assert_eq!(read_back.weighted(weights([1, 0, 1, 1], 1)).err(), Some(RecountError::NoCallSites));
}

#[test]
fn sources_that_contradict_the_whole_are_refused() {
    let text = written(&small(), 1);
    let error = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}: {text}");
        let Err(MetadataError::Malformed { message, .. }) = read(&text.replace(from, to)) else { panic!("{to}") };
        message
    };
    let message = error("    z:\n      total_calls: 2\n", "    z:\n      total_calls: 1\n");
    assert!(message.contains("has a source that counts more calls for `text` than its own"), "{message}");
    let message = error("    b:\n      total_calls: 1\n", "    b:\n      total_calls: 9\n");
    assert!(message.contains("has other uses in its sources than altogether"), "{message}");
    let message = error("    b:\n      total_calls", "    c:\n      total_calls");
    assert!(message.contains("has uses in `c`, which is none of the sources"), "{message}");
    let message = error("      args:\n        text:", "      args:\n        other:");
    assert!(message.contains("has a source that counts `other`, which is no argument"), "{message}");
}

#[test]
fn sources_that_are_left_out_are_limited_as_well() {
    let index = small().weighted(weights([1, 0, 1, 1], 1)).expect("call sites");
    let text = written(&index, 0);
    let huge = format!("    z:\n      total_calls: {}\n      total_reads: {}\n", u32::MAX, u32::MAX);
    let from = "    z:\n      total_calls: 2\n";
    assert!(text.contains(from), "{text}");
    let Err(MetadataError::Malformed { message, .. }) = read(&text.replace(from, &huge)) else { panic!("{huge}") };
    assert!(message.contains("brings the file above 50 million uses in single sources"), "{message}");
}
