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

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_printed_is_an_error() {
    use crate::program::command;
    for line in ["--help", "index --help", "--version", "help-of-a-word --help"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let message = outcome(command(line.split_whitespace()).stdout(full)).failure();
        assert!(message.contains("standard output") && message.contains("free some space"), "{line}: {message}");
    }
}

#[test]
#[cfg(unix)]
fn help_for_a_reader_that_has_gone_is_a_success() {
    use crate::program::command;
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert_eq!(outcome(command(["--help"]).stdout(writer)).code, Some(0));
}

/// What a shell has already written to the file stays.
#[test]
#[cfg(target_os = "linux")]
fn standard_output_named_as_a_file_is_appended_to() {
    use crate::program::command;
    let folder = Project::with("log", "before\n");
    let log = || fs::File::options().append(true).open(folder.join("log")).unwrap();
    let line = ["--export", "--demo", "-o", "/dev/stdout"];
    assert_eq!(outcome(command(line).stdout(log())).code, Some(0));
    assert_eq!(
        fs::read_to_string(folder.join("log")).unwrap(),
        format!("before\n{}", run("--export --demo").success())
    );
}

/// A file size limit makes writing fail midway, as a full disk does.
#[test]
#[cfg(unix)]
fn an_interrupted_write_leaves_the_old_file_intact() {
    let folder = Project::with("out.jsonl", "old");
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" calls --demo -o \"$1\"";
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", script, env!("CARGO_BIN_EXE_apidisc-tui")])
        .arg(folder.join("out.jsonl"))
        .env("APIDISC_CACHE", "off");
    let message = outcome(&mut shell).failure();
    assert!(message.contains("out.jsonl"), "{message}");
    assert_eq!(fs::read_to_string(folder.join("out.jsonl")).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a temporary file was left");
}
