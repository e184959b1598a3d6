//! Call sites: their positions, forms, callers and keys.

use super::{check, javascript, show, tsx, typescript};
use crate::syntax::typescript::facts::FileFacts;

/// For each call site: line, column, form, caller, and the keys of object literals.
fn sites(facts: &FileFacts) -> Vec<String> {
    let mut rows: Vec<_> = facts
        .calls
        .iter()
        .filter(|call| call.line > 0)
        .map(|call| {
            let caller = call.caller.map_or("-".into(), |def| show::path(facts, def));
            let keys = |argument: &super::super::facts::Arg| {
                let keys = argument.keys.as_ref()?;
                let keys: Vec<&str> = keys.iter().map(|key| facts.name(key.name)).collect();
                Some(format!(" {{{}}}", keys.join(" ")))
            };
            let keys: String = call.arguments.iter().filter_map(keys).collect();
            (call.line, call.col, format!("{:?} {caller}{keys}", call.syntax.form))
        })
        .collect();
    rows.sort();
    rows.into_iter().map(|(line, col, rest)| format!("{line}:{col} {rest}")).collect()
}

#[test]
fn the_position_of_a_call_is_the_last_name_of_its_callee_else_its_arguments() {
    let facts = typescript(
        "f(); a.f(); a.b.f(); f().g(); (await a).g(); new X().g(); a[0].g();\n\
         (f as any)(); f!(); (a.f)<T>(); table[k](); a?.f?.();\n\
         new X; new a.X<T>(1); tag`a${f()}`;\n\
         (() => 1)();\n",
    );
    check(
        &sites(&facts),
        "1:0 Name -
         1:7 Attribute -
         1:16 Chain -
         1:21 Name -
         1:25 CallAttribute -
         1:40 CallAttribute -
         1:49 New -
         1:53 CallAttribute -
         1:63 OtherAttribute -
         2:1 Name -
         2:14 Name -
         2:23 Attribute -
         2:32 Subscript -
         2:47 Attribute -
         3:4 New -
         3:13 New -
         3:22 Template -
         3:29 Name -
         4:9 Nameless -",
    );
}

#[test]
fn calls_of_methods_constructors_and_super_have_their_forms() {
    let facts = typescript(
        "class A extends mixin(B) {
  field = this.make();
  constructor() { super(1); }
  m() { super.m(); this.m(); this.x.m(); }
}",
    );
    check(
        &sites(&facts),
        "1:16 Name -
         2:15 SelfAttribute -
         3:18 Super A.constructor
         4:14 SuperAttribute A.m
         4:24 SelfAttribute A.m
         4:36 Chain A.m",
    );
}

#[test]
fn the_caller_is_the_innermost_named_function() {
    let facts = typescript(
        "function f(a = g()) { list.map(x => g()); }
const h = useCallback(() => g());
const k = ((() => g()) as F);
const o = { m() { g(); }, n: () => g(), [c]: () => g() };
@deco(() => g()) class C { @deco() m(@deco() x) {} }",
    );
    check(
        &sites(&facts),
        "1:15 Name f
         1:27 Attribute f
         1:36 Name f
         2:10 Name -
         2:28 Name -
         3:18 Name k
         4:18 Name o.m
         4:35 Name o.n
         4:51 Name -
         5:1 Decorator -
         5:12 Name -
         5:28 Decorator -
         5:38 Decorator -",
    );
}

#[test]
fn the_keys_of_an_object_literal_are_kept_in_order() {
    let facts = typescript("f({ a: 1, 'b-c': 2, ...d, e, [g]: 3, ['h']: 4, m() {} } as T, x);");
    check(&sites(&facts), "1:0 Name - {a b-c ... e [] h m}");
    let keys = facts.calls[0].arguments[0].keys.as_ref().unwrap();
    let literals: Vec<_> = keys.iter().map(|key| key.literal.as_deref()).collect();
    assert_eq!(literals, [Some("1"), Some("2"), None, None, Some("3"), Some("4"), None]);
}

#[test]
fn an_element_of_a_component_is_a_call_with_its_attributes() {
    let facts = tsx("const App = () => <div onClick={() => f()}>
  <Button.Icon aria-label=\"x\" {...rest} on>text {g()}</Button.Icon>
  <h1>{h()}</h1><Empty/>
</div>;");
    check(
        &sites(&facts),
        "1:38 Name App
         2:10 Jsx App {aria-label ... on children}
         2:49 Name App
         3:7 Name App
         3:17 Jsx App {}",
    );
}

#[test]
fn require_is_a_call_site_and_import_is_not() {
    let facts = javascript("const a = require('m'); import('n').then(f); const b = require(x);");
    check(&sites(&facts), "1:10 Name -\n1:36 CallAttribute -\n1:55 Name -");
    let own = javascript("function require(x) {} require('m');");
    check(&sites(&own), "1:23 Name -");
}

#[test]
fn a_prefix_before_type_arguments_applies_to_the_call() {
    let facts = typescript("async function f() { await g<T>(1); !this.h!(2); await a.b<T>(3); }");
    check(&sites(&facts), "1:27 Name f\n1:42 SelfAttribute f\n1:57 Attribute f");
}

#[test]
fn columns_are_in_bytes() {
    check(&sites(&typescript("'ä'; f();")), "1:6 Name -");
}
