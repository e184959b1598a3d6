//! `calls`: every call site, one JSON object per line.

use std::{io::Read as _, process::Stdio};

use serde_json::Value;

use crate::{
    cache::cached,
    program::{Project, command, outcome, run, run_on},
};

const CORE: &str = r#""""A small library."""


class Base:
    def __init__(self, name, *rest, size=1, **extra):
        self.name = name

    def run(self, what):
        return what


class Derived(Base):
    def run(self, what):
        return Base.run(self, what)


def build(more):
    made = Derived("x", 2, size=3, colour=4, **more)
    made.run("now")
    print(made)
    return more.get("size")


def pick(flag):
    choice = build if flag else Base
    return choice(1)


build(*[{}])
"#;

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A row in short: `line:col caller > callee(param kind, ...) form why`.
fn short(row: &Value) -> String {
    let word = |key: &str| row[key].as_str().unwrap_or("-").to_owned();
    let arguments: Vec<String> = row["args"]
        .as_array()
        .unwrap()
        .iter()
        .map(|a| format!("{} {}", a["param"].as_str().unwrap_or("-"), a["kind"].as_str().unwrap()))
        .collect();
    let (line, col) = (&row["line"], &row["col"]);
    let why = row.get("why").map_or(String::new(), |why| format!(" {}", why.as_str().unwrap()));
    let arguments = arguments.join(", ");
    format!("{line}:{col} {} > {}({arguments}) {}{why}", word("caller"), word("callee"), word("form"))
}

#[test]
fn every_call_site_is_a_row() {
    let project = Project::with("kit/core.py", CORE);
    let rows = rows(&run_on("calls --format jsonl", project.path()).success());
    let short: Vec<String> = rows.iter().map(short).collect();
    assert_eq!(
        short,
        [
            "14:20 kit.core.Derived.run > kit.core.Base.run(self positional, what positional) x.f",
            "18:11 kit.core.build > kit.core.Derived(name positional, *rest positional, size keyword, **extra keyword, - \
             double_star) name",
            "19:9 kit.core.build > kit.core.Derived.run(what positional) x.f",
            "20:4 kit.core.build > -(- positional) name standard library",
            "21:16 kit.core.build > -(- positional) x.f unknown_receiver",
            "26:11 kit.core.pick > kit.core.build(more positional) name ambiguous",
            "29:0 kit.core > kit.core.build(- star) name",
        ]
    );
    let derived = &rows[1];
    assert_eq!(derived["path"], "kit/core.py");
    assert_eq!(derived["def_path"], "kit/core.py");
    assert_eq!(derived["def_line"], 12);
    assert_eq!(derived["alts"], Value::Array(Vec::new()));
    assert_eq!(rows[3]["def_line"], Value::Null);
    assert_eq!(rows[5]["alts"][0], "kit.core.Base");
}

#[test]
fn the_fields_have_a_fixed_order() {
    let project = Project::with("a.py", "def f(x): ...\n\n\nf(1)\n");
    assert_eq!(
        run_on("calls", project.path()).success(),
        "{\"path\":\"a.py\",\"line\":4,\"col\":0,\"caller\":\"a\",\"callee\":\"a.f\",\
         \"args\":[{\"param\":\"x\",\"kind\":\"positional\"}],\"alts\":[],\"def_path\":\"a.py\",\"def_line\":1,\
         \"form\":\"name\"}\n"
    );
}

#[test]
fn every_other_use_is_a_row() {
    let project = Project::with("shop/views.py", "def index(request): ...\n").and(
        "shop/urls.py",
        "from django.urls import path\nfrom shop.views import index\n\nroutes = [path('', index)]\n",
    );
    assert_eq!(
        run_on("calls --uses", project.path()).success(),
        "{\"path\":\"shop/urls.py\",\"line\":4,\"col\":19,\"user\":\"shop.urls\",\
         \"definition\":\"shop.views.index\",\"kind\":\"passed\",\"to\":\"path\",\"param\":null,\"key\":null}\n"
    );
}

#[test]
fn titles_say_other_uses_if_they_are_asked_for() {
    let code = "def view(request): ...\nclass Failure(Exception): ...\nroutes = [path('', view), path('a', view)]\n\
                def check(e: Failure): ...\n";
    let project = Project::with("a.py", code);
    let title = |arguments: &str| {
        let text = run_on(&format!("--export --module a {arguments}"), project.path()).success();
        text.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(title(""), title("--count calls"));
    assert_eq!(title("--count uses"), title("").replace("no calls", "no calls, 3 uses: 2 passed, 1 annotates"));
}

#[test]
fn other_uses_depend_neither_on_threads_nor_on_the_cache() {
    let home = tempfile::tempdir().unwrap();
    let uses = |threads: &str, is_cached: bool| {
        let mut command = cached("calls --uses --demo", home.path());
        command.env("RAYON_NUM_THREADS", threads).args((!is_cached).then_some("--no-cache"));
        outcome(&mut command).success()
    };
    let first = uses("1", false);
    assert!(first.lines().count() > 100, "{first}");
    for (threads, is_cached) in [("4", false), ("3", true), ("2", true)] {
        assert!(uses(threads, is_cached) == first, "{threads} threads, cached: {is_cached}");
    }
}

#[test]
fn rows_of_the_demo_are_valid_and_sorted() {
    let text = run("calls --demo").success();
    let rows = rows(&text);
    assert!(rows.len() > 300, "{}", rows.len());
    let places: Vec<(&str, u64, u64)> = rows
        .iter()
        .map(|row| (row["path"].as_str().unwrap(), row["line"].as_u64().unwrap(), row["col"].as_u64().unwrap()))
        .collect();
    assert!(places.is_sorted());
    for row in &rows {
        let is_explained = row["callee"].is_string() || row["why"].is_string();
        assert!(is_explained, "{row}");
        assert_eq!(row["callee"].is_string(), row["def_path"].is_string(), "{row}");
    }
    let of_station = rows.iter().filter(|row| row["callee"] == "windvane.station.Station").count();
    assert!(of_station >= 40, "{of_station}");
    assert!(rows.iter().any(|row| row["path"] == "docs/tutorial.ipynb" && row["callee"].is_string()));
}

#[test]
fn reads_are_sorted_and_a_file_with_examples_is_one_file() {
    let project = Project::with(
        "a.py",
        "\"\"\"A library.\n\n>>> from a import C\n>>> print(C().x)\n\"\"\"\nclass C:\n    x: int = 1\n    \
         def f(self):\n        return self.x\n",
    );
    let rows = rows(&run_on("reads", project.path()).success());
    let lines: Vec<u64> = rows.iter().map(|row| row["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [4, 9]);
    assert!(run_on("index", project.path()).success().contains("\n    files: 1\n"));
}

#[test]
fn arguments_have_the_names_of_the_overload_that_a_call_takes() {
    let overloads = "interface Request {\n  check(input: unknown, schema: { [key: string]: unknown }): boolean\n  \
                     check(input: unknown, part: \"body\" | \"query\", ...more: string[]): boolean\n}\ndeclare const \
                     request: Request\nrequest.check(1, {})\nrequest.check(1, \"body\", \"x\")\n";
    // An implementation names the arguments of all its overloads.
    let implementation = "function set(name: string): void\nfunction set(all: string[]): void\nfunction set(value: \
                          unknown) {}\nset([\"a\"])\n";
    let project = Project::with("a.ts", overloads).and("b.ts", implementation);
    let rows = rows(&run_on("calls", project.path()).success());
    let short: Vec<String> = rows.iter().map(short).collect();
    let expected = [
        "6:8 a > a#Request.check(input positional, schema positional) x.f",
        "7:8 a > a#Request.check(input positional, part positional, *more positional) x.f",
        "4:0 b > b#set(value positional) name",
    ];
    assert_eq!(short, expected);
}

#[test]
fn a_parameter_that_stands_for_a_tuple_has_its_own_name() {
    let text = "export function seek(...to: [line: number, column?: number]) {}\n\
                export function open(file: string, ...to: [line: number]) {}\nseek(1, 2);\nopen(\"a\", 3);\n";
    let project = Project::with("a.ts", text);
    let rows = rows(&run_on("calls", project.path()).success());
    let short: Vec<String> = rows.iter().map(short).collect();
    let expected = [
        "3:0 a > a#seek(*to positional, *to positional) name",
        "4:0 a > a#open(file positional, line positional) name",
    ];
    assert_eq!(short, expected);
}

#[test]
fn a_closed_pipe_is_no_failure() {
    for line in ["calls --demo", "index --demo", "--export --demo --strategy exhaustive"] {
        let mut child = command(line.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""), "{line}");
    }
}
