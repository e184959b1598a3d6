//! Types: aliases, unions, intersections, conditional and mapped types.

use super::{lines, one_file};
use crate::work::assert_linear;

#[test]
fn tuples_of_the_tuple_before() {
    assert_linear(200, |size| {
        lines(size, "type T = [number, number];\n", |i| {
            let before = if i == 0 { "T".to_owned() } else { format!("T{}", i - 1) };
            format!(
                "export type T{i} = [{before}, {before}];\nexport declare function f{i}(a: T{i}): T{i};\nf{i}(null!)[0];\n"
            )
        })
    });
}

#[test]
fn wide_tuples_of_the_tuple_before() {
    assert_linear(100, |size| {
        let mut files = lines(10, "interface I { a: number }\ntype T = I[];\n", |i| {
            let before = if i == 0 { "T".to_owned() } else { format!("T{}", i - 1) };
            let items = vec![before; 12].join(", ");
            format!("export type T{i} = [{items}];\n")
        });
        files[0].1 += "export declare function g<A>(a: A[]): A;\nexport declare function h(a: T9): T9;\n";
        files[0].1 += "export declare function o(a: string): string;\nexport declare function o(a: T9): T9;\n";
        files[0].1 +=
            &(0..size).map(|i| format!("declare const v{i}: T9; g(v{i}); h(v{i}); o(v{i});\n")).collect::<String>();
        files
    });
}

#[test]
fn unions_of_literals() {
    assert_linear(300, |size| {
        let literals: Vec<String> = (0..size).map(|i| format!("'k{i}'")).collect();
        one_file(format!(
            "export type K = {};\nexport function f(a: K) {{ return a; }}\nf('k1');\n",
            literals.join(" | ")
        ))
    });
}

#[test]
fn unions_of_interfaces() {
    assert_linear(300, |size| {
        let mut files = lines(size, "", |i| format!("export interface I{i} {{ kind: 'k{i}'; m(a: number): void }}\n"));
        let names: Vec<String> = (0..size).map(|i| format!("I{i}")).collect();
        files[0].1 += &format!("export type U = {};\ndeclare const u: U; u.m(1);\n", names.join(" | "));
        files
    });
}

#[test]
fn unions_that_add_one_constituent() {
    assert_linear(200, |size| {
        lines(size, "type U = 'k';\n", |i| {
            let before = if i == 0 { "U".to_owned() } else { format!("U{}", i - 1) };
            format!("export type U{i} = {before} | 'k{i}';\nexport declare function f{i}(a: U{i}): U{i};\nf{i}('k');\n")
        })
    });
}

#[test]
fn a_wide_interface_that_many_functions_take() {
    assert_linear(400, |size| {
        let properties: String =
            (0..size).map(|i| format!("  p{i}?: ReadonlyArray<string | number | undefined>;\n")).collect();
        let functions: String =
            (0..size).map(|i| format!("export function f{i}(o: O) {{}}\nf{i}({{ p1: [] }});\n")).collect();
        one_file(format!("export interface O {{\n{properties}}}\n{functions}"))
    });
}

#[test]
fn intersections_of_interfaces() {
    assert_linear(200, |size| {
        let mut files = lines(size, "", |i| format!("export interface I{i} {{ m{i}(a: number): void }}\n"));
        let names: Vec<String> = (0..size).map(|i| format!("I{i}")).collect();
        files[0].1 += &format!("export type A = {};\ndeclare const a: A; a.m1(1);\n", names.join(" & "));
        files
    });
}

#[test]
fn intersections_that_add_one_constituent() {
    // Far more than the greatest number of constituents: up to that number, each type costs more than the one before.
    assert_linear(1_200, |size| {
        lines(size, "type A = { m(a: number): void };\n", |i| {
            let before = if i == 0 { "A".to_owned() } else { format!("A{}", i - 1) };
            format!("export type A{i} = {before} & {{ m{i}(): void }};\ndeclare const a{i}: A{i}; a{i}.m(1);\n")
        })
    });
}

#[test]
fn intersections_of_unions() {
    assert_linear(100, |size| {
        let mut files = lines(size, "", |i| {
            format!("interface A{i} {{ a{i}: 1 }}\ninterface B{i} {{ b{i}: 1 }}\ntype U{i} = A{i} | B{i};\n")
        });
        let names: Vec<String> = (0..size).map(|i| format!("U{i}")).collect();
        files[0].1 += &format!("export declare const u: {};\nu.m(1);\n", names.join(" & "));
        files
    });
}

#[test]
fn a_tower_of_conditional_types() {
    assert_linear(200, |size| {
        lines(size, "type T<A> = A;\n", |i| {
            let before = if i == 0 { "T".to_owned() } else { format!("T{}", i - 1) };
            format!(
                "export type T{i}<A> = A extends string ? {before}<[A, A]> : {before}<{{ a: A, b: A }}>;\n\
                 export declare function f{i}<A>(a: A): T{i}<A>;\nf{i}('a'); f{i}(1);\n"
            )
        })
    });
}

#[test]
fn a_chain_of_conditions() {
    assert_linear(200, |size| {
        let chain: String = (0..size).map(|i| format!("A extends 'k{i}' ? {i} : ")).collect();
        one_file(format!(
            "export type T<A> = {chain} never;\nexport declare function f<A>(a: A): T<A>;\nf('k1'); f('none');\n"
        ))
    });
}

#[test]
fn recursive_conditional_types() {
    assert_linear(100, |size| {
        lines(
            size,
            "type D<A> = A extends [infer H, ...infer R] ? [D<H>, ...D<R>] : A extends object ? { [K in keyof A]: D<A[K]> } : A;\n",
            |i| {
                format!(
                    "export declare function f{i}(a: D<{{ k{i}: [number, {{ b: string }}] }}>): void;\nf{i}({{ k{i}: [1, {{ b: '' }}] }});\n"
                )
            },
        )
    });
}

#[test]
fn template_literal_types() {
    assert_linear(200, |size| {
        lines(size, "type K = 'a' | 'b' | 'c';\n", |i| {
            let before = if i == 0 { "K".to_owned() } else { format!("K{}", i - 1) };
            format!(
                "export type K{i} = `${{{before}}}-${{K}}`;\nexport declare function f{i}(a: K{i}): void;\nf{i}('a-b');\n"
            )
        })
    });
}

#[test]
fn generic_functions_that_call_the_one_before() {
    assert_linear(200, |size| {
        lines(size, "export function f<T>(a: T) { return [a, a]; }\n", |i| {
            let before = if i == 0 { "f".to_owned() } else { format!("f{}", i - 1) };
            format!("export function f{i}<T>(a: T) {{ return {before}([a, a]); }}\nf{i}(1);\n")
        })
    });
}

#[test]
fn generic_interfaces_that_grow() {
    assert_linear(200, |size| {
        let calls = ".m(1)".repeat(size);
        one_file(format!("export interface B<T> {{ m<U>(a: U): B<[T, U]> }}\ndeclare const b: B<number>;\nb{calls};\n"))
    });
}

#[test]
fn type_parameters_of_one_function() {
    assert_linear(100, |size| {
        let list = |f: &dyn Fn(usize) -> String| (0..size).map(f).collect::<Vec<_>>().join(", ");
        one_file(format!(
            "export declare function f<{}>({}): [{}];\nf({});\n",
            list(&|i| format!("T{i}")),
            list(&|i| format!("a{i}: T{i}")),
            list(&|i| format!("T{i}")),
            list(&|i| i.to_string()),
        ))
    });
}

#[test]
fn type_literals_inside_each_other() {
    assert_linear(60, |size| {
        one_file(format!(
            "export type T = {}number{};\nexport declare function f(a: T): T;\nf(null!);\n",
            "{ a: ".repeat(size),
            " }".repeat(size)
        ))
    });
}

#[test]
fn functions_that_return_functions() {
    assert_linear(60, |size| {
        one_file(format!("export const f = {}1;\nf{};\n", "(a: number) => ".repeat(size), "(1)".repeat(size)))
    });
}

#[test]
fn products_of_two_unions() {
    assert_linear(40, |size| {
        let union = |name: &str| (0..size).map(|i| format!("'{name}{i}'")).collect::<Vec<_>>().join("\n | ");
        one_file(format!(
            "type A = {};\ntype B = {};\n\
             type Pairs<X, Y> = X extends any ? (Y extends any ? [X, Y] : never) : never;\n\
             type Triples<X, Y, Z> = X extends any ? (Y extends any ? (Z extends any ? (x: X, y: Y) => Z : never) : never) : never;\n\
             export declare function f(pair: Pairs<A, B>): Triples<A, B, A>;\nf(['a0', 'b0']);\n",
            union("a"),
            union("b")
        ))
    });
}
