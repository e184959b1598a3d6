//! What lowering makes of sources, as documentation: each test shows a source and the facts of it.

mod contexts;
mod narrowing;
mod robustness;
mod members;
mod modules;
mod grammar_gaps;
mod scopes;
mod show;
mod call_sites;
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

/// Compares lines, whatever their indentation.
#[track_caller]
fn check(found: &[String], expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected, "found:\n{}\n", found.join("\n"));
}
