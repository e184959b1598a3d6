//! Stubs of npm packages: the names under which they are imported, and what declaration files and JavaScript say.

use crate::program::{Project, run_on};

fn whole_stub(project: &Project) -> String {
    run_on("--export --strategy exhaustive", project.path()).success()
}

#[test]
fn a_parameter_that_calls_leave_out_is_optional() {
    let project = Project::with("package.json", r#"{ "name": "cmd", "type": "module", "main": "cmd.js" }"#)
        .and("cmd.js", "export class Command {\n  constructor(name) {}\n  option(flags, text, parse) {}\n}\n")
        .and(
            "test/cmd.test.js",
            "import { Command } from '../cmd.js';\nconst rest = ['a'];\n\
             new Command().option('-a', 'all');\nnew Command('x').option('-b').option(...rest);\n",
        );
    let stub = whole_stub(&project);
    assert!(stub.contains("constructor(name?: any);"), "{stub}");
    assert!(stub.contains("option(flags: any, text?: any, parse?: any): void;"), "{stub}");
}

#[test]
fn a_package_whose_entry_file_assigns_another_module_has_the_exports_of_that_module() {
    let project = Project::with("package.json", r#"{ "name": "kit" }"#)
        .and("index.js", "'use strict';\nmodule.exports = require('./lib/kit');\n")
        .and(
            "lib/kit.js",
            "exports = module.exports = createKit;\nfunction createKit(o) {}\nexports.help = function (a) {};\n",
        )
        .and("test/kit.test.js", "const kit = require('kit');\nkit(1);\nkit.help(2);\n");
    let stub = whole_stub(&project);
    assert!(stub.contains("// import createKit from \"kit\"\n"), "{stub}");
    assert!(stub.contains("export declare function help(a: any): void;") && !stub.contains("lib/kit"), "{stub}");
}

#[test]
fn a_class_in_a_file_that_exports_leaves_out_is_hidden_and_not_imported() {
    let project = Project::with("package.json", r#"{ "name": "kit", "exports": { ".": "./src/index.ts" } }"#)
        .and("src/index.ts", "import { Lid } from './inner';\nexport class Kit {\n  open(lid: Lid): void {}\n}\n")
        .and("src/inner.ts", "export class Lid {\n  turn(by: number): void {}\n}\n")
        .and("test/kit.test.ts", "import { Kit } from 'kit';\nnew Kit().open(null as any);\n");
    let stub = run_on("--export --symbol Kit --strategy exhaustive", project.path()).success();
    assert!(stub.contains("open(lid: Lid): void;") && stub.contains("type Lid = any; // hidden"), "{stub}");
    assert!(!stub.contains("import type"), "{stub}");
}

#[test]
fn a_parameter_that_typescript_requires_stays_required() {
    let project = Project::with("cmd.ts", "export function option(flags: string, text: string) {}\n")
        .and("test/cmd.test.ts", "import { option } from '../cmd';\n// @ts-expect-error\noption('-a');\n");
    let stub = whole_stub(&project);
    assert!(stub.contains("option(flags: string, text: string): void;"), "{stub}");
}

#[test]
fn types_in_a_namespace_that_merges_with_a_function_or_class_are_shown() {
    let project = Project::with("package.json", r#"{ "name": "mailer", "main": "mailer.js", "types": "mailer.d.ts" }"#)
        .and(
            "mailer.d.ts",
            "import { Mailer } from './types/mailer';\ndeclare namespace mailer {\n  \
             interface Letter { seal(wax: string): void }\n  export { Mailer };\n}\n\
             declare function mailer(host?: string): Mailer;\nexport = mailer;\n",
        )
        .and("types/mailer.d.ts", "export interface Mailer { post(to: string): void }\n")
        .and(
            "box.ts",
            "export class Box {}\nexport namespace Box {\n  export interface Lid { open(by: number): void }\n}\n",
        )
        .and(
            "test/all.ts",
            "import mailer, { Letter } from 'mailer';\nimport { Box } from '../box';\n\
             function use(letter: Letter, lid: Box.Lid) { letter.seal('red'); lid.open(1); }\nmailer().post('a');\n",
        );
    let stub = whole_stub(&project);
    assert!(!stub.contains("not shown"), "{stub}");
    let (_, from_mailer) = stub.split_once("// from \"mailer\"").expect("definitions of the package");
    assert!(from_mailer.contains("export interface Letter {") && from_mailer.contains("export interface Mailer {"));
    let (_, in_box) =
        stub.split_once("// import { Box } from \"box\", in Box\n").expect("definitions in the namespace");
    assert!(in_box.starts_with("export interface Lid {"), "{stub}");
}

#[test]
fn definitions_are_named_by_the_subpaths_that_files_import() {
    let project = Project::with("orm/package.json", r#"{ "name": "orm", "main": "./index.cjs" }"#)
        .and("orm/src/index.ts", "export * from './sql';\n")
        .and("orm/src/sql/index.ts", "export function eq(left: unknown, right: unknown) {}\n")
        .and("orm/src/migrator.ts", "export function read() {}\n")
        .and("orm/src/pg/index.ts", "export function serial(name: string) {}\n")
        .and("orm/src/pg/migrator.ts", "export function migrate(folder: string) {}\n")
        .and(
            "integration/all.test.ts",
            "import { eq } from 'orm';\nimport { eq as same } from 'orm/sql';\nimport { serial } from 'orm/pg';\n\
             import { migrate } from 'orm/pg/migrator';\neq(serial('a'), 1);\nsame(2, 3);\nmigrate('out');\n",
        );
    let stub = whole_stub(&project);
    let places = ["// from \"orm\"\n", "function eq", "// from \"orm/pg\"\n", "function serial"];
    let positions: Vec<_> =
        places.iter().map(|text| stub.find(text).unwrap_or_else(|| panic!("{text} in {stub}"))).collect();
    assert!(positions.is_sorted(), "{stub}");
    assert!(stub.contains("// from \"orm/pg/migrator\"\n"), "{stub}");
}

#[test]
fn a_class_that_is_written_as_a_function_is_shown_as_a_class() {
    let project = Project::with("package.json", r#"{ "name": "kit", "main": "lib.js" }"#)
        .and(
            "lib.js",
            "function Queue(size) { this.size = size; }\n\
             Queue.prototype.add = function (item, first) { return item; };\n\
             Queue.of = function (size) { return new Queue(size); };\n\
             function Stack(size) {}\n\
             require('util').inherits(Stack, Queue);\n\
             Stack.prototype.push = function (item) {};\n\
             function onClick(event) { this.event = event; }\n\
             module.exports = { Queue, Stack, onClick };\n",
        )
        .and(
            "test/lib.js",
            "const { Queue, Stack, onClick } = require('kit');\n\
             Queue.of(1).add('a');\nnew Stack(2).push('b');\nnew Stack(3).add('c', true);\nonClick(1);\n",
        );
    let stub = whole_stub(&project);
    let queue = "export declare class Queue {\n  constructor(size: any);";
    assert!(stub.contains(queue) && stub.contains("static of(size: any): Queue;"), "{stub}");
    assert!(stub.contains("  add(item: any, first?: any): any;"), "{stub}");
    assert!(stub.contains("export declare class Stack extends Queue {"), "{stub}");
    assert!(stub.contains("export declare function onClick(event: any): void;"), "{stub}");
    // Three calls of constructors, with the one in `of`; `of`, `push`, `onClick`, and two of `add`.
    assert!(stub.contains("100% of 8 calls"), "{stub}");
}

#[test]
fn the_members_of_a_mixin_are_shown_in_the_class_that_extends_it() {
    let project = Project::with(
        "kit.ts",
        "export class Root { base() {} }\n\
         export function Mix<T extends new (...a: any[]) => {}>(Base: T) {\n  \
           return class extends Base { extra(n: number) { return 1; } };\n\
         }\n\
         export class Sub extends Mix(Root) { own() {} }\n",
    )
    .and("test/kit.ts", "import { Sub } from '../kit';\nconst s = new Sub();\ns.extra(1);\ns.base();\ns.own();\n");
    let stub = whole_stub(&project);
    let sub = stub.split("export declare class Sub").nth(1).unwrap_or_default();
    assert!(sub.contains("  constructor();") && sub.contains("  extra(n: number): number;"), "{stub}");
    assert!(stub.contains("100% of 5 calls"), "{stub}");
    let symbol = run_on("--export --strategy exhaustive --symbol Sub", project.path()).success();
    assert!(symbol.contains("base(): void;") && symbol.contains("extra(n: number): number;"), "{symbol}");
}

#[test]
fn a_constant_that_a_wrapper_makes_has_the_parameters_and_the_result_of_the_passed_function() {
    let project = Project::with(
        "kit.ts",
        "declare function wrap<A extends unknown[], R>(f: (...a: A) => R): (...a: A) => R;\n\
         declare function later<F extends (...a: any[]) => any>(f: F): (...a: Parameters<F>) => Promise<ReturnType<F>>;\n\
         declare function same<F>(f: F): F;\n\
         export class Api { hit() {} }\n\
         export const one = wrap((id: string, n?: number) => new Api());\n\
         export const two = later((id: string) => new Api());\n\
         export const three: (...a: [x: number, y?: string]) => Api = null!;\n\
         export const four = same((id: string) => new Api());\n",
    )
    .and("test/kit.ts", "import { one, two, three, four } from '../kit';\none('a', 1);\ntwo('b');\nthree(1);\nfour('c');\n");
    let stub = whole_stub(&project);
    for function in [
        "one(id: string, n?: number): Api;",
        "two(id: string): Promise<Api>;",
        "three(x: number, y?: string): Api;",
        "four(id: string): Api;",
    ] {
        assert!(stub.contains(&format!("export declare function {function}")), "{stub}");
    }
}
