//! `examples_of`: calls of an installed package from a clone of its repository.

use crate::program::{Project, call_rows_at, run_on};

const SITE: &str = "app/.venv/lib/python3.12/site-packages";

/// An application that calls a package once or often, the package as it is installed, and a clone of its repository.
fn project(list: &str) -> Project {
    let kit = "def go(path, deep=False): ...\ndef often(what, twice=False): ...\ndef quiet(level): ...\n";
    Project::with(
        "app/main.py",
        "import kit\nkit.go(where())\nkit.often(1)\nkit.often(2)\nkit.often(3)\nkit.quiet(find())\n",
    )
    .and("app/.venv/pyvenv.cfg", "version = 3.12\n")
    .and(&format!("{SITE}/kit/__init__.py"), kit)
    .and(&format!("{SITE}/kit-1.0.dist-info/METADATA"), "Name: Kit\nVersion: 1.0\n")
    .and("clone/src/kit/__init__.py", format!("{kit}quiet(7)\n"))
    .and("clone/examples/walk.py", "import kit\n\nkit.go('/home', deep=True)\nkit.often('a', twice=True)\n")
    .and("clone/tests/test_kit.py", "import kit\n\n\ndef test_go():\n    kit.go('/tmp')\n")
    .and("sources.yaml", list)
}

const LIST: &str = "sources:\n  - url: app\n  - url: clone\n    name: kit-repo\n    examples_of: [kit]\n";

#[test]
fn a_package_that_is_rarely_called_has_examples_of_its_repository() {
    let project = project(LIST);
    let list = project.join("sources.yaml");
    let export = |rest: &str| run_on(&format!("--export --package kit {rest} --config"), &list).success();
    let stub = export("--wording full");
    assert!(stub.contains("# e.g. kit.go(where())\n"), "{stub}");
    assert!(stub.contains("# e.g. kit.go('/home', deep=True) (examples/walk.py:3 of kit-repo)\n"), "{stub}");
    // The code calls one function often enough, and the library itself alone calls another one.
    assert!(!stub.contains("twice=True") && !stub.contains("quiet(7)"), "{stub}");
    let json: serde_json::Value = serde_json::from_str(&export("--symbol go --format json")).unwrap();
    let example = &json["symbols"][0]["example"];
    assert_eq!(example["call"], "kit.go('/home', deep=True)");
    assert_eq!(example["place"], "examples/walk.py:3 of kit-repo");
    assert_eq!(json["symbols"][0]["total_calls"], 1);
}

#[test]
fn a_source_of_examples_counts_for_nothing() {
    let project = project(LIST);
    let rows = call_rows_at("--config", &project.join("sources.yaml"));
    let without = project.and("sources.yaml", "sources:\n  - url: app\n");
    assert_eq!(rows, call_rows_at("--config", &without.join("sources.yaml")));
    assert_eq!(rows.len(), 7);
}

#[test]
fn a_mistake_about_examples_is_said() {
    let outcome = |list: &str| {
        let project = project(list);
        run_on("--export --package kit --config", &project.join("sources.yaml"))
    };
    let only = outcome("sources:\n  - url: clone\n    examples_of: [kit]\n").failure();
    assert!(only.contains("there are no sources"), "{only}");
    let weighed = outcome(&format!("{LIST}    weight: 2\n")).failure();
    assert!(weighed.contains("kit-repo: a source with `examples_of` is not linked"), "{weighed}");
    let unused = outcome(&LIST.replace("[kit]", "[kit, sail]"));
    assert!(unused.stderr.contains("examples of kit-repo: the code uses no package sail"), "{unused:?}");
    assert!(unused.stdout.contains("examples/walk.py:3"), "{unused:?}");
    let gone = outcome(&LIST.replace("url: clone", "url: gone"));
    assert!(gone.stderr.contains("examples of kit-repo: ") && gone.stdout.contains("def go("), "{gone:?}");
}
