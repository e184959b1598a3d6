//! `breaks --changelog`: what changed in an API beside what is used.

use serde_json::Value;

use crate::{
    breaks::{breaks, project, wheel},
    program::{Outcome, Project, command, outcome},
};

/// The lines that say what nobody uses.
fn unmet(run: Outcome) -> String {
    let table = run.success();
    let from = table.find("no use").unwrap_or(table.len());
    table[from..].to_owned()
}

/// A program that uses two names of a package, and two versions of the package.
fn with_unused(old: &str, new: &str) -> Project {
    let mut project = Project::with("app/app.py", "import kit\n\nkit.go(1)\n");
    for (folder, text, version) in [("old", old, "1.0"), ("new", new, "2.0")] {
        let site = format!("{folder}/lib/python3.12/site-packages");
        let metadata = format!("Name: kit\nVersion: {version}\n");
        project = project.and(&format!("{site}/kit/__init__.py"), "from .core import *\n");
        project = project.and(&format!("{site}/kit/core.py"), text);
        project = project.and(&format!("{site}/kit-{version}.dist-info/METADATA"), &metadata);
    }
    project
}

#[test]
fn changes_that_meet_no_use_are_told_by_rule() {
    let old = "def go(a, b=1): ...\ndef stop(a, mode='soft', force=False): ...\ndef _inner(): ...\n\
               class Client:\n    def send(self, x): ...\n    def close(self): ...\nclass Gone:\n    def f(self): ...\n";
    let new = "def go(a): ...\ndef stop(a, mode='hard', *, force=False): ...\n\
               class Base:\n    def close(self): ...\nclass Client(Base):\n    def send(self, x, y): ...\n";
    let project = with_unused(old, new);
    let table = unmet(breaks(project.path(), &project.join("new"), &["--changelog"]));
    insta::assert_snapshot!(table, @r"
    no use  break  removed-symbol  1
        kit.Gone
    no use  break  removed-parameter  1
        kit.go(b)
    no use  break  keyword-only  1
        kit.stop(force) → force=
    no use  break  required-parameter  1
        kit.Client.send(y)
    no use  silent  changed-default  1
        kit.stop(mode) → 'hard'
    1 of 1 uses of kit still work
    5 other changes of the API meet no use
    ");
}

#[test]
fn what_meets_a_use_is_not_told_again() {
    let project = project();
    for to in [project.join("venv-new"), wheel(project.path())] {
        let answer = breaks(project.path(), &to, &["--changelog", "--format", "json"]).success();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["others"].as_array().map(Vec::len), Some(0), "{answer}");
        let table = breaks(project.path(), &to, &["--changelog"]).success();
        assert!(table.ends_with("every change of the API that was found meets a use\n"), "{table}");
    }
}

#[test]
fn types_of_an_npm_package_are_compared() {
    let declared = |text: &str| format!("export interface Options {{ level: number; {text} }}\n");
    let module = "export declare function run(name: string, options?: Options): void;\n";
    let manifest =
        |version: &str| format!("{{\"name\": \"kit\", \"version\": \"{version}\", \"types\": \"dist/i.d.ts\"}}");
    let project = Project::with("app/package.json", "{\"dependencies\": {\"kit\": \"1.0.0\"}}")
        .and("app/app.ts", "import { run } from 'kit';\nrun('a');\n")
        .and("app/node_modules/kit/package.json", manifest("1.0.0"))
        .and(
            "app/node_modules/kit/dist/i.d.ts",
            format!("{}{module}export declare const gone: 1;\n", declared("mode?: string;")),
        )
        .and("kit/package.json", manifest("2.0.0"))
        .and("kit/dist/i.d.ts", format!("{}{module}", declared("")));
    let mut command = command(["breaks", "--no-cache", "--package", "kit", "--changelog", "--to"]);
    let table = unmet(outcome(command.arg(project.join("kit")).arg(project.join("app"))));
    insta::assert_snapshot!(table, @r"
    no use  break  removed-symbol  2
        kit#Options.mode, kit#gone
    1 of 1 uses of kit still work
    2 other changes of the API meet no use
    ");
}

#[test]
fn a_list_of_places_has_no_room_for_a_changelog() {
    let project = project();
    let run = breaks(project.path(), &project.join("venv-new"), &["--changelog", "--format", "sarif"]);
    assert!(run.failure().contains("--changelog needs --format table, json or markdown"));
}
