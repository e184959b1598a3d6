//! What holds for every index and every budget.

#[path = "../support/sample.rs"]
mod sample;

mod generated;
mod metadata;
mod stub;
