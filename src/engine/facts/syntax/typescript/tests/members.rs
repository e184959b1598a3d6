//! Definitions, their names, members, parameters and modifiers.

use super::{check, javascript, show, typescript};
use crate::syntax::typescript::facts::FileFacts;

fn members(facts: &FileFacts, name: &str) -> Vec<String> {
    show::members(facts, show::find(facts, name))
}

#[test]
fn a_definition_takes_the_name_of_its_variable_property_or_member() {
    let facts = typescript(
        "export default function () {}
         const a = (() => 1) as F, { b } = () => 2;
         c.d = function () {}; e ??= () => 1;
         const o = { f: { g() {}, 'h-i': () => 1, [k]: () => 2, ['l']: () => 3 } };
         class P { q = () => 1; r = s(() => 1); constructor() {} get t() { return class U {}; } }
         interface V { w: (x: { y(): void }) => void; z: A | { b: () => void }; }
         enum W { A = f(() => 1) }
         namespace X.Y { function z() {} }
         @d({ e() {} }) class Z { @f({ g() {} }) h() {} }",
    );
    check(
        &show::definitions(&facts),
        "default:1 Expression
         a:2 Arrow
         _:2 Arrow
         d:3 Expression
         _:3 Arrow
         o:4 Object
         o.f:4 Object
         o.f.g:4 Method
         o.f.h-i:4 Arrow
         o.f._:4 Arrow
         o.f.l:4 Arrow
         P:5 Class
         P.q:5 Arrow
         P._:5 Arrow
         P.constructor:5 Constructor
         P.t:5 Getter
         P.t.U:5 Class
         V:6 Interface
         V.w:6 Type
         V.w._:6 TypeLiteral
         V.w._.y:6 Method
         V.z:6 TypeLiteral
         V.z.b:6 Type
         W:7 Enum
         W._:7 Arrow
         X:8 Namespace
         X.Y:8 Namespace
         X.Y.z:8 Declaration
         Z:9 Class
         Z._:9 Object
         Z._.e:9 Method
         Z.h:9 Method
         Z.h._:9 Object
         Z.h._.g:9 Method",
    );
}

#[test]
fn members_of_a_class_have_their_modifiers_and_types() {
    let facts = typescript(
        "abstract class A<T> extends B<T> implements C {
             a?: string = 'x';
             private static readonly b = 1;
             #c: T;
             declare d;
             ['e'] = 1; [f] = 2;
             constructor(private g: T, readonly h?, i) { super(); }
             abstract j(): void;
             protected get k() { return 1; }
             async *l(this: A, m, ...n) {}
             [o: string]: any;
         }",
    );
    check(
        &members(&facts, "A"),
        "a?: string = 'x'
         private static readonly b = number
         private #c: T@A
         d
         e = number
         [] = number
         constructor(3) constructor
         abstract j(0) method
         protected k(0) getter
         l(2) method
         [] string: any
         private g: T@A of parameter 0
         readonly h? of parameter 1",
    );
    let class = show::find(&facts, "A").class().unwrap();
    assert!(class.is_abstract);
    assert_eq!(class.extends.as_ref().map(|(_, args, text)| (args.len(), text.as_str())), Some((1, "B<T>")));
    assert_eq!(class.implements[0].1, "C");
    let method = show::find(&facts, "A.l").function().unwrap();
    assert!(method.is_async && method.is_generator && method.this_type.is_some());
}

#[test]
fn assignments_to_this_in_methods_declare_the_fields_of_a_javascript_class() {
    let facts = javascript(
        "class A { a = 1; constructor() { this.a = 2; this.b = new B(); call(() => { this.c = 1; }); function f() { this.d = 1; } }
         m() { this.b = 1; this.e = this; } static s() { this.f = 1; } }",
    );
    check(
        &members(&facts, "A"),
        "a = number
         constructor(0) constructor
         m(0) method
         static s(0) method
         b = new B?()
         c = number
         e = this of A.m",
    );
}

#[test]
fn members_of_interfaces_and_object_literals() {
    let facts = typescript(
        "interface A extends B, C.D<E> { readonly a?: string; b(c: F): G; (d): H; new (e): I; get f(): J; [g: string]: K; 'l-m': N }
         const o = { a, b: 1, ...c, get d() { return 1; }, [e]: 2 };",
    );
    check(
        &members(&facts, "A"),
        "readonly a?: string
         b(1) method
         [](1) callsignature
         [](1) constructsignature
         f(0) getter
         [] string: K?
         l-m: N?",
    );
    check(&members(&facts, "o"), "a = a?\nb = number\n[] ...c?\nd(0) getter\n[] = number");
}

#[test]
fn parameters_keep_their_patterns_annotations_and_defaults() {
    let facts = typescript(
        "function f<T extends object = {}>(a: T, b = { x: 1 }, { c, d: e = 2, ...g }: P = {}, [h], @k() ...i: T[]): asserts a is U { return; }",
    );
    let function = show::find(&facts, "f").function().unwrap();
    let params: Vec<String> = function
        .params
        .iter()
        .map(|param| {
            let name = param.name.map(|name| facts.name(name)).or(param.pattern.as_deref()).unwrap_or_default();
            let rest = if param.is_rest { "..." } else { "" };
            let properties: Vec<String> = param
                .properties
                .iter()
                .map(|(name, default)| format!("{}={}", facts.name(*name), default.as_deref().unwrap_or("-")))
                .collect();
            let text = |text: Option<&arcstr::ArcStr>| text.map_or("-".to_owned(), ToString::to_string);
            format!(
                "{rest}{name} : {} = {} {}",
                text(param.annotation.as_ref().map(|(_, text)| text)),
                text(param.default.as_ref().map(|(_, text)| text)),
                properties.join(" ")
            )
            .trim()
            .to_owned()
        })
        .collect();
    check(
        &params,
        "a : T = -
         b : - = { x: 1 }
         { c, d: e = 2, ...g } : P = {} c=- d=2
         [h] : - = -
         ...i : T[] = -",
    );
    assert_eq!(facts.type_params[0].text, "T extends object = {}");
    assert_eq!(function.returns.as_ref().map(|(of, _)| show::ty(&facts, *of)).unwrap(), "asserts a is U?");
    assert!(function.falls_through, "its return has no value");
}

#[test]
fn falling_through_the_end_of_a_body_is_recognised() {
    let facts = typescript(
        "function a() { if (x) return 1; else throw 2; } function b() { if (x) return 1; } function c() { while (true) {} }
         function d() { for (;;) { if (x) break; } } function e() { switch (x) { case 1: return 1; default: return 2; } }
         function f() { try { return 1; } catch { throw 2; } } function g() { process.exit(1); } const h = () => 1;
         function i() { switch (x) { case 1: return 1; } }",
    );
    let falls = |name: &str| show::find(&facts, name).function().unwrap().falls_through;
    let all: Vec<&str> = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].into_iter().filter(|name| falls(name)).collect();
    assert_eq!(all, ["b", "d", "i"]);
}

#[test]
fn summaries_are_the_first_paragraphs_of_jsdoc_comments() {
    let facts = typescript(
        "/** One. */ export const a = () => 1;
         // Not this.
         function b() {}
         /**
          * Two
          * lines.
          *
          * More.
          */
         @d
         export class C { /** Field. */ x = 1; /** Method. */ @e() m() {} /** @internal */ n() {} }
         /** Three. */
         export default interface D { /** Four. */ y: string; }
         const o = { /** Five. */ f() {} };
         /** Lost. */
         a.b = 1;
         function g() {}",
    );
    let summary = |name: &str| show::find(&facts, name).summary.as_deref();
    assert_eq!(summary("a"), Some("One."));
    assert_eq!(summary("b"), None);
    assert_eq!(summary("C"), Some("Two lines."));
    assert_eq!(summary("C.m"), Some("Method."));
    assert_eq!(summary("C.n"), None);
    assert_eq!(summary("D"), Some("Three."));
    assert_eq!(summary("o.f"), Some("Five."));
    assert_eq!(summary("g"), None);
    assert_eq!(show::find(&facts, "C").members()[0].summary.as_deref(), Some("Field."));
    assert_eq!(show::find(&facts, "D").members()[0].summary.as_deref(), Some("Four."));
}

#[test]
fn declared_definitions_are_ambient() {
    let facts = typescript("declare function f(): void; declare namespace N { class A {} } class B {}");
    let ambient = |name: &str| show::find(&facts, name).is_ambient;
    assert_eq!([ambient("f"), ambient("N"), ambient("N.A"), ambient("B")], [true, true, true, false]);
}
