//! Values: object and array literals, spreads, variables, chains of calls, JSX.

use super::{lines, one_file};
use crate::work::assert_linear;

#[test]
fn spreads_of_the_object_before_twice() {
    assert_linear(200, |size| {
        lines(size, "export const a = { m(x: number) {} };\n", |i| {
            let before = if i == 0 { "a".to_owned() } else { format!("a{}", i - 1) };
            format!("export const a{i} = {{ ...{before}, ...{before}, x{i}: 1 }};\na{i}.m(1); a{i}.none();\n")
        })
    });
}

#[test]
fn spreads_passed_as_arguments() {
    assert_linear(100, |size| {
        lines(
            size,
            "interface O { a?: number; b?: { c: string } }\nexport declare function f(o: O): O;\nexport declare function f(o: string): string;\nexport const a = { a: 1 };\n",
            |i| {
                let before = if i == 0 { "a".to_owned() } else { format!("a{}", i - 1) };
                format!("export const a{i} = {{ ...{before}, ...{before}, x{i}: 1 }};\nf(a{i});\n")
            },
        )
    });
}

#[test]
fn properties_of_one_object() {
    assert_linear(400, |size| {
        let properties: String = (0..size)
            .map(|i| format!("  p{i}: {i},\n  m{i}(a = {i}) {{ return o.m{}(o.p{i}); }},\n", (i + 1) % size))
            .collect();
        one_file(format!("export const o = {{\n{properties}}};\n"))
    });
}

#[test]
fn functions_as_properties_of_one_object() {
    assert_linear(400, |size| {
        let properties: String =
            (0..size).map(|i| format!("  m{i}: (a = {i}) => o.m{}(1),\n", (i + 1) % size)).collect();
        one_file(format!("export const o = {{\n{properties}}};\n"))
    });
}

#[test]
fn objects_inside_each_other() {
    assert_linear(60, |size| {
        one_file(format!(
            "export const o = {}(x: number) => x{};\no{}(1);\n",
            "{ a: ".repeat(size),
            " }".repeat(size),
            ".a".repeat(size)
        ))
    });
}

#[test]
fn an_object_passed_to_a_function() {
    assert_linear(1_200, |size| {
        let types: String = (0..size).map(|i| format!("  p{i}?: number;\n")).collect();
        let values: String = (0..size).map(|i| format!("p{i}: {i}, ")).collect();
        one_file(format!("export interface O {{\n{types}}}\nexport function f(o: O) {{}}\nf({{ {values} }});\n"))
    });
}

#[test]
fn elements_of_one_array() {
    assert_linear(500, |size| {
        let elements: String = (0..size).map(|i| format!("{{ k{i}: f({i}) }}, ")).collect();
        one_file(format!("export function f(a: number) {{ return a; }}\nexport const all = [{elements}];\n"))
    });
}

#[test]
fn an_array_of_itself_in_a_loop() {
    assert_linear(200, |size| {
        lines(size, "export function f(a: any) {}\n", |i| {
            format!(
                "export function g{i}() {{ let x: any = 1; let y = []; for (;;) {{ x = [x, x]; y = [y, y]; f(y[0]); }} }}\n"
            )
        })
    });
}

#[test]
fn assignments_to_one_variable() {
    assert_linear(300, |size| {
        lines(size, "export function f(a: any) { return [a]; }\nlet x = f(1);\n", |_| "x = [x, x];\nf(x);\n".to_owned())
    });
}

#[test]
fn variables_of_the_one_before() {
    assert_linear(400, |size| {
        lines(size, "export function f<T>(a: T): T[] { return [a]; }\nconst a = f(1);\n", |i| {
            let before = if i == 0 { "a".to_owned() } else { format!("a{}", i - 1) };
            format!("const a{i} = f([{before}, {before}]);\n")
        })
    });
}

#[test]
fn a_chain_of_method_calls() {
    assert_linear(150, |size| {
        one_file(format!(
            "export class B {{ m(a: number): this {{ return this; }} n(a: number) {{ return new B(); }} }}\nnew B(){};\n",
            ".m(1).n(2)".repeat(size)
        ))
    });
}

#[test]
fn calls_inside_each_other() {
    assert_linear(60, |size| {
        one_file(format!(
            "export function f<T>(a: T): T {{ return a; }}\n{}1{};\n",
            "f(".repeat(size),
            ")".repeat(size)
        ))
    });
}

#[test]
fn overloaded_calls_inside_each_other() {
    assert_linear(30, |size| {
        one_file(format!(
            "export function f(a: string): string;\nexport function f<T>(a: T): T[];\nexport function f(a: any) {{ return a; }}\n{}1{};\n",
            "f(".repeat(size),
            ")".repeat(size)
        ))
    });
}

#[test]
fn callbacks_inside_each_other() {
    assert_linear(30, |size| {
        one_file(format!(
            "export function f<T>(a: T, g: (x: T) => T): T {{ return a; }}\nexport function n(a: number) {{ return a; }}\n{}n(1){};\n",
            "f(1, x => ".repeat(size),
            ")".repeat(size)
        ))
    });
}

#[test]
fn returns_of_one_function() {
    assert_linear(400, |size| {
        let body: String = (0..size).map(|i| format!("  if (x === {i}) return {{ k{i}: {i}, m() {{}} }};\n")).collect();
        one_file(format!("export function f(x: number) {{\n{body}  return null;\n}}\nf(1).m();\n"))
    });
}

#[test]
fn arguments_of_one_call() {
    assert_linear(400, |size| {
        let list: String = (0..size).map(|i| format!("{i}, ")).collect();
        let params: String = (0..size).map(|i| format!("a{i}: number, ")).collect();
        one_file(format!("export function f({params}) {{}}\nf({list});\n"))
    });
}

#[test]
fn calls_of_one_function() {
    assert_linear(1000, |size| lines(size, "export function f(a: number, b = 1) {}\n", |i| format!("f({i}, {i});\n")));
}

#[test]
fn elements_of_jsx_inside_each_other() {
    assert_linear(60, |size| {
        let text = format!(
            "export function A(props: {{ a: number, children?: any }}) {{ return null; }}\nexport const x = {}1{};\n",
            "<A a={1}>".repeat(size),
            "</A>".repeat(size)
        );
        vec![("a.tsx".to_owned(), text)]
    });
}

#[test]
fn elements_of_jsx_beside_each_other() {
    assert_linear(300, |size| {
        let children: String = (0..size).map(|i| format!("<A a={{{i}}} />\n")).collect();
        let text = format!(
            "export function A(props: {{ a: number, children?: any }}) {{ return null; }}\nexport const x = <A a={{1}}>{children}</A>;\n"
        );
        vec![("a.tsx".to_owned(), text)]
    });
}

#[test]
fn components_that_use_the_one_before() {
    assert_linear(300, |size| {
        let text: String = (1..=size)
            .map(|i| format!("export const A{i} = (props: {{ a: number }}) => <A{} {{...props}} a={{1}} />;\n", i - 1))
            .collect();
        vec![("a.tsx".to_owned(), format!("export const A0 = (props: {{ a: number }}) => null;\n{text}"))]
    });
}

#[test]
fn destructuring_of_one_object() {
    assert_linear(300, |size| {
        let properties: String = (0..size).map(|i| format!("m{i}(a: number) {{}}, ")).collect();
        let names: String = (0..size).map(|i| format!("m{i}, ")).collect();
        let calls: String = (0..size).map(|i| format!("m{i}(1);\n")).collect();
        one_file(format!("const o = {{ {properties} }};\nconst {{ {names} }} = o;\n{calls}"))
    });
}

#[test]
fn functions_inside_each_other() {
    assert_linear(60, |size| {
        let open: String = (0..size).map(|i| format!("function f{i}(a: number) {{ f{i}(1);\n")).collect();
        one_file(open + &"}\n".repeat(size))
    });
}

#[test]
fn members_of_one_enum() {
    assert_linear(400, |size| {
        let members: String = (0..size).map(|i| format!("  M{i} = {i},\n")).collect();
        let calls: String = (0..size).map(|i| format!("f(E.M{i});\n")).collect();
        one_file(format!("export enum E {{\n{members}}}\nexport function f(e: E) {{}}\n{calls}"))
    });
}

#[test]
fn functions_that_return_themselves_twice() {
    assert_linear(100, |size| lines(size, "", |i| format!("export const f{i} = () => [f{i}, f{i}];\n")));
}

#[test]
fn functions_that_return_the_one_before_three_times() {
    assert_linear(50, |size| {
        lines(size, "export const f = () => 1;\n", |i| {
            let before = if i == 0 { "f".to_owned() } else { format!("f{}", i - 1) };
            format!("export const f{i} = () => [{before}, {before}, {before}];\n")
        })
    });
}

#[test]
fn functions_whose_parameters_have_their_own_type() {
    assert_linear(100, |size| {
        lines(size, "", |i| format!("export function f{i}(a: typeof f{i}, b: typeof f{i}): void {{}}\n"))
    });
}

#[test]
fn functions_whose_results_name_their_own_results() {
    assert_linear(50, |size| {
        lines(size, "declare const x: any;\n", |i| {
            let of_itself = format!("x as ReturnType<typeof f{i}>");
            format!("export function f{i}() {{ return {{ a: {of_itself}, b: {of_itself} }}; }}\n")
        })
    });
}

#[test]
fn methods_that_return_their_object_twice() {
    assert_linear(50, |size| {
        lines(size, "", |i| format!("const a{i} = {{ m: () => [a{i}, a{i}] }};\nexport const g{i} = () => [a{i}];\n"))
    });
}

#[test]
fn objects_that_spread_themselves_twice() {
    assert_linear(50, |size| {
        lines(size, "", |i| {
            format!("const a{i} = {{ x: 1, ...a{i}, ...a{i} }};\nexport function f{i}() {{ return a{i}; }}\n")
        })
    });
}
