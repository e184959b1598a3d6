//! Tests of the command line with the real binary: its output and its exit code.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used)]

mod program;
#[path = "../support/tools.rs"]
mod tools;

mod ask;
mod bad_input;
mod breaks;
mod breaks_formats;
mod breaks_python;
mod cache;
mod calls;
mod changelog;
mod check_index;
mod config;
mod declarations;
mod deps;
mod discover;
mod docs;
mod doctor;
mod environments;
mod evaluate;
mod examples_of;
mod explain;
mod export;
mod facts;
mod files;
mod grammars;
mod help;
mod index;
mod intent;
mod intent_typescript;
mod intent_values;
mod languages;
mod manual;
mod npm_packages;
mod operations;
mod packages;
#[cfg(unix)]
mod pictures;
mod profile;
mod report;
mod revisions;
mod route;
mod schemas;
mod score;
mod screenshot;
mod setup;
mod shown_types;
mod sources;
