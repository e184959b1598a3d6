//! `config`: the configuration in force, the paths of its files, and the messages about mistakes.

use std::fs;

use insta::assert_snapshot;

use crate::program::{Outcome, Project, command, outcome};

/// Runs `config` in a new home folder, with `text` as the configuration if it is given.
fn config(argument: &str, text: Option<&str>) -> (Outcome, Project) {
    let home = Project::empty();
    let folder = home.join("config/apidisc-tui");
    if let Some(text) = text {
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.toml"), text).unwrap();
    }
    let mut command = command(["config", argument]);
    command.env("HOME", home.path());
    for (name, folder) in [("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state"), ("XDG_CACHE_HOME", "cache")] {
        command.env(name, home.join(folder));
    }
    (outcome(&mut command), home)
}

#[test]
fn the_defaults_are_printed_in_full() {
    let (outcome, _home) = config("--print", None);
    assert_eq!(outcome.stderr, "");
    let text = outcome.success();
    for line in ["# theme = \"dark\"", "[keys]", "next-match = [\"down\", \"tab\", \"ctrl-n\"]", "quit = [\"q\"]"] {
        assert!(text.lines().any(|printed| printed.starts_with(line)), "{line}:\n{text}");
    }
}

#[test]
fn a_mistake_is_reported_and_the_other_entries_apply() {
    let (outcome, home) = config("--print", Some("theme = 'light'\n[keys]\nqiut = 'q'\ncopy = 'f8'\n"));
    let file = home.join("config/apidisc-tui/config.toml");
    let said = format!("apidisc-tui: {}:3: there is no command `qiut`; did you mean quit?\n", file.display());
    assert_eq!(outcome.stderr, said);
    let text = outcome.success();
    assert!(text.contains("theme = \"light\"") && text.contains("\ncopy = [\"f8\"]"), "{text}");
}

#[test]
fn a_model_is_named_relative_to_the_configuration() {
    let (outcome, home) = config("--print", Some("model = 'words'\n"));
    let folder = home.join("config/apidisc-tui/words").display().to_string();
    assert_eq!(outcome.stderr, "");
    let text = outcome.success();
    assert!(text.contains(&format!("\nmodel = \"{folder}\"\n")), "{text}");
    let (outcome, _home) = config("--print", Some("model = true\n"));
    assert!(outcome.stderr.contains(":1: a model is the path of its folder"), "{}", outcome.stderr);
}

#[test]
fn the_model_that_answers_questions_is_named_without_its_key() {
    let file = "[ask]\nmodel = 'ollama:qwen3'\nbase_url = 'http://127.0.0.1:1'\napi_key = 'sk-secret'\n";
    let (outcome, _home) = config("--print", Some(file));
    assert!(outcome.stderr.contains(":4: a key stands in no file") && !outcome.stderr.contains("sk-secret"));
    let text = outcome.success();
    assert!(text.contains("\n[ask]\nmodel = \"ollama:qwen3\"\nbase_url = \"http://127.0.0.1:1\"\n"), "{text}");
    let (outcome, _home) = config("--print", Some("[ask]\nmodel = 'qwen3'\nurl = 1\n"));
    assert!(outcome.stderr.contains(":2: a model is PROVIDER:NAME in quotes"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(":3: there is no entry `url`"), "{}", outcome.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn paths_are_printed() {
    let (outcome, home) = config("--paths", Some(""));
    let home = home.path().display().to_string();
    assert_snapshot!("config_paths", outcome.success().replace(&home, "HOME"));
}

#[test]
#[cfg(target_os = "linux")]
fn no_path_or_word_reaches_the_terminal_unescaped() {
    let hostile = "x\u{1b}[31m\u{9b}\u{202e}y";
    let home = Project::empty();
    let folder = home.join(hostile);
    fs::create_dir_all(folder.join("apidisc-tui")).unwrap();
    fs::write(folder.join("apidisc-tui/config.toml"), "theme = \"a\\u009b\\u202e\"\n").unwrap();
    let printed = |arguments: &[&str], variable: &str| {
        let mut command = command(arguments);
        command.env("HOME", home.path()).env("APIDISC_CACHE", "on").env(variable, &folder);
        let outcome = outcome(&mut command);
        for text in [&outcome.stdout, &outcome.stderr] {
            assert!(!text.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{arguments:?} {variable}: {text:?}");
        }
        outcome.success()
    };
    for variable in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        assert!(printed(&["config", "--paths"], variable).contains(r"x\u{1b}[31m\u{9b}\u{202e}y"));
        printed(&["config", "--print"], variable);
        printed(&["cache"], variable);
    }
    let path = folder.to_str().unwrap();
    for client in ["claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini", "zed", "generic"] {
        printed(&["serve", path, "--tools", hostile, "--print-config", client], "HOME");
    }
    fs::write(folder.join("a.py"), "def f(): ...\nf()\n").unwrap();
    printed(&[path, "--screenshot", "-"], "HOME");
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_of_the_user_that_is_not_absolute_is_ignored() {
    let here = Project::empty();
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = command(arguments);
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "APIDISC_CACHE", "APIDISC_REQUESTS"] {
            command.env_remove(name);
        }
        command.env("HOME", here.join("home")).envs(variables.iter().copied()).current_dir(here.path());
        outcome(&mut command)
    };
    fs::write(here.join("a.py"), "def f(): ...\nf()\n").unwrap();
    let said = |name: &str| format!("apidisc-tui: {name} is ignored: its path is not absolute\n");
    for arguments in [&["--export", "a.py"][..], &["cache"], &["config", "--paths"]] {
        let outcome = run(arguments, &[("HOME", "home")]);
        assert!(outcome.stderr.starts_with(&said("HOME")), "{}", outcome.stderr);
        assert!(!here.join("home").exists(), "{arguments:?} made a folder");
    }
    let outcome = run(&["config", "--paths"], &[("XDG_CACHE_HOME", "cache")]);
    assert_eq!(outcome.stderr, said("XDG_CACHE_HOME"));
    assert!(outcome.success().contains(&here.join("home/.cache").display().to_string()));
    assert!(!here.join("cache").exists());
    assert_eq!(run(&["config", "--paths"], &[("XDG_CACHE_HOME", "")]).stderr, "");
}
