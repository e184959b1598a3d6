//! `doctor` says what works, and `--version --verbose` how the program was built.

use std::{fs, process::Command};

use serde_json::Value;

use crate::program::{Outcome, Project, command, outcome, run};

/// `doctor` for the folder `project` of a new home folder, without the variables of the environment that it reads.
fn doctor(home: &Project, words: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let project = home.join("project");
    fs::create_dir_all(&project).unwrap();
    let mut command = command(["doctor"].iter().chain(words));
    command.arg(&project);
    isolate(&mut command, home);
    command.envs(variables.iter().copied());
    outcome(&mut command)
}

fn isolate(command: &mut Command, home: &Project) {
    for name in
        ["NO_COLOR", "COLORTERM", "TMUX", "SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT", "DISPLAY", "WAYLAND_DISPLAY"]
    {
        command.env_remove(name);
    }
    command.env("HOME", home.path()).env_remove("APIDISC_CACHE").env_remove("APIDISC_MODEL").env("TERM", "dumb");
    for (name, folder) in [("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state"), ("XDG_CACHE_HOME", "cache")] {
        command.env(name, home.join(folder));
    }
}

/// Status, description and remedy of a check.
fn check(report: &Value, name: &str) -> (String, String, Option<String>) {
    let is_it = |check: &&Value| check["name"] == name;
    let found = report["checks"].as_array().unwrap().iter().find(is_it).unwrap();
    let text = |key: &str| found[key].as_str().map(str::to_owned);
    (text("status").unwrap(), text("found").unwrap(), text("remedy"))
}

fn report(home: &Project, variables: &[(&str, &str)]) -> Value {
    serde_json::from_str(&doctor(home, &["--format", "json"], variables).success()).unwrap()
}

#[test]
fn a_dumb_terminal_and_no_terminal_are_no_failure() {
    let text = doctor(&Project::empty(), &[], &[]).success();
    assert!(text.is_ascii(), "{text}");
    assert!(text.starts_with(concat!("apidisc-tui ", env!("CARGO_PKG_VERSION"), ", ")), "{text}");
    assert!(text.contains("\nnote   terminal       standard input or output is no terminal\n"), "{text}");
    assert!(text.contains("\nok     colours        no colours, from TERM;"), "{text}");
    for line in text.lines().filter(|line| line.starts_with("note") || line.starts_with("FAILS")) {
        let (_, rest) = text.split_once(line).unwrap();
        assert!(rest.trim_start().starts_with("-> "), "no remedy: {line}");
    }
}

#[test]
fn nothing_is_left_behind() {
    let home = Project::empty();
    doctor(&home, &[], &[]).success();
    let names: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["project"]);
}

#[test]
fn environments_of_the_folder_are_found() {
    let home = Project::empty()
        .and("project/.venv/pyvenv.cfg", "version = 3.12.1\n")
        .and("project/.venv/lib/python3.12/site-packages/click/__init__.py", "")
        .and("project/node_modules/zod/package.json", "{}");
    let report = report(&home, &[]);
    let (status, found, remedy) = check(&report, "python");
    assert!(found.ends_with(".venv (.venv of the project), Python 3.12"), "{found}");
    assert_eq!((status.as_str(), remedy), ("ok", None));
    assert!(check(&report, "node").1.ends_with("project/node_modules"));
}

#[test]
fn colours_are_those_of_the_explorer() {
    let home = Project::empty();
    for (variables, colours) in [
        (&[("TERM", "xterm-256color")][..], "256 colours, from TERM;"),
        (&[("COLORTERM", "truecolor")], "24-bit colours, from COLORTERM, TERM;"),
        (&[("NO_COLOR", "1"), ("TERM", "xterm-256color")], "no colours, from NO_COLOR, TERM;"),
    ] {
        let (_, found, _) = check(&report(&home, variables), "colours");
        assert!(found.starts_with(colours), "{found}");
    }
}

#[test]
fn what_is_configured_and_does_not_work_fails() {
    let home = Project::with("config/apidisc-tui/config.toml", "theme = 'light'\nthene = 'dark'\n");
    let outcome = doctor(&home, &[], &[("APIDISC_MODEL", "openai:any"), ("OPENAI_API_KEY", "")]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.ends_with("2 checks fail; their lines say what to do\n"), "{}", outcome.stderr);
    let configuration = outcome.stdout.lines().find(|line| line.starts_with("FAILS  configuration")).unwrap();
    assert!(configuration.contains("config.toml:2: "), "{configuration}");
    let model = outcome.stdout.lines().find(|line| line.starts_with("FAILS  model")).unwrap();
    assert!(model.contains("OPENAI_API_KEY"), "{model}");
}

#[test]
fn a_folder_that_is_not_there_fails() {
    let outcome = run("doctor /nowhere/at/all");
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stdout.contains("\nFAILS  folder         /nowhere/at/all: "), "{}", outcome.stdout);
}

#[test]
fn a_cache_that_is_off_is_said() {
    let (status, found, _) = check(&report(&Project::empty(), &[("APIDISC_CACHE", "off")]), "cache");
    assert_eq!((status.as_str(), found.as_str()), ("note", "off: every run parses anew"));
}

#[test]
fn the_verbose_version_says_how_the_program_was_built() {
    let text = run("--version --verbose").success();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(concat!("apidisc-tui ", env!("CARGO_PKG_VERSION"))));
    let names: Vec<&str> = lines.map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(names, ["commit", "target", "profile", "features"]);
    assert_eq!(run("-V -v").success(), text);
    // A commit is one, or the line says why there is none.
    let commit = text.lines().nth(1).unwrap().split_once("    ").unwrap().1;
    let is_commit = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(is_commit || commit.starts_with("not "), "{commit}");
}
