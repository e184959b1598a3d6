//! Help, the version, and the messages about wrong usage and missing terminals.

use insta::assert_snapshot;

use crate::program::run;

#[test]
fn help_is_short_or_long() {
    assert_snapshot!("help_short", run("-h").success());
    assert_snapshot!("help_long", run("--help").success());
    assert_snapshot!("help_index", run("index --help").success());
    assert_snapshot!("help_calls", run("calls --help").success());
    assert_snapshot!("help_reads", run("reads --help").success());
    assert_snapshot!("help_serve", run("serve --help").success());
    assert_snapshot!("help_setup", run("setup --help").success());
    assert_snapshot!("help_cache", run("cache --help").success());
    assert_snapshot!("help_check_index", run("check-index --help").success());
    assert_snapshot!("help_discover", run("discover --help").success());
    assert_snapshot!("help_docs", run("docs --help").success());
    assert_snapshot!("help_route", run("route --help").success());
    assert_snapshot!("help_ask", run("ask --help").success());
    assert_snapshot!("help_agent", run("agent --help").success());
    assert_snapshot!("help_doctor", run("doctor --help").success());
    assert_snapshot!("help_config", run("config --help").success());
    assert_snapshot!("help_completions", run("completions --help").success());
    assert_snapshot!("help_man", run("man --help").success());
}

#[test]
fn the_short_help_fits_a_screen_with_a_line_per_option() {
    let help = run("-h").success();
    assert!(help.lines().count() <= 60, "{}", help.lines().count());
    assert_eq!(help.lines().find(|line| line.chars().count() > 80), None);
    let (_, options) = help.split_once("Arguments:").unwrap();
    for line in options.lines().filter(|line| line.starts_with(' ')) {
        assert!(line.trim_start().starts_with(['-', '[']), "continues another line: {line}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(run("--version").success(), concat!("apidisc-tui ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn contradictions_are_wrong_usage() {
    for line in [
        "--export --demo --max-tokens 70 --min-frequency 0.5",
        "--export --demo --strategy exhaustive --max-tokens 70",
        "--export --demo --strategy coverage --min-frequency 0.5",
        "--export --demo some/path",
        "--export --index file some/path",
        "--export --demo --theme dark",
        "--demo --format json",
        "--demo -o file",
        "--export --demo --min-frequency 20",
        "--export --demo --max-tokens many",
        "--export --demo --encoding gpt5",
        "--export --demo --format html",
        "calls --format csv",
        "index one two",
        "config",
        "config --print --paths",
        "--no-such-flag",
        "completions",
        "completions tcsh",
        "man nothing",
        "--theme",
        "--theme dark --theme light",
    ] {
        let message = run(line).usage_error();
        assert!(message.starts_with("error: "), "{line}: {message}");
        let is_mended =
            ["tip: ", "possible values: ", "write ", " belongs to "].iter().any(|how| message.contains(how));
        assert!(is_mended, "does not say how to mend it: {message}");
    }
}

#[test]
fn wrong_usage_is_answered_with_a_remedy() {
    let message = run("--export --demo --strategy coverage --min-frequency 0.5").usage_error();
    assert!(
        message.contains("--min-frequency belongs to --strategy threshold, not to --strategy coverage"),
        "{message}"
    );
    let message = run("--export --demo --target 95").usage_error();
    assert!(message.contains("for 95% write 0.95"), "{message}");
    let message = run("--export --demo --max-tokens -1").usage_error();
    assert!(message.contains("invalid value '-1' for '--max-tokens"), "{message}");
    let message = run("--export one two").usage_error();
    assert!(message.contains("`two` is a second one"), "{message}");
}

#[test]
fn the_explorer_needs_a_terminal() {
    for line in ["", "--demo", "/nowhere/at/all"] {
        let message = run(line).failure();
        assert!(message.contains("terminal") && message.contains("--export"), "{message}");
    }
}
