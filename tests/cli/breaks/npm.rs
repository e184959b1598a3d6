//! `breaks` of npm packages: exports, members, arguments, and the forms in which another version comes.

use std::{fs, path::Path};

use flate2::{Compression, write::GzEncoder};

use super::rows;
use crate::program::{Outcome, Project, command, outcome};

/// The program: a use on each line.
const APP: &str = "\
import kit, { make, gone, later, type Shape } from 'kit';
import { deep } from 'kit/deep';
import * as all from 'kit';
import { moved } from 'kit/sub';
make({ size: 1, colour: 'red' });
make({ size: 1 });
make('a', 1);
make({ size: 1, mode: 'slow' });
all.gone();
all.make({ size: 2 }).paint();
all.make({ size: 2 }).wash(1);
later(1);
let x: all.Lost;
kit.start();
kit.stop();
const { wash, paint } = make({ size: 3 });
make({ size: 1, oldName: 2 });
moved();
add(1);
add(1, 2, 3);
add([1]);
all.pick((x) => x);
";

const OLD: [(&str, &str); 5] = [
    ("package.json", r#"{"name": "kit", "version": "1.0.0", "types": "index.d.ts"}"#),
    (
        "index.d.ts",
        "export * from './more';\n\
         export interface Options { size?: number; colour?: string; mode?: 'slow' | 'fast'; oldName?: number }\n\
         export interface Tool { paint(): void; wash(times?: number): void }\n\
         export declare function make(options: Options): Tool;\n\
         export declare function make(name: string, size?: number): Tool;\n\
         export declare function later(a: number): void;\n\
         export interface Shape { a: number }\n\
         export interface Lost { a: number }\n\
         interface Kit { start(): void; stop(): void }\n\
         declare const kit: Kit;\n\
         export default kit;\n",
    ),
    (
        "more.d.ts",
        "export declare function gone(): void;\n\
         export declare function pick(options: (x: number) => number): void;\n",
    ),
    ("deep.d.ts", "export declare function deep(): void;\n"),
    ("sub/index.d.ts", "export declare function moved(): void;\n"),
];

const NEW: [(&str, &str); 4] = [
    ("package.json", r#"{"name": "kit", "version": "2.0.0", "types": "index.d.ts"}"#),
    (
        "index.d.ts",
        "export * from './more';\n\
         export interface Options {\n  size: number;\n  mode?: 'fast';\n  /** Instead of `oldName`, use `newName`. */\n  \
         newName?: number;\n}\n\
         export interface Tool { paint(): void }\n\
         export declare function make(options: Options): Tool;\n\
         /** @deprecated Use `soon` instead. */\n\
         export declare function later(a: number): void;\n\
         export declare function soon(a: number): void;\n\
         export interface Shape { a: number }\n\
         interface Kit { start(): void }\n\
         declare const kit: Kit;\n\
         export default kit;\n",
    ),
    ("more.d.ts", "export interface Picked { to: string }\nexport declare function pick(options: Picked): void;\n"),
    ("sub/index.d.ts", "export declare function moved(): void;\n"),
];

/// The program with the old version installed, and the new one in the folder `other`.
fn project(other: &str) -> Project {
    let mut project = Project::with("app/src/app.ts", APP.replace("add(", "all.make("));
    for (path, text) in OLD {
        project = project.and(&format!("app/node_modules/kit/{path}"), text);
    }
    for (path, text) in NEW {
        project = project.and(&format!("{other}/{path}"), text);
    }
    project
}

fn breaks(project: &Project, to: &str, more: &[&str]) -> Outcome {
    let mut command = command(["breaks", "--no-cache", "--package", "kit", "--to"]);
    let (to, app) = (project.path().join(to), project.path().join("app"));
    outcome(command.arg(to).args(["--format", "jsonl"]).args(more).arg(app))
}

/// The new version as `npm pack` writes it.
fn pack(folder: &Path) {
    let file = fs::File::create(folder.join("kit-2.0.0.tgz")).expect("a file");
    let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
    for (path, text) in NEW {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_cksum();
        archive.append_data(&mut header, format!("package/{path}"), text.as_bytes()).expect("an entry");
    }
    archive.into_inner().expect("written").finish().expect("written");
}

#[test]
fn each_use_of_an_npm_package_gets_a_verdict() {
    let project = project("new/node_modules/kit");
    let found = rows(breaks(&project, "new", &[]));
    insta::assert_snapshot!(found.join("\n"), @r"
    1 break removed-symbol - -
    1 deprecated deprecated-symbol - soon
    2 break removed-symbol - -
    5 break removed-parameter colour -
    6 ok - - -
    7 break moved-position name -
    8 break literal-not-accepted mode -
    9 break removed-symbol - -
    10 ok - - -
    10 ok - - -
    11 ok - - -
    11 break removed-symbol - -
    12 deprecated deprecated-symbol - soon
    13 break removed-symbol - -
    14 ok - - -
    15 break removed-symbol - -
    16 ok - - -
    17 break removed-parameter oldName newName
    18 ok - - -
    19 ok - - -
    20 ok - - -
    21 ok - - -
    22 break literal-not-accepted options -
    ");
}

#[test]
fn the_other_version_of_an_npm_package_may_be_an_archive_or_a_folder() {
    let project = project("new/node_modules/kit");
    pack(project.path());
    let expected = rows(breaks(&project, "new", &[]));
    assert!(expected.len() > 10, "{expected:?}");
    for other in ["new/node_modules/kit", "new/node_modules", "kit-2.0.0.tgz"] {
        assert_eq!(rows(breaks(&project, other, &[])), expected, "{other}");
    }
}

#[test]
fn types_that_another_version_imports_come_from_beside_it_or_from_a_version_that_it_allows() {
    let part = |call: &str| format!("export declare class Part {{ {call}(): void }}\n");
    let kit = |version: &str| {
        let needs = format!(r#""version": "{version}", "dependencies": {{"part": "^{version}"}}"#);
        format!(r#"{{"name": "kit", "types": "index.d.ts", {needs}}}"#)
    };
    let manifest = |version: &str| format!(r#"{{"name": "part", "version": "{version}", "types": "index.d.ts"}}"#);
    let project = Project::with("app/src/app.ts", "import { Part } from 'kit';\nnew Part().run();\n")
        .and("app/node_modules/kit/package.json", kit("1.0.0"))
        .and("app/node_modules/kit/index.d.ts", "export { Part } from 'part';\n")
        .and("app/node_modules/part/package.json", manifest("1.0.0"))
        .and("app/node_modules/part/index.d.ts", part("run"))
        .and("new/node_modules/kit/package.json", kit("2.0.0"))
        .and("new/node_modules/kit/index.d.ts", "export { Part } from 'part';\n")
        .and("alone/package.json", kit("2.0.0"))
        .and("alone/index.d.ts", "export { Part } from 'part';\n")
        .and("new/node_modules/part/package.json", manifest("2.0.0"))
        .and("new/node_modules/part/index.d.ts", part("start"));
    assert_eq!(rows(breaks(&project, "new", &[])), ["2 ok - - -", "2 break removed-symbol - -"]);
    // Version 1 of `part` says nothing about what version 2 of `kit` imports.
    assert_eq!(rows(breaks(&project, "alone", &[])), ["2 unknown - - -", "2 unknown - - -"]);
}

#[test]
fn types_may_come_from_another_package_than_the_code() {
    let declared = |name: &str| format!("export declare function {name}(): void;\n");
    let manifest = |name: &str| format!(r#"{{"name": "{name}", "version": "1.0.0", "types": "index.d.ts"}}"#);
    let project = Project::with("app/src/app.ts", "import { old } from 'kit';\nold();\n")
        .and("app/node_modules/kit/package.json", r#"{"name": "kit", "version": "1.0.0", "main": "index.js"}"#)
        .and("app/node_modules/kit/index.js", "")
        .and("app/node_modules/@types/kit/package.json", manifest("@types/kit"))
        .and("app/node_modules/@types/kit/index.d.ts", declared("old"))
        .and("typed/package.json", manifest("kit"))
        .and("typed/index.d.ts", declared("young"))
        .and("types/package.json", manifest("@types/kit"))
        .and("types/index.d.ts", declared("young"))
        .and("untyped/package.json", r#"{"name": "kit", "version": "2.0.0", "main": "index.js"}"#);
    let expected = ["1 break removed-symbol - -", "2 break removed-symbol - -"];
    assert_eq!(rows(breaks(&project, "typed", &[])), expected);
    assert_eq!(rows(breaks(&project, "types", &[])), expected);
    let told = breaks(&project, "untyped", &[]);
    assert!(told.stderr.contains("declares no types of kit; name @types/kit"), "{}", told.stderr);
}

#[test]
fn options_are_made_of_types_of_another_package_by_generic_and_mapped_types() {
    let core = |more: &str| {
        format!(
            "export type With<T, K extends keyof T> = T & {{ [_ in K]: {{}} }};\n\
             export interface Base<T = unknown> {{ key?: string; run?: () => T; {more} }}\n"
        )
    };
    let kit = "import { With, Base } from 'core';\n\
               export interface Options<T, B = Base<T>> extends Omit<With<Base<T>, 'key'>, 'run'> { run: () => B }\n\
               export declare function use<T>(options: Options<T>): void;\n";
    let manifest =
        |name: &str, version| format!(r#"{{"name": "{name}", "version": "{version}", "types": "index.d.ts"}}"#);
    let app =
        "import { use } from 'kit';\nuse({ key: 'a', run: () => 1, later: 2 });\nuse({ key: 'a', run: () => 1 });\n";
    let mut project = Project::with("app/src/app.ts", app);
    for (folder, version, more) in [("app", "1.0.0", "later?: number"), ("new", "2.0.0", "")] {
        for (name, text) in [("kit", kit), ("core", &core(more))] {
            project = project
                .and(&format!("{folder}/node_modules/{name}/package.json"), manifest(name, version))
                .and(&format!("{folder}/node_modules/{name}/index.d.ts"), text);
        }
    }
    let expected = ["2 break removed-parameter later -", "3 ok - - -"];
    assert_eq!(rows(breaks(&project, "new", &[])), expected);
}
