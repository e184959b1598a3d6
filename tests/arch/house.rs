//! The house's rules for a file.

use crate::sources::{File, below, check};

const LONGEST: usize = 500;

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

#[test]
fn nothing_is_left_for_later() {
    check(&below("src"), |file| {
        let macros = file.says(&["todo", "unimplemented", "dbg"]);
        let words = ["TODO", "FIXME", "XXX"].into_iter().find(|word| file.text.contains(word));
        macros.or(words).map(|found| format!("leaves something behind: {found}"))
    });
}
