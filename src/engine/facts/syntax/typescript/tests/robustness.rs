//! Extreme and broken sources.

use std::ops::ControlFlow;

use super::{show, tsx, typescript};
use crate::syntax::{
    parsing::{Guard, TextPosition},
    typescript::{Dialect, grammar_gaps, with_parser},
};
use apidisc_base::diagnostic::{LineRange, Problem};

#[test]
fn extreme_nesting_does_not_overflow_the_stack() {
    let nests = [
        ("(", "x", ")"),
        ("[", "", "]"),
        ("f(", "", ")"),
        ("({ a: ", "1", "})"),
        ("!", "x", ""),
        ("(() => ", "1", ")"),
        ("function f() {", "", "}"),
        ("class A { x = ", "1", "}"),
        ("if (a) ", ";", ""),
        ("if (a) ; else ", ";", ""),
        ("{", "", "}"),
        ("a ? b : ", "c", ""),
        ("let x: A<", "B", ">"),
        ("(a as { a: ", "B", "})"),
        ("namespace A {", "", "}"),
        ("for (;;) ", ";", ""),
        ("switch (a) { case b: ", "", "}"),
        ("try {", "", "} catch {}"),
        ("`${", "a", "}`"),
        ("new X(", "", ")"),
        ("a = ", "b", ""),
        ("async () => await ", "b", ""),
        ("const {a = ", "b", "} = c"),
        ("<A b={", "1", "}/>"),
        ("<A>", "", "</A>"),
        ("@f(", "", ") class A {}"),
    ];
    for (open, middle, close) in nests {
        for times in [100, 3000] {
            let source = format!("{}{middle}{};\nend();", open.repeat(times), close.repeat(times));
            let facts = if open.starts_with('<') { tsx(&source) } else { typescript(&source) };
            assert!(facts.exprs.len() < 100_000, "{open}");
        }
    }
}

#[test]
fn code_beside_extreme_nesting_is_lowered() {
    let source = format!("{}x{};\nend(1);", "(".repeat(2000), ")".repeat(2000));
    let facts = typescript(&source);
    assert!(facts.problems.iter().any(|(problem, _)| *problem == Problem::TooDeep));
    assert_eq!(show::arguments_of(&facts, "end"), ["number"]);
}

#[test]
fn long_chains_of_operators_and_unions_cost_no_recursion_depth() {
    let sum = vec!["a"; 5000].join(" + ");
    let test = vec!["f(a)"; 5000].join(" && ");
    let union = vec!["'a'"; 5000].join(" | ");
    let facts = typescript(&format!("x({sum}); if ({test}) {{}} type T = {union};"));
    assert!(facts.problems.is_empty(), "{:?}", facts.problems);
    assert_eq!(facts.calls.len(), 5001);
}

#[test]
fn syntax_errors_are_recorded_and_the_code_around_them_is_lowered() {
    let facts = typescript("function f() { g(1); }\nclass { @ ) (\nh(2);");
    assert!(matches!(facts.problems[..], [(Problem::Syntax, LineRange { first: 2, last: 3 })]), "{:?}", facts.problems);
    assert_eq!(show::arguments_of(&facts, "g"), ["number"]);
}

#[test]
fn truncated_sources_are_lowered_without_panic() {
    let source = include_str!("robustness.rs");
    let program = "export default class A<T> extends B<T> { @d() private x?: T = <T>y; get z() { return `${a}` } }\n\
                   const { a, b: [c = 1, ...d], ...e } = await import('x'); for await (const x of y) label: while (1) break label;\n\
                   declare global { interface X { (a: string): asserts a is string } } export * as n from 'm';";
    for at in 0..program.len() {
        for dialect in [Dialect::TypeScript, Dialect::Tsx, Dialect::JavaScript] {
            super::read(&program[..at], dialect, false);
            super::read(&program[at..], dialect, true);
        }
    }
    typescript(source);
}

#[test]
fn each_range_of_lines_with_an_error_is_recorded() {
    let facts = typescript("const a = 1;\nfunction f( {\n}\n\nclass A {}\nconst b = ;\nclass B {}\n");
    let lines: Vec<(u32, u32)> = facts.problems.iter().map(|(_, lines)| (lines.first, lines.last)).collect();
    assert_eq!(lines.len(), 2, "{:?}", facts.problems);
    assert!(lines[0].0 == 2 && lines[0].1 < 5 && lines[1] == (6, 6), "{lines:?}");
    let names: Vec<&str> = facts.definitions.iter().filter_map(|def| def.name).map(|name| facts.name(name)).collect();
    assert!(names.contains(&"A") && names.contains(&"B"), "{names:?}");
}

#[test]
fn a_sample_of_code_in_a_template_does_not_cut_a_file() {
    let facts = typescript("const a = `\nclass A {\nfunction f( {\n`;\nconst b = ;\ng(1);\n");
    let lines: Vec<(u32, u32)> = facts.problems.iter().map(|(_, lines)| (lines.first, lines.last)).collect();
    assert_eq!(lines, [(5, 5)]);
    assert_eq!(show::arguments_of(&facts, "g"), ["number"]);
}

/// The number of bytes that the parser gets to parse a text.
fn scanned(text: &str, dialect: Dialect) -> usize {
    let mut go_on = || ControlFlow::Continue(());
    let text = grammar_gaps::masked(text, dialect);
    let guard = &mut Guard::new(&text, &mut go_on);
    let before = guard.scanned();
    let whole = (TextPosition::of(&text, 0), TextPosition::of(&text, text.len()));
    with_parser(dialect, |parser| grammar_gaps::parse(parser, text, whole, dialect, guard).map(|_| ()))
        .expect("a tree");
    before - guard.scanned()
}

#[test]
fn long_runs_are_scanned_a_constant_number_of_times() {
    let rows = [
        ("f(1)\n", "// a\n", ".g()\n"),
        ("f(1)\n", "/* a\n */\n", ".g()\n"),
        ("f(1)\n", "/**/", ".g()\n"),
        ("class A {\n  x = 1\n", "  // a\n", "  [k] = 2\n}\n"),
        ("let x = 1\n", "// a\n", "+ 2\n"),
        ("let x = {\n", "// a\n", "a: 1 }\n"),
        ("f(1)\n", "\n", ".g()\n"),
        ("f(1)\n", "f(2)\n", ""),
        ("let x = `", "// a\n", "`\n"),
        ("let x = `", "$a ${f(1)}\n", "`\n"),
        ("let x = [\n", "/[/]*/,\n", "]\n"),
        ("let x = <a>", "// text\n", "</a>\n"),
        ("let x = <a>", "{/* a */}\n", "</a>\n"),
    ];
    for (before, run, after) in rows {
        let dialect = if before.contains('<') { Dialect::Tsx } else { Dialect::TypeScript };
        let bytes = |size: usize| scanned(&format!("{before}{}{after}", run.repeat(size)), dialect);
        let (once, twice) = (bytes(30_000), bytes(60_000));
        assert!(twice * 10 <= once * 23, "{run}: {once}, {twice}");
    }
}
