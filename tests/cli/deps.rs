//! Installed packages: `deps`, and the calls of packages in `calls`.

use serde_json::Value;

use crate::program::{Project, call_rows as rows, run_on};

const SITE: &str = ".venv/lib/python3.12/site-packages";

/// A line of code that an environment must never have executed: it would leave a file behind.
const CANARY: &str = "open('canary', 'w')\n";

const APP: &str = "\
import ferry
from ferry import Dock
from kiln.oven import bake
from rope import tie, knot
import lathe
import sieve

dock = Dock('north', depth=3)
dock.moor('ship', hours=2).leave(late=True)
bake('clay', heat=900)
tie(1, 2)
knot(1, tight=True)
lathe.turn(1)
sieve.sift(1)


class Pier(Dock):
    pass


Pier('south').close().moor('ship')


def test_dock(case: 'ferry.testing.Case'):
    case.check(dock, calm=True)
";

/// A project with an environment: a package with its own tests, one with stubs beside it, one with partial stubs, and
/// one of machine code. Each module would leave a file behind if it were executed.
fn project() -> Project {
    let ferry = format!("{CANARY}from .dock import Dock as Dock\nfrom . import testing\n");
    let dock = "from typing_extensions import Self\nfrom .ship import Berth\n\nclass Place:\n    def close(self, *, now=False) -> Self: ...\n\n\
                class Dock(Place):\n    def __init__(self, name, *, depth=1): ...\n    \
                def moor(self, ship, hours=1) -> Berth: ...\n    def unused(self): ...\n";
    let testing = "class Case:\n    def check(self, dock, *, calm=False): ...\n";
    let hook = format!("import os; {CANARY}");
    Project::with("app/main.py", APP)
        .and(".venv/pyvenv.cfg", "home = /nowhere/bin\nversion = 3.12.1\n")
        .and(".venv/bin/python", "#!/bin/sh\ntouch canary\n")
        .and(&format!("{SITE}/hook.pth"), hook)
        .and(&format!("{SITE}/ferry/__init__.py"), ferry)
        .and(&format!("{SITE}/ferry/dock.py"), dock)
        .and(&format!("{SITE}/ferry/ship.py"), "class Berth:\n    def leave(self, *, late=False): ...\n")
        .and(&format!("{SITE}/ferry/testing.py"), testing)
        .and(&format!("{SITE}/ferry/never_read.py"), "class Broken(:\n")
        .and(&format!("{SITE}/typing_extensions.py"), "Self = object()\n")
        .and(&format!("{SITE}/Ferry-2.1.dist-info/METADATA"), "Name: Ferry\nVersion: 2.1\n")
        .and(&format!("{SITE}/kiln/__init__.py"), "")
        .and(&format!("{SITE}/kiln/oven.py"), "def bake(*args, **kwargs): ...\n")
        .and(&format!("{SITE}/kiln/oven.pyi"), "def bake(what: str, *, heat: int = ...) -> None: ...\n")
        .and(&format!("{SITE}/clay_tools-0.3.dist-info/RECORD"), "kiln/__init__.py,,\nkiln/oven.py,,\n")
        .and(&format!("{SITE}/rope/__init__.py"), "from .ties import tie\nfrom .knots import knot\n")
        .and(&format!("{SITE}/rope/ties.py"), "def tie(*ends): ...\n")
        .and(&format!("{SITE}/rope/knots.py"), "def knot(end, tight=False): ...\n")
        .and(&format!("{SITE}/rope-stubs/ties.pyi"), "def tie(first: int, second: int) -> None: ...\n")
        .and(&format!("{SITE}/lathe.cpython-312-x86_64-linux-gnu.so"), "\x7fELF")
}

#[test]
fn calls_of_installed_packages_have_definitions_and_nothing_is_executed() {
    let project = project();
    let expected = [
        "ferry.dock.Dock (name, depth) Ferry",
        "ferry.dock.Dock.moor (ship, hours) Ferry",
        "ferry.ship.Berth.leave (late) Ferry",
        "kiln.oven.bake (what, heat) clay-tools",
        "rope.ties.tie (first, second) rope",
        "rope.knots.knot (end, tight) rope",
        "? compiled (?) lathe",
        "? not installed (?) sieve",
        "app.main.Pier (name) -",
        "ferry.dock.Place.close () Ferry",
        "ferry.dock.Dock.moor (ship) Ferry",
        "ferry.testing.Case.check (dock, calm) Ferry",
    ];
    assert_eq!(rows("", &project), expected);
    assert!(!project.join("canary").exists());
}

#[test]
fn arguments_that_a_package_passes_on_have_the_names_of_their_parameters() {
    let fields = "from .base import Field\n\nclass Text(Field):\n    def __init__(self, *args, lines=1, **kwargs):\n        \
                  super().__init__(*args, **kwargs)\n";
    let project =
        Project::with("main.py", "from form import Text, text\nText('t', lines=2, limit=9)\ntext(limit=3, other=4)\nclass Own(Text): ...\nOwn('t', limit=1)\n")
            .and(".venv/pyvenv.cfg", "version = 3.12\n")
            .and(&format!("{SITE}/form/__init__.py"), "from .fields import Text\nfrom .make import text\n")
            .and(&format!("{SITE}/form/fields.py"), fields)
            .and(&format!("{SITE}/form/base.py"), "class Field:\n    def __init__(self, title=None, limit=0): ...\n")
            .and(
                &format!("{SITE}/form/make.py"),
                "from .parts import part\ndef text(**kwargs):\n    return part('x', **kwargs)\n",
            )
            .and(&format!("{SITE}/form/parts.py"), "def part(name, limit=0): ...\n");
    let expected = [
        "form.fields.Text (title, lines, limit) form",
        "form.make.text (limit, **kwargs) form",
        // A class of the program that inherits the constructor.
        "main.Own (title, limit) -",
    ];
    assert_eq!(rows("", &project), expected);
}

#[test]
fn without_an_environment_calls_of_packages_have_none() {
    let project = project();
    let without = rows("--no-deps", &project);
    assert_eq!(without, rows("--env none", &project));
    let own: Vec<&String> = without.iter().filter(|row| !row.starts_with('?')).collect();
    assert_eq!(own, ["app.main.Pier (?) -"]);
}

#[test]
fn packages_are_listed_with_what_is_used_of_them() {
    let project = project();
    let expected = "\
package     version        imported by  calls  definitions  parameters  deprecated
Ferry       2.1                      1      6            5           7           0
rope        installed                1      2            2           4           0
clay-tools  0.3                      1      1            1           2           0
lathe       compiled                 1      1            1           1           -
sieve       not installed            1      1            1           1           -
";
    assert_eq!(run_on("deps", project.path()).success(), expected);
    let json = run_on("deps --format json", project.path()).success();
    let first: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["package"], &first["modules"][0], &first["state"]),
        (&"Ferry".into(), &"ferry".into(), &"installed".into())
    );
}

#[test]
fn what_is_used_and_deprecated_is_counted_once() {
    let project = Project::with("app.py", "from rope import Knot, tie, cut\ntie(1)\ntie(2)\ncut()\nKnot()\n")
        .and(".venv/pyvenv.cfg", "version = 3.12\n")
        .and(
            &format!("{SITE}/rope.py"),
            "from typing_extensions import deprecated\n@deprecated('use `bind`')\ndef tie(a): ...\ndef cut(): ...\n\
             @deprecated('gone soon')\nclass Knot: ...\n@deprecated('unused')\ndef burn(): ...\n",
        );
    let json = run_on("deps --format json", project.path()).success();
    let rope: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!((&rope["package"], &rope["deprecated"]), (&"rope".into(), &2.into()));
}

/// A program that uses two packages called `ferry`, one of each ecosystem, and two that are not installed.
fn two_ecosystems() -> Project {
    Project::with("app.py", "import ferry\nimport kite\n\nferry.dock('north', depth=3)\nkite.fly(1, high=True)\n")
        .and(
            "web.ts",
            "import { moor } from \"ferry\";\nimport { soar } from \"kite\";\n\nmoor({ rope: 1 });\nsoar(2);\n",
        )
        .and("package.json", r#"{"dependencies": {"ferry": "1", "kite": "1"}}"#)
        .and(".venv/pyvenv.cfg", "version = 3.12\n")
        .and(&format!("{SITE}/ferry.py"), "def dock(name, *, depth=1): ...\n")
        .and(&format!("{SITE}/ferry-2.1.dist-info/METADATA"), "Name: ferry\nVersion: 2.1\n")
        .and("node_modules/ferry/package.json", r#"{"name": "ferry", "version": "7.0.0", "types": "index.d.ts"}"#)
        .and("node_modules/ferry/index.d.ts", "export declare function moor(options: { rope?: number }): void;\n")
}

#[test]
fn packages_of_one_name_are_told_apart_by_their_ecosystem() {
    let project = two_ecosystems();
    let listed = run_on("deps", project.path()).success();
    let names: Vec<&str> = listed.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["pypi:ferry", "npm:ferry", "pypi:kite", "npm:kite"], "{listed}");
    // The definitions have the names by which code imports them.
    let expected = ["ferry.dock (name, depth) ferry", "? not installed (?, high) kite", "ferry#moor (options) ferry"];
    assert_eq!(rows("", &project)[..3], expected);
    for (package, shown, other) in [
        ("pypi:ferry", "def dock(", "moor"),
        ("npm:ferry", "function moor(", "dock"),
        ("pypi:kite", "def fly(", "soar"),
        ("npm:kite", "function soar(", "fly"),
    ] {
        let stub = run_on(&format!("--package {package} --export"), project.path()).success();
        assert!(stub.contains(shown) && !stub.contains(other), "{package}: {stub}");
    }
    let both = run_on("--package ferry --export", project.path()).failure();
    assert!(both.contains("the code uses several packages ferry: pypi:ferry, npm:ferry"), "{both}");
}

#[test]
fn the_code_of_a_package_that_is_not_installed_has_the_imports_of_the_sources_and_no_place() {
    let form = "import { useForm } from \"forms\";\nimport { check } from \"@kit/forms/zod\";\n\n\
                export const form = useForm({ resolver: check(1) });\n";
    let project = Project::with("src/form.ts", form)
        .and("package.json", r#"{"name": "site", "dependencies": {"forms": "1", "@kit/forms": "1"}}"#)
        .and("app.py", "import kite\n\nkite.fly(1, high=True)\n");
    let text = run_on("--export --overview --package forms", project.path()).success();
    for shown in ["import { useForm } from \"forms\"", "import { check } from \"@kit/forms/zod\"", "function, 1 call"] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    assert!(!text.contains("not-installed"), "{text}");
    let text = run_on("--export --overview --package kite", project.path()).success();
    assert!(text.contains("kite.fly function, 1 call") && !text.contains("not-installed"), "{text}");
}

#[test]
fn the_name_of_the_sources_own_package_is_no_package_that_they_use() {
    let project = Project::with("src/index.ts", "export function soar(height: number) {}\n")
        .and("package.json", r#"{"name": "kite", "exports": "./src/index.ts"}"#)
        .and("examples/package.json", r#"{"name": "shown", "dependencies": {"kite": "1", "gone": "1"}}"#)
        .and("examples/a.ts", "import { soar } from \"kite\";\nimport { f } from \"gone\";\n\nsoar(f());\n");
    let listed = run_on("deps", project.path()).success();
    let names: Vec<&str> = listed.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["gone"], "{listed}");
    assert!(rows("", &project).contains(&"src/index#soar (height) -".to_owned()), "{:?}", rows("", &project));
}

#[test]
fn where_calls_lead_is_counted_by_what_can_be_read() {
    let project = project().and("app/other.ts", "import { join } from \"path\";\njoin(\"a\", \"b\");\n");
    let counts = "13 calls: 1 of this code, 9 of installed packages, 1 of the standard library, 1 of packages that are \
                  not installed, 1 of packages of machine code alone (compiled)";
    let outcome = run_on("calls -v", project.path());
    assert!(outcome.stderr.contains(counts), "{}", outcome.stderr);
    let quiet = run_on("calls", project.path());
    assert!(!quiet.stderr.contains("of this code"), "{}", quiet.stderr);
}

#[test]
fn an_environment_that_cannot_be_taken_is_said() {
    let project = project();
    let at = |folder: &str| project.join(folder).display().to_string();
    let missing = run_on(&format!("deps --env {}", at("gone")), project.path()).failure();
    assert!(missing.contains("gone is not there; name the folder of an environment, or `none`"), "{missing}");
    let empty = run_on(&format!("deps --env {}", at("app")), project.path()).failure();
    assert!(empty.contains("app holds no site-packages; name the folder of an environment"), "{empty}");
    let demo = crate::program::run("deps --demo --env x").failure();
    assert!(demo.contains("--env needs the folder of the program"), "{demo}");
}

#[test]
fn the_environment_is_said_if_it_holds_little_or_if_the_user_asks() {
    let project = Project::with("main.py", "import ferry, kiln, rope\n")
        .and(".venv/pyvenv.cfg", "version = 3.12\n")
        .and(&format!("{SITE}/rope.py"), "");
    let outcome = run_on("deps", project.path());
    assert!(
        outcome.stderr.contains("(.venv of the project) is taken, and holds 1 of 3 imported packages"),
        "{outcome:?}"
    );
    let whole = Project::with("main.py", "import rope\n")
        .and(".venv/pyvenv.cfg", "version = 3.12\n")
        .and(&format!("{SITE}/rope.py"), "");
    let is_said = |command: &str| run_on(command, whole.path()).stderr.contains("holds 1 of 1 imported packages");
    assert!(!is_said("deps") && is_said("deps -v"));
}

#[test]
fn the_stub_of_a_package_shows_what_the_code_uses_of_it() {
    let project = project();
    let export = |rest: &str| run_on(&format!("--export --wording full --package {rest}"), project.path());
    let text = export("Ferry").success();
    assert!(text.starts_with("# ferry: 4 of 4 symbols, 100% of 6 calls\n"), "{text}");
    assert!(text.contains("# e.g. Dock('north', depth=3)\nclass Dock(Place):"), "{text}");
    assert!(text.contains("def moor(self, ship, hours=1)") && !text.contains("unused"), "{text}");
    // The parameter `now` of `close` is never passed.
    assert!(text.contains("... + 1 rare argument hidden") && !text.contains("now"), "{text}");
    assert!(export("ferry --unused").success().contains("now=False"));
    assert!(export("ferry --symbol Dock.moor").success().contains("def moor(self, ship, hours=1)"));
}

#[test]
fn a_package_that_cannot_be_shown_is_said() {
    let project = project();
    let export = |rest: &str| run_on(&format!("--export --package {rest}"), project.path());
    let unknown = export("flask").failure();
    assert!(unknown.contains("the code uses no package flask; it uses Ferry, rope, clay-tools"), "{unknown}");
    let imported = Project::with("a.py", "import sieve\n");
    let unused = run_on("--export --package sieve", imported.path()).failure();
    assert!(unused.contains("sieve is not installed in an environment that was found"), "{unused}");
    assert!(export("ferry --env none").failure().contains("no package ferry; it uses none"));
}

/// Why a call of a package counts for what it counts.
#[test]
fn calls_of_packages_are_explained() {
    let project = Project::with("main.py", "from rope import knot\nknot(1)\n")
        .and(".venv/pyvenv.cfg", "version = 3.12\n")
        .and(&format!("{SITE}/rope.py"), "def knot(turns): ...\n");
    let explained = run_on("calls --explain main.py:2", project.path()).success();
    assert!(explained.contains("=> counted for `rope.knot` (site-packages/rope.py:1)"), "{explained}");
    let without = run_on("calls --no-deps --explain main.py:2", project.path()).success();
    assert!(without.contains("outside the sources"), "{without}");
}

/// A profile of a package holds how the code uses it.
#[test]
fn a_profile_may_be_of_a_package() {
    let profile = "package = \"Ferry\"\nmax_tokens = 400\n\n[check]\nmin_coverage = 0.9\n";
    let project = project().and(".apidisc/ferry.toml", profile);
    let printed = run_on("--export --profile ferry", project.path()).success();
    assert_eq!(printed, run_on("--export --package Ferry --max-tokens 400", project.path()).success());
    let checked = run_on("--check --profile ferry", project.path()).success();
    assert!(checked.starts_with("profile ferry: "), "{checked}");
    let other = project.and(".apidisc/other.toml", "package = \"other\"\n");
    assert!(run_on("--check --profile other", other.path()).failure().contains("the code uses no package other"));
}

/// Of a package that cannot be read the calls of the program show names and arguments.
#[test]
fn the_calls_show_what_is_known_of_a_package_that_cannot_be_read() {
    let code = "from kiln.fire import Heat, burn\nimport oven as o\n\n\ndef run(*rest):\n    Heat(900, shape='round')\n    \
                Heat.of(1)\n    burn(1, 2)\n    burn(*rest)\n    o.bake(minutes=5)\n    o.bake(minutes=6, door=1)\n";
    let project = Project::with("main.py", code);
    let export = |rest: &str| run_on(&format!("--export --wording full --package {rest}"), project.path()).success();
    let text = export("oven");
    assert!(text.starts_with("# oven (not installed): 1 of 1 symbol, 100% of 2 calls\n"), "{text}");
    assert!(text.contains("def bake(*, minutes=..., door=...)"), "{text}");
    let text = export("kiln");
    assert!(text.contains("class Heat:") && text.contains("@staticmethod\n    def of(arg1,"), "{text}");
    let calls = run_on("calls", project.path()).success();
    let first: Value = serde_json::from_str(calls.lines().next().unwrap()).unwrap();
    assert_eq!((&first["callee"], &first["name"]), (&Value::Null, &"kiln.fire.Heat".into()), "{first}");
    assert_eq!((&first["args"][0]["param"], &first["args"][1]["param"]), (&Value::Null, &"shape".into()));
    let component = Project::with("package.json", r#"{"dependencies": {"paint": "1"}}"#).and(
        "src/a.tsx",
        "import { Wall, mix } from 'paint';\nimport * as brush from 'paint/brush';\nmix({ red: 1 }, 2);\n\
         brush.dip();\nbrush.dry(1);\nbrush.dry.off();\nexport const wall = <Wall colour={1} />;\n",
    );
    let text = run_on("--export --wording full --package paint", component.path()).success();
    // A function may have members.
    for part in [
        "function mix(options: { red?: any }, arg2: any): any;",
        "colour?: any",
        "function dip()",
        "function dry(arg1: any): any;",
        "namespace dry",
        "function off()",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Nothing outside the folders of modules is read, and nothing that is no regular file.
#[cfg(unix)]
#[test]
fn a_hostile_environment_leads_nowhere() {
    use std::{fs, os::unix::fs::symlink, process::Command};

    let code = "import linked, pipe, looped, deep\nlinked.f(1)\npipe.f(1)\nlooped.f(1)\ndeep.f(1)\n";
    let project = Project::with("main.py", code)
        .and(".venv/pyvenv.cfg", "version = 3.12\nextends-environment = .\nhome = /proc/self\n")
        .and("outside/module.py", "def f(secret): ...\n")
        .and(
            &format!("{SITE}/deep.py"),
            format!("from deep import {}\nf = {}1\n", "f, ".repeat(5_000) + "f", "-".repeat(20_000)),
        )
        .and(&format!("{SITE}/far.pth"), "/\n../../../../../../../../..\n\u{0}\n")
        .and(&format!("{SITE}/looped/__init__.py"), "from looped.again import f\n")
        .and(&format!("{SITE}/looped/again.py"), "from looped import f\nfrom looped.again import *\n");
    let site = project.join(SITE);
    symlink(project.join("outside/module.py"), site.join("linked.py")).unwrap();
    symlink(&site, site.join("circle")).unwrap();
    assert!(Command::new("mkfifo").arg(site.join("pipe.py")).status().unwrap().success());
    fs::create_dir_all(site.join("no\nline")).unwrap();
    let callees: Vec<String> = rows("", &project).into_iter().filter(|row| !row.starts_with('?')).collect();
    assert!(callees.is_empty(), "{callees:?}");
}
