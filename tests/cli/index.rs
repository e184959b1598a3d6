//! `index` writes files that `--index` reads.

use std::fs;

use serde_json::Value;

use crate::program::{Project, run, run_on};

#[test]
fn an_index_read_back_gives_the_same_bytes() {
    let folder = Project::empty();
    let file = folder.join("api_metadata.yaml");
    assert_eq!(run_on("index --demo -o", &file).success(), "");
    for line in [
        "--export --symbol Station --index",
        "--export --symbol Station --min-frequency 0.1 --format json --index",
        "--export --symbol Station --max-tokens 300 --format markdown --index",
        "--export --symbol windvane.convert --strategy exhaustive --format yaml --index",
        "--export --symbol StationConfig --target 0.9 --index",
    ] {
        let direct = line.replace("--index", "--demo");
        let [read_back, direct] = [run_on(line, &file), run(&direct)].map(|outcome| without_places(&outcome.success()));
        assert_eq!(read_back, direct, "{line}");
    }
}

/// An object in JSON or YAML without first calls, which need the sources, and without the uses that are neither calls
/// nor reads, of which the file has no counts; any other text as it is.
fn without_places(text: &str) -> String {
    let object: Option<Value> = serde_yaml::from_str(text).ok().filter(|value: &Value| value["symbols"].is_array());
    let Some(mut object) = object else { return text.to_owned() };
    for symbol in object["symbols"].as_array_mut().into_iter().flatten() {
        let symbol = symbol.as_object_mut().unwrap();
        symbol.shift_remove("first_call").unwrap();
        symbol.shift_remove("uses");
    }
    object.to_string()
}

#[test]
fn folders_that_begin_with_a_dot_are_read_back() {
    let project = Project::with(".github/actions/people.py", "def top(a, b=1): ...\n\n\ntop(1)\ntop(2, b=3)\n");
    fs::create_dir_all(project.join("pkg/.hidden")).unwrap();
    fs::write(project.join("pkg/.hidden/x.py"), "def deep(a): ...\n\n\ndeep(1)\ndeep(2)\n").unwrap();
    let folder = Project::empty();
    let file = folder.join("api_metadata.yaml");
    fs::write(&file, run_on("index", project.path()).success()).unwrap();
    for symbol in ["top", "deep"] {
        let direct = run_on(&format!("--export --symbol {symbol}"), project.path()).success();
        assert!(direct.contains(&format!("def {symbol}(a")), "{direct}");
        assert_eq!(run_on(&format!("--export --symbol {symbol} --index"), &file).success(), direct);
    }
    // A folder whose name begins with a dot is not importable, so it is no part of the repository's public API.
    assert!(run_on("--export", project.path()).failure().contains("nothing public"));
}

#[test]
fn the_file_has_the_specified_form() {
    let yaml = run("index --demo").success();
    let document: serde_json::Value = serde_yaml::from_str(&yaml).unwrap();
    let station = &document["windvane.station.Station"];
    assert!(station["usage_rank"].as_u64().unwrap() >= 1);
    assert!(station["total_calls"].as_u64().unwrap() >= 40);
    assert_eq!(station["init_args"]["name"]["required"], true);
    assert_eq!(station["init_args"]["name"]["freq"].as_f64(), Some(1.0));
    assert_eq!(station["init_args"]["sensors"]["required"], false);
    assert!(document["windvane.units.convert"]["args"]["to"]["freq"].is_number());
    assert!(document["$meta"].is_object(), "{}", document["$meta"]);
}

#[test]
fn rarely_called_definitions_are_left_out() {
    let source = "def once(a): ...\n\n\ndef twice(a): ...\n\n\nonce(1)\ntwice(1)\ntwice(2)\n";
    let project = Project::with("kit.py", source);
    let two = run_on("index", project.path()).success();
    assert!(two.contains("kit.twice:") && !two.contains("kit.once:"), "{two}");
    let one = run_on("index --min-usage-threshold 1", project.path()).success();
    assert!(one.contains("kit.twice:") && one.contains("kit.once:"), "{one}");
}

#[test]
fn a_file_without_optional_fields_loads() {
    let bare = "google.adk.agents.llm_agent.LlmAgent:\n  usage_rank: 1\n  total_calls: 245\n  init_args:\n    name:\n      \
                required: true\n      freq: 1.0\n    model:\n      required: false\n      freq: 0.98\n";
    let folder = Project::with("seed.yaml", bare);
    let stub = run_on("--export --symbol LlmAgent --index", &folder.join("seed.yaml")).success();
    assert!(stub.contains("LlmAgent") && stub.contains("model"), "{stub}");
}

#[test]
fn a_file_that_is_no_index_is_refused_in_one_line() {
    for (content, what) in [("a: [1, 2", "broken YAML"), ("- 1\n- 2\n", "a list"), ("just words", "no mapping")] {
        let folder = Project::with("bad.yaml", content);
        let message = run_on("--export --index", &folder.join("bad.yaml")).failure();
        assert!(message.contains("bad.yaml"), "{what}: {message}");
    }
    let folder = Project::empty();
    let message = run_on("--export --index", &folder.join("none.yaml")).failure();
    assert!(message.contains("none.yaml") && message.contains("apidisc-tui index"), "{message}");
    fs::write(folder.join("binary"), [0xff, 0xfe, 0x00]).unwrap();
    run_on("--export --index", &folder.join("binary")).failure();
}
