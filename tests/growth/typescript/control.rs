//! Control flow and narrowing.

use super::{lines, one_file};
use crate::work::assert_linear;

#[test]
fn functions_that_call_the_one_before() {
    assert_linear(2_000, |size| {
        let mut text = "export function f0() { return 1; }\n".to_owned();
        for i in 1..size {
            text += &format!("export function f{i}() {{ return f{}(); }}\n", i - 1);
        }
        one_file(text)
    });
}

/// A class with a method, and a function that is called in every branch.
const HEADER: &str =
    "export class A { kind: 'a' = 'a'; m(x: number) {} }\nexport class B { kind: 'b' = 'b'; m(x: number) {} }\n";

#[test]
fn a_chain_of_else_ifs() {
    assert_linear(150, |size| {
        let chain: String =
            (0..size).map(|i| format!("if (v instanceof A && n === {i}) {{ v.m({i}); }} else ")).collect();
        one_file(format!("{HEADER}export function f(v: A | B | string, n: number) {{\n{chain} {{ n; }}\n}}\n"))
    });
}

#[test]
fn guards_after_each_other() {
    assert_linear(150, |size| {
        let guards: String =
            (0..size).map(|i| format!("if (!(v instanceof A) && n === {i}) return;\nv.m({i});\n")).collect();
        one_file(format!("{HEADER}export function f(v: A | B, n: number) {{\n{guards}}}\n"))
    });
}

#[test]
fn cases_of_one_switch() {
    assert_linear(200, |size| {
        let mut files =
            lines(size, "", |i| format!("export interface I{i} {{ kind: 'k{i}'; m{i}(a: number): void }}\n"));
        let names: Vec<String> = (0..size).map(|i| format!("I{i}")).collect();
        let cases: String = (0..size).map(|i| format!("case 'k{i}': u.m{i}({i}); break;\n")).collect();
        files[0].1 += &format!("export function f(u: {}) {{ switch (u.kind) {{\n{cases}}} }}\n", names.join(" | "));
        files
    });
}

#[test]
fn cases_of_a_switch_over_true() {
    assert_linear(600, |size| {
        let cases: String = (0..size).map(|i| format!("case v instanceof A: v.m({i}); break;\n")).collect();
        one_file(format!("{HEADER}export function f(v: A | B) {{ switch (true) {{\n{cases}}} }}\n"))
    });
}

#[test]
fn conditions_in_one_expression() {
    assert_linear(100, |size| {
        let all: String = (0..size).map(|_| "v instanceof A && v.m(1) && ".to_owned()).collect();
        one_file(format!("{HEADER}export function f(v: A | B) {{ return {all} v; }}\n"))
    });
}

#[test]
fn a_chain_of_conditional_expressions() {
    assert_linear(100, |size| {
        let chain: String = (0..size).map(|i| format!("v.kind === 'a' && n === {i} ? v.m({i}) : ")).collect();
        one_file(format!("{HEADER}export function f(v: A | B, n: number) {{ return {chain} null; }}\n"))
    });
}

#[test]
fn ifs_inside_each_other() {
    assert_linear(50, |size| {
        let open: String = (0..size).map(|i| format!("if (v instanceof A || n === {i}) {{ v.m({i});\n")).collect();
        one_file(format!("{HEADER}export function f(v: A | B, n: number) {{\n{open}{}}}\n", "}\n".repeat(size)))
    });
}

#[test]
fn variables_of_one_function() {
    assert_linear(300, |size| {
        let body: String = (0..size)
            .map(|i| format!("const v{i} = n > {i} ? new A() : new B(); if (v{i} instanceof A) v{i}.m(1);\n"))
            .collect();
        one_file(format!("{HEADER}export function f(n: number) {{\n{body}}}\n"))
    });
}

#[test]
fn assignments_in_branches() {
    assert_linear(150, |size| {
        let body: String = (0..size)
            .map(|i| format!("if (n === {i}) {{ v = new A(); }} else {{ v = new B(); }}\nv.m({i});\n"))
            .collect();
        one_file(format!("{HEADER}export function f(n: number) {{\nlet v: A | B = new A();\n{body}}}\n"))
    });
}

#[test]
fn blocks_that_try() {
    assert_linear(150, |size| {
        let body: String = (0..size)
            .map(|i| format!("try {{ v = new A(); v.m({i}); }} catch (e) {{ v = new B(); }} finally {{ v.m(1); }}\n"))
            .collect();
        one_file(format!("{HEADER}export function f(n: number) {{\nlet v: A | B = new A();\n{body}}}\n"))
    });
}
