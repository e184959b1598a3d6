//! Valid programs that the grammar rejects.

use super::{check, show, typescript};

#[test]
fn members_that_begin_with_a_bracket_need_no_semicolon_before_them() {
    let facts = typescript(
        "interface A<E> {
           <T>(a: T): Promise<T>
           // comment
           <T>(
             a: T,
             b: number
           ): E[T]
           (c: string): string
           (d: string): string
         }
         type B = {
           <T>(a: T | (() => T)): [T, U<T>]
           <T = undefined>(): [T | undefined, U<T | undefined>]
           b: string
           [key: string]: any
         }
         f(1);",
    );
    assert!(facts.problems.is_empty(), "{:?}", facts.problems);
    check(
        &show::members(&facts, show::find(&facts, "A")),
        "[](1) callsignature\n[](2) callsignature\n[](1) callsignature\n[](1) callsignature",
    );
    check(
        &show::members(&facts, show::find(&facts, "B._")),
        "[](1) callsignature\n[](0) callsignature\nb: string\n[] string: any",
    );
    assert_eq!((facts.calls[0].line, facts.calls[0].col), (17, 9), "positions are those of the source");
}

#[test]
fn import_types_in_type_arguments_of_calls_are_parsed() {
    let facts = typescript("const a = await f<typeof import('m')>(1); const b = g<\n  typeof import(\"m\").x.y\n>();");
    assert!(facts.problems.is_empty(), "{:?}", facts.problems);
    let arguments: Vec<String> =
        facts.calls.iter().flat_map(|call| &call.type_args).map(|&ty| show::ty(&facts, ty)).collect();
    assert_eq!(arguments, ["typeof import(m)", "typeof import(m).x.y"]);
    assert_eq!(show::expr(&facts, facts.calls[0].callee), "f?");
}
