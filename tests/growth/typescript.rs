//! Axes of TypeScript programs, by topic.

#![allow(clippy::format_collect, clippy::format_push_string, reason = "generated programs are texts of short lines")]

mod classes;
mod control;
mod modules;
mod types;
mod values;

use crate::work::Files;

/// A program of one file.
fn one_file(text: String) -> Files {
    vec![("a.ts".to_owned(), text)]
}

/// A program of one file with a line per number below `size`, after a header.
fn lines(size: usize, header: &str, line: impl Fn(usize) -> String) -> Files {
    one_file(header.to_owned() + &(0..size).map(line).collect::<String>())
}
