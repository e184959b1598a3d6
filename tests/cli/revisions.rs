//! `breaks --rev`: what a change of a repository does to the uses of its own code.

use std::fs;

use serde_json::Value;

use crate::program::{Outcome, Project, command, git, outcome};

/// The files of the old revision.
const OLD: [(&str, &str); 7] = [
    ("kit/__init__.py", "from .core import Client, go\n"),
    (
        "kit/core.py",
        "def go(a, retries=0): ...\n\
         class Client:\n    def send(self, x): ...\n    def fetch(self, x): ...\n\
         def _inner(x): ...\n",
    ),
    ("kit/extra.py", "def helper(x): ...\ndef other(x): ...\n"),
    ("kit/inside.py", "from .core import go\n\ngo(1, retries=3)\n"),
    (
        "tests/test_kit.py",
        "from kit import Client, go\nfrom kit.core import _inner\nfrom kit.extra import helper\n\n\
         go(1, retries=2)\n\
         Client().send(1)\n\
         Client().fetch(2)\n\
         _inner(1)\n\
         helper(1)\n",
    ),
    ("README.md", "# Kit\n\n```python\nfrom kit import go\ngo(1, retries=1)\n```\n"),
    ("pyproject.toml", "[project]\nname = \"kit\"\n"),
];
/// What the new revision changed: a parameter has another name, a method is gone, a function has moved, a private
/// function is gone.
const NEW: [(&str, &str); 4] = [
    (
        "kit/core.py",
        "def go(a, max_retries=0): ...\n\
         class Client:\n    def fetch(self, x): ...\n",
    ),
    ("kit/extra.py", "def other(x): ...\n"),
    ("kit/tools.py", "def helper(x): ...\n"),
    (
        "tests/test_kit.py",
        "from kit import Client, go\nfrom kit.tools import helper\n\n\
         go(1, max_retries=2)\n\
         Client().send(1)\n\
         Client().fetch(2)\n\
         helper(1)\n",
    ),
];

fn commit(project: &Project, files: &[(&str, &str)], tag: &str) {
    for (path, text) in files {
        let path = project.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    git(project.path(), &["add", "."]);
    git(project.path(), &["commit", "-qm", tag]);
    git(project.path(), &["tag", tag]);
}

fn repository() -> Project {
    let project = Project::empty();
    git(project.path(), &["init", "-q", "-b", "trunk"]);
    commit(&project, &OLD, "v1");
    commit(&project, &NEW, "v2");
    project
}

fn breaks(project: &Project, rev: &str, more: &[&str]) -> Outcome {
    outcome(command(["breaks", "--no-cache", "--rev", rev]).args(more).arg(project.path()))
}

/// Path, line, verdict, rule, parameter, replacement, and whether the change adapted the use.
fn rows(run: Outcome) -> Vec<String> {
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| row[name].as_str().unwrap_or("-").to_owned();
        let adapted = if row["adapted"] == true { "adapted" } else { "as it was" };
        let symbol = [text("symbol"), text("param"), text("now")].join(" ");
        format!("{}:{} {} {} {symbol} {adapted}", text("path"), row["line"], text("verdict"), text("rule"))
    };
    run.success().lines().map(row).collect()
}

#[test]
fn the_uses_of_the_old_revision_meet_the_code_of_the_new_one() {
    let expected = [
        // An example that nobody has mended.
        "README.md:5 break removed-parameter kit.go retries max_retries as it was",
        "kit/inside.py:3 break removed-parameter kit.go retries max_retries as it was",
        // The import of a private name is mended, too; nobody else meets it.
        "tests/test_kit.py:3 break removed-symbol kit.extra.helper - kit.tools.helper adapted",
        "tests/test_kit.py:5 break removed-parameter kit.go retries max_retries adapted",
        "tests/test_kit.py:6 ok - kit.Client - - as it was",
        "tests/test_kit.py:6 break removed-symbol kit.Client.send - - as it was",
        "tests/test_kit.py:7 ok - kit.Client - - as it was",
        "tests/test_kit.py:7 ok - kit.Client.fetch - - as it was",
        "tests/test_kit.py:9 break removed-symbol kit.extra.helper - kit.tools.helper adapted",
    ];
    let project = repository();
    let found = rows(breaks(&project, "v1..v2", &["--format", "jsonl"]));
    assert_eq!(found, expected);
    // A range may end at the newest commit, or at the files as they are, and may begin before a commit.
    for rev in ["v1..", "HEAD~1..trunk", "v1...v2", "v1"] {
        assert_eq!(rows(breaks(&project, rev, &["--format", "jsonl"])), expected, "{rev}");
    }
    assert!(!breaks(&project, "v2..v2", &[]).success().contains("break"));
}

#[test]
fn the_files_as_they_are_may_be_the_new_revision() {
    let project = repository();
    fs::write(project.join("kit/core.py"), "class Client: ...\n").unwrap();
    let found = rows(breaks(&project, "v2", &["--format", "jsonl"]));
    assert!(found.contains(&"tests/test_kit.py:6 break removed-symbol kit.Client.fetch - - as it was".to_owned()));
}

#[test]
fn the_table_says_where_the_uses_are_and_which_the_change_adapted() {
    let project = repository();
    let table = breaks(&project, "v1..v2", &[]).success();
    let name = project.path().file_name().unwrap().to_str().unwrap();
    insta::assert_snapshot!(table.replace(name, "kit"), @r"
    kit v1 → v2
    break  kit.go(retries)  removed-parameter → max_retries  3 uses: 1 in docs, 1 in src, 1 in tests; 1 adapted
        README.md:5
        kit/inside.py:3
        tests/test_kit.py:5
        - go(…, retries=0)
        + go(…, max_retries=0)
    break  kit.extra.helper  removed-symbol → kit.tools.helper  2 uses: 2 in tests; all adapted
        tests/test_kit.py:3
        tests/test_kit.py:9
        - helper(x)
    break  kit.Client.send  removed-symbol  1 use: 1 in tests; none adapted
        tests/test_kit.py:6
        - send(x)
    3 of 9 uses of kit still work
    ");
    let checked = breaks(&project, "v1..v2", &["--check"]);
    assert_eq!(checked.code, Some(1));
}

#[test]
fn what_moves_together_with_the_files_that_use_it_breaks_nothing() {
    let code = "export interface Invitation {\n  title: string\n}\n\nexport function write(title: string): Invitation {\n  \
                return { title }\n}\n\nexport function send(to: string) {}\n";
    let beside = "import { send, write } from './ics'\n\nit('writes', () => {\n  expect(write('a').title).toBe('a')\n  \
                  write('b')\n})\n";
    let above =
        |module: &str| format!("import {{ write }} from '{module}'\n\nit('again', () => {{\n  write('c')\n}})\n");
    let project = Project::empty();
    git(project.path(), &["init", "-q", "-b", "trunk"]);
    let old = above("../src/utils/ics");
    let files = [
        ("package.json", "{ \"name\": \"letters\" }\n"),
        ("src/utils/ics.ts", code),
        ("src/utils/ics.test.ts", beside),
        ("tests/again.test.ts", old.as_str()),
    ];
    commit(&project, &files, "v1");
    fs::remove_dir_all(project.join("src/utils")).unwrap();
    let new = above("../src/calendar/ics");
    let without_send = code.replace("export function send(to: string) {}\n", "");
    let files = [
        ("src/calendar/ics.ts", without_send.as_str()),
        ("src/calendar/ics.test.ts", beside),
        ("tests/again.test.ts", new.as_str()),
    ];
    commit(&project, &files, "v2");
    let (write, send) = ("src/utils/ics#write", "src/utils/ics#send");
    let now = "src/calendar/ics#write";
    let expected = [
        format!("src/utils/ics.test.ts:1 break removed-symbol {send} - - as it was"),
        format!("src/utils/ics.test.ts:1 moved - {write} - {now} as it was"),
        format!("src/utils/ics.test.ts:4 moved - {write} - {now} as it was"),
        "src/utils/ics.test.ts:4 moved - src/utils/ics#Invitation.title - src/calendar/ics#Invitation.title as it was"
            .to_owned(),
        format!("src/utils/ics.test.ts:5 moved - {write} - {now} as it was"),
        // Another file had to be changed.
        format!("tests/again.test.ts:1 break removed-symbol {write} - {now} adapted"),
        format!("tests/again.test.ts:4 break removed-symbol {write} - {now} adapted"),
    ];
    assert_eq!(rows(breaks(&project, "v1..v2", &["--format", "jsonl"])), expected);
    let table = breaks(&project, "v1..v2", &[]).success();
    assert!(table.contains(&format!("moved  {write} → {now}  3 uses: 3 in tests; none adapted")), "{table}");
    let json: Value = serde_json::from_str(&breaks(&project, "v1..v2", &["--format", "json"]).success()).unwrap();
    assert_eq!((&json["totals"]["moved"], &json["totals"]["break"]), (&4.into(), &3.into()));
}

#[test]
fn programs_that_use_the_code_weigh_a_change() {
    let project = repository();
    let app = Project::with(
        "main.py",
        "from kit import Client, go\nfrom kit.extra import helper, other\n\ngo(1, retries=1)\nother(1)\n",
    );
    let app_name = app.path().file_name().unwrap().to_str().unwrap().to_owned();
    let used_by = app.path().to_str().unwrap();
    let found = rows(breaks(&project, "v1..v2", &["--used-by", used_by, "--format", "jsonl"]));
    let of_app = found.iter().filter(|row| row.contains("main.py")).map(|row| row.replace(&app_name, "app"));
    let expected = [
        "app/main.py:2 break removed-symbol kit.extra.helper - kit.tools.helper as it was",
        "app/main.py:4 break removed-parameter kit.go retries max_retries as it was",
        "app/main.py:5 ok - kit.extra.other - - as it was",
    ];
    assert_eq!(of_app.collect::<Vec<_>>(), expected);
    // The others are those without the program.
    assert_eq!(found.len() - 3, rows(breaks(&project, "v1..v2", &["--format", "jsonl"])).len());
    let table = breaks(&project, "v1..v2", &["--used-by", used_by]).success().replace(&app_name, "app");
    assert!(table.contains("4 uses: 1 in app, 1 in docs, 1 in src, 1 in tests; 1 adapted"), "{table}");
    assert!(breaks(&project, "v1..v2", &["--used-by", "/none"]).failure().contains("/none is not there"));
}

#[test]
fn typescript_has_the_same_verdicts() {
    let project = Project::empty();
    git(project.path(), &["init", "-q"]);
    let test = "import { make, gone } from \"../src/kit\";\nmake({ size: 1, old: 2 });\ngone();\nmake({ size: 1 });\n";
    let manifest = r#"{"name": "kit", "main": "src/kit.ts"}"#;
    let kit = |options: &str, more: &str| {
        format!("export interface Options {{ {options} }}\nexport function make(options: Options) {{}}\n{more}")
    };
    let old = kit("size?: number; old?: number", "export function gone() {}\n");
    commit(&project, &[("package.json", manifest), ("src/kit.ts", &old), ("test/kit.test.ts", test)], "v1");
    commit(&project, &[("src/kit.ts", &kit("size?: number", ""))], "v2");
    let expected = [
        "test/kit.test.ts:1 break removed-symbol kit#gone - - as it was",
        "test/kit.test.ts:2 break removed-parameter kit#make old - as it was",
        "test/kit.test.ts:3 break removed-symbol kit#gone - - as it was",
        "test/kit.test.ts:4 ok - kit#make - - as it was",
    ];
    assert_eq!(rows(breaks(&project, "v1..v2", &["--format", "jsonl"])), expected);
}

#[test]
fn a_revision_that_is_not_there_is_told() {
    let project = repository();
    let told = |rev: &str| breaks(&project, rev, &[]).failure().replace(&project.path().display().to_string(), "DIR");
    assert_eq!(told("v1..v9"), "DIR: it has no branch, tag or commit `v9`; see `git branch -a` and `git tag`");
    assert!(told("v2~7..v2").starts_with("DIR: 1 commits are there before "));
    assert!(told("v1..--x").contains("is no branch, tag or commit"));
    let bare = Project::with("a.py", "x = 1\n");
    assert!(breaks(&bare, "v1", &[]).failure().contains("no git repository"));
    let neither = outcome(command(["breaks"]).arg(project.path())).usage_error();
    assert!(neither.contains("--package"), "{neither}");
}
