//! Properties of the index of any Python program, valid or not.

use std::{borrow::Cow, collections::HashSet};

use apidisc::{
    control::Control,
    index::Index,
    indexer::build,
    program::{BoundParameter, Resolution},
    source::Source,
};
use proptest::{collection::vec, prelude::*, sample::select};

use crate::{
    chance::cases,
    program::{Comments, program},
};

/// Tokens of Python, and characters that make a program invalid.
const TOKENS: [&str; 62] = [
    "def",
    "class",
    "f",
    "A",
    "self",
    "x",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    ".",
    "=",
    "==",
    ":=",
    "->",
    "@",
    "*",
    "**",
    "/",
    "|",
    "\n",
    "\n    ",
    "\n        ",
    "\t",
    " ",
    "if",
    "else",
    "elif",
    "for",
    "in",
    "while",
    "try",
    "except",
    "finally",
    "with",
    "as",
    "import",
    "from",
    "lambda",
    "await",
    "async",
    "yield",
    "return",
    "match",
    "case",
    "global",
    "del",
    "not",
    "None",
    "'s'",
    "\"",
    "\"\"\"",
    "f'{",
    "#",
    "\\",
    "\0",
    "é",
    "1.5e",
];

fn index(files: &[(String, String)]) -> Index {
    index_bytes(files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())))
}

pub(crate) fn index_bytes(files: impl Iterator<Item = (String, Vec<u8>)>) -> Index {
    let files = files.map(|(path, bytes)| (path, Cow::Owned(bytes))).collect();
    let source = Source::Memory { name: "a program".into(), files };
    build(&source, &mut |_| Control::Continue).expect("a source").expect("not cancelled")
}

fn index_of(text: &str) -> Index {
    index(&[("main.py".to_owned(), text.to_owned())])
}

/// Everything in an index, as text.
fn dump(index: &Index) -> String {
    format!(
        "{:#?}\n{:#?}\n{:#?}\n{:#?}\n{:#?}\n{:#?}\n{:#?}",
        index.ledger, index.diagnostics, index.files, index.modules, index.definitions, index.calls, index.reads
    )
}

/// Asserts the invariants of every index: the order of calls, sums, and the positions of bound parameters.
pub(crate) fn assert_consistent(index: &Index) {
    assert_eq!(index.ledger.total() as usize, index.calls.len(), "{:?}", index.ledger);
    let places: Vec<_> = index.calls.iter().map(|call| (call.file, call.line, call.col)).collect();
    assert!(places.is_sorted(), "calls are not ordered by path, line and column");
    let places: Vec<_> = index.reads.iter().map(|read| (read.file, read.line, read.col)).collect();
    assert!(places.is_sorted(), "reads are not ordered by path, line and column");
    for (id, definition) in index.definitions_with_ids() {
        let usage = &definition.usage;
        let resolved = index.calls.iter().filter(|call| call.resolution.definition() == Some(id)).count();
        let ambiguous = index.calls.iter().filter(|call| {
            matches!(call.resolution, Resolution::Ambiguous(_)) && index.calls.candidates(call).contains(&id)
        });
        let fqn = &definition.fqn;
        assert_eq!(usage.total_calls as usize, resolved, "{fqn}");
        assert_eq!(usage.ledger.resolved, usage.total_calls, "{fqn}");
        assert_eq!(usage.ledger.ambiguous as usize, ambiguous.count(), "{fqn}");
        assert_eq!(usage.calls.len(), resolved, "{fqn}");
        let reads = index.reads.iter().filter(|read| read.attribute == id);
        let readers: HashSet<_> = reads.clone().map(|read| (read.file, read.reader)).collect();
        assert_eq!((usage.reads.len(), usage.total_reads as usize), (reads.count(), readers.len()), "{fqn}");
        assert!(usage.reads.is_empty() || definition.kind.is_readable(), "{fqn}");
        assert_eq!(usage.origins.iter().sum::<u32>(), usage.uses(), "{fqn}");
        assert_eq!(usage.argument_sets.iter().map(|set| set.calls).sum::<u32>(), usage.total_calls, "{fqn}");
        let parameters = definition.signature.as_ref().map_or(0, |s| s.parameters.len());
        assert!(usage.parameters.len() == parameters || usage.total_calls == 0, "{fqn}");
        for (position, row) in usage.parameters.iter().enumerate() {
            assert!(row.count + row.unknown <= usage.total_calls, "{fqn}: {row:?} of {}", usage.total_calls);
            assert!(row.positional <= row.count, "{fqn}");
            assert!(usage.frequency(position).is_none_or(|f| (0.0..=1.0).contains(&f)), "{fqn}");
        }
    }
    for call in index.calls.iter() {
        let candidates = index.calls.candidates(call);
        assert!(
            match call.resolution {
                Resolution::Resolved(_) => candidates.len() == 1,
                // The other candidate may be outside the sources.
                Resolution::Ambiguous(_) => !candidates.is_empty(),
                Resolution::Unresolved(_) => candidates.is_empty(),
            },
            "{} candidates of {call:?}",
            candidates.len()
        );
        let signature = candidates.first().and_then(|id| index.definition(*id).signature.as_ref());
        let parameters = signature.map_or(0, |s| s.parameters.len());
        for argument in index.calls.arguments(call) {
            if let BoundParameter::Parameter(position) = argument.bound {
                assert!((position as usize) < parameters, "parameter {position} of {parameters}");
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn indexes_of_programs_are_consistent(program in program()) {
        assert_consistent(&index(&program.files(Comments("a comment"))));
    }

    #[test]
    fn the_order_of_files_does_not_matter(program in program(), turn in 0_usize..6, swap in (0_usize..6, 0_usize..6)) {
        let mut files = program.files(Comments("a comment"));
        let before = dump(&index(&files));
        files.rotate_left(turn);
        files.swap(swap.0, swap.1);
        prop_assert_eq!(dump(&index(&files)), before);
    }

    #[test]
    fn comments_change_nothing(program in program()) {
        let plain = index(&program.files(Comments("a comment")));
        // With a syntax error, a comment may change how the parser recovers.
        prop_assume!(plain.diagnostics.is_empty());
        let files = program.files(Comments("A(x).m(1) \"\"\" def f(: pass"));
        let files: Vec<_> = files.into_iter().map(|(path, text)| (path, text + "\n\n# the end\n\n")).collect();
        let other = index(&files);
        prop_assert_eq!(format!("{:#?}", plain.calls), format!("{:#?}", other.calls));
        prop_assert_eq!(format!("{:#?}", plain.ledger), format!("{:#?}", other.ledger));
        let usages = |index: &Index| {
            index.definitions.iter().map(|d| (d.fqn.clone(), d.usage.clone())).collect::<Vec<_>>()
        };
        prop_assert_eq!(usages(&plain), usages(&other));
    }

    #[test]
    fn any_tokens_give_a_consistent_index(tokens in vec(select(&TOKENS[..]), 0..120), spaced in any::<bool>()) {
        assert_consistent(&index_of(&tokens.join(if spaced { " " } else { "" })));
    }

    #[test]
    fn any_bytes_give_a_consistent_index(bytes in vec(any::<u8>(), 0..400)) {
        assert_consistent(&index_bytes([("main.py".to_owned(), bytes)].into_iter()));
    }
}

/// The texts `f(0)` to `f(n - 1)`, joined.
fn repeated(n: usize, f: impl Fn(usize) -> String) -> String {
    (0..n).map(f).collect()
}

#[test]
fn deeply_nested_brackets() {
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("x[", "]"), ("not (", ")"), ("lambda: (", ")")]
    {
        assert_consistent(&index_of(&format!(
            "def f(x): ...\nf(1)\nx = {}{}\nf(2)\n",
            open.repeat(10_000),
            close.repeat(10_000)
        )));
        assert_consistent(&index_of(&format!("x = {}", open.repeat(10_000))));
    }
}

#[test]
fn deeply_nested_blocks() {
    let nested = repeated(400, |i| format!("{}if x:\n", " ".repeat(i)));
    assert_consistent(&index_of(&format!("{nested}{}f()\n", " ".repeat(400))));
    let classes = repeated(400, |i| format!("{}class A:\n", " ".repeat(i)));
    assert_consistent(&index_of(&format!("{classes}{}def f(self): self.f()\n", " ".repeat(400))));
}

#[test]
fn one_name_assigned_often() {
    let index =
        index_of(&format!("class A:\n    def m(self): ...\n{}x.m()\n", repeated(10_000, |_| "x = A()\n".into())));
    assert_consistent(&index);
    assert_eq!(index.ledger.resolved, 10_001);
    assert_consistent(&index_of(&repeated(10_000, |i| format!("x = f{}(x)\n", i % 7))));
    assert_consistent(&index_of(&format!(
        "class A:\n    def m(self):\n{}",
        repeated(10_000, |_| "        self.x = self.x.y\n".into())
    )));
    assert_consistent(&index_of(&format!(
        "for i in y:\n{}",
        repeated(3_000, |_| "    x = x.y if i else x.z\n".into())
    )));
}

#[test]
fn chains_of_attributes_and_calls() {
    assert_consistent(&index_of(&format!("x{}\n", ".y()".repeat(5_000))));
    assert_consistent(&index_of(&format!("x{}\n", ".y".repeat(5_000))));
    assert_consistent(&index_of(&format!("x{}\n", "(1)".repeat(5_000))));
    assert_consistent(&index_of(&format!("x{}\n", "[0]".repeat(5_000))));
    let fluent = "class Q:\n    def y(self) -> 'Q': ...\n    def z(self): return self\n";
    assert_consistent(&index_of(&format!("{fluent}Q(){}\n", ".y().z()".repeat(2_500))));
    assert_consistent(&index_of(&format!("x = {}\n", vec!["a"; 10_000].join(" + "))));
    assert_consistent(&index_of(&format!("x = {}\n", vec!["f()"; 10_000].join(" or "))));
    assert_consistent(&index_of(&format!("x = {}1\n", "a if b else ".repeat(3_000))));
    assert_consistent(&index_of(&format!("x = {}1\n", "await -~".repeat(3_000))));
}

#[test]
fn circular_values() {
    assert_consistent(&index_of("x = x.y\nx.z()\n"));
    assert_consistent(&index_of("while True:\n    x = x.y\n    y = x\n    x = y.f()\nx.z()\n"));
    assert_consistent(&index_of(
        "class A:\n    x = x\n    def m(self):\n        self.x = self.x.x\n        self.x.m()\n",
    ));
    assert_consistent(&index_of("a = b\nb = c\nc = a\na()\nX = list[X]\ndef f(x: X): x[0].y()\n"));
    let calls = repeated(300, |i| format!("def f{i}(): return f{}()\n", (i + 1) % 300));
    assert_consistent(&index_of(&format!("{calls}f0().m()\n")));
    let both =
        repeated(200, |i| format!("def f{i}(a): return f{}(a) if a else f{}(a)\n", (i + 1) % 200, (i + 7) % 200));
    assert_consistent(&index_of(&format!("{both}f0(1).m()\n")));
    let wide = repeated(60, |i| {
        format!("class C{i}:\n    def m(self):\n        return [{}]\n", repeated(60, |j| format!("C{j}().m(), ")))
    });
    assert_consistent(&index_of(&format!("{wide}C0().m()[0].m()\n")));
}

#[test]
fn deep_and_circular_inheritance() {
    let chain = repeated(2_000, |i| format!("class C{}(C{i}):\n    def m{i}(self): self.m0()\n", i + 1));
    let index = index_of(&format!("class C0:\n    def m0(self): ...\n{chain}C2000().m0()\nC2000().m1999()\n"));
    assert_consistent(&index);
    let ring = repeated(300, |i| format!("class R{i}(R{}):\n    def m{i}(self): self.m1()\n", (i + 1) % 300));
    assert_consistent(&index_of(&format!("{ring}R0().m7()\n")));
    let diamonds = repeated(200, |i| {
        format!("class L{0}(D{i}): ...\nclass R{0}(D{i}): ...\nclass D{0}(L{0}, R{0}): ...\n", i + 1)
    });
    assert_consistent(&index_of(&format!("class D0:\n    def m(self): ...\n{diamonds}D200().m()\n")));
    let bases = (0..500).map(|i| format!("B{i}")).collect::<Vec<_>>().join(", ");
    let wide = repeated(500, |i| format!("class B{i}:\n    def m{i}(self): ...\n"));
    assert_consistent(&index_of(&format!("{wide}class W({bases}): ...\nW().m499()\n")));
}

#[test]
fn circular_star_imports() {
    let files: Vec<_> = (0..50)
        .map(|i| {
            let stars = repeated(50, |j| format!("from m{j} import *\n"));
            (format!("m{i}.py"), format!("{stars}def f{i}(): ...\nf{}()\nmissing()\n", (i * 7 + 3) % 50))
        })
        .collect();
    let found = index(&files);
    assert_consistent(&found);
    assert_eq!(found.ledger.resolved, 50);
    let ring: Vec<_> =
        (0..50).map(|i| (format!("m{i}.py"), format!("from m{} import *\nx()\n", (i + 1) % 50))).collect();
    assert_consistent(&index(&ring));
    let names: Vec<_> =
        (0..50).map(|i| (format!("m{i}.py"), format!("from m{} import f as f\nf()\n", (i + 1) % 50))).collect();
    assert_consistent(&index(&names));
}

#[test]
fn wide_unions_and_many_branches() {
    let classes = repeated(1_000, |i| format!("class C{i}:\n    def m(self): ...\n"));
    let union = (0..1_000).map(|i| format!("C{i}")).collect::<Vec<_>>().join(" | ");
    assert_consistent(&index_of(&format!("{classes}def f(x: {union}):\n    x.m()\n")));
    let listed = (0..1_000).map(|i| format!("C{i}")).collect::<Vec<_>>().join(", ");
    assert_consistent(&index_of(&format!(
        "from typing import Union\n{classes}def f(x: Union[{listed}]):\n    x.m()\n"
    )));
    let branches = repeated(5_000, |i| format!("elif x == {i}:\n    y = C{}()\n", i % 1_000));
    assert_consistent(&index_of(&format!("{classes}if x:\n    y = 1\n{branches}y.m()\n")));
    let tests = repeated(2_000, |i| format!("elif isinstance(x, C{}):\n    x.m()\n", i % 1_000));
    assert_consistent(&index_of(&format!("{classes}if x:\n    y = 1\n{tests}x.m()\n")));
    let cases = repeated(2_000, |i| format!("    case C{}():\n        x.m()\n", i % 1_000));
    assert_consistent(&index_of(&format!("{classes}match x:\n{cases}x.m()\n")));
}

#[test]
fn long_lines_and_long_lists() {
    assert_consistent(&index_of(&format!("x = [{}]\n", "f(1), ".repeat(170_000))));
    assert_consistent(&index_of(&format!("x = '{}'\nf()\n", "a".repeat(1_000_000))));
    assert_consistent(&index_of(&format!("def f({}): ...\nf(1)\n", repeated(5_000, |i| format!("a{i}=0, ")))));
    assert_consistent(&index_of(&format!("def f(*args): ...\nf({})\n", "1, ".repeat(70_000))));
}

#[test]
fn many_overloads() {
    let overloads = repeated(20_000, |i| format!("@overload\ndef f(a: C{}): ...\n", i % 10));
    assert_consistent(&index_of(&format!(
        "from typing import overload\n{overloads}def f(a): ...\n{}",
        "f(1).x()\n".repeat(20)
    )));
}

#[test]
fn many_decorators_and_wrappers() {
    let decorators = "@d\n".repeat(2_000);
    assert_consistent(&index_of(&format!("def d(f): return f\n{decorators}def g(): ...\ng()\n")));
    let nested = repeated(200, |i| format!("{}def f{i}():\n", "    ".repeat(i)));
    assert_consistent(&index_of(&format!("{nested}{}f0()\n", "    ".repeat(200))));
    assert_consistent(&index_of(&format!("x = {}f(1){}\n", "d(".repeat(400), ")".repeat(400))));
}
