//! Name resolution: scopes, hoisting, declaration merging and declaration spaces.

use super::{check, show, typescript};
use crate::syntax::typescript::facts::{FileFacts, ScopeId, TypeNode, ValueSource};

/// The arguments of calls of `show`. A name is followed by `@` and the definition in whose scope the name is declared,
/// by nothing if that is the scope of the file, or by `?` if the file does not declare the name.
fn shown(source: &str) -> Vec<String> {
    show::arguments_of(&typescript(source), "show")
}

#[test]
fn declarations_are_hoisted_to_their_function_or_block() {
    let names = shown(
        "show(f, x, y, z);
         function f(p) {
             show(p, x, later, inner);
             if (p) { var later = 1; let inner = 2; show(inner, later); }
             { class C {} show(C); }
             show(C);
         }
         var x; { let y; } for (const z of x) { show(z); }",
    );
    check(
        &names,
        "f
         x
         y?
         z?
         p@f
         x
         later@f
         inner?
         inner@f
         later@f
         C@f
         C?
         z@block",
    );
}

#[test]
fn parameters_caught_errors_and_names_of_function_expressions_are_visible_inside() {
    let names = shown(
        "const a = function own({ p, q: [r] = show(own) }, ...rest) { show(own, p, q, r, rest, a); };
         try {} catch ({ message }) { show(message); }
         const B = class Own { m() { show(Own); } };
         show(own, Own);",
    );
    check(
        &names,
        "own@own
         own@own
         p@own
         q?
         r@own
         rest@own
         a
         message@block
         Own@Own
         own?
         Own?",
    );
}

#[test]
fn a_value_and_a_type_of_the_same_name_are_distinct() {
    let facts = typescript(
        "interface Thing {} const Thing = 1;
         function f<T>(T: number, x: T) { type Local = T; const Thing = x; show(Thing, T); let y: Thing; let z: Local; }
         namespace N { export interface X {} }
         const N2 = 1; let a: N.X; let b: N2; let c: N2.X;",
    );
    assert_eq!(show::arguments_of(&facts, "show"), ["Thing@f", "T@f"]);
    let of = |name: &str| annotation_of(&facts, name);
    assert_eq!([of("y"), of("z"), of("a")], ["Thing", "Local@f", "N.X"]);
    assert_eq!([of("b"), of("c")], ["N2?", "N2.X?"], "a constant is no type and no namespace");
}

fn annotation_of(facts: &FileFacts, name: &str) -> String {
    let variable = facts.variables.iter().find(|variable| facts.name(variable.name) == name).unwrap();
    show::ty(facts, variable.annotation.unwrap())
}

#[test]
fn a_symbol_has_all_declarations_of_its_name() {
    let facts = typescript(
        "function f(a: string): void; function f(a: number): void; function f(a) {}
         interface I {} interface I {} class I {}
         namespace A { export const x = 1; } namespace A { show(x); } namespace A.B { show(x); } show(x);",
    );
    let count = |name: &str| {
        let name = facts.names.iter().position(|n| n == name).unwrap();
        let symbol = facts.symbol_in(ScopeId::new(0), super::super::facts::NameId::new(name)).unwrap();
        show::declarations(&facts, symbol)
    };
    assert_eq!(count("f"), ["definition"; 3]);
    assert_eq!(count("I"), ["definition"; 3]);
    assert_eq!(count("A"), ["definition"; 3]);
    assert_eq!(show::arguments_of(&facts, "show"), ["x@A", "x@A", "x?"]);
}

#[test]
fn type_parameters_mapped_keys_and_inferred_types_have_scopes() {
    let facts = typescript(
        "type A<T> = T extends (x: infer U) => any ? U : T;
         type B<T> = { [K in keyof T as `x${K}`]?: T[K] };
         interface C<T> { m<U>(x: U): T; }
         let d: U;",
    );
    let alias = |name: &str| match &show::find(&facts, name).body {
        super::super::facts::DefBody::TypeAlias(alias) => show::ty(&facts, alias.ty),
        other => panic!("{other:?}"),
    };
    assert_eq!(alias("A"), "T@A extends (1) => any ? U@A : T@A");
    assert_eq!(alias("B"), "{[K in keyof T@B as template('x', K@B)]Added T@B[K@B]}");
    assert_eq!(annotation_of(&facts, "d"), "U?");
    let refs = facts.types.iter().filter(|ty| matches!(ty, TypeNode::Ref { symbol: None, .. })).count();
    assert_eq!(refs, 1, "only the last U is unknown");
}

#[test]
fn each_name_of_a_pattern_has_the_steps_from_the_value() {
    let facts = typescript(
        "const { a, b: { c = 1, ...d }, [k]: e } = v;
         const [f, , [g], ...h] = w;
         for (const [i] of m) {} for await (const j of n) {} for (const l in o) {}",
    );
    let paths: Vec<String> = facts
        .variables
        .iter()
        .map(|variable| {
            let source = match variable.source {
                ValueSource::Value(value) => show::expr(&facts, value),
                ValueSource::ElementOf(value) => format!("element of {}", show::expr(&facts, value)),
                ValueSource::AwaitedElementOf(value) => format!("awaited element of {}", show::expr(&facts, value)),
                ValueSource::KeyOf(value) => format!("key of {}", show::expr(&facts, value)),
                other => format!("{other:?}"),
            };
            let steps: Vec<String> = variable.path.iter().map(|step| show::step(&facts, *step)).collect();
            format!("{} = {source} {}", facts.name(variable.name), steps.join(" ")).trim().to_owned()
        })
        .collect();
    check(
        &paths,
        "a = v? .a
         c = v? .b .c =number
         d = v? .b ...
         e = v? []
         f = w? 0
         g = w? 2 0
         h = w? 3...
         i = element of m? 0
         j = awaited element of n?
         l = key of o?",
    );
}

#[test]
fn later_assignments_are_kept_if_the_declaration_does_not_determine_the_type() {
    let facts = typescript(
        "let a; a = f(); let b = null; b ??= g(); let c = 1; c = 2; let d: T; d = h(); let e = []; e = [1]; ({ a } = x);",
    );
    let assigned: Vec<String> = facts
        .variables
        .iter()
        .map(|variable| {
            let values: Vec<String> = variable.assigned.iter().map(|&value| show::expr(&facts, value)).collect();
            format!("{}: {}", facts.name(variable.name), values.join(", "))
        })
        .map(|line| line.trim().to_owned())
        .collect();
    check(&assigned, "a: f?(), x?.a\nb: g?()\nc:\nd:\ne: [number]");
}
