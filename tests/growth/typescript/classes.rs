//! Classes, interfaces, overloads and namespaces.

use super::{lines, one_file};
use crate::work::{Files, assert_linear};

#[test]
fn a_chain_of_extends() {
    assert_linear(400, |size| {
        let last = size - 1;
        let mut files = lines(size - 1, "export class C0 { m0(a: number) { return this; } }\n", |i| {
            format!("export class C{} extends C{i} {{ m{}(a: number) {{ return this; }} }}\n", i + 1, i + 1)
        });
        files[0].1 += &format!("new C{last}().m{last}(1); new C{last}().m0(1);\n");
        files
    });
}

#[test]
fn calls_along_a_chain_of_extends() {
    assert_linear(200, |size| {
        lines(size, "export class C { constructor(public a: number) {} m(a: number) {} }\n", |i| {
            let base = if i == 0 { "C".to_owned() } else { format!("C{}", i - 1) };
            format!("export class C{i} extends {base} {{}}\nnew C{i}(1).m(2);\n")
        })
    });
}

#[test]
fn a_chain_of_interfaces() {
    assert_linear(300, |size| {
        lines(size, "export interface I { m(a: number): void }\n", |i| {
            let base = if i == 0 { "I".to_owned() } else { format!("I{}", i - 1) };
            format!("export interface I{i} extends {base} {{ m{i}(): void }}\ndeclare const v{i}: I{i}; v{i}.m(1);\n")
        })
    });
}

#[test]
fn a_chain_of_diamonds() {
    assert_linear(60, |size| {
        lines(size, "export interface I { m(a: number): void }\n", |i| {
            let base = if i == 0 { "I".to_owned() } else { format!("I{}", i - 1) };
            format!(
                "interface A{i} extends {base} {{}}\ninterface B{i} extends {base} {{}}\n\
                 export interface I{i} extends A{i}, B{i} {{}}\ndeclare const v{i}: I{i}; v{i}.none(1); v{i}.m(1);\n"
            )
        })
    });
}

#[test]
fn a_chain_of_generic_classes() {
    // Between 200 and 400 classes the tables of types double their capacity, which hides that memory grows linearly.
    assert_linear(300, |size| {
        lines(size, "export class C<T> { m(a: T): T { return a; } }\n", |i| {
            let base = if i == 0 { "C".to_owned() } else { format!("C{}", i - 1) };
            format!("export class C{i}<T> extends {base}<[T, T]> {{}}\nnew C{i}<number>().m(1);\n")
        })
    });
}

#[test]
fn many_base_interfaces() {
    assert_linear(150, |size| {
        let mut files = lines(size, "", |i| format!("interface I{i} {{ m{i}(): void }}\n"));
        let bases: Vec<String> = (0..size).map(|i| format!("I{i}")).collect();
        files[0].1 += &format!("export interface All extends {} {{}}\ndeclare const all: All;\n", bases.join(", "));
        files[0].1 += &(0..size).map(|i| format!("all.m{i}();\n")).collect::<String>();
        files
    });
}

#[test]
fn many_declarations_of_one_interface() {
    assert_linear(150, |size| {
        let mut files = lines(size, "", |i| format!("export interface I {{ m{i}(): void }}\n"));
        files[0].1 += "declare const i: I;\n";
        files[0].1 += &(0..size).map(|i| format!("i.m{i}();\ni.none{i}();\n")).collect::<String>();
        files
    });
}

#[test]
fn many_implementations_of_one_interface() {
    assert_linear(400, |size| {
        lines(
            size,
            "export interface I { m(a: number): void }\nexport abstract class B implements I { abstract m(a: number): void; }\n",
            |i| format!("export class C{i} extends B implements I {{ m(a: number) {{}} }}\nnew C{i}().m({i});\n"),
        )
    });
}

#[test]
fn members_of_one_class() {
    assert_linear(400, |size| {
        let members: String = (0..size)
            .map(|i| format!("  p{i} = {i};\n  m{i}(a = {i}) {{ return this.m{}(this.p{i}); }}\n", (i + 1) % size))
            .collect();
        one_file(format!("export class C {{\n{members}}}\n"))
    });
}

#[test]
fn accessors_of_one_class() {
    assert_linear(400, |size| {
        let members: String = (0..size)
            .map(|i| format!("  get p{i}(): number {{ return 1; }}\n  set p{i}(value: number) {{}}\n"))
            .collect();
        one_file(format!("export class C {{\n{members}}}\n"))
    });
}

#[test]
fn static_members_of_one_class() {
    assert_linear(400, |size| {
        let members: String =
            (0..size).map(|i| format!("  static m{i}(a = {i}) {{ return C.m{}(1); }}\n", (i + 1) % size)).collect();
        one_file(format!("export class C {{\n{members}}}\n"))
    });
}

#[test]
fn overloads_of_a_function() {
    assert_linear(300, |size| {
        let mut files =
            lines(size, "", |i| format!("export function f(a{i}: 'k{i}', b: number): {{ k{i}: number }};\n"));
        files[0].1 += "export function f(a: any, b: any): any {}\nf('k1', 1);\nf('none', 1);\n";
        files
    });
}

#[test]
fn calls_of_an_overloaded_function() {
    assert_linear(200, |size| {
        let mut files = lines(40, "", |i| format!("export function f(a: 'k{i}', b: number): {{ k{i}: number }};\n"));
        files[0].1 += "export function f(a: any, b: any): any {}\n";
        files[0].1 += &(0..size).map(|i| format!("f('k{}', 1);\n", i % 40)).collect::<String>();
        files
    });
}

#[test]
fn overloads_of_a_method() {
    assert_linear(300, |size| {
        let overloads: String = (0..size).map(|i| format!("  m(a: 'k{i}'): number;\n")).collect();
        one_file(format!("export class C {{\n{overloads}  m(a: any): any {{}}\n}}\nnew C().m('k1');\n"))
    });
}

#[test]
fn overloads_of_a_constructor() {
    assert_linear(300, |size| {
        let overloads: String = (0..size).map(|i| format!("  constructor(a: 'k{i}');\n")).collect();
        one_file(format!("export class C {{\n{overloads}  constructor(a: any) {{}}\n}}\nnew C('k1');\n"))
    });
}

#[test]
fn overloads_of_an_interface_method() {
    assert_linear(300, |size| {
        let overloads: String = (0..size).map(|i| format!("  m(a: 'k{i}'): number;\n")).collect();
        one_file(format!("export interface I {{\n{overloads}}}\ndeclare const i: I; i.m('k1');\n"))
    });
}

#[test]
fn declarations_of_one_namespace() {
    assert_linear(300, |size| {
        lines(size, "", |i| format!("export namespace N {{ export function f{i}(a: number) {{}} }}\nN.f{i}(1);\n"))
    });
}

#[test]
fn functions_of_one_namespace() {
    assert_linear(300, |size| {
        let body: String = (0..size).map(|i| format!("export function f{i}(a: number) {{}}\n")).collect();
        let calls: String = (0..size).map(|i| format!("N.f{i}(1);\n")).collect();
        one_file(format!("export namespace N {{\n{body}}}\n{calls}"))
    });
}

#[test]
fn namespaces_inside_each_other() {
    assert_linear(60, |size| {
        let open: String = (0..size)
            .map(|i| format!("export namespace N{i} {{\nexport function f(a: number) {{}}\nf(1);\n"))
            .collect();
        one_file(open + &"}\n".repeat(size))
    });
}

#[test]
fn declarations_of_one_interface() {
    assert_linear(300, |size| {
        lines(size, "declare const v: I;\n", |i| {
            format!("export interface I {{ m{i}(a: number): void }}\nv.m{i}(1);\n")
        })
    });
}

#[test]
fn declarations_of_one_global_interface() {
    assert_linear(200, |size| {
        (0..size)
            .map(|i| {
                let text = format!(
                    "export {{}};\ndeclare global {{ interface Window {{ m{i}(a: number): void }} }}\nwindow.m{i}(1);\n"
                );
                (format!("m{i}.ts"), text)
            })
            .collect()
    });
}

/// A function with many overloads, each with a parameter of the type that `parameter` writes, and a call for each.
fn overloads(size: usize, parameter: impl Fn(usize) -> String, argument: impl Fn(usize) -> String) -> Files {
    let declared: String = (0..size).map(|i| format!("export function f(a: {}): {i};\n", parameter(i))).collect();
    let calls: String = (0..size).map(|i| format!("f({});\n", argument(i))).collect();
    one_file(format!("{declared}export function f(a: any, b?: any): any {{}}\n{calls}"))
}

#[test]
fn overloads_of_strings() {
    assert_linear(200, |size| overloads(size, |i| format!("'k{i}'"), |i| format!("'k{i}'")));
}

#[test]
fn overloads_of_objects() {
    let object = |i: usize| format!("{{ kind: 'k{i}', of: {{ a{i}: 1 }} }}");
    assert_linear(200, |size| overloads(size, object, object));
}

#[test]
fn overloads_of_an_event() {
    let parameter = |i: usize| format!("'k{i}', b: (event: {{ p{i}: number }}) => void");
    assert_linear(200, |size| overloads(size, parameter, |i| format!("'k{i}', event => event.p{i}")));
}

#[test]
fn overloads_of_type_parameters() {
    let parameter = |i: usize| format!("{{ p{i}: number }}, b: <T>(t: T) => [T, {i}]");
    // Far more than the greatest number of overloads that a call is compared with.
    assert_linear(400, |size| overloads(size, parameter, |i| format!("{{ p{i}: 1 }}, t => [t, {i}]")));
}

#[test]
fn many_base_types_that_are_aliases() {
    assert_linear(400, |size| {
        let mut files = lines(size, "", |i| format!("type I{i} = {{ m{i}(): void }} & {{ n{i}(): void }};\n"));
        let bases: Vec<String> = (0..size).map(|i| format!("I{i}")).collect();
        files[0].1 += &format!("export interface All extends {} {{}}\ndeclare const all: All;\n", bases.join(", "));
        files[0].1 += &(0..size).map(|i| format!("all.m{i}(); all.n{i}();\n")).collect::<String>();
        files
    });
}
