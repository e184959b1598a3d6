//! What holds for every index and every budget.

#[path = "../support/sample.rs"]
mod sample;

mod generated;
mod literal;
mod metadata;
mod stub;
