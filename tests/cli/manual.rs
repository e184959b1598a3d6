//! `man` and `completions` are made from the same definition as the help.

use std::{io::Write as _, process::Stdio};

use insta::assert_snapshot;

use crate::{program::run, tools};

const COMMANDS: [&str; 5] = ["index", "calls", "config", "completions", "man"];

/// The options that a help names.
fn options(help: &str) -> Vec<String> {
    let words = help.lines().map(str::trim_start).filter(|line| line.starts_with('-')).flat_map(str::split_whitespace);
    words.filter(|word| word.starts_with("--") && word.len() > 2).map(|word| word.replace('-', "\\-")).collect()
}

#[test]
fn the_manual_names_every_command_and_option() {
    let page = run("man").success();
    let options = options(&run("--help").success());
    assert!(options.len() > 25, "{options:?}");
    for option in options {
        assert!(page.contains(&option), "{option} is not in the manual");
    }
    for command in COMMANDS {
        assert!(page.contains(&format!("apidisc\\-tui\\-{command}(1)")), "{command} is not in the manual");
        let page = run(&format!("man {command}")).success();
        assert!(page.contains(&format!(".TH apidisc-tui-{command} 1")), "{page}");
    }
    assert_snapshot!("man_calls", run("man calls").success().replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

#[test]
fn every_shell_completes_every_command_and_option() {
    let options = options(&run("--help").success());
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&format!("completions {shell}")).success();
        for name in options.iter().map(|option| option.trim_start_matches(['\\', '-'])).chain(COMMANDS) {
            let name = name.replace("\\-", "-");
            assert!(script.contains(&name), "{name} is not in what {shell} completes");
        }
    }
}

#[test]
fn shells_accept_their_completions() {
    for (name, shell) in [("bash", tools::BASH), ("zsh", tools::ZSH), ("fish", tools::FISH)] {
        let script = run(&format!("completions {name}")).success();
        if tools::is_missing(&shell) {
            continue;
        }
        let mut child = shell.command().arg("-n").stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
