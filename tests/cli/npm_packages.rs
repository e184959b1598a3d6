//! Installed npm packages: their calls in `calls`, `deps` and stubs.

use crate::program::{Project, call_rows as rows, run_on};

const APP: &str = "\
import * as z from 'shape';
import { Post, Bad } from 'routes';
import { make } from '@scope/kit';
import { small } from '@scope/kit/small';
import { mine } from 'vendored';
import probe from 'probe';
import { gone } from 'gone';
import Button, { useSwitch } from 'widgets';
z.text({ message: 'm' }).min(3, 'short');
class Controller { @Post('x') run() { throw new Bad('b', { cause: 1 }); } }
make({ size: 1, colour: 'red' }).go(2);
small('s');
mine(1);
probe({}).post('/u').expect(200);
describe('d', () => { expect(1).toBe(1); });
gone(1);
const [isOn, turn] = useSwitch(false);
export const view = <Button size={1} kind=\"a\" />;
";

/// A program with packages in every usual form: with `exports`, with star exports over constants, with a configuration
/// of its own, with a vendored copy of another package in it, with types in `@types`, and with global names.
fn project() -> Project {
    Project::with("src/app.tsx", APP)
        .and("package.json", r#"{"name": "app", "dependencies": {"gone": "1", "@types/checks": "1"}}"#)
        .and("node_modules/shape/package.json", r#"{"version": "3.1.0", "types": "./index.d.ts"}"#)
        .and("node_modules/shape/index.d.ts", "export * from './lib/external';\nexport as namespace Shape;\n")
        .and(
            "node_modules/shape/lib/external.d.ts",
            "export declare class Text { min(length: number, message?: string): this; max(length: number): Never; }\n\
             import { Never } from './never';\n\
             declare const textType: (options?: { message?: string }) => Text;\nexport { textType as text };\n",
        )
        .and("node_modules/shape/lib/never.d.ts", "export interface Never {}\n")
        .and("node_modules/routes/package.json", r#"{"version": "1.0.0"}"#)
        .and("node_modules/routes/tsconfig.build.json", r#"{"compilerOptions": {"outDir": ".", "rootDir": "."}}"#)
        .and("node_modules/routes/index.d.ts", "export * from './deco';\n")
        .and("node_modules/routes/index.js", "throw 1;\n")
        .and(
            "node_modules/routes/deco/index.d.ts",
            "export declare const Post: (path?: string) => MethodDecorator;\n\
             export declare class Bad { constructor(body?: string, options?: { cause?: unknown }); }\n",
        )
        .and("node_modules/routes/deco/index.js", "throw 1;\n")
        .and(
            "node_modules/@scope/kit/package.json",
            r#"{"version": "2.0.0", "exports": {
                ".": {"import": {"types": "./esm/i.d.mts"}, "require": {"types": "./cjs/i.d.cts"}},
                "./small": {"types": "./esm/small.d.mts"}}}"#,
        )
        .and(
            "node_modules/@scope/kit/esm/i.d.mts",
            "export declare function make(options: { size: number; colour?: string }): Made;\n\
             interface Made { go(times?: number): Made; }\n",
        )
        .and("node_modules/@scope/kit/cjs/i.d.cts", "export declare const make: unique symbol;\n")
        .and("node_modules/@scope/kit/esm/small.d.mts", "export declare function small(a: string): void;\n")
        .and("node_modules/vendored/package.json", r#"{"types": "index.d.ts"}"#)
        .and("node_modules/vendored/index.d.ts", "export declare function mine(a: number): void;\n")
        .and("node_modules/vendored/compiled/shape/package.json", r#"{"name": "shape", "types": "index.d.ts"}"#)
        .and("node_modules/vendored/compiled/shape/index.d.ts", "export declare function text(wrong: 1): void;\n")
        .and("node_modules/probe/package.json", r#"{"version": "7.0.0", "main": "index.js"}"#)
        .and("node_modules/probe/index.js", "throw 1;\n")
        .and(
            "node_modules/@types/probe/index.d.ts",
            "declare function probe(app: any): probe.Test;\ndeclare namespace probe {\n  interface Test {\n    \
             post(url: string): Test;\n    expect(status: number): Test;\n  }\n}\nexport = probe;\n",
        )
        .and(
            "node_modules/@types/checks/index.d.ts",
            "declare function describe(name: string, run: () => void): void;\n\
             declare function expect(value: unknown): { toBe(other: unknown): void };\n",
        )
        .and("node_modules/widgets/package.json", r#"{"types": "index.d.ts"}"#)
        .and(
            "node_modules/widgets/index.d.ts",
            "interface Component<P> { (props: P): any }\n\
             declare const Button: Component<{ size: number; kind?: string; unused?: string }>;\n\
             export default Button;\n\
             export declare function useSwitch(initial: boolean): [boolean, (on: boolean) => void];\n",
        )
}

#[test]
fn calls_of_npm_packages_have_definitions() {
    let project = project();
    let expected = [
        "shape#text (options) shape",
        "shape#Text.min (length, message) shape",
        "routes#Post (path) routes",
        "routes#Bad (body, options) routes",
        "@scope/kit#make (options) @scope/kit",
        "@scope/kit/esm/i#Made.go (times) @scope/kit",
        "@scope/kit/small#small (a) @scope/kit",
        "vendored#mine (a) vendored",
        "probe/index#probe (app) probe",
        "probe#Test.post (url) probe",
        "probe#Test.expect (status) probe",
        "checks/index#describe (name, run) @types/checks",
        "checks/index#expect (value) @types/checks",
        "checks/index#expect.toBe (other) @types/checks",
        "? not installed (?) gone",
        "widgets#useSwitch (initial) widgets",
        "widgets/index#Button (props) widgets",
    ];
    assert_eq!(rows("", &project), expected);
    let without = rows("--no-deps", &project);
    assert!(without.iter().all(|row| row.starts_with("? ")), "{without:?}");
}

#[test]
fn npm_packages_are_listed_with_what_is_used_of_them() {
    let expected = "\
package        version        imported by  calls  definitions  parameters  deprecated
probe          7.0.0                    1      3            3           3           0
@scope/kit     2.0.0                    1      3            3           3           0
routes         1.0.0                    1      2            2           3           0
shape          3.1.0                    1      2            2           3           0
widgets        installed                1      2            2           2           0
vendored       installed                1      1            1           1           0
gone           not installed            1      1            1           1           -
@types/checks  installed                0      3            3           4           0
";
    let listed = run_on("deps", project().path()).success();
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&listed), sorted(expected), "{listed}");
}

#[test]
fn only_the_declarations_that_are_needed_are_read() {
    let read = run_on("deps -v", project().path()).stderr;
    // Not the declarations of `Never`, which only a member that nobody uses names.
    assert!(read.contains("10 files of npm packages are read"), "{read}");
}

#[test]
fn the_stub_of_an_npm_package_shows_what_the_code_uses_of_it() {
    let project = project();
    let export = |rest: &str| run_on(&format!("--export --wording full --package {rest}"), project.path()).success();
    let text = export("shape");
    assert!(text.contains("min(length: number, message?: string)"), "{text}");
    assert!(!text.contains("max"), "{text}");
    // Another package declares the types of `probe`.
    let text = export("probe");
    assert!(text.contains("post(url: string)"), "{text}");
    let other = run_on("--export --package shape --module routes", project.path()).failure();
    assert!(other.contains("shape has no module routes"), "{other}");
    let text = export("widgets");
    assert!(text.contains("kind?: string") && !text.contains("unused"), "{text}");
}

/// An npm package and a Python module may have one name.
#[test]
fn packages_of_both_languages_stay_apart() {
    let project = Project::with("a.ts", "import { go } from 'same';\ngo(1);\n")
        .and("b.py", "import same\nsame.go(1)\n")
        .and("node_modules/same/index.d.ts", "export declare function go(far: number): void;\n");
    assert_eq!(rows("", &project), ["same#go (far) same", "? not installed (?) same"]);
    let listed = run_on("deps --format json", project.path()).success();
    let languages: Vec<bool> = listed.lines().map(|line| line.contains("\"language\":\"TypeScript\"")).collect();
    assert_eq!(languages, [false, true], "{listed}");
}

#[test]
fn calls_without_a_definition_say_where_they_go() {
    let code = "import { Client } from 'generated';\nimport { join } from 'node:path';\n\
                new Client();\njoin('a');\nparseInt('1');\nunknown();\n";
    let project = Project::with("src/a.ts", code)
        .and("node_modules/generated/package.json", r#"{"version": "1.0.0", "types": "index.d.ts"}"#)
        .and("node_modules/generated/index.d.ts", "export * from '.generated/client';\n")
        .and("src/b.py", "import os\nimport flask\nos.getcwd()\nprint(1)\nflask.Flask('a')\n");
    let expected = [
        "? not generated () generated",
        "? standard library (?) -",
        "? external (?) -",
        "? external () -",
        "? standard library () -",
        "? standard library (?) -",
        "? not installed (?) flask",
    ];
    assert_eq!(rows("", &project), expected);
}

/// What two copies of a package declare stays apart, and nothing leads out of the folders of packages.
#[cfg(unix)]
#[test]
fn two_versions_of_a_package_stay_apart() {
    let project = Project::with("web/a.ts", "import { f } from 'dep';\nf(1);\n")
        .and("api/b.ts", "import { f } from 'dep';\nf(1);\n")
        .and("node_modules/dep/package.json", r#"{"version": "2.0.0", "types": "index.d.ts"}"#)
        .and("node_modules/dep/index.d.ts", "export declare function f(second: number): void;\n")
        .and("web/node_modules/dep/package.json", r#"{"version": "1.0.0", "types": "../../../outside.d.ts"}"#)
        .and("web/node_modules/dep/index.d.ts", "export declare function f(first: number): void;\n")
        .and("outside.d.ts", "export declare function f(never: number): void;\n");
    assert_eq!(rows("", &project), ["dep#f (second) dep", "dep#f (first) dep"]);
}

/// Circles of exports, pipes, links and paths that lead out of a package are nothing to read, and no reason to stop.
#[cfg(unix)]
#[test]
fn hostile_packages_lead_nowhere() {
    use std::{fs, os::unix::fs::symlink, process::Command};

    let weird = r#"{"exports": {".": {"types": ["./a\u0000.d.ts", "../../outside.d.ts"]}, "./*": "./*"}, "types": 5}"#;
    let deep = format!("export declare function deep(x: {}1{}): void;\n", "{a:".repeat(3_000), "}".repeat(3_000));
    let project = Project::with(
        "src/a.ts",
        "import { x } from 'one';\nimport { deep } from 'deep';\nimport q from 'assigned';\nimport p from 'pipe';\n\
         import l from 'loop/loop/one';\nimport w from 'weird';\nimport o from 'weird/../../outside';\n\
         x(1);\ndeep(1);\nq();\np();\nl();\nw();\no();\n",
    )
    .and("outside.d.ts", "export default function secret(): void;\n")
    .and("node_modules/one/index.d.ts", "export * from 'two';\nexport { x } from 'two';\n")
    .and("node_modules/two/index.d.ts", "export * from 'one';\nexport { x } from 'one';\n")
    .and("node_modules/deep/index.d.ts", deep)
    .and(
        "node_modules/assigned/index.d.ts",
        "declare const q: q.q;\ndeclare namespace q { type q = typeof import('assigned'); }\nexport = q;\n",
    )
    .and("node_modules/weird/package.json", weird)
    .and("node_modules/pipe/package.json", "{}")
    .and("tsconfig.json", r#"{"compilerOptions": {"types": ["../outside", "one", "\u0000"]}}"#);
    let folder = project.join("node_modules");
    assert!(Command::new("mkfifo").arg(folder.join("pipe/index.d.ts")).status().unwrap().success());
    symlink(&folder, folder.join("loop")).unwrap();
    fs::create_dir_all(folder.join("no\nline")).unwrap();
    let rows = rows("", &project);
    assert_eq!(rows[1], "deep#deep (x) deep");
    assert!(rows.iter().enumerate().all(|(at, row)| at == 1 || row.starts_with("? ")), "{rows:?}");
}

/// Components that packages declare in other ways than as functions: in a namespace that adds to a function, with the
/// global name of the module that declares their type, and as members that a mapped type computes.
#[test]
fn components_have_names_however_packages_declare_them() {
    let project = Project::with(
        "app.tsx",
        "import { Bar, Menu, motion } from 'parts';\n\
         export const view = <Menu><Bar /><Menu.Item size={1} /><Menu.Label /><motion.div speed={2} /></Menu>;\n",
    )
    .and("package.json", r#"{"dependencies": {"parts": "1", "lib": "1"}}"#)
    .and("node_modules/lib/package.json", r#"{"types": "index.d.ts"}"#)
    .and(
        "node_modules/lib/index.d.ts",
        "export = Lib;\nexport as namespace Lib;\n\
         declare namespace Lib { interface Component<P> { (props: P): null } }\n",
    )
    .and("node_modules/parts/package.json", r#"{"types": "index.d.ts"}"#)
    .and(
        "node_modules/parts/index.d.ts",
        "import type { Component } from 'lib';\nexport declare const Bar: Component<{}>;\nexport declare function Menu(props: {}): null;\n\
         export declare namespace Menu {\n  var Item: (<C = 'b'>(props: { size: number }) => null) & Omit<string, keyof import('./other').Other>;\n\
         \x20 var Label: Lib.Component<{ text?: string }>;\n}\n\
         interface Tags { div: number }\n\
         export declare const motion: { [K in keyof Tags]: { tag: K } & ((props: { speed: number }) => null) };\n",
    )
    .and("node_modules/parts/other.d.ts", "export interface Other { a: 1 }\n");
    let expected = [
        "parts#Menu (props) parts",
        "lib/index#Lib.Component (props) lib",
        "parts/index#Menu.Item (props) parts",
        "parts/index#Menu.Label (props) parts",
        "? dynamic (?) parts",
    ];
    assert_eq!(rows("", &project), expected);
    assert!(run_on("calls", project.path()).success().contains(r#""through":"parts#motion""#));
}
