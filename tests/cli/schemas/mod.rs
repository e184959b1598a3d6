//! The JSON that commands print has the form of the schemas in `docs/schemas`, no more and no less.
//!
//! Each schema is what the outputs of a command on the demo and on a few small programs have in common. A field that
//! comes, goes or changes its type makes the schema another one; then `UPDATE_SCHEMAS=1 cargo test --test cli schemas`
//! writes it, and CHANGELOG.md must name its new mark with what changed.

mod inference;

use std::{collections::BTreeMap, fs, path::PathBuf};

use serde_json::{Value, json};

use self::inference::Form;
use crate::{
    breaks,
    program::{Project, git, outcome, run},
};

/// An API document, and a caller of it.
const DOCUMENT: &str = "openapi: 3.0.3\ninfo: {title: Shop, version: '2'}\npaths:\n  /orders:\n    post:\n      operationId: addOrder\n      summary: Place an order\n      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}\n      responses: {'201': {description: ok}, '400': {$ref: '#/gone'}}\ncomponents:\n  schemas:\n    Order: {type: object, required: [name], properties: {name: {type: string}, next: {$ref: '#/components/schemas/Order'}}}\n";

/// A program whose calls have every form: spread, a receiver of unknown type, literals, a package that is not there.
const PROGRAM: &str = "import requests\nfrom shop import Order, sell\n\n\ndef main(thing, *rest, **more):\n    sell('a', price=2)\n    sell(*rest, **more)\n    thing.get('x')\n    Order(name='n').total\n    requests.post('/orders', json={'name': 'a'})\n    try:\n        sell('b')\n    except ValueError:\n        raise\n";
const LIBRARY: &str = "class Order:\n    \"\"\"An order.\"\"\"\n\n    def __init__(self, name: str = 'a', *, tag=None): self.total = 1\n\n\ndef sell(name, price=1, **more):\n    \"\"\"Sell something.\"\"\"\n    return Order(name)\n";

/// The objects whose keys are data, by the name of a schema and the end of their places in it.
const OPEN: [(&str, &str); 14] = [
    ("api_metadata", ""),
    ("api_metadata", "/args"),
    ("api_metadata", "/init_args"),
    ("api_metadata", "/members"),
    ("api_metadata", "/origins"),
    ("api_metadata", "/types"),
    ("api_metadata", "/values"),
    ("api_metadata-meta", "/contents"),
    ("api_metadata-meta", "/contents/*"),
    ("api_metadata-meta", "/modules"),
    ("ask", "/arguments/*/arguments"),
    ("breaks", "/totals"),
    ("docs-get", "/expansion_stats"),
    ("route", "/arguments/*/arguments"),
];

fn shop() -> Project {
    Project::with("shop.py", LIBRARY).and("app.py", PROGRAM).and("test_app.py", PROGRAM).and("api.yml", DOCUMENT)
}

/// The outputs of the commands, by the names of their schemas.
fn outputs() -> BTreeMap<&'static str, Vec<Value>> {
    let shop = shop();
    let path = shop.path().display().to_string();
    let mut found: BTreeMap<&'static str, Vec<Value>> = BTreeMap::new();
    let mut add = |name: &'static str, line: &str| {
        let text = run(&line.replace("SHOP", &path)).success();
        let whole = serde_json::from_str::<Value>(&text).map(|value| vec![value]);
        let values = whole.unwrap_or_else(|_| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect());
        assert!(!values.is_empty(), "{line} prints nothing");
        found.entry(name).or_default().extend(values);
    };
    for (name, lines) in [
        ("calls", &["calls --demo", "calls SHOP"][..]),
        ("uses", &["calls --uses --demo"]),
        ("reads", &["reads --demo", "reads SHOP"]),
        ("deps", &["deps SHOP --format json"]),
        (
            "export",
            &[
                "--export --demo --format json",
                "--export SHOP --format json",
                "--export --demo --symbol Station --format json",
            ],
        ),
        ("overview", &["--export --overview --demo --format json"]),
        ("evaluate", &["--evaluate --demo --format json"]),
        (
            "discover",
            &[
                "discover average --demo --format json",
                "discover sell SHOP --related --format json",
                "discover order SHOP --format json",
            ],
        ),
        ("route", &["route fix --format json", "route sell SHOP --format json", "route sell SHOP --run --format json"]),
        ("ask", &["ask sell SHOP --no-model --format json"]),
        ("docs-index", &["docs index SHOP --format json"]),
        ("docs-search", &["docs search SHOP --query order --include-references --format json"]),
        ("docs-get", &["docs get SHOP --id api.yml:paths/orders/post --id gone --format json"]),
        ("doctor", &["doctor SHOP --format json"]),
    ] {
        for line in lines {
            add(name, line);
        }
    }
    found.insert("check-index", vec![stale()]);
    let program = breaks::project();
    let new = program.path().join("venv-new");
    let place = program.path().display().to_string();
    let text = run(&format!("deps {place}/app --env {place}/old --format json")).success();
    let packages = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    found.entry("deps").or_default().extend(packages);
    let text = breaks::breaks(program.path(), &new, &["--format", "json"]).success();
    found.insert("breaks", vec![serde_json::from_str(&text).unwrap(), changed()]);
    for line in ["index --demo", "index SHOP --min-usage-threshold 0"] {
        let text = run(&line.replace("SHOP", &path)).success();
        let mut metadata: Value = serde_yaml::from_str(&text).unwrap();
        // The reserved key has a form of its own.
        let meta = metadata.as_object_mut().unwrap().remove("$meta").unwrap();
        found.entry("api_metadata").or_default().push(metadata);
        found.entry("api_metadata-meta").or_default().push(meta);
    }
    found
}

/// What is said of an index whose files have changed since.
fn stale() -> Value {
    let shop = shop().and("gone.py", "x = 1\n");
    let folder = Project::empty();
    let index = folder.join("api_metadata.yaml");
    run(&format!("index {} -o {}", shop.path().display(), index.display())).success();
    fs::remove_file(shop.join("gone.py")).unwrap();
    let _shop = shop.and("app.py", "y = 2\n").and("new.py", "z = 3\n");
    serde_json::from_str(&run(&format!("check-index {} --format json", index.display())).success()).unwrap()
}

/// What a change of a repository breaks.
fn changed() -> Value {
    let shop = shop();
    for words in [&["init", "-q"][..], &["add", "."], &["commit", "-q", "-m", "a"]] {
        git(shop.path(), words);
    }
    let shop = shop.and("shop.py", LIBRARY.replace("price=1, ", ""));
    let mut command = crate::program::command(["breaks", "--rev", "HEAD", "--format", "json"]);
    serde_json::from_str(&outcome(command.arg(shop.path())).success()).unwrap()
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/schemas")
}

/// The schema of the outputs of a command.
fn schema(name: &str, values: &[Value]) -> Value {
    let ends = |path: &str, end: &str| if end.is_empty() { path.is_empty() } else { path.ends_with(end) };
    let is_open = |path: &str| OPEN.iter().any(|(of, end)| *of == name && ends(path, end));
    let mut form = Form::default();
    for value in values {
        form.add(value, "", &is_open);
    }
    let mut schema = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name});
    let inner = form.schema("", &is_open);
    schema.as_object_mut().unwrap().extend(inner.as_object().unwrap().clone());
    schema
}

/// The mark of a schema: eight digits of a hash.
fn mark(text: &str) -> String {
    let mut hash = apidisc::hash::Fnv::default();
    hash.add(text);
    format!("{:016x}", hash.value())[..8].to_owned()
}

#[test]
fn outputs_have_the_form_of_the_committed_schemas() {
    let mut outputs = outputs();
    // A schema of JSON Schema, which has a form of its own.
    for result in
        outputs.get_mut("discover").unwrap().iter_mut().flat_map(|found| found["results"].as_array_mut().unwrap())
    {
        if let Some(schema) = result.get_mut("input_schema") {
            *schema = json!({"type": "object"});
        }
    }
    let update = std::env::var_os("UPDATE_SCHEMAS").is_some();
    let mut wrong = Vec::new();
    for (name, values) in &outputs {
        let file = folder().join(format!("{name}.json"));
        let text = format!("{:#}\n", schema(name, values));
        if update {
            fs::write(&file, &text).unwrap();
        }
        let committed = fs::read_to_string(&file).unwrap_or_default();
        if committed != text {
            let lines = |of: &str, other: &str, sign: &str| -> String {
                let new = of.lines().filter(|line| !other.lines().any(|known| known == *line));
                new.flat_map(|line| [sign, line, "\n"]).collect()
            };
            wrong.push(format!("{name}.json:\n{}{}", lines(&committed, &text, "-"), lines(&text, &committed, "+")));
        }
    }
    assert!(wrong.is_empty(), "{}\nrun: UPDATE_SCHEMAS=1 cargo test --test cli schemas", wrong.join("\n"));
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(outputs.contains_key(&*name), "{name} is the schema of no command");
    }
}

#[test]
fn the_changelog_names_every_form() {
    let changelog = fs::read_to_string(folder().join("../../CHANGELOG.md")).unwrap();
    let mut missing = Vec::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let named = format!("`{name}` {}", mark(&fs::read_to_string(&path).unwrap()));
        if !changelog.contains(&named) {
            missing.push(named);
        }
    }
    missing.sort();
    assert!(missing.is_empty(), "say in CHANGELOG.md what changed, with the new mark:\n{}", missing.join(",\n"));
}

#[test]
fn a_form_that_changes_is_another_schema() {
    let schema = |values: &[Value]| schema("calls", values);
    let old = schema(&[json!({"a": 1, "b": null}), json!({"a": 2})]);
    assert_eq!(old["required"], json!(["a"]));
    assert_ne!(old, schema(&[json!({"a": 1, "b": null, "c": 0}), json!({"a": 2})]), "a field comes");
    assert_ne!(old, schema(&[json!({"a": 1}), json!({"a": 2})]), "a field goes");
    assert_ne!(old, schema(&[json!({"a": "1", "b": null}), json!({"a": "2"})]), "a type changes");
}
