//! The environments of the sources: one for each source of a list, in every layout, and what is said of them.

use std::fs;

use crate::program::{Project, call_rows as rows, call_rows_at as rows_at, run_on};

const SITE: &str = "lib/python3.12/site-packages";

/// Adds an environment with one package, which has one version.
fn with_package(project: Project, folder: &str, (name, version): (&str, &str), code: &str) -> Project {
    project
        .and(&format!("{folder}/pyvenv.cfg"), "home = /nowhere/bin\nversion = 3.12.1\n")
        .and(&format!("{folder}/{SITE}/{name}/__init__.py"), code)
        .and(
            &format!("{folder}/{SITE}/{name}-{version}.dist-info/METADATA"),
            format!("Name: {name}\nVersion: {version}\n"),
        )
}

/// Two applications with an environment each, and one without packages.
fn three(list: &str) -> Project {
    let project = Project::with("mill/main.py", "import grain\ngrain.grind(1, fine=True)\n")
        .and("bakery/main.py", "import grain\nimport oven\ngrain.grind(2, 3)\noven.bake(1, heat=2)\n")
        .and("shop/main.py", "import till\ntill.ring(1)\n")
        .and("sources.yaml", list);
    let project = with_package(project, "mill/.venv", ("grain", "2.0"), "def grind(corn, *, fine=False): ...\n");
    let project = with_package(project, "envs/bakery", ("grain", "1.0"), "def grind(corn, stones): ...\n");
    with_package(project, "envs/bakery", ("oven", "3.1"), "def bake(bread, heat=1): ...\n")
}

const THREE: &str = "\
sources:
  - url: mill
  - url: bakery
    environment: envs/bakery
  - url: shop
    environment: none
";

#[test]
fn each_source_of_a_list_has_an_environment_of_its_own() {
    let project = three(THREE);
    let list = project.join("sources.yaml");
    let expected = ["oven.bake (bread, heat) oven", "grain.grind (corn, fine) grain", "? external (?) -"];
    let rows: Vec<String> = rows_at("--config", &list).into_iter().filter(|row| !row.contains("(corn, ?)")).collect();
    assert_eq!(rows[rows.len() - 3..], expected);
    let outcome = run_on("deps --config", &list);
    let said = "grain 1.0 is installed for bakery; grain 2.0 of another source is read";
    assert!(outcome.stderr.contains(said), "{outcome:?}");
    let expected = "\
package  version  imported by  calls  definitions  parameters  deprecated
grain    2.0                2      2            1           2           0
oven     3.1                1      1            1           2           0
";
    assert_eq!(outcome.stdout, expected);
    let stub = run_on("--export --package oven --wording full --config", &list).success();
    assert!(stub.contains("def bake(bread, heat=1)"), "{stub}");
}

#[test]
fn the_command_line_comes_before_the_list() {
    let project = three(THREE);
    let list = project.join("sources.yaml");
    let bakery = project.join("envs/bakery");
    let rows = rows_at(&format!("--env {} --config", bakery.display()), &list);
    assert!(rows.contains(&"? not installed (?) till".to_owned()), "{rows:?}");
    assert!(rows.contains(&"grain.grind (corn, stones) grain".to_owned()), "{rows:?}");
    let rows = rows_at("--no-deps --config", &list);
    assert!(rows.iter().all(|row| row.starts_with('?')), "{rows:?}");
}

#[test]
fn a_wrong_environment_is_an_error_with_its_line() {
    let with = |value: &str| three(&format!("sources:\n  - url: mill\n    environment: {value}\n"));
    let error = |value: &str| run_on("deps --config", &with(value).join("sources.yaml")).failure();
    for wrong in ["{a: b}", "''", "[a, b]"] {
        let text = error(wrong);
        let expected = "expected `auto`, `none` or the path of an environment";
        assert!(text.contains("sources.yaml: line 3: ") && text.contains(expected), "{wrong}: {text}");
    }
    let text = error("gone/.venv");
    assert!(text.contains("sources.yaml: line 3: environment: ") && text.contains("gone/.venv is not there"), "{text}");
    let text = error("mill");
    assert!(text.contains("sources.yaml: line 3: environment: ") && text.contains("holds no site-packages"), "{text}");
    // What reads no packages does not need the environment.
    assert_eq!(run_on("index -o - --config", &with("gone").join("sources.yaml")).code, Some(0));
    let reserved = three("sources:\n  - url: mill\n    name: site-packages\n");
    let text = run_on("calls --config", &reserved.join("sources.yaml")).failure();
    assert!(text.contains("`site-packages` is the folder of installed packages"), "{text}");
}

#[test]
fn a_part_of_the_repository_that_is_installed_editably_is_a_package_for_the_other_parts() {
    let site = format!(".venv/{SITE}");
    let project =
        Project::with("app/main.py", "from scale import weigh\nimport shop\nweigh(1, exact=True)\nshop.sell(1)\n")
            .and("pyproject.toml", "[project]\nname = \"shop\"\n")
            .and("src/shop/__init__.py", "def sell(what): ...\n")
            .and("libs/scale/src/scale/__init__.py", "def weigh(what, exact=False): ...\nweigh(1)\n")
            .and("libs/scale/tests/test_scale.py", "from scale import weigh\nweigh(2)\n")
            .and(".venv/pyvenv.cfg", "version = 3.12\n")
            .and(&format!("{site}/_scale.pth"), "../../../../libs/scale/src\n")
            .and(&format!("{site}/fine_scale-1.dist-info/METADATA"), "Name: Fine-Scale\nVersion: 1\n")
            .and(&format!("{site}/_shop.pth"), "../../../../src\n")
            .and(&format!("{site}/shop-1.dist-info/METADATA"), "Name: shop\nVersion: 1\n");
    let origin = |folder: &str| {
        let folder = project.join(folder).canonicalize().unwrap();
        format!("{{\"url\": \"file://{}\", \"dir_info\": {{\"editable\": true}}}}", folder.display())
    };
    let (scale, shop) = (origin("libs/scale"), origin("."));
    let project = project
        .and(&format!("{site}/fine_scale-1.dist-info/direct_url.json"), scale)
        .and(&format!("{site}/shop-1.dist-info/direct_url.json"), shop);
    // The project itself is installed, too: its own code is no package for it, and counts once.
    let expected =
        ["scale.weigh (what, exact) Fine-Scale", "shop.sell (what) -", "scale.weigh (what) -", "scale.weigh (what) -"];
    assert_eq!(rows("", &project), expected);
    assert_eq!(run_on("deps", project.path()).success().lines().count(), 1);
    // An environment that was made elsewhere names folders that are not there.
    let gone = "{\"url\": \"file:///gone\", \"dir_info\": {\"editable\": true}}";
    let moved = project
        .and(&format!("{site}/_scale.pth"), "../../gone/src\n")
        .and(&format!("{site}/_shop.pth"), "../../gone\n")
        .and(&format!("{site}/shop-1.dist-info/direct_url.json"), gone)
        .and(&format!("{site}/scale-1.dist-info/direct_url.json"), gone)
        .and(&format!("{site}/scale-1.dist-info/METADATA"), "Name: Scale\nVersion: 1\n");
    fs::remove_dir_all(moved.join(&format!("{site}/fine_scale-1.dist-info"))).unwrap();
    let expected = expected.map(|row| row.replace("Fine-Scale", "Scale"));
    assert_eq!(rows("", &moved), expected);
}

#[test]
fn folders_of_the_repository_with_the_names_of_package_folders_are_its_own_code() {
    let project = Project::with("site-packages/tool.py", "def turn(a, b=1): ...\nturn(1)\n")
        .and("not-installed/odd.py", "def other(a): ...\nother(2)\n")
        .and("main.py", "from tool import turn\nimport sieve\nturn(1, b=2)\nsieve.sift(1)\n");
    let expected =
        ["tool.turn (a, b) -", "? not installed (?) sieve", "not-installed.odd.other (a) -", "tool.turn (a) -"];
    assert_eq!(rows("", &project), expected);
    let without = rows("--no-deps", &project);
    assert_eq!([&without[0], &without[2], &without[3]], [expected[0], expected[2], expected[3]]);
    // With the traces of an installer it is none.
    let project = project.and("site-packages/tool-1.dist-info/METADATA", "Name: tool\n");
    assert_eq!(rows("", &project)[0], "? not installed (?, b) tool");
}

#[test]
fn archives_of_yarn_are_said_and_never_run() {
    let project = Project::with("src/app.ts", "import { go } from 'kit';\ngo(1);\n")
        .and("package.json", r#"{"name": "app", "dependencies": {"kit": "1"}}"#)
        .and(".pnp.cjs", "require('fs').writeFileSync('canary', '');\n")
        .and(".yarn/cache/kit-npm-1.0.0.zip", "PK");
    let outcome = run_on("deps", project.path());
    assert!(
        outcome.stderr.contains("npm packages are in Yarn's Plug'n'Play archives, which are not read"),
        "{outcome:?}"
    );
    assert!(outcome.stdout.contains("kit      in an archive"), "{outcome:?}");
    assert_eq!(rows("", &project), ["? in an archive (?) kit"]);
    let stub = run_on("--export --package kit", project.path()).success();
    assert!(stub.starts_with("// kit (in an archive): "), "{stub}");
    assert!(!project.join("canary").exists());
    // Yarn's other linker makes `node_modules`.
    let linked = project
        .and("node_modules/kit/package.json", r#"{"version": "1.0.0"}"#)
        .and("node_modules/kit/index.d.ts", "export declare function go(times: number): void;\n");
    assert_eq!(rows("", &linked), ["kit#go (times) kit"]);
}

#[test]
fn an_environment_that_does_not_fit_the_project_is_said() {
    let project = Project::with("main.py", "import grain, sieve, tool\ngrain.grind(1)\nsieve.sift(1)\ntool.turn(1)\n")
        .and("pyproject.toml", "[project]\nname = \"mill\"\nrequires-python = \">=3.13, <4\"\n")
        .and("tool.py", "def turn(a): ...\n");
    let project = with_package(project, ".venv", ("grain", "2.0"), "def grind(corn): ...\n");
    let project = with_package(project, ".venv", ("tool", "9"), "def turn(other): ...\n");
    let metadata = format!(".venv/{SITE}/sieve-5.dist-info/METADATA");
    let project = project.and(&metadata, "Name: sieve\nVersion: 5\n");
    let outcome = run_on("deps", project.path());
    for said in [
        "the environment is of Python 3.12, and the project requires >=3.13, <4",
        "tool is code of the sources, so the installed package tool is not read",
    ] {
        assert!(outcome.stderr.contains(said), "{said}: {outcome:?}");
    }
    assert!(outcome.stdout.contains("sieve    5 (files missing)"), "{outcome:?}");
    assert_eq!(rows("", &project), ["grain.grind (corn) grain", "? files missing (?) sieve", "tool.turn (a) -"]);
    let stub = run_on("--export --package sieve", project.path()).success();
    assert!(stub.starts_with("# sieve (files missing): "), "{stub}");
    fs::remove_dir_all(project.join(".venv")).unwrap();
    assert_eq!(rows("", &project)[1], "? not installed (?) sieve");
}

#[test]
fn a_package_whose_declarations_a_build_generates_is_said() {
    let project = Project::with("src/app.ts", "import { Client } from 'rows';\nnew Client().find({ id: 1 });\n")
        .and("package.json", r#"{"name": "app", "dependencies": {"rows": "1"}}"#)
        .and("node_modules/rows/package.json", r#"{"version": "1.0.0", "types": "index.d.ts"}"#)
        .and("node_modules/rows/index.d.ts", "export * from '.rows/client';\n");
    assert!(run_on("deps", project.path()).success().contains("rows     1.0.0 (not generated)"));
    assert_eq!(rows("", &project)[0], "? not generated () rows");
}

#[test]
fn two_versions_of_a_package_are_both_named() {
    let project = Project::with("src/app.ts", "import { go } from 'kit';\ngo(1);\n")
        .and("web/src/app.ts", "import { go } from 'kit';\ngo(1, 2);\n")
        .and("package.json", r#"{"name": "app", "dependencies": {"kit": "2"}}"#)
        .and("node_modules/kit/package.json", r#"{"version": "2.0.0"}"#)
        .and("node_modules/kit/index.d.ts", "export declare function go(times: number): void;\n")
        .and("web/node_modules/kit/package.json", r#"{"version": "1.0.0"}"#)
        .and("web/node_modules/kit/index.d.ts", "export declare function go(from: number, to: number): void;\n");
    assert_eq!(rows("", &project), ["kit#go (times) kit", "kit#go (from, to) kit"]);
    let table = run_on("deps", project.path()).success();
    assert!(table.contains("kit      1.0.0, 2.0.0"), "{table}");
}
