//! Every name that a module can export: its definition is in the stub under that name, and the stub is valid.

use std::{fmt::Write, sync::Arc};

use apidisc::{
    delivery::{Delivery, Format, Packer},
    index::{Index, Scope},
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
};
use proptest::{collection::btree_set, prelude::*};

use crate::{built, chance::cases, compiler::assert_compiles};

/// Words with a meaning in TypeScript that a function can have as its name.
const FUNCTION_NAMES: [&str; 40] = [
    "abstract",
    "accessor",
    "any",
    "as",
    "asserts",
    "async",
    "bigint",
    "boolean",
    "constructor",
    "declare",
    "from",
    "get",
    "global",
    "infer",
    "intrinsic",
    "is",
    "keyof",
    "module",
    "namespace",
    "never",
    "number",
    "object",
    "of",
    "out",
    "override",
    "readonly",
    "require",
    "satisfies",
    "set",
    "string",
    "symbol",
    "type",
    "undefined",
    "unique",
    "unknown",
    "using",
    "Map",
    "Promise",
    "Error",
    "Object",
];

/// Words that a declaration cannot have as its name, written down apart from the engine's list: a word that the engine
/// forgets fails here. A module can export a declaration under them all the same. `default` is left out: it names the
/// default export.
const RESERVED_WORDS: [&str; 47] = [
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// A module with these statements, and a file that calls every name of the module.
fn index(statements: &str, calls: &[(String, &str)]) -> Arc<Index> {
    let mut caller = "import * as lib from \"./lib\";\n".to_owned();
    for (name, call) in calls {
        writeln!(caller, "{}", call.replace("NAME", &format!("lib.{name}"))).expect("a string");
    }
    built::index([("src/lib.ts", statements), ("src/main.ts", &caller)])
}

fn exhaustive(index: &Arc<Index>, scope: Scope) -> Delivery {
    let packer = Packer::new(index, scope, &Tokenizer::load(Encoding::O200kBase)).expect("something public");
    packer.deliver(&Strategy::Exhaustive, Format::Stub).expect("no budget")
}

/// True if a stub declares a function with this name, or exports a declaration as it.
fn is_offered(stub: &str, name: &str) -> bool {
    stub.contains(&format!("export declare function {name}(")) || stub.contains(&format!(" as {name} }};"))
}

/// Asserts that the stub of the repository covers every call, and that every name can be asked for. Returns the stubs.
fn assert_shown(statements: &str, calls: &[(String, &str)]) -> Vec<String> {
    let index = index(statements, calls);
    let whole = exhaustive(&index, Scope::Repository);
    let all = format!(" 100% of {} call", calls.len());
    assert!(whole.text.lines().next().is_some_and(|title| title.contains(&all)), "{}", whole.text);
    let mut stubs = vec![whole.text];
    for (name, _) in calls.iter().step_by(7) {
        let scope = index.scope(None, Some(&format!("src/lib#{name}"))).expect("a definition");
        stubs.push(exhaustive(&index, scope).text);
        assert!(is_offered(stubs.last().expect("a stub"), name), "{name}: {stubs:?}");
    }
    for (name, _) in calls {
        assert!(is_offered(&stubs[0], name), "{name}: {}", stubs[0]);
    }
    stubs
}

#[test]
fn every_word_that_a_module_can_export_is_shown() {
    let mut functions = String::new();
    for name in FUNCTION_NAMES {
        writeln!(functions, "export function {name}(x: string) {{}}").expect("a string");
    }
    let calls: Vec<(String, &str)> = FUNCTION_NAMES.map(|name| (name.to_owned(), "NAME('x');")).into();
    let mut stubs = assert_shown(&functions, &calls);
    let calls = |form| RESERVED_WORDS.map(|word| (word.to_owned(), form)).to_vec();
    for (declaration, call) in
        [("function OWN(x: string) {}", "NAME('x');"), ("class OWN { constructor(x: string) {} }", "new NAME('x');")]
    {
        let mut text = String::new();
        for (number, word) in RESERVED_WORDS.iter().enumerate() {
            let own = format!("own{number}");
            writeln!(text, "{}\nexport {{ {own} as {word} }};", declaration.replace("OWN", &own)).expect("a string");
        }
        stubs.extend(assert_shown(&text, &calls(call)));
    }
    assert_compiles(&stubs);
}

#[test]
fn two_definitions_with_a_reserved_name_are_both_shown() {
    let text = "function _enum(x: string) {}\nexport { _enum as enum };\n";
    let index = built::index([("src/a.ts", text), ("src/b.ts", text)]);
    let text = exhaustive(&index, Scope::Repository).text;
    assert!(text.contains("export { _enum as enum };"), "{text}");
    assert!(text.contains("{ enum as _enum2 } from \"src/b\"") && text.contains("function _enum2("), "{text}");
    assert_compiles(&[text]);
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn every_identifier_that_a_module_exports_is_shown(
        names in btree_set("[a-zA-Z_$äéßλж中][a-zA-Z0-9_$äéßλж中]{0,9}", 1..12),
    ) {
        let names: Vec<String> = names
            .into_iter()
            .filter(|name| !RESERVED_WORDS.contains(&name.as_str()) && !["default", "lib"].contains(&name.as_str()))
            .collect();
        let mut text = String::new();
        for name in &names {
            writeln!(text, "export function {name}(x: string) {{}}").expect("a string");
        }
        let calls: Vec<(String, &str)> = names.into_iter().map(|name| (name, "NAME('x');")).collect();
        if !calls.is_empty() {
            assert_shown(&text, &calls);
        }
    }
}
