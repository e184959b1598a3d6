//! Types in annotations.

use super::{check, show, typescript};

#[test]
fn every_form_of_type() {
    let facts = typescript(
        "let a: string | 'x' | 1 | -1 | true | null | undefined | bigint | unique symbol;
         let b: A.B<C, D[]>[]; let c: readonly string[]; let d: readonly [x: A, y?: B, ...rest: C[]]; let e: [A?, ...B[]];
         let f: (x: A) => B; let g: new () => A; let h: { a: A; b?(): B };
         let i: typeof x.y; let j: keyof A; let k: A['b']; let l: A extends infer B extends C ? B : never;
         let m: { readonly [K in A]-?: B }; let n: `x${A}`; let o: this; let p: (A & B) | (C);
         let q: import('m').A.B; let r: typeof import('m'); let s: asserts; let t: typeof f<A>;
         function u(x): x is A; function v(this: B): this is A; function w(x): asserts x;
         let y: unknown; let z: void | object;",
    );
    let mut types: Vec<String> = facts
        .variables
        .iter()
        .map(|variable| format!("{}: {}", facts.name(variable.name), show::ty(&facts, variable.annotation.unwrap())))
        .collect();
    for name in ["u", "v", "w"] {
        let function = show::find(&facts, name).function().unwrap();
        types.push(format!("{name}: {}", show::ty(&facts, function.returns.as_ref().unwrap().0)));
    }
    check(
        &types,
        "a: string | 'x' | 1 | -1 | true | null | undefined | bigint | symbol
         b: A.B?<C?, D?[]>[]
         c: string[]
         d: readonly [x: A?, y: B??, ...rest: C?[]]
         e: [A??, ...B?[]]
         f: (1) => B?
         g: (0) => A?
         h: {a: A?; b?(0) method}
         i: typeof x?.y
         j: keyof A?
         k: A?['b']
         l: A? extends infer B extends C ? B@block : never
         m: {[K in A?]Removed B?}
         n: template('x', A?)
         o: this of nothing
         p: A? & B? | C?
         q: import(m).A.B
         r: typeof import(m)
         s: asserts?
         t: typeof f<[A?]>
         y: unknown
         z: void | object
         u: x is A?
         v: this is A?
         w: asserts x",
    );
    assert!(facts.problems.is_empty(), "{:?}", facts.problems);
}

#[test]
fn the_type_this_belongs_to_the_enclosing_class_or_interface() {
    let facts = typescript("class A { m(): this { return this; } } interface B { n(x: { o: this }): void }");
    let of: Vec<String> = (0..facts.types.len())
        .map(super::super::facts::TypeId::new)
        .map(|ty| show::ty(&facts, ty))
        .filter(|ty| ty.starts_with("this"))
        .collect();
    assert_eq!(of, ["this of A", "this of B"]);
}

#[test]
fn variance_annotations_are_lowered_although_the_grammar_rejects_them() {
    let facts = typescript("interface A<in T, out U = T, in out V extends T = U> { a: T; b: U; c: V }");
    let names: Vec<&str> = facts.type_params.iter().map(|param| facts.name(param.name)).collect();
    assert_eq!(names, ["T", "U", "V"]);
    assert!(facts.problems.is_empty(), "{:?}", facts.problems);
    check(&show::members(&facts, show::find(&facts, "A")), "a: T@A\nb: U@A\nc: V@A");
}

#[test]
fn texts_of_annotations_and_values_are_on_one_line() {
    let facts = typescript("let a:\n  | A // one\n  | B = {\n  x: 1,\n};\nlet { b }: C = d;");
    let [a, b] = &facts.variables[..] else { panic!("two") };
    assert_eq!(a.annotation_text.as_deref(), Some("A | B"));
    assert_eq!(a.value_text.as_deref(), Some("{ x: 1 }"));
    assert_eq!((b.annotation_text.as_deref(), b.value_text.as_deref()), (None, None));
}
