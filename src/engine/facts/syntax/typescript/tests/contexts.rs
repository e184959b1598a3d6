//! The contexts of expressions, from which the expressions get contextual types.

use super::{check, show, tsx, typescript};
use crate::syntax::typescript::facts::FileFacts;

/// Each recorded context: the expression and its context.
fn contexts(facts: &FileFacts) -> Vec<String> {
    let line = |(expr, context): &(_, _)| format!("{}: {}", show::expr(facts, *expr), show::context(facts, *context));
    facts.contexts.iter().map(line).collect()
}

#[test]
fn arguments_properties_and_elements_have_contexts() {
    let facts = typescript("f(1, { a: () => 1, b: [{}] }, ...xs); new C(function g() {});");
    check(
        &contexts(&facts),
        "{}: argument 1 of f?
         _.a: property a
         {}: element 0
         [{}]: property b
         g: argument 0 of C?",
    );
}

#[test]
fn annotations_casts_and_assignments_give_contexts() {
    let facts = typescript(
        "const a: A = () => 1; const b = {} as B; const c = [] satisfies C; const d = <D>{};
         x.y = {}; class E { f: F = () => 1; static g = {}; }",
    );
    check(
        &contexts(&facts),
        "a: A?
         {}: B?
         []: C?
         {}: D?
         {}: assigned to x?.y
         E.f: F?",
    );
}

#[test]
fn returned_values_and_defaults_have_contexts() {
    let facts = typescript("function f(a = {}, { b } = { b: 1 }) { return { c: 1 }; } const g = () => ({});");
    check(
        &contexts(&facts),
        "{}: default of parameter 0 of f
         {}: default of parameter 1 of f
         {}: return of f
         {}: return of g",
    );
}

#[test]
fn the_branches_and_operands_of_an_expression_have_its_context() {
    let facts = typescript("f(a ? {} : b || (() => 1)); f(c && {}); f(await {}); f({}!); f([] as const); f(d ?? {});");
    check(
        &contexts(&facts),
        "{}: as (? {} : (b? || _))
         _: as (b? || _)
         (b? || _): as (? {} : (b? || _))
         (? {} : (b? || _)): argument 0 of f?
         {}: as (c? && {})
         (c? && {}): argument 0 of f?
         {}: as await {}
         await {}: argument 0 of f?
         {}: as {}!
         {}!: argument 0 of f?
         []: as ([] as const)
         ([] as const): argument 0 of f?
         {}: as (d? ?? {})
         (d? ?? {}): argument 0 of f?",
    );
}

#[test]
fn attributes_and_children_of_components_have_contexts() {
    let facts = tsx("x = <A on={() => 1} {...b}>{(c) => c}</A>; y = <A>{() => 1}{() => 2}</A>;");
    check(
        &contexts(&facts),
        "{}: argument 0 of A?
         _._: property on
         _._: property children
         {}: argument 0 of A?
         _._: element 0
         _._: element 1
         [_._, _._]: property children",
    );
}
