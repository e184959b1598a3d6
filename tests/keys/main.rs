//! Sequences of keys: what they lead to, and that none of them breaks the explorer.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used)]

#[path = "../support/chance.rs"]
mod chance;
#[path = "../support/mod.rs"]
mod support;

mod finding;
mod journeys;
mod memory;
mod origins;
mod pages;
mod random;
mod tune;
mod tuning;
