//! The forms in which `breaks` answers, and what it leaves out.

use std::{collections::BTreeSet, fs};

use serde_json::Value;

use crate::breaks::{breaks, project, wheel};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn json_is_one_object_with_the_versions_the_uses_and_their_numbers() {
    let project = project();
    let new = project.path().join("venv-new");
    let answer = json(&breaks(project.path(), &new, &["--format", "json"]).success());
    assert_eq!((&answer["package"], &answer["from"], &answer["to"]), (&"kit".into(), &"1.0".into(), &"2.0".into()));
    assert_eq!(answer["totals"]["break"], 6);
    let calls = answer["calls"].as_array().expect("a list");
    let sum: u64 = answer["totals"].as_object().expect("an object").values().filter_map(Value::as_u64).sum();
    assert_eq!(sum, calls.len() as u64);
    let retries = calls.iter().find(|call| call["param"] == "retries").expect("a finding");
    assert_eq!(retries["old"], "go(a, b=0, speed=1, retries=1)");
    assert_eq!(retries["new"], "go(a, speed: int = 1, b=0, *, max_retries=1)");
    let fine = calls.iter().find(|call| call["verdict"] == "ok").expect("a fine use");
    assert_eq!((&fine["old"], &fine["new"]), (&Value::Null, &Value::Null));
    let lines = breaks(project.path(), &new, &["--format", "jsonl"]).success();
    assert_eq!(lines.lines().map(json).collect::<Vec<_>>(), *calls);
}

#[test]
fn sarif_has_what_code_scanning_needs() {
    let project = project();
    let wheel = wheel(project.path());
    let log = || json(&breaks(project.path(), &wheel, &["--format", "sarif"]).success());
    let before = log();
    assert_eq!(before["version"], "2.1.0");
    let run = &before["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert_eq!((results.len(), &run["properties"]["uses"]), (11, &16.into()));
    for result in results {
        let rule = &rules[result["ruleIndex"].as_u64().expect("a number") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(rule["help"]["text"].as_str().is_some_and(|text| text.ends_with('.')), "{rule}");
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
        assert!(!result["message"]["text"].as_str().expect("a text").is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "app.py");
        assert!(place["region"]["startLine"].as_u64() > Some(0) && place["region"]["startColumn"].as_u64() > Some(0));
    }
    // A result is recognized after lines were added above it.
    let fingerprints = |log: &Value| -> BTreeSet<String> {
        let results = log["runs"][0]["results"].as_array().expect("results");
        results.iter().map(|result| result["partialFingerprints"]["primaryLocationLineHash"].to_string()).collect()
    };
    assert_eq!(fingerprints(&before).len(), results.len());
    let app = project.path().join("app/app.py");
    let text = fs::read_to_string(&app).expect("a file");
    fs::write(&app, format!("# A comment.\n\n{text}")).expect("written");
    assert_eq!(fingerprints(&log()), fingerprints(&before));
}

#[test]
fn known_findings_are_left_out() {
    let project = project();
    let new = project.path().join("venv-new");
    let known = project.path().join("known.json");
    for format in ["json", "jsonl"] {
        fs::write(&known, breaks(project.path(), &new, &["--format", format]).success()).expect("written");
        let app = project.path().join("app/app.py");
        let text = fs::read_to_string(&app).expect("a file");
        let baseline = ["--baseline", known.to_str().expect("a path"), "--check", "--fail-on", "deprecated"];
        assert_eq!(
            breaks(project.path(), &new, &baseline).success(),
            "kit 1.0 → 2.0\n9 of 16 uses of kit still work\n12 known ones are left out\n"
        );
        // Another call of the same kind is new, though lines have moved.
        fs::write(&app, format!("# A comment.\n{text}go(2, retries=4)\n")).expect("written");
        let run = breaks(project.path(), &new, &baseline);
        assert_eq!(run.stderr, "apidisc-tui: 1 use of kit would fail the check\n");
        assert!(
            run.stdout.contains("break  kit.go(retries)  removed-parameter → max_retries  1 use\n"),
            "{}",
            run.stdout
        );
        fs::write(&app, text).expect("written");
    }
    fs::write(&known, "[1]").expect("written");
    let run = breaks(project.path(), &new, &["--baseline", known.to_str().expect("a path")]);
    assert!(run.stderr.contains("is no answer of breaks") && run.stderr.contains("`--format json`"), "{}", run.stderr);
}
