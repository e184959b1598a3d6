//! The cache as users see it: shown, cleared, gone without, and used by several processes at once.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use crate::program::{Outcome, Project, command, outcome, run};

/// The binary with a cache in the folder `home`.
pub(crate) fn cached(line: &str, home: &Path) -> Command {
    let mut command = command(line.split_whitespace());
    command.env_remove("APIDISC_CACHE").env("HOME", home);
    for (name, folder) in [("XDG_CACHE_HOME", "cache"), ("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state")] {
        command.env(name, home.join(folder));
    }
    command
}

pub(crate) fn run_cached(line: &str, home: &Path) -> Outcome {
    outcome(&mut cached(line, home))
}

/// A project of many small files.
fn project(files: usize) -> Project {
    let project = Project::with("pkg/__init__.py", "");
    let file = |i: usize| format!("from pkg.m{} import f\ndef f(a, b=1): ...\nf(1)\nf(1, b={i})\n", (i + 1) % files);
    (0..files).fold(project, |project, i| project.and(&format!("pkg/m{i}.py"), file(i)))
}

/// The files of a cache, with their sizes.
fn files(folder: &Path) -> Vec<(PathBuf, u64)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.flat_map(|entry| match entry.metadata().unwrap() {
        metadata if metadata.is_dir() => files(&entry.path()),
        metadata => vec![(entry.path(), metadata.len())],
    });
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

#[test]
fn every_command_answers_with_the_cache_as_without_it() {
    let (home, project) = (Project::empty(), project(5));
    let path = project.path().display();
    let lines = [
        format!("calls {path}"),
        format!("reads {path}"),
        format!("index {path} --min-usage-threshold 0"),
        format!("--export {path}"),
        format!("--export {path} --format json"),
        format!("--screenshot - {path}"),
    ];
    for line in lines {
        let expected = run(&line).success();
        for _ in 0..2 {
            assert_eq!(run_cached(&line, home.path()).success(), expected, "{line}");
        }
        assert_eq!(run_cached(&format!("{line} --no-cache"), home.path()).success(), expected, "{line}");
    }
    let shown = run_cached("cache", home.path()).success();
    assert!(shown.contains("contents  12 files in 2 packs, 2 indexes, 0.0 MB\n"), "{shown}");
    assert!(shown.contains("limit     1024.0 MB\n") && shown.contains("ago\n"), "{shown}");
    assert!(shown.contains(&format!("folder    {}", home.path().display())), "{shown}");
}

#[test]
fn the_cache_is_cleared_and_turned_off() {
    let (home, project) = (Project::empty(), project(3));
    let line = format!("--export {}", project.path().display());
    run_cached(&format!("{line} --no-cache"), home.path()).success();
    outcome(cached(&line, home.path()).env("APIDISC_CACHE", "off")).success();
    assert_eq!(files(home.path()), []);
    assert!(run_cached("cache show", home.path()).success().contains("last use  never"));
    run_cached(&line, home.path()).success();
    assert_eq!(files(home.path()).len(), 3, "a pack, an index and CACHEDIR.TAG");
    let removed = run_cached("cache clear", home.path()).success();
    assert!(removed.starts_with("removed 4 files in 1 pack, 1 index, "), "{removed}");
    assert_eq!(files(home.path()).len(), 1);
    let message = outcome(cached("cache", home.path()).env("APIDISC_CACHE", "off")).failure();
    assert!(message.contains("APIDISC_CACHE"), "{message}");
}

/// A limit of file sizes makes every write fail, as a full disk does.
#[test]
#[cfg(unix)]
fn a_cache_that_cannot_be_written_is_no_failure() {
    let (home, project) = (Project::empty(), project(3));
    let expected = run(&format!("calls {}", project.path().display())).success();
    let mut shell = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" calls \"$1\"";
    shell.args(["-c", script, env!("CARGO_BIN_EXE_apidisc-tui")]).arg(project.path());
    shell.env_remove("APIDISC_CACHE").env("HOME", home.path()).env("XDG_CACHE_HOME", home.join("cache"));
    assert_eq!(outcome(&mut shell).success(), expected);
    assert_eq!(files(home.path()).iter().map(|(_, bytes)| bytes).sum::<u64>(), 0);
}

#[test]
fn processes_that_are_killed_leave_a_whole_cache() {
    let (home, project) = (Project::empty(), project(60));
    let line = format!("calls {}", project.path().display());
    let expected = run(&line).success();
    // Each process is killed after a time of its own; some have ended by then.
    for wait in (0..24_u64).map(|i| Duration::from_millis(i * 17 % 120)) {
        let quiet = || Stdio::null();
        let mut process = cached(&line, home.path()).stdout(quiet()).stderr(quiet()).spawn().unwrap();
        thread::sleep(wait);
        process.kill().unwrap();
        process.wait().unwrap();
    }
    for _ in 0..2 {
        assert_eq!(run_cached(&line, home.path()).success(), expected);
    }
}

#[test]
fn processes_that_begin_at_once_on_a_cold_cache_answer_alike() {
    let (home, project) = (Project::empty(), project(60));
    let line = format!("calls {}", project.path().display());
    let expected = run(&line).success();
    let spawn = || cached(&line, home.path()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let processes: Vec<_> = (0..8).map(|_| spawn()).collect();
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success() && output.stdout == expected.as_bytes());
    }
    let shown = run_cached("cache", home.path()).success();
    assert!(shown.contains("contents  61 files in 1 pack"), "{shown}");
}
