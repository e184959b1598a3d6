//! Imports and exports.

use super::{check, javascript, show, typescript};
use crate::syntax::typescript::{
    Dialect,
    facts::{ExportKind, FileFacts, ImportKind, ScopeId},
    read,
};

fn imports(facts: &FileFacts) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for symbol in &facts.symbols {
        for decl in &symbol.decls {
            let super::super::facts::Decl::Import(import) = decl else { continue };
            let import = &facts.imports[import.index()];
            let kind = match import.kind {
                ImportKind::Named(name) => facts.name(name).to_owned(),
                ImportKind::Namespace => "*".into(),
                ImportKind::Required => "=".into(),
                ImportKind::Entity => import.path.iter().map(|&name| facts.name(name)).collect::<Vec<_>>().join("."),
                ImportKind::Local(symbol) => format!("local {}", facts.name(facts.symbol(symbol).name)),
            };
            let ty = if import.is_type { " type" } else { "" };
            rows.push(format!("{} = {kind} of '{}'{ty}", facts.name(symbol.name), facts.name(import.specifier)));
        }
    }
    rows
}

fn exports(facts: &FileFacts) -> Vec<String> {
    let row = |export: &super::super::facts::Export| {
        let kind = match export.kind {
            ExportKind::Symbol(symbol) => {
                format!("{} ({})", facts.name(facts.symbol(symbol).name), show::declarations(facts, symbol).join(", "))
            }
            ExportKind::Value(value) => show::expr(facts, value),
            ExportKind::From(module, name) => format!("{} of '{}'", facts.name(name), facts.name(module)),
            ExportKind::Star(module) => format!("* of '{}'", facts.name(module)),
            ExportKind::Namespace(module) => format!("* as one of '{}'", facts.name(module)),
            ExportKind::Assign(value) => format!("= {}", show::expr(facts, value)),
        };
        format!("{}: {kind}", facts.name(export.name)).trim().to_owned()
    };
    facts.exports.iter().map(row).collect()
}

#[test]
fn every_form_of_import() {
    let facts = typescript(
        "import a, { b, c as d, type e, default as f, 'g-h' as i } from 'm';
         import * as j from \"n\"; import type { k } from 'o'; import 'p';
         import l = require('q'); import m = j.A.B; import type from 'r'; import { type } from 's';",
    );
    check(
        &imports(&facts),
        "a = default of 'm'
         b = b of 'm'
         d = c of 'm'
         e = e of 'm' type
         f = default of 'm'
         i = g-h of 'm'
         j = * of 'n'
         k = k of 'o' type
         l = = of 'q'
         m = j.A.B of ''
         type = default of 'r'
         type = type of 's'",
    );
    assert!(facts.is_module);
}

#[test]
fn every_form_of_export() {
    let facts = typescript(
        "export const a = 1, { b } = c; export function d(): void; export function d() {}
         export { e, f as g, h as default } from 'm'; export * from 'n'; export * as i from 'o'; export type * from 'p';
         export { j, k as l, unknown }; const k = 1; interface j {} function j() {}
         export type T = 1; export enum E {} export namespace N { export const inner = 1; }
         export declare class F {}",
    );
    check(
        &exports(&facts),
        "a: a (variable)
         b: b (variable)
         d: d (definition, definition)
         e: e of 'm'
         g: f of 'm'
         default: h of 'm'
         : * of 'n'
         i: * as one of 'o'
         : * of 'p'
         j: j (definition, definition)
         l: k (variable)
         unknown: unknown?
         T: T (definition)
         E: E (definition)
         N: N (definition)
         F: F (definition)",
    );
    assert!(facts.problems.is_empty());
}

#[test]
fn every_form_of_default_export() {
    let of = |source: &str| exports(&typescript(source)).join("\n");
    assert_eq!(of("export default class A {}"), "default: A (definition)");
    assert_eq!(of("export default abstract class A {}"), "default: A (definition)");
    assert_eq!(of("export default async function a() {}"), "default: a (definition)");
    assert_eq!(of("export default interface A {}"), "default: A (definition)");
    assert_eq!(of("export default a; const a = 1;"), "default: a (variable)");
    assert_eq!(of("export default a;"), "default: a?");
    assert_eq!(of("export default () => 1;"), "default: default");
    assert_eq!(of("export default class {}"), "default: default");
    assert_eq!(of("export default {};"), "default: {}");
    assert_eq!(of("export = a; const a = 1;"), ": = a");
}

#[test]
fn a_namespace_exports_names_of_its_own_of_the_file_and_of_modules() {
    let facts = typescript(
        "import { A } from 'm'; namespace N { interface B {} export { A, A as C, B, missing }; }
         declare module 'ambient' { export { D as E } from 'other'; }",
    );
    check(&imports(&facts), "A = A of 'm'\nE = D of 'other'\nA = local A of ''\nC = local A of ''");
    assert!(exports(&facts).is_empty());
    let exported = facts.symbols.iter().filter(|symbol| symbol.is_exported).map(|symbol| facts.name(symbol.name));
    assert_eq!(exported.collect::<Vec<_>>(), ["B", "E", "A", "C"]);
}

#[test]
fn common_js_imports_and_exports() {
    let facts = javascript("const a = require('m'); exports.b = 1; module.exports.c = a; module.exports = { d, e };");
    check(&exports(&facts), "b: number\nc: a\n: = {}");
    assert!(facts.is_module);
    let own = javascript("const exports = {}; exports.b = 1;");
    assert!(own.exports.is_empty() && !own.is_module, "a name of its own");
}

#[test]
fn ambient_modules_and_augmentations() {
    let facts = read(
        "declare module 'm' { export function f(): void; const g: number; } declare global { interface Window { x: 1 } }
         declare namespace N { const a: 1; } declare module '*.svg';",
        Dialect::TypeScript,
        true,
    );
    let modules: Vec<&str> = facts.ambient_modules.iter().map(|module| facts.name(module.name)).collect();
    assert_eq!(modules, ["m", "*.svg"]);
    assert_eq!(facts.global_augmentations.len(), 1);
    assert!(!facts.is_module && facts.is_declaration);
    let exported = |name: &str| facts.symbols.iter().find(|s| facts.name(s.name) == name).unwrap().is_exported;
    assert_eq!(
        [exported("f"), exported("g"), exported("Window"), exported("a"), exported("N")],
        [true, true, true, true, false]
    );
}

#[test]
fn exports_of_a_namespace_are_symbols_of_its_scope() {
    let facts = typescript("namespace A { export const b = 1; const c = 2; export { d }; const d = 3; }");
    let exported: Vec<&str> =
        facts.symbols.iter().filter(|symbol| symbol.is_exported).map(|symbol| facts.name(symbol.name)).collect();
    assert_eq!(exported, ["b", "d"]);
    assert!(facts.exports.is_empty());
    assert_eq!(facts.scopes[ScopeId::new(0).index()].symbols.len(), 1);
}
