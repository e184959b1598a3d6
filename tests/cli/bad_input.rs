//! Bad input: it is reported in one clear line, the readable files are still indexed, and escape sequences have no
//! effect.

use std::{fs, path::Path};

use crate::program::{Project, command, is_python, outcome, run, run_on};

const GOOD: &str = "def good(x, y=1): ...\n\n\ngood(1)\ngood(2, y=3)\n";

/// A folder with a valid file, to which each test adds bad input.
fn with_valid_file() -> Project {
    Project::with("good.py", GOOD)
}

/// Checks that all calls of the valid file are printed; returns the messages on standard error.
#[track_caller]
fn check_valid_file(project: &Project) -> String {
    let outcome = outcome(command(["calls", "-v"]).arg(project.path()));
    let said = outcome.stderr.clone();
    assert!(said.lines().all(|line| line.starts_with("apidisc-tui: ")), "{said:?}");
    let rows = outcome.success();
    assert_eq!(rows.lines().filter(|row| row.contains("\"callee\":\"good.good\"")).count(), 2, "{rows:.500}");
    said
}

#[test]
fn a_missing_path() {
    for line in ["calls", "index", "--export"] {
        let message = run(&format!("{line} /nowhere/at/all")).failure();
        assert!(message.contains("/nowhere/at/all"), "{message}");
    }
}

#[test]
fn a_text_and_a_folder_in_the_wrong_order() {
    let project = with_valid_file();
    for name in ["discover", "ask", "route"] {
        let message = outcome(command([name]).arg(project.path()).arg("call good")).failure();
        assert!(message.contains("call good does not exist, but "), "{message}");
        assert!(message.trim_end().ends_with("write the folder behind the text"), "{message}");
    }
}

#[test]
fn a_list_of_sources_that_cannot_be_read_is_named_once() {
    let message = run("index --config nowhere.yaml").failure();
    assert!(
        message.starts_with("nowhere.yaml: it cannot be read: ") && message.contains("name a file that lists sources")
    );
    assert_eq!((message.matches("nowhere.yaml").count(), message.matches("os error").count()), (1, 1), "{message}");
}

#[test]
fn the_configuration_of_a_client_for_a_folder_that_is_not_there_comes_with_a_warning() {
    let said = run("serve --print-config generic /nowhere/at/all").stderr;
    assert!(said.contains("/nowhere/at/all does not exist yet"), "{said}");
    assert!(!run("serve --print-config generic /").stderr.contains("does not exist"));
}

#[test]
fn an_empty_folder() {
    let project = Project::with("notes.txt", "no code");
    let calls = run_on("calls", project.path());
    assert!(calls.stderr.contains("no Python, TypeScript or JavaScript files"), "{}", calls.stderr);
    assert_eq!(calls.success(), "");
    assert!(run_on("--export", project.path()).failure().contains("no Python, TypeScript or JavaScript files"));
    run_on("index", project.path()).success();
}

#[test]
fn files_that_are_not_utf_8() {
    let project = with_valid_file().and("latin.py", b"# caf\xe9\ndef latin(x): ...\n\n\nlatin('\xe9')\n");
    let said = check_valid_file(&project);
    assert!(said.contains("latin.py"), "{said}");
    assert!(run_on("calls", project.path()).success().contains("latin.latin"));
}

#[test]
fn bundles_and_minified_files() {
    let minified = "var a=function(b){return c(b)};".repeat(2_000);
    let project = with_valid_file()
        .and("dist.js", &minified)
        .and("jquery.min.js", "$(1);\n")
        .and("bundle.mjs", "call(1);\n".repeat(1_920_000))
        .and("compiled.ts", "export const x = 1;\n")
        .and("compiled.js", &minified)
        .and("node_modules/x/index.js", &minified);
    let said = check_valid_file(&project);
    assert_eq!(
        said,
        "apidisc-tui: 2 calls: 2 of this code\n\
         apidisc-tui: bundle.mjs: 16.4 MB: files above 16 MB are not read\n\
         apidisc-tui: dist.js: minified, by the length of its lines: not read\n\
         apidisc-tui: jquery.min.js: minified by its name: not read\n"
    );
    let summary = run_on("calls", project.path()).stderr;
    assert_eq!(summary, "apidisc-tui: 3 problems while reading: 1 too large, 2 minified; -v names them\n");
}

#[test]
fn files_with_syntax_errors() {
    let project = with_valid_file().and("broken.py", "def broken(:\n    pass\n\n\ndef fine(x): ...\n\n\nfine(1)\n");
    let said = check_valid_file(&project);
    assert!(said.contains("broken.py"), "{said}");
    assert!(run_on("calls", project.path()).success().contains("broken.fine"));
    let summary = run_on("calls", project.path()).stderr;
    assert_eq!(summary, "apidisc-tui: 1 problem while reading: 1 with syntax errors; -v names them\n");
}

#[test]
fn files_of_50_megabytes() {
    let project = with_valid_file().and("huge.py", "x = 1\n".repeat(50_000_000 / 6));
    let said = check_valid_file(&project);
    assert!(said.contains("huge.py"), "{said}");
}

#[test]
fn ten_thousand_brackets() {
    let brackets = format!("x = {}{}\n", "[".repeat(10_000), "]".repeat(10_000));
    let calls = format!("x = {}1{}\n", "f(".repeat(10_000), ")".repeat(10_000));
    let attributes = format!("x = y{}()\n", ".a".repeat(10_000));
    let operators = format!("x = {}\n", vec!["f(1)"; 10_000].join(" + "));
    let blocks: Vec<String> = (0..1_000).map(|depth| " ".repeat(depth) + "if x:").collect();
    let project = with_valid_file()
        .and("brackets.py", brackets)
        .and("calls.py", calls)
        .and("attributes.py", attributes)
        .and("operators.py", operators)
        .and("open.py", "f(".repeat(10_000))
        .and("blocks.py", blocks.join("\n"));
    check_valid_file(&project);
}

#[test]
#[cfg(unix)]
fn links_in_a_circle() {
    let project = with_valid_file().and("deep/er/x.py", "");
    std::os::unix::fs::symlink("..", project.join("deep/er/up")).unwrap();
    std::os::unix::fs::symlink("self", project.join("self")).unwrap();
    std::os::unix::fs::symlink("nowhere", project.join("dangling.py")).unwrap();
    check_valid_file(&project);
}

#[test]
#[cfg(unix)]
fn a_folder_without_permission() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = with_valid_file().and("locked/secret.py", "f(1)\n");
    let locked = project.join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    // The administrator can read the folder in spite of its permissions, so there is nothing to test.
    if fs::read_dir(&locked).is_err() {
        let said = check_valid_file(&project);
        let line = "locked: it cannot be listed: permission denied; what is in it is left out";
        assert!(said.contains(line) && !said.contains(".gitignore"), "{said}");
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn broken_notebooks() {
    let project = with_valid_file()
        .and("broken.ipynb", "{\"cells\": [")
        .and("list.ipynb", "[1, 2]")
        .and("fine.ipynb", r#"{"cells": [{"cell_type": "code", "source": ["from good import good\n", "good(3)"]}]}"#);
    let outcome = outcome(command(["calls", "-v"]).arg(project.path()));
    assert!(outcome.stderr.contains("broken.ipynb"), "{}", outcome.stderr);
    assert_eq!(outcome.success().matches("\"callee\":\"good.good\"").count(), 3);
}

const ESCAPES: &str = "def paint(text='\u{1b}[31m', *, title=\"\u{1b}]0;owned\u{7}\"):\n    \
                       \"\"\"Turns \u{1b}[2J\u{9b}31m\u{202e} everything\u{8} red.\u{7f}\"\"\"\n\n\n\
                       paint('\u{1b}[0m', title='\u{1b}c')\npaint('x')\n";

#[test]
fn escape_sequences_never_reach_standard_output() {
    let project = Project::with("art.py", ESCAPES);
    let mut lines = vec!["calls".to_owned(), "index".to_owned()];
    for format in ["stub", "markdown", "json", "yaml"] {
        lines.push(format!("--export --strategy exhaustive --format {format}"));
    }
    for line in lines {
        let output = run_on(&line, project.path()).success();
        assert!(output.contains("paint"), "{line}: {output:?}");
        let bad = output.chars().find(|&c| c.is_control() && c != '\n');
        assert_eq!(bad, None, "{line}: {output:?}");
    }
    assert!(is_python(&run_on("--export --strategy exhaustive", project.path()).success()));
}

#[test]
#[cfg(unix)]
fn escape_sequences_in_file_names_are_escaped() {
    let project = with_valid_file().and("a\u{1b}[31m\nb.py", "def broken(:\n\n\nf(1)\n");
    let said = check_valid_file(&project);
    assert!(!said.contains('\u{1b}') && said.lines().count() == 2, "{said:?}");
    let output = run_on("calls", project.path()).success();
    assert!(!output.contains(|c: char| c.is_control() && c != '\n'), "{output:?}");
    let message = run_on("calls", Path::new("/nowhere/\u{1b}[31m\n")).failure();
    assert!(message.contains("/nowhere/"), "{message}");
}

#[test]
fn extreme_numbers_are_answered_or_refused_in_short_lines() {
    for line in [
        "--export --demo --symbol Station --max-tokens 18446744073709551615",
        "--export --demo --symbol Station --max-tokens 9223372036854775808",
        "--export --demo --symbol Station --max-tokens 18446744073709551616",
        "--export --demo --symbol Station --max-tokens -1",
        "--export --demo --symbol Station --min-frequency 1e308",
        "--export --demo --symbol Station --min-frequency 5e-324",
        "--export --demo --symbol Station --target nan",
        "index --demo --min-usage-threshold 4294967295",
        "index --demo --min-usage-threshold 4294967296",
    ] {
        let outcome = run(line);
        assert!(!outcome.stderr.contains("panicked"), "{line}: {}", outcome.stderr);
        assert!(outcome.stderr.lines().all(|line| line.chars().count() <= 300), "{line}: {}", outcome.stderr);
    }
    let direct = run("--export --demo --symbol Station --max-tokens 18446744073709551615").success();
    assert_eq!(direct, run("--export --demo --symbol Station --max-tokens 1000000").success());
}

#[test]
fn hostile_words_of_the_command_line_are_escaped_and_short() {
    let word = format!("--{}\u{202e}\u{9b}31m", "x".repeat(100_000));
    let refused = outcome(command(["--export", "--demo"]).arg(&word));
    assert!(!refused.stderr.is_empty());
    assert!(!refused.stderr.contains(['\u{202e}', '\u{9b}']), "{}", refused.stderr);
    assert!(refused.stderr.lines().all(|line| line.chars().count() <= 300), "{:.2000}", refused.stderr);
    let unknown = outcome(command(["--export", "--demo", "--symbol"]).arg("y\u{202e}".repeat(10_000)));
    assert!(unknown.stderr.lines().all(|line| line.chars().count() <= 300), "{:.2000}", unknown.stderr);
    assert!(unknown.stderr.contains("no definition is called") && !unknown.stderr.contains('\u{202e}'));
}
