//! Literate tests of lowering: each shows a source and its facts.

mod call_sites;
mod contexts;
mod grammar_gaps;
mod members;
mod modules;
mod narrowing;
mod reads;
mod robustness;
mod scopes;
mod show;
mod types;

use super::{Dialect, facts::FileFacts, read};

fn typescript(source: &str) -> FileFacts {
    read(source, Dialect::TypeScript, false)
}

fn tsx(source: &str) -> FileFacts {
    read(source, Dialect::Tsx, false)
}

fn javascript(source: &str) -> FileFacts {
    read(source, Dialect::JavaScript, false)
}

/// Compares lines, ignoring their indentation.
#[track_caller]
fn check(found: &[String], expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected, "found:\n{}\n", found.join("\n"));
}
