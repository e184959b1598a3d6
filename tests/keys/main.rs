//! Tests of the explorer without a terminal: sequences of keys and clicks, and the state after them.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used)]

#[path = "../support/chance.rs"]
mod chance;
#[path = "../support/mod.rs"]
mod support;

mod agents;
mod ask;
mod card;
mod documents;
mod finding;
mod journeys;
mod meaning;
mod origins;
mod packages;
mod pages;
mod random;
mod reading;
mod screen;
mod session;
mod source;
mod tune;
mod tuning;
mod upgrade;
