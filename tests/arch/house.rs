//! The house's rules for a file.

use crate::{
    rust,
    sources::{File, below, check},
};

/// The greatest number of lines of a file.
const LONGEST: usize = 500;
/// The greatest width of a line, in characters. rustfmt holds it in code that it formats: neither in comments nor in
/// the bodies of macros.
const WIDTH: usize = 120;

fn sources_and_tests() -> Vec<File> {
    below("src").into_iter().chain(below("tests")).collect()
}

#[test]
fn every_file_says_what_it_is_for() {
    check(&sources_and_tests(), |file| {
        (!file.text.starts_with("//! ")).then(|| "does not begin with a module comment".to_owned())
    });
}

#[test]
fn no_file_is_long() {
    check(&sources_and_tests(), |file| {
        let lines = file.text.lines().count();
        (lines > LONGEST).then(|| format!("{lines} lines; give each reason to exist its own file"))
    });
}

/// The first line of a file that is too wide. A literal may make a line wide, since a break would change or hide its
/// text, and rows of tables in comments cannot be broken.
fn too_wide(file: &File) -> Option<String> {
    let text = rust::without_literals(&file.text);
    let is_row = |line: &str| line.trim_start().trim_start_matches(['/', '!']).starts_with(" |");
    let is_wide = |line: &str| line.chars().count() > WIDTH && !is_row(line);
    let at = text.lines().position(is_wide)?;
    Some(format!("line {} is wider than {WIDTH} characters", at + 1))
}

#[test]
fn no_line_is_wide() {
    check(&sources_and_tests(), too_wide);
    let line = |text: &str| too_wide(&File::new("src/cli/new.rs", text));
    let words = "words ".repeat(20);
    assert!(line(&format!("/// {words}")).is_some_and(|found| found.starts_with("line 1 ")));
    assert!(line(&format!("f({})", "argument, ".repeat(12))).is_some());
    assert_eq!(line(&format!("//! | a | {words} |\nf(\"{words}\");")), None);
}

#[test]
fn nothing_is_left_for_later() {
    check(&below("src"), |file| {
        let macros = file.says(&["todo", "unimplemented", "dbg"]);
        let words = ["TODO", "FIXME", "XXX"].into_iter().find(|word| file.text.contains(word));
        macros.or(words).map(|found| format!("leaves something behind: {found}"))
    });
}

/// The items of `std::fs` that open or write a file without the guarantees of the modules `files` and `writing`.
const RAW: &[&str] = &["File", "OpenOptions", "copy", "read", "read_link", "read_to_string", "write"];

fn opens_a_file(file: &File) -> Option<String> {
    let raw: Vec<String> = RAW.iter().flat_map(|name| [format!("std::fs::{name}"), format!("fs::{name}")]).collect();
    let raw: Vec<&str> = raw.iter().map(String::as_str).collect();
    let found = file.names(&raw)?;
    let scripts =
        ["src/build.rs", "src/engine/sources/lib.rs", "src/engine/answering/build.rs", "src/engine/tokens/build.rs"];
    let is_script = scripts.contains(&file.path.as_str());
    let places = ["src/engine/base/files/", "src/writing/"];
    let is_test = file.path.ends_with("/tests.rs") || file.path.contains("/tests/");
    let is_place = is_script || is_test || places.iter().any(|place| file.path.starts_with(place));
    (!is_place).then(|| format!("only `files` opens files and only `writing` writes them, but it names {found}"))
}

/// The methods of a path that look at the disk.
const LOOKS: &[&str] =
    &[".is_dir()", ".is_file()", ".is_symlink()", ".exists()", ".canonicalize()", ".metadata()", ".read_dir()"];

fn looks_unrecorded(file: &File) -> Option<String> {
    let is_place = file.path.contains("/listing/") || file.path.ends_with("/tests.rs");
    let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
    let found = LOOKS.iter().find(|look| code.contains(**look)).filter(|_| !is_place)?;
    Some(format!("only `listing` looks at the disk, and records it, but it calls {found}"))
}

#[test]
fn looks_at_packages_are_recorded() {
    let places = ["src/engine/environment", "src/engine/indexing/indexer/libraries"];
    let files: Vec<File> = places.into_iter().flat_map(below).collect();
    check(&files, looks_unrecorded);
    assert!(looks_unrecorded(&File::new("src/engine/environment/a.rs", "fn f() { a.join(b).is_file() }")).is_some());
}

#[test]
fn files_are_opened_and_written_in_one_place() {
    check(&below("src"), opens_a_file);
    for bad in ["use std::fs::{self, File};", "use std::fs;\nfn f() { fs::write(a, b) }", "std::fs::read_to_string(a)"]
    {
        assert!(opens_a_file(&File::new("src/cli/new.rs", bad)).is_some(), "{bad}");
    }
    assert!(opens_a_file(&File::new("src/cli/new.rs", "use std::fs;\nfn f() { fs::metadata(a) }")).is_none());
}
