//! `--evaluate`: coverage of calls that the stub was not made from.

use serde_json::Value;

use crate::program::{Project, run, run_on};

#[test]
fn a_table_has_a_line_per_strategy() {
    let table =
        run("--evaluate --demo --module windvane --strategies token-budget,exhaustive --budgets 200,400").success();
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("windvane: ") && lines[0].contains(" calls and "), "{table}");
    assert!(lines[1].contains("% of the calls and ") && lines[1].ends_with("% of the reads"), "{table}");
    let columns: Vec<&str> = lines[3].split("  ").map(str::trim).filter(|column| !column.is_empty()).collect();
    let expected =
        ["strategy", "tokens", "counted", "held out", "outside", "reads", "random", "alphabetical", "source order"];
    assert_eq!(columns, expected, "{table}");
    let names: Vec<&str> = lines[4..].iter().filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(names, ["token-budget 200", "token-budget 400", "exhaustive"], "{table}");
    let width = lines[3].chars().count();
    assert!(lines[4..].iter().all(|line| line.chars().count() == width), "{table}");
}

#[test]
fn an_evaluation_is_deterministic_and_holds_every_call_out() {
    let line = "--evaluate --demo --symbol Station --strategies token-budget=300,threshold --format json";
    let text = run(line).success();
    assert_eq!(run(line).success(), text);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["folds"], 5);
    let row = &report["rows"][0];
    assert_eq!(row["strategy"], "token-budget 300");
    // Every call is held out in one fold, and counted in the four others.
    assert_eq!(row["held_out"]["known"], report["calls"]);
    assert_eq!(row["counted"]["known"].as_u64(), report["calls"].as_u64().map(|calls| 4 * calls));
    assert!(row["tokens"].as_u64().unwrap() <= 300, "{row}");
    let share = |key: &str| row[key]["share"].as_f64().unwrap();
    assert!(share("held_out") <= share("counted") && share("held_out") > share("random"), "{row}");
    assert_eq!(report["rows"][1]["strategy"], "threshold 0.2");
}

#[test]
fn the_exhaustive_stub_covers_every_call() {
    let text = run("--evaluate --demo --module windvane --strategy exhaustive --format json").success();
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["rows"].as_array().unwrap().len(), 1);
    for key in ["counted", "held_out"] {
        assert_eq!(report["rows"][0][key]["share"], 1.0, "{key}");
    }
}

#[test]
fn a_budget_that_is_too_small_is_reported_in_its_line() {
    let table = run("--evaluate --demo --symbol Station --budgets 5,500").success();
    assert!(
        table.contains("token-budget 5    windvane.Station needs ") && table.contains("token-budget 500  "),
        "{table}"
    );
}

#[test]
fn calls_and_reads_are_said_apart_beside_what_can_be_known() {
    let library = "class Box:\n    def __init__(self, a, b=1):\n        self.a = a\n        self.b = b\n";
    let mut project = Project::with("kit.py", library);
    for file in 0..10 {
        project = project.and(&format!("use{file}.py"), "from kit import Box\nprint(Box(1).a)\n");
    }
    let project = project.and("rare.py", "from kit import Box\nprint(Box(1, b=2).b)\n");
    let line = "--evaluate --format json --strategy token-budget --max-tokens 200";
    let report: Value = serde_json::from_str(&run_on(line, project.path()).success()).unwrap();
    let known = |row: &Value, key: &str| row[key]["known"].as_u64().unwrap();
    let row = &report["rows"][0];
    assert_eq!((report["calls"].as_u64(), report["reads"].as_u64()), (Some(11), Some(11)), "{report}");
    assert_eq!([known(row, "held_out"), known(row, "held_out_reads")], [11, 11], "{report}");
    // Only one file passes `b`, and only one reads it.
    assert_eq!(
        (&report["ceiling"]["covered"], &report["ceiling_reads"]["covered"]),
        (&10.into(), &10.into()),
        "{report}"
    );
}

#[test]
fn pins_bans_and_weights_apply() {
    let project = Project::with("kit.py", "def f(a, b=1, c=2): ...\n")
        .and("use.py", "from kit import f\nf(1)\nf(1, b=2)\n")
        .and("tests/test_f.py", "from kit import f\nf(1, c=2)\n");
    let report = |line: &str| -> Value {
        let line = format!("--evaluate --format json --strategy exhaustive {line}");
        serde_json::from_str(&run_on(&line, project.path()).success()).unwrap()
    };
    assert_eq!(report("")["rows"][0]["held_out"]["covered"], 3);
    assert_eq!(report("--ban f(b)")["rows"][0]["held_out"]["covered"], 2);
    assert_eq!(report("--weights tests=0")["rows"][0]["held_out"]["covered"], 2);
    // The call of the test counts once whatever the weights are, and calls in the code of the package do not.
    for weights in ["tests=1", "tests=3", "tests=0"] {
        let share = &report(&format!("--weights {weights}"))["rows"][0]["outside"];
        assert_eq!((&share["covered"], &share["known"]), (&1.into(), &1.into()), "{weights}");
    }
}

#[test]
fn wrong_usage_is_refused() {
    for line in [
        "--evaluate --demo --format yaml",
        "--evaluate --demo --strategies best",
        "--evaluate --demo --strategies threshold=20",
        "--evaluate --demo --strategy threshold --strategies coverage",
        "--export --demo --budgets 100",
        "--demo --budgets 100",
        "--evaluate --demo --copy",
        "--export --demo --evaluate",
    ] {
        run(line).usage_error();
    }
    let index = Project::empty();
    let file = index.join("index.yaml");
    run(&format!("index --demo -o {}", file.display())).success();
    let message = run(&format!("--evaluate --index {}", file.display())).failure();
    assert!(message.contains("name the folder instead"), "{message}");
}
