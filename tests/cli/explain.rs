//! `calls --explain`: what is known of each part of a callee, and which code says so.

use crate::program::{Project, run, run_on};

fn project() -> Project {
    let core = "class Client:\n    def get(self, url): ...\n\n\ndef connect():\n    return Client()\n\n\ndef open_any(kind):\n    return kind()\n";
    let uses = "from core import connect, open_any\n\n\ndef run(other, table: dict):\n    connect().get(1)\n    \
                other.get(1)\n    found = open_any(other)\n    found.get(2); table['x'](1)\n";
    let web = "import { stop } from './server'\nimport { log } from 'logger'\nlog(1)\nstop(); \nfunction f(given) { \
               given.close() }\n";
    Project::with("core.py", core)
        .and("app.py", uses)
        .and("server.ts", "export function stop(at?: number) {}\n")
        .and("web.ts", web)
}

/// The explanation of the calls at a place of the project.
fn explained(place: &str) -> String {
    let project = project();
    run_on(&format!("calls --explain {place}"), project.path()).success()
}

#[test]
fn a_counted_call_names_the_code_that_gives_each_type() {
    let expected = "\
app.py:5:14
  connect         the function `core.connect` (core.py:5), imported in line 1: `from core import connect`
  connect(…)      an instance of `core.Client` (core.py:1)
  connect(…).get  the method `core.Client.get` (core.py:2)
  => counted for `core.Client.get` (core.py:2)
";
    assert_eq!(explained("app.py:5:14"), expected);
}

#[test]
fn an_unresolved_call_names_the_first_cause() {
    let text = explained("app.py:6");
    assert!(text.contains("other      not known: a parameter of `app.run` (app.py:4) without an annotation"), "{text}");
    assert!(text.contains("=> counted for none (unknown_receiver): it calls a method of a value whose"), "{text}");

    // The value is followed through the call to the code that returns it.
    let text = explained("app.py:8:12");
    let steps: Vec<&str> = text.lines().map(|line| line.trim().split("  ").next().unwrap_or_default()).collect();
    let result = steps.last().is_some_and(|line| line.starts_with("=> counted for none"));
    assert!(result && steps.contains(&"kind") && steps.contains(&"found") && steps.contains(&"found.get"), "{text}");
    assert!(text.contains("`core.open_any` (core.py:9) has no annotation of its result"), "{text}");
}

#[test]
fn the_alternatives_of_a_value_are_explained() {
    let text = "def run(a, b, flag):\n    found = a.x if flag else b\n    found.get(1)\n";
    let project = Project::with("app.py", text);
    let text = run_on("calls --explain app.py:3", project.path()).success();
    for said in ["a    ", "a.x  ", "(a.x if … else b)  not known: nothing is known of its alternatives"] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn typescript_is_explained_in_the_same_words() {
    let text = explained("web.ts:3");
    assert!(text.contains("log  a value from outside the sources, imported in line 2 from \"logger\""), "{text}");
    let text = explained("web.ts:4");
    assert!(text.contains("=> counted for `server#stop` (server.ts:1)"), "{text}");
    let text = explained("web.ts:5");
    assert!(text.contains("given        not known: a parameter of `web#f` (web.ts:5) without a type"), "{text}");
}

#[test]
fn every_column_of_a_name_means_its_call() {
    assert_eq!(explained("app.py:8:10"), explained("app.py:8:12"));
    assert_ne!(explained("app.py:8:10"), explained("app.py:8"));
}

#[test]
fn a_place_without_a_call_says_how_to_find_one() {
    let project = project();
    let failed = |place: &str| run_on(&format!("calls --explain {place}"), project.path()).failure();
    assert!(failed("none.py:1").contains("none.py is not among the files that are indexed"));
    assert!(failed("app.py:2").contains("no call's name is in line 2 of app.py"));
    for wrong in ["app.py", "app.py:0", ":3", "app.py:x"] {
        let text = run_on(&format!("calls --explain {wrong}"), project.path()).usage_error();
        assert!(text.contains("write it as FILE:LINE or FILE:LINE:COL"), "{wrong}: {text}");
    }
    assert!(run("calls --explain src/windvane/config.py:69 assets/demo").success().contains("=> counted for none"));
}

#[test]
fn calls_that_lead_out_of_the_sources_say_where() {
    let code = "import os\nimport kite\nfrom sail import Boat\n\nkite.fly(1)\nos.getcwd()\nBoat.named('x')\n";
    let project = Project::with("app.py", code);
    let result = |line: u32| {
        let text = run_on(&format!("calls --explain app.py:{line}"), project.path()).success();
        text.lines().last().unwrap_or_default().trim().to_owned()
    };
    let absent = "which is not installed: calls show all that is known of it";
    assert_eq!(result(5), format!("=> counted for `kite.fly` of the package kite, {absent}"));
    assert_eq!(result(6), "=> counted for none (standard library): what is called is in the standard library");
    assert_eq!(result(7), format!("=> counted for `sail.Boat.named` of the package sail, {absent}"));
}
