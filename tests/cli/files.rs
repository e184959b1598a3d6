//! Output to a file: the file is replaced as a whole, or not at all.

use std::fs;

use crate::program::{Project, outcome, run, run_on};

#[test]
fn a_file_gets_the_same_bytes_as_standard_output() {
    let folder = Project::empty();
    let file = folder.join("out");
    for line in ["--export --demo", "calls --demo", "index --demo"] {
        assert_eq!(run_on(&format!("{line} -o"), &file).success(), "");
        assert_eq!(fs::read_to_string(&file).unwrap(), run(line).success(), "{line}");
    }
    assert_eq!(run("--export --demo -o -").success(), run("--export --demo").success());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a temporary file was left");
}

#[test]
fn a_failed_run_leaves_the_old_file_alone() {
    let folder = Project::with("out.pyi", "old");
    run_on("--export --demo --symbol Nobody -o", &folder.join("out.pyi")).failure();
    assert_eq!(fs::read_to_string(folder.join("out.pyi")).unwrap(), "old");
}

#[test]
fn an_unwritable_path_is_reported_in_one_line() {
    let folder = Project::empty();
    let message = run_on("index --demo -o", &folder.join("none/out.yaml")).failure();
    assert!(message.ends_with("create its folder first") && !message.contains("at path"), "{message}");
    let message = run_on("index --demo -o", folder.path()).failure();
    assert!(message.ends_with("name a file in it"), "{message}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported_in_one_line() {
    use crate::program::command;
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    for line in ["calls --demo", "--export --demo", "index --demo"] {
        let message = outcome(command(line.split_whitespace()).stdout(full())).failure();
        assert!(message.contains("standard output") && message.contains("free some space"), "{message}");
        let message = run(&format!("{line} -o /dev/full")).failure();
        assert!(message.contains("/dev/full") && message.contains("free some space"), "{message}");
    }
}

/// A file size limit makes writing fail midway, as a full disk does.
#[test]
#[cfg(unix)]
fn an_interrupted_write_leaves_the_old_file_intact() {
    let folder = Project::with("out.jsonl", "old");
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" calls --demo -o \"$1\"";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_apidisc-tui")]).arg(folder.join("out.jsonl"));
    let message = outcome(&mut shell).failure();
    assert!(message.contains("out.jsonl"), "{message}");
    assert_eq!(fs::read_to_string(folder.join("out.jsonl")).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a temporary file was left");
}
