//! Sequences of keys: what they lead to, and that none of them breaks the explorer.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used)]

#[path = "../support/mod.rs"]
mod support;

mod journeys;
mod random;
