//! What holds for every index and every budget.

#[path = "../support/sample.rs"]
mod sample;

mod generated;
mod linking;
mod literal;
mod metadata;
mod program;
mod stub;
